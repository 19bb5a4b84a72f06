// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/block_amg.h>
#include <tessera/amg/hierarchy.h>
#include <tessera/amg/matrix_kernel.h>
#include <tessera/amg/spectrum.h>
#include <tessera/amg/v_cycle.h>
#include <tessera/amg/vector_operations.h>
#include <tessera/base/exceptions.h>
#include <tessera/base/timer.h>
#include <tessera/sparse/vector_sizes.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace tessera
{
  namespace amg
  {
    namespace
    {
      /** What is wrong with a matrix, but for its values; or nothing. */
      std::string
      problem_of(const sparse::BlockMatrix<double> &A)
      {
        const sparse::BlockPattern &pattern = A.pattern();
        const sparse::IndexLayout  &rows    = pattern.rows();
        if (rows.communicator().n_ranks() > 1)
          return "it is for one process, and the matrix is distributed "
                 "over " +
                 std::to_string(rows.communicator().n_ranks()) +
                 ". Run without mpirun.";
        if (rows.n_global() == 0)
          return "the matrix has no rows.";
        if (!rows.same_owned(pattern.columns()) ||
            A.shape().rows != A.shape().columns)
          return "the matrix has " + std::to_string(rows.n_global()) + " x " +
                 std::to_string(pattern.columns().n_global()) + " blocks of " +
                 std::to_string(A.shape().rows) + " x " +
                 std::to_string(A.shape().columns) +
                 " numbers; both have to be square.";
        for (sparse::LocalIndex i = 0; i < pattern.n_rows(); ++i)
          if (pattern.find(i, i) < 0)
            return "block row " + std::to_string(rows.global(i)) +
                   " of the matrix has no block on the diagonal. Add it to "
                   "the pattern.";
        return {};
      }

      /** The same of what goes with it. */
      std::string
      problem_of(const sparse::BlockMatrix<double> &A,
                 const NearNullSpace               &B,
                 const std::vector<std::uint64_t>  &keys)
      {
        const sparse::IndexLayout &rows = A.pattern().rows();
        if (B.block_size() != A.shape().rows || !B.layout().same_owned(rows))
          return "the near-null space is for " +
                 std::to_string(B.layout().n_global()) + " nodes of " +
                 std::to_string(B.block_size()) +
                 " components where the matrix has " +
                 std::to_string(rows.n_global()) + " of " +
                 std::to_string(A.shape().rows) + '.';
        if (keys.size() != static_cast<std::size_t>(rows.n_owned()))
          return std::to_string(keys.size()) +
                 " keys of nodes were given where the matrix has " +
                 std::to_string(rows.n_owned()) + " block rows.";
        return {};
      }

      void
      throw_problem(const Communicator &communicator,
                    const std::string  &problem)
      {
        communicator.throw_collectively(
          problem.empty() ? problem : "Algebraic multigrid: " + problem);
      }

      /** @throws InputError for modes that are zero or depend on each other. */
      void
      check_independence(const NearNullSpace &B)
      {
        const double value = independence(B);
        if (value <= 1e-14)
          throw InputError(
            "Near-null space: its " + std::to_string(B.n_modes()) +
            " modes depend on each other, to rounding. Leave out those that "
            "are combinations of others; the origin of rotations is best at "
            "the centre of the nodes.");
      }

      /** Divide each mode by a power of two, to a norm of about 1: what an
       * aggregate can tell apart is not to depend on units of modes. Those that
       * are orthonormal stay as they are. */
      void
      scale_modes(NearNullSpace &B)
      {
        const std::size_t   n_modes = B.n_modes();
        const std::size_t   n_rows  = B.layout().n_owned() * B.block_size();
        std::vector<double> squares(n_modes, 0.);
        for (std::size_t v = 0; v < n_rows; ++v)
          for (std::size_t m = 0; m < n_modes; ++m)
            squares[m] += B.data()[v * n_modes + m] * B.data()[v * n_modes + m];
        B.layout().communicator().sum(squares.data(), n_modes);
        std::vector<double> units;
        for (const double square : squares)
          units.push_back(power_of_two_below(std::sqrt(2 * square)));
        for (std::size_t v = 0; v < n_rows; ++v)
          for (std::size_t m = 0; m < n_modes; ++m)
            B.data()[v * n_modes + m] /= units[m];
      }
    } // namespace



    class BlockAMG::Implementation
    {
    public:
      Implementation(const sparse::BlockMatrix<double> &A,
                     const NearNullSpace               &B,
                     const std::vector<std::uint64_t>  &keys,
                     const Options                     &given_options)
        : options(given_options)
        , pattern(A.pattern())
        , block_size(A.shape().rows)
      {
        const double start = wall_clock();
        check_independence(B);
        inactive = find_inactive_components(A);

        NearNullSpace modes = B.copy();
        remove_inactive(inactive, modes);
        scale_modes(modes);
        const DenseMatrix coefficients =
          kernel_coefficients(A, inverse_scalar_diagonal(A), modes);
        find_kernel(modes, coefficients);

        hierarchy = std::make_unique<Hierarchy>(
          A, std::move(modes), inactive, keys, options, record);
        coarse_kernel =
          OrthonormalBasis(hierarchy->coarsest_modes(), coefficients);
        hierarchy->forget_modes();
        cycle = make_v_cycle(*hierarchy, coarse_kernel, options, record);
        finish_setup(A, start);
      }



      /** Before anything is changed. */
      void
      check_update(const sparse::BlockMatrix<double> &A) const
      {
        if (!(A.pattern() == pattern) || A.shape().rows != block_size ||
            A.shape().columns != block_size)
          throw InputError("Algebraic multigrid: the matrix of an update has "
                           "another pattern, or other blocks, than that of "
                           "the set-up. Set up anew.");
        if (!(find_inactive_components(A) == inactive))
          throw InputError("Algebraic multigrid: in the matrix of an update "
                           "other rows have no entry but on the diagonal than "
                           "in that of the set-up. Set up anew.");
        // Also of inactive components, by whose diagonal vmult() divides.
        const sparse::BlockDiagonal<double> inverse_diagonal =
          inverse_scalar_diagonal(A);
        if (!kernel.vectors().empty() &&
            kernel.residual(A, inverse_diagonal) > largest_kernel_residual)
          throw InputError("Algebraic multigrid: the kernel of the matrix of "
                           "an update is not that of the matrix of the "
                           "set-up. Set up anew.");
      }



      /** @param[in] start The time at which it began, with the check. */
      void
      update(const sparse::BlockMatrix<double> &A, const double start)
      {
        record.seconds   = SetupSeconds();
        record.is_update = true;
        hierarchy->update(A, record);
        cycle->update(record);
        finish_setup(A, start);
      }



      void
      vmult(sparse::BlockVector<double>       &z,
            const sparse::BlockVector<double> &r)
      {
        sparse::check_owned_vector("z", z, pattern.rows(), block_size);
        sparse::check_owned_vector("r", r, pattern.rows(), block_size);
        sparse::check_different("z", z, "r", r);
        if (kernel.vectors().empty())
          cycle->vmult(z, r);
        else
          {
            copy_values(r, projected);
            kernel.remove_from(projected);
            cycle->vmult(z, projected);
            kernel.remove_from(z);
          }
        for (const InactiveEntry &entry : inactive_entries)
          z.data()[entry.index] = r.data()[entry.index] / entry.diagonal;
      }



      std::size_t
      memory_consumption() const
      {
        std::size_t result = own_memory();
        for (const LevelRecord &level : record.levels)
          result += level.memory;
        return result;
      }



      HierarchyRecord  record;
      OrthonormalBasis kernel;

    private:
      /** A number of a vector that is not in the equations of the others. */
      struct InactiveEntry
      {
        std::size_t index;
        double      diagonal;
      };



      void
      find_kernel(const NearNullSpace &modes, const DenseMatrix &coefficients)
      {
        const std::size_t n     = coefficients.n_columns();
        record.kernel_dimension = static_cast<int>(n);
        if (n == 0)
          return;
        if (options.singular_matrix == SingularMatrix::refuse)
          throw InputError(
            "Algebraic multigrid: the matrix is singular: it maps " +
            std::to_string(n) + " of the " + std::to_string(modes.n_modes()) +
            " modes of the near-null space (or combinations of them) to zero. "
            "Supports or boundary conditions that fix the solution are "
            "missing: add them, or ask for the solution in the complement of "
            "the kernel, which exists if the right-hand side has no part in "
            "it.");
        kernel    = OrthonormalBasis(modes, coefficients);
        projected = sparse::BlockVector<double>(pattern.rows(), block_size);
      }



      void
      finish_setup(const sparse::BlockMatrix<double> &A, const double start)
      {
        inactive_entries.clear();
        if (!inactive.empty())
          for (sparse::LocalIndex i = 0; i < pattern.n_rows(); ++i)
            for (int c = 0; c < block_size; ++c)
              if (inactive.is_inactive(i, c))
                inactive_entries.push_back(
                  {static_cast<std::size_t>(i) * block_size + c,
                   A.block(pattern.find(i, i))[c * (block_size + 1)]});
        for (unsigned int l = 0; l < hierarchy->n_levels(); ++l)
          record.levels[l].memory =
            hierarchy->memory_consumption(l) + cycle->memory_consumption(l);
        record.memory        = memory_consumption();
        record.seconds.total = wall_clock() - start;
      }



      std::size_t
      own_memory() const
      {
        return kernel.memory_consumption() +
               coarse_kernel.memory_consumption() +
               projected.n_values() * sizeof(double) +
               inactive_entries.size() * sizeof(InactiveEntry);
      }



      const Options               options;
      const sparse::BlockPattern  pattern;
      const int                   block_size;
      InactiveComponents          inactive;
      std::unique_ptr<Hierarchy>  hierarchy;
      OrthonormalBasis            coarse_kernel;
      std::unique_ptr<VCycle>     cycle;
      std::vector<InactiveEntry>  inactive_entries;
      sparse::BlockVector<double> projected;
    };



    BlockAMG::BlockAMG()            = default;
    BlockAMG::~BlockAMG()           = default;
    BlockAMG::BlockAMG(BlockAMG &&) = default;
    BlockAMG &
    BlockAMG::operator=(BlockAMG &&) = default;



    void
    BlockAMG::initialize(const sparse::BlockMatrix<double> &A,
                         const NearNullSpace               &near_null_space,
                         const std::vector<std::uint64_t>  &keys,
                         const Options                     &options)
    {
      clear();
      check(options);
      const Communicator &communicator = A.pattern().rows().communicator();
      throw_problem(communicator, problem_of(A));
      throw_problem(communicator, problem_of(A, near_null_space, keys));
      implementation =
        std::make_unique<Implementation>(A, near_null_space, keys, options);
    }



    BlockAMG::Implementation &
    BlockAMG::initialized() const
    {
      if (!implementation)
        throw InputError(
          "Algebraic multigrid is used before it was initialized.");
      return *implementation;
    }



    void
    BlockAMG::update(const sparse::BlockMatrix<double> &A)
    {
      const double start = wall_clock();
      initialized().check_update(A);
      try
        {
          implementation->update(A, start);
        }
      catch (...)
        {
          // Some levels have new values, others do not.
          clear();
          throw;
        }
    }



    void
    BlockAMG::clear()
    {
      implementation.reset();
    }



    bool
    BlockAMG::is_initialized() const
    {
      return implementation != nullptr;
    }



    void
    BlockAMG::vmult(sparse::BlockVector<double>       &z,
                    const sparse::BlockVector<double> &r) const
    {
      initialized().vmult(z, r);
    }



    double
    BlockAMG::part_in_kernel(const sparse::BlockVector<double> &b) const
    {
      return initialized().kernel.part_of(b);
    }



    void
    BlockAMG::remove_kernel(sparse::BlockVector<double> &x) const
    {
      initialized().kernel.remove_from(x);
    }



    const HierarchyRecord &
    BlockAMG::record() const
    {
      return initialized().record;
    }



    std::size_t
    BlockAMG::memory_consumption() const
    {
      return implementation ? implementation->memory_consumption() : 0;
    }
  } // namespace amg
} // namespace tessera
