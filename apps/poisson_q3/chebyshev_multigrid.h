// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_poisson_q3_chebyshev_multigrid_h
#define tessera_apps_poisson_q3_chebyshev_multigrid_h

#include <deal.II/base/mg_level_object.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/mapping.h>
#include <deal.II/lac/precondition.h>
#include <deal.II/multigrid/mg_coarse.h>
#include <deal.II/multigrid/mg_constrained_dofs.h>
#include <deal.II/multigrid/mg_matrix.h>
#include <deal.II/multigrid/mg_smoother.h>
#include <deal.II/multigrid/mg_transfer_matrix_free.h>
#include <deal.II/multigrid/multigrid.h>

#include <memory>
#include <set>

#include "poisson_q3/laplace_operator.h"

namespace tessera::poisson_q3
{
  /**
   * Geometric multigrid of deal.II for the Laplacian: one V-cycle with
   * matrix-free level operators, polynomial smoothing and a Chebyshev
   * iteration on the coarsest level. This is the comparison our own method is
   * measured against.
   *
   * Smoother: Chebyshev polynomial of degree n in the point-Jacobi
   * preconditioned operator, before and after the coarse correction, damping
   * the eigenvalues in $[\lambda_{max}/15, \lambda_{max}]$ where
   * $\lambda_{max}$ is 1.2 times a Lanczos estimate. Deal.II starts the Lanczos
   * process from a vector of degree-of-freedom numbers, which depend on the
   * partition; here it starts from one that only depends on the mesh, so that
   * iteration counts do not depend on the number of ranks.
   *
   * Coarsest level: the same iteration with both ends of the spectrum
   * estimated and as many steps as reduce the error by 1e-3; a fixed, symmetric
   * polynomial. Its cost grows with the number of coarse cells per direction.
   *
   * The cycle is symmetric positive definite in exact arithmetic and serves
   * SolverCG. With float levels the defect is rounded on the way in and the
   * correction widened on the way out. A defect whose largest entry would come
   * close to the ends of the range of float is first divided by a power of two,
   * by which the correction is multiplied: small boxes and data in small units
   * are solved as all others.
   *
   * Meshes: globally refined, no hanging nodes.
   */
  template <int dim, typename LevelNumber>
  class ChebyshevMultigrid : public dealii_compatibility::Subscriptor
  {
  public:
    using LevelVector = dealii::LinearAlgebra::distributed::Vector<LevelNumber>;
    using LevelOperator = LaplaceOperator<dim, LevelNumber>;

    struct AdditionalData
    {
      /** Boundary ids with Dirichlet conditions; at least one. */
      std::set<dealii::types::boundary_id> dirichlet_ids;

      /**
       * Degree of the polynomial of one smoothing. It takes as many
       * matrix-vector products; one less before the coarse correction, where it
       * starts from zero.
       */
      unsigned int smoother_degree = 5;

      /** Ratio of the largest to the smallest eigenvalue to damp. */
      double smoothing_range = 15.;

      /** Error reduction of the iteration on the coarsest level. */
      double coarse_reduction = 1e-3;
    };

    /**
     * Set up all levels of @p dof_handler, whose level degrees of freedom have
     * been distributed. Collective. Time: about that of a few V-cycles.
     */
    void
    initialize(const dealii::Mapping<dim>    &mapping,
               const dealii::DoFHandler<dim> &dof_handler,
               const AdditionalData          &data);

    void
    clear();

    /** One V-cycle with zero initial guess: $dst = M^{-1} src$. Collective. */
    void
    vmult(dealii::LinearAlgebra::distributed::Vector<double>       &dst,
          const dealii::LinearAlgebra::distributed::Vector<double> &src) const;

    void
    Tvmult(dealii::LinearAlgebra::distributed::Vector<double>       &dst,
           const dealii::LinearAlgebra::distributed::Vector<double> &src) const;

    unsigned int
    n_levels() const;

    std::size_t
    memory_consumption() const;

  private:
    using Smoother = dealii::PreconditionChebyshev<LevelOperator, LevelVector>;
    using Transfer = dealii::MGTransferMatrixFree<dim, LevelNumber>;

    dealii::MGConstrainedDoFs                             mg_constrained_dofs;
    dealii::MGLevelObject<LevelOperator>                  level_operators;
    Transfer                                              transfer;
    dealii::mg::Matrix<LevelVector>                       level_matrices;
    dealii::mg::SmootherRelaxation<Smoother, LevelVector> smoother;
    dealii::MGCoarseGridApplySmoother<LevelVector>        coarse_solver;
    std::unique_ptr<dealii::Multigrid<LevelVector>>       multigrid;
    std::unique_ptr<dealii::PreconditionMG<dim, LevelVector, Transfer>>
      preconditioner;
  };
} // namespace tessera::poisson_q3

#endif
