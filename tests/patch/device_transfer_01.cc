// SPDX-License-Identifier: LGPL-2.1-or-later
// Restriction and prolongation on a device have the bits of the host's kernels,
// for families in any order.
#include <tessera/base/instruction_set.h>
#include <tessera/patch/device/transfer_launchers.h>
#include <tessera/patch/level_tables.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cellwise/device_fields.h"
#include "device_emulation/device_test.h"
#include "patch/call_kernels.h"

namespace
{
  using namespace tessera;
  using namespace tessera::patch;
  using namespace tessera::cellwise;

  /** @param[in] n_parents Of n_parents + 3 cells of the coarse field. */
  template <int dim, typename T>
  void
  check_transfer(const int degree, const CellIndex n_parents)
  {
    constexpr Layout     contiguous = Layout::contiguous;
    const int            N = power(degree + 1, dim), n_children = 1 << dim;
    const CellIndex      n_coarse = n_parents + 3;
    const CellIndex      n_fine   = n_coarse * n_children;
    const device::Stream stream;

    // Any order, and families whose cells are anywhere.
    std::mt19937           generator(17);
    std::vector<CellIndex> parents(n_coarse), children(n_fine);
    for (CellIndex c = 0; c < n_coarse; ++c)
      parents[c] = c;
    for (CellIndex c = 0; c < n_fine; ++c)
      children[c] = c;
    std::shuffle(parents.begin(), parents.end(), generator);
    std::shuffle(children.begin(), children.end(), generator);
    parents.resize(n_parents);
    children.resize(std::size_t(n_parents) * n_children);
    const device::Memory<CellIndex> device_parents(parents.data(),
                                                   parents.size(),
                                                   stream);
    const device::Memory<CellIndex> device_children(children.data(),
                                                    children.size(),
                                                    stream);

    const ReferenceCell     cell(degree);
    std::array<double, dim> weights;
    for (int d = 0; d < dim; ++d)
      weights[d] = 1. + 0.5 * d;
    const LevelTables<dim, T> tables(cell,
                                     PatchMatrices(cell),
                                     ElementWeights<dim>(weights, 0.25));

    using Primal            = PrimalField<T>;
    using DualModal         = DualModalField<T>;
    Primal       u          = test::random_field<Primal>(n_fine, N);
    const auto   b          = test::random_field<DualModal>(n_fine, N);
    const Primal z          = test::random_field<Primal>(n_coarse, N);
    DualModal    restricted = test::poisoned_field<DualModal>(n_coarse, N);
    const auto   set        = active_instruction_set();
    auto         device_u   = test::on_device<contiguous>(u, stream);
    const auto   device_b   = test::on_device<contiguous>(b, stream);
    const auto   device_z   = test::on_device<contiguous>(z, stream);
    auto device_restricted  = test::on_device<contiguous>(restricted, stream);

    restrict_residual_on<dim>(set,
                              degree,
                              restricted.data(),
                              u.data(),
                              b.data(),
                              parents.data(),
                              children.data(),
                              n_parents,
                              tables.transfer());
    on_device::restrict_residual<dim>(degree,
                                      device_restricted.data(),
                                      device_u.data(),
                                      device_b.data(),
                                      device_parents.data(),
                                      device_children.data(),
                                      n_parents,
                                      tables.transfer(),
                                      stream);
    // Also that other cells are not written.
    CHECK(test::same_on_device(device_restricted, restricted, stream));
    for (const CellIndex parent : parents)
      for (int k = 0; k < N; ++k)
        CHECK(std::isfinite(restricted(parent, k)));

    prolongate_and_add_on<dim>(set,
                               degree,
                               u.data(),
                               z.data(),
                               parents.data(),
                               children.data(),
                               n_parents,
                               tables.transfer());
    on_device::prolongate_and_add<dim>(degree,
                                       device_u.data(),
                                       device_z.data(),
                                       device_parents.data(),
                                       device_children.data(),
                                       n_parents,
                                       tables.transfer(),
                                       stream);
    CHECK(test::same_on_device(device_u, u, stream));
  }



  template <int dim>
  void
  check_dimension()
  {
    for (int degree = 1; degree <= 3; ++degree)
#ifdef TESSERA_TEST_VARIANT_thread
      for (const CellIndex n_parents : {11})
#else
      for (const CellIndex n_parents : {1, 4, 11, 32, 37})
#endif
        {
          check_transfer<dim, float>(degree, n_parents);
          check_transfer<dim, double>(degree, n_parents);
        }
    const device::Stream        stream;
    const TransferTables<float> none{};
    const std::string           message =
      CHECK_THROWS(InputError,
                   (on_device::prolongate_and_add<dim, float>(
                     5, nullptr, nullptr, nullptr, nullptr, 1, none, stream)));
    CHECK(message.find("degree 5") != std::string::npos);
  }
} // namespace

int
main()
{
  return device_test::run([] {
    check_dimension<2>();
    check_dimension<3>();
  });
}
