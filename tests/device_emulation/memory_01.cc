// SPDX-License-Identifier: LGPL-2.1-or-later
// Memory, streams, events and graphs: what the host does with a device.
#include <tessera/base/counters.h>
#include <tessera/base/device/graph.h>
#include <tessera/base/device/memory.h>

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "device_emulation/device_test.h"
#include "device_emulation/language_kernels.h"
#ifndef TESSERA_TEST_VARIANT_cuda
#  include "device_emulation/emulation.h"
#endif

namespace
{
  using namespace tessera;

  static_assert(
    !std::is_copy_constructible<device::Memory<int>>::value &&
      std::is_nothrow_move_constructible<device::Memory<int>>::value,
    "An array moves.");



  void
  check_copies()
  {
    const device::Stream      stream;
    const std::vector<double> values = {1, 2, 3, 4, 5};
    device::Memory<double>    a(values.data(), values.size(), stream), b(5);
    CHECK_EQUAL(a.size(), std::size_t(5));
    CHECK_EQUAL(reinterpret_cast<std::size_t>(a.data()) % 256, std::size_t(0));

    b.copy_from_device_async(a, stream);
    device::PinnedMemory<double> pinned(2);
    pinned[0] = -1;
    pinned[1] = -2;
    b.copy_from_host_async(pinned.data(), 3, 2, stream);
    std::vector<double> found(5);
    b.copy_to_host(found.data(), stream);
    CHECK(found == std::vector<double>({1, 2, 3, -1, -2}));
    a.copy_to_host_async(pinned.data(), 1, 2, stream);
    stream.synchronize();
    CHECK_EQUAL(pinned[0], 2.);
    CHECK_EQUAL(pinned[1], 3.);

    b.fill_bytes_async(0, stream);
    b.copy_to_host(found.data(), stream);
    CHECK(found == std::vector<double>(5, 0.));

    device::Memory<double> moved(std::move(a));
    CHECK(a.data() == nullptr && a.empty()); // NOLINT: that is the promise
    moved.copy_to_host(found.data(), stream);
    CHECK(found == values);
    b = std::move(moved);
    b.copy_to_host(found.data(), stream);
    CHECK(found == values);

    device::Memory<double> nothing(0), none;
    CHECK(nothing.data() == nullptr && none.data() == nullptr);
    nothing.copy_from_host(nullptr, stream);
    nothing.fill_bytes_async(1, stream);
  }



  void
  check_counts()
  {
    const device::Stream  stream;
    Counters             &counters = Counters::process();
    const CounterSnapshot start    = counters.snapshot();
    std::vector<int>      values(100);
    device::Memory<int>   a(100), b(100);
    {
      const CounterPhase setup("set-up of the test");
      a.copy_from_host(values.data(), stream);
    }
    {
      const CounterPhase solve("solution of the test");
      b.copy_from_device_async(a, stream);
      b.copy_to_host_async(values.data(), 7, 1, stream);
      b.copy_to_host_async(values.data(), 8, 2, stream);
      stream.synchronize();
    }
    const CounterSnapshot all  = counters.snapshot().since(start);
    const auto            up   = Counters::host_to_device_bytes;
    const auto            down = Counters::device_to_host_bytes;
    CHECK_EQUAL(all.value(up, "set-up of the test").total, 400u);
    CHECK_EQUAL(all.value(down, "set-up of the test").total, 0u);
    CHECK_EQUAL(all.value(up, "solution of the test").total, 0u);
    CHECK_EQUAL(all.value(down, "solution of the test").total, 12u);
    CHECK_EQUAL(all.value(down, "solution of the test").n_events, 2u);
    CHECK_EQUAL(all.value(down, "solution of the test").largest, 8u);
  }



  void
  check_errors()
  {
    const std::size_t too_much = std::size_t(1) << 50;
    const std::string message =
      CHECK_THROWS(DeviceError, device::Memory<char>(too_much));
    CHECK(message.find("out of device memory: " + std::to_string(too_much)) !=
          std::string::npos);
    CHECK(message.find("free") != std::string::npos);
    CHECK_THROWS(DeviceError,
                 device::Memory<double>(
                   std::numeric_limits<std::size_t>::max() / 4));
    // The device still works.
    check_copies();
  }



  void
  check_events()
  {
    const device::Stream  first, second;
    device::Event         start, end;
    device::Memory<float> values(1000);
    start.record(first);
    values.fill_bytes_async(0, first);
    end.record(first);
    second.wait_for(end);
    float value = 1;
    values.copy_to_host_async(&value, 999, 1, second);
    second.synchronize();
    CHECK_EQUAL(value, 0.f);
    CHECK(device::seconds_between(start, end) >= 0);
    CHECK(device::seconds_between(start, end) < 10);
  }



  void
  check_graphs()
  {
    const device::Stream  stream;
    const int             n = 4;
    std::vector<float>    values(n * n);
    device::Memory<float> a(n * n), b(n * n);
    for (int i = 0; i < n * n; ++i)
      values[i] = float(i);
    a.copy_from_host(values.data(), stream);

    // Two transpositions: a copy by way of b, the second one of what a is then.
    int           n_calls = 0;
    int           size    = n;
    device::Graph graph([&](const device::Stream &s) {
      ++n_calls;
      language::transpose(size, a.data(), b.data(), s);
      language::negate_vectors(n * n, b.data(), a.data(), s);
    });
    for (int repetition = 0; repetition < 3; ++repetition)
      {
        graph.run(stream);
        size = 1; // what has been recorded does not change
      }
    CHECK_EQUAL(n_calls, 1);
    std::vector<float> found(n * n);
    a.copy_to_host(found.data(), stream);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        CHECK_EQUAL(found[i * n + j], -values[j * n + i]);

    // Recorded again, with what the arguments are now.
    size = n;
    graph.reset();
    graph.run(stream);
    CHECK_EQUAL(n_calls, 2);
    a.copy_to_host(found.data(), stream);
    CHECK(found == values);

    // A sequence that fails leaves the stream as it was.
    device::Graph failing(
      [](const device::Stream &) { throw InputError("this sequence fails"); });
    CHECK_THROWS(InputError, failing.run(stream));
    graph.run(stream);
    a.copy_to_host(found.data(), stream);
    CHECK_EQUAL(found[1], -values[n]);
  }



#ifndef TESSERA_TEST_VARIANT_cuda
  /** A stream that does its work as late as it may. */
  void
  check_deferred_work()
  {
    emulation::options().deferred = true;
    const device::Stream      first, second;
    device::Memory<int>       a(2);
    device::PinnedMemory<int> in(2), out(2);
    const auto                n_waits = emulation::statistics().n_waits;

    // Too early and too late.
    in[0] = in[1] = 1;
    out[0] = out[1] = 0;
    a.copy_from_host_async(in.data(), first);
    device::Event up, never;
    CHECK(never.is_reached());
    up.record(first);
    a.copy_to_host_async(out.data(), first);
    in[0] = 2;
    CHECK(!up.is_reached());
    up.synchronize();
    CHECK(up.is_reached());
    CHECK_EQUAL(out[0], 0);
    in[0] = 3;
    first.synchronize();
    CHECK_EQUAL(out[0], 2);
    CHECK_EQUAL(out[1], 1);

    // Memory that is not pinned: put aside, and waited for.
    std::vector<int> values = {5, 6}, found(2);
    a.copy_from_host_async(values.data(), first);
    values[0] = 7;
    a.copy_to_host_async(found.data(), first);
    CHECK_EQUAL(found[0], 5);
    CHECK_EQUAL(emulation::statistics().n_waits - n_waits, 3u);

    // One stream waits for another, which the host does not.
    device::Event filled;
    a.fill_bytes_async(0, first);
    filled.record(first);
    a.fill_bytes_async(1, first);
    second.wait_for(filled);
    a.copy_to_host_async(out.data(), second);
    second.synchronize();
    CHECK_EQUAL(out[0], 0);
    device::Event polled;
    polled.record(first);
    int n_questions = 0;
    while (!polled.is_reached())
      ++n_questions;
    CHECK_EQUAL(n_questions, 2); // the second filling, and the event

    // Memory is freed after what uses it.
    {
      device::Memory<int> short_lived(2);
      short_lived.fill_bytes_async(0, first);
      short_lived.copy_to_host_async(out.data(), first);
      out[0] = 8;
    }
    CHECK_EQUAL(out[0], 0);
    emulation::options().deferred = false;

    device::Graph asks([&](const device::Stream &s) {
      up.record(s);
      up.synchronize();
    });
    CHECK_THROWS(emulation::Error, asks.run(first));
  }



  /** What a device would answer by a crash, or by nonsense. */
  void
  check_emulated_host()
  {
    const device::Stream  stream, other;
    std::vector<float>    values(8);
    device::Memory<float> a(8);
    // Uninitialized device memory is not a number.
    a.copy_to_host(values.data(), stream);
    for (const float value : values)
      CHECK(std::isnan(value));

    device::Memory<float> b(8);
    using device::CopyDirection;
    const auto copy = [&](void *to, const void *from, CopyDirection direction) {
      device::backend::copy(to, from, 32, direction, stream.handle());
    };
    CHECK_THROWS(emulation::Error,
                 copy(values.data(), b.data(), CopyDirection::host_to_device));
    CHECK_THROWS(emulation::Error,
                 copy(a.data(),
                      values.data(),
                      CopyDirection::device_to_device));
    CHECK_THROWS(emulation::Error,
                 copy(values.data(),
                      a.data() + 1,
                      CopyDirection::device_to_host));

    // What must not be done while a stream is recorded.
    device::Graph waits([](const device::Stream &s) { s.synchronize(); });
    CHECK_THROWS(emulation::Error, waits.run(stream));
    device::Graph allocates(
      [](const device::Stream &) { device::Memory<int> memory(3); });
    CHECK_THROWS(emulation::Error, allocates.run(stream));

    CHECK_THROWS(emulation::Error,
                 language::call_block_functions(1025, nullptr, nullptr, other));

    emulation::options().device_memory_bytes = 100;
    CHECK_THROWS(DeviceError, device::Memory<float>(10));
    emulation::options().device_memory_bytes = 1 << 20;
    const device::Memory<float> fits(10);
    CHECK(fits.data() != nullptr);
  }
#endif
} // namespace

int
main()
{
  return device_test::run([] {
    check_copies();
    check_counts();
    check_errors();
    check_events();
    check_graphs();
#ifndef TESSERA_TEST_VARIANT_cuda
    check_deferred_work();
    check_emulated_host();
#endif
  });
}
