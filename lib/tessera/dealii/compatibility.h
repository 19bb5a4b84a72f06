// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_dealii_compatibility_h
#define tessera_dealii_compatibility_h

// The differences between deal.II 9.4 and 9.8 that this suite meets. This is
// the only file that asks for deal.II's version; everything else uses the names
// below, which are those of the older versions where both would do.

#include <deal.II/base/config.h>

#if DEAL_II_VERSION_GTE(9, 7, 0)
#  include <deal.II/base/enable_observer_pointer.h>
#  include <deal.II/base/observer_pointer.h>
#  include <deal.II/numerics/solution_transfer.h>
#else
#  include <deal.II/base/smartpointer.h>
#  include <deal.II/base/subscriptor.h>
#  include <deal.II/distributed/solution_transfer.h>
#endif

#include <deal.II/base/index_set.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/vector_operation.h>

#include <mpi.h>

namespace tessera::dealii_compatibility
{
  /**
   * Base class of objects that others hold observing pointers to, and such a
   * pointer. Renamed in 9.7 to EnableObserverPointer and ObserverPointer.
   * @{
   */
#if DEAL_II_VERSION_GTE(9, 7, 0)
  using Subscriptor = dealii::EnableObserverPointer;

  template <typename T, typename P = void>
  using SmartPointer = dealii::ObserverPointer<T, P>;
#else
  using Subscriptor = dealii::Subscriptor;

  template <typename T, typename P = void>
  using SmartPointer = dealii::SmartPointer<T, P>;
#endif
  /** @} */



  /**
   * Transfers solutions between the meshes before and after refinement of a
   * parallel::distributed::Triangulation. Since 9.7 one class serves all kinds
   * of meshes; before, the one for distributed meshes does not take others.
   */
#if DEAL_II_VERSION_GTE(9, 7, 0)
  template <int dim, typename VectorType>
  using SolutionTransfer = dealii::SolutionTransfer<dim, VectorType>;
#else
  template <int dim, typename VectorType>
  using SolutionTransfer =
    dealii::parallel::distributed::SolutionTransfer<dim, VectorType>;
#endif



  /**
   * The MPI communicator of a Triangulation or DoFHandler; since 9.7
   * get_mpi_communicator(), as vectors and matrices have always called it.
   */
  template <typename MeshType>
  MPI_Comm
  get_mpi_communicator(const MeshType &mesh)
  {
#if DEAL_II_VERSION_GTE(9, 7, 0)
    return mesh.get_mpi_communicator();
#else
    return mesh.get_communicator();
#endif
  }



  /**
   * Copy or add the entries of one vector into another of a different layout or
   * memory space; the member function import() was renamed in 9.5, because
   * "import" became a word of C++20. Collective.
   */
  template <typename DestinationType, typename SourceType>
  void
  import_elements(DestinationType                      &dst,
                  const SourceType                     &src,
                  const dealii::VectorOperation::values operation)
  {
#if DEAL_II_VERSION_GTE(9, 5, 0)
    dst.import_elements(src, operation);
#else
    dst.import(src, operation);
#endif
  }



  /**
   * Empty @p constraints and make room for those of the relevant degrees of
   * freedom. Since 9.6 the object also wants to know which ones this rank owns;
   * giving the relevant ones alone is deprecated.
   */
  template <typename Number>
  void
  reinit_constraints(dealii::AffineConstraints<Number> &constraints,
                     const dealii::IndexSet            &locally_owned_dofs,
                     const dealii::IndexSet            &locally_relevant_dofs)
  {
#if DEAL_II_VERSION_GTE(9, 6, 0)
    constraints.reinit(locally_owned_dofs, locally_relevant_dofs);
#else
    (void)locally_owned_dofs;
    constraints.reinit(locally_relevant_dofs);
#endif
  }
} // namespace tessera::dealii_compatibility

#endif
