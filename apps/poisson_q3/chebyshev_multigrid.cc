// SPDX-License-Identifier: LGPL-2.1-or-later
#include "poisson_q3/chebyshev_multigrid.h"

#include <tessera/base/exceptions.h>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_tools.h>

#include <cmath>
#include <type_traits>

#include "poisson_q3/spectrum.h"

namespace tessera::poisson_q3
{
  using namespace dealii;

  namespace
  {
    constexpr unsigned int max_lanczos_steps_of_smoother = 15;
    constexpr unsigned int max_lanczos_steps_of_coarsest = 200;

    /** Between 1 / this and this, float levels take a vector as it is. */
    constexpr double safe_magnitude = 1e20;

    /**
     * Degree of the Chebyshev polynomial that reduces every component with an
     * eigenvalue in [smallest, largest] by @p reduction:
     * $2 \sigma^n / (1 + \sigma^{2n}) \le \epsilon$ with
     * $\sigma = (\sqrt\kappa - 1) / (\sqrt\kappa + 1)$.
     */
    unsigned int
    chebyshev_degree(const double smallest,
                     const double largest,
                     const double reduction)
    {
      const double root  = std::sqrt(largest / smallest);
      const double sigma = (root - 1.) / (root + 1.);
      if (sigma < 1e-10)
        return 1;
      return 1 + static_cast<unsigned int>(
                   std::log(1. / reduction +
                            std::sqrt(1. / (reduction * reduction) - 1.)) /
                   std::log(1. / sigma));
    }
  } // namespace



  template <int dim, typename LevelNumber>
  void
  ChebyshevMultigrid<dim, LevelNumber>::initialize(
    const Mapping<dim>    &mapping,
    const DoFHandler<dim> &dof_handler,
    const AdditionalData  &data)
  {
    TESSERA_ASSERT(!data.dirichlet_ids.empty(), "the operator is singular");
    clear();

    const unsigned int n_levels =
      dof_handler.get_triangulation().n_global_levels();
    const unsigned int max_level = n_levels - 1;

    mg_constrained_dofs.initialize(dof_handler);
    mg_constrained_dofs.make_zero_boundary_constraints(dof_handler,
                                                       data.dirichlet_ids);

    level_operators.resize(0, max_level);
    MGLevelObject<typename Smoother::AdditionalData> smoother_data(0,
                                                                   max_level);
    for (unsigned int level = 0; level <= max_level; ++level)
      {
        AffineConstraints<LevelNumber> constraints;
        dealii_compatibility::reinit_constraints(
          constraints,
          dof_handler.locally_owned_mg_dofs(level),
          DoFTools::extract_locally_relevant_level_dofs(dof_handler, level));
        for (const auto i : mg_constrained_dofs.get_boundary_indices(level))
          constraints.add_line(i);
        constraints.close();

        typename MatrixFree<dim, LevelNumber>::AdditionalData options;
        options.mapping_update_flags = update_gradients | update_JxW_values;
        options.tasks_parallel_scheme =
          MatrixFree<dim, LevelNumber>::AdditionalData::none;
        options.mg_level = level;

        const auto matrix_free =
          std::make_shared<MatrixFree<dim, LevelNumber>>();
        matrix_free->reinit(mapping,
                            dof_handler,
                            constraints,
                            QGauss<1>(dof_handler.get_fe().degree + 1),
                            options);
        LevelOperator &A = level_operators[level];
        A.initialize(matrix_free);
        A.compute_diagonal();

        // deal.II takes the ends of the spectrum as they are where it is told
        // not to estimate them.
        auto &smoothing               = smoother_data[level];
        smoothing.preconditioner      = A.get_matrix_diagonal_inverse();
        smoothing.eig_cg_n_iterations = 0;
        if (level > 0)
          {
            const SpectrumEstimate spectrum =
              estimate_spectrum(A, max_lanczos_steps_of_smoother);
            smoothing.max_eigenvalue  = 1.2 * spectrum.largest;
            smoothing.smoothing_range = data.smoothing_range;
            smoothing.degree          = data.smoother_degree;
          }
        else
          {
            const SpectrumEstimate spectrum =
              estimate_spectrum(A, max_lanczos_steps_of_coarsest);
            const double largest      = 1.2 * spectrum.largest;
            const double smallest     = 0.9 * spectrum.smallest;
            smoothing.max_eigenvalue  = largest;
            smoothing.smoothing_range = largest / smallest;
            smoothing.degree =
              chebyshev_degree(smallest, largest, data.coarse_reduction);
          }
      }

    smoother.initialize(level_operators, smoother_data);
    level_matrices.initialize(level_operators);
    coarse_solver.initialize(smoother);

    transfer.initialize_constraints(mg_constrained_dofs);
    transfer.build(dof_handler,
                   [&](const unsigned int level, LevelVector &vector) {
                     level_operators[level].initialize_dof_vector(vector);
                   });

    multigrid = std::make_unique<Multigrid<LevelVector>>(
      level_matrices, coarse_solver, transfer, smoother, smoother);
    preconditioner =
      std::make_unique<PreconditionMG<dim, LevelVector, Transfer>>(dof_handler,
                                                                   *multigrid,
                                                                   transfer);
  }



  template <int dim, typename LevelNumber>
  void
  ChebyshevMultigrid<dim, LevelNumber>::clear()
  {
    preconditioner.reset();
    multigrid.reset();
    coarse_solver.clear();
    smoother.clear();
    level_matrices.reset();
    transfer.clear();
    level_operators.resize(0, 0);
    mg_constrained_dofs.clear();
  }



  template <int dim, typename LevelNumber>
  void
  ChebyshevMultigrid<dim, LevelNumber>::vmult(
    LinearAlgebra::distributed::Vector<double>       &dst,
    const LinearAlgebra::distributed::Vector<double> &src) const
  {
    if constexpr (std::is_same_v<LevelNumber, float>)
      {
        const double magnitude = src.linfty_norm();
        if (std::isnormal(magnitude) &&
            (magnitude > safe_magnitude || magnitude * safe_magnitude < 1.))
          {
            const int n = std::ilogb(magnitude);
            LinearAlgebra::distributed::Vector<double> scaled(src);
            scaled *= std::ldexp(1., -n);
            preconditioner->vmult(dst, scaled);
            dst *= std::ldexp(1., n);
            return;
          }
      }
    preconditioner->vmult(dst, src);
  }



  template <int dim, typename LevelNumber>
  void
  ChebyshevMultigrid<dim, LevelNumber>::Tvmult(
    LinearAlgebra::distributed::Vector<double>       &dst,
    const LinearAlgebra::distributed::Vector<double> &src) const
  {
    vmult(dst, src); // the cycle is symmetric
  }



  template <int dim, typename LevelNumber>
  unsigned int
  ChebyshevMultigrid<dim, LevelNumber>::n_levels() const
  {
    return level_operators.n_levels();
  }



  template <int dim, typename LevelNumber>
  std::size_t
  ChebyshevMultigrid<dim, LevelNumber>::memory_consumption() const
  {
    std::size_t bytes = transfer.memory_consumption();
    for (unsigned int level = level_operators.min_level();
         level <= level_operators.max_level();
         ++level)
      bytes += level_operators[level].memory_consumption();
    return bytes;
  }



  template class ChebyshevMultigrid<2, double>;
  template class ChebyshevMultigrid<2, float>;
  template class ChebyshevMultigrid<3, double>;
  template class ChebyshevMultigrid<3, float>;
} // namespace tessera::poisson_q3
