// SPDX-License-Identifier: LGPL-2.1-or-later
// The emulation finds planted bugs: by ending the launch with a message that
// has the place and the state of threads; by results that depend on the order
// of threads; by results that are not a number. Correct kernels are left alone.
#include <tessera/base/device/memory.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "device_emulation/device_test.h"
#include "device_emulation/emulation.h"
#include "device_emulation/planted_bugs_kernels.h"

namespace
{
  using namespace tessera;
  using planted_bugs::Bug;
  using planted_bugs::n_values;

  constexpr emulation::Order orders[] = {emulation::Order::forward,
                                         emulation::Order::reverse,
                                         emulation::Order::random};



  /** The values that a kernel leaves in an array of zeros. */
  std::vector<float>
  run(const Bug bug, const emulation::Order order)
  {
    emulation::options().order = order;
    const device::Stream  stream;
    device::Memory<float> values(n_values);
    values.fill_bytes_async(0, stream);
    planted_bugs::run(bug, values.data(), stream);
    std::vector<float> result(n_values);
    values.copy_to_host(result.data(), stream);
    return result;
  }



  bool
  contains(const std::string &text, const std::string &part)
  {
    return text.find(part) != std::string::npos;
  }



  void
  check_error(const Bug bug, const std::string &expected)
  {
    for (const emulation::Order order : orders)
      {
        const std::string message =
          CHECK_THROWS(emulation::Error, run(bug, order));
        CHECK(contains(message, expected));
        CHECK(contains(message, "warp 0, lane"));
        if (!contains(message, expected))
          std::cerr << message << "\n  lacks: " << expected << std::endl;
        // What comes next is not disturbed.
        CHECK(run(Bug::correct_block_barrier, order)[3] == 4);
      }
  }



  bool
  depends_on_order(const Bug bug)
  {
    const std::vector<float> first = run(bug, orders[0]);
    for (const emulation::Order order : orders)
      if (std::memcmp(run(bug, order).data(),
                      first.data(),
                      n_values * sizeof(float)) != 0)
        return true;
    return false;
  }
} // namespace

int
main()
{
  return device_test::run([] {
    check_error(Bug::barrier_after_exit, "have exited");
    check_error(Bug::different_barriers, "different barriers");
    check_error(Bug::barrier_in_warp_operation, "deadlock");
    check_error(Bug::exited_lane_in_mask, "exited");
    check_error(Bug::absent_lane_in_mask, "do not exist");
    check_error(Bug::lane_exits_while_awaited, "exited");
    check_error(Bug::read_from_outside_of_mask,
                "reads from lane 20, which does not take part");
    check_error(Bug::mask_without_caller,
                "the calling lane is not in its own mask");
    check_error(Bug::different_warp_operations, "different warp operations");
    check_error(Bug::different_masks, "different masks");
    check_error(Bug::no_dynamic_shared_memory, "no dynamic shared memory");
    check_error(Bug::too_much_shared_memory, "too much shared memory");
    check_error(Bug::grid_barrier_without_cooperation, "not a cooperative one");
    check_error(Bug::grid_barrier_after_exit, "have exited");

    // The message says where each thread is.
    const std::string message = CHECK_THROWS(emulation::Error,
                                             run(Bug::barrier_in_warp_operation,
                                                 emulation::Order::forward));
    CHECK(contains(message, "lane 0: in __syncthreads at "));
    CHECK(contains(message, "lanes 1 to 31: in __syncwarp at "));
    CHECK(contains(message, "planted_bugs_kernels.cu:"));
    CHECK(contains(message, "mask 0xffffffff"));

    CHECK(depends_on_order(Bug::missing_block_barrier));
    CHECK(depends_on_order(Bug::missing_warp_barrier));
    CHECK(depends_on_order(Bug::blocks_write_the_same));
    CHECK(!depends_on_order(Bug::correct_block_barrier));
    CHECK(!depends_on_order(Bug::correct_warp_barrier));
    CHECK(!depends_on_order(Bug::correct_atomic_addition));
    CHECK(!depends_on_order(Bug::correct_grid_barrier));

    for (const emulation::Order order : orders)
      {
        for (const float value : run(Bug::uninitialized_shared_memory, order))
          CHECK(std::isnan(value));
        CHECK_EQUAL(run(Bug::correct_atomic_addition, order)[0],
                    float(n_values));
        for (const float value : run(Bug::correct_grid_barrier, order))
          CHECK_EQUAL(value, float(n_values - 1));
      }
  });
}
