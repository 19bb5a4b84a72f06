// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_dealii_precondition_patch_multigrid_h
#define tessera_dealii_precondition_patch_multigrid_h

#include <tessera/base/execution.h>
#include <tessera/dealii/compatibility.h>
#include <tessera/patch/solver_options.h>

#include <deal.II/base/types.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/mapping.h>

#include <cstddef>
#include <memory>
#include <set>

namespace tessera::dealii_adapters
{
  /** What PreconditionPatchMultigrid is told of the problem and of the method.
   */
  struct PatchMultigridData
  {
    /** Boundary ids with Dirichlet conditions; faces with others have natural
     * (Neumann) conditions. Each face of the box has one condition all over.
     */
    std::set<dealii::types::boundary_id> dirichlet_ids = {0};

    /** Post-smoothing in reversed order, which makes C symmetric. Without, C
     * is the better one for stationary iterations, and unfit for SolverCG.
     */
    bool symmetric = true;

    /** The coefficient $c \ge 0$ of the reaction term, relative to that of
     * the diffusion; one over the square of a length. Positive, if no face
     * has Dirichlet conditions. */
    double reaction_coefficient = 0.;

    /** Which patches a sweep begins with. */
    patch::ColourOrder colour_order = patch::ColourOrder::odd_first;

    /** Of the numbers in the cycle. float reduces errors as double does, as
     * long as residuals are in double. */
    patch::LevelPrecision level_precision =
      patch::LevelPrecision::single_precision;

    /** See patch::MultigridOptions. */
    unsigned int min_cells_per_rank =
      patch::MultigridOptions().min_cells_per_rank;
  };



  /**
   * One V-cycle of patch multigrid as a preconditioner of deal.II,
   * $z = C r \approx A^{-1} r$, A the matrix of
   * $-\Delta u + c\,u$ with continuous elements on a box.
   *
   * For a DoFHandler with FE_Q of degree 1 to 7 on a uniform Cartesian mesh of
   * a box in two or three dimensions, on any number of ranks, and one condition
   * (Dirichlet or Neumann) on each face of the box. Cells, their
   * orientation, and degrees of freedom may be numbered in any way; see
   * BoxMesh. The hierarchy is made from the box, so the mesh needs no
   * multilevel structure. It is the method of patch::Multigrid: one sweep of
   * exact solutions on all vertex patches before and after the coarse
   * correction.
   *
   * Vectors are dealii::Vector<double> (of a mesh that is all in one process),
   * and LinearAlgebra::distributed::Vector of double or float, with any ghost
   * entries. The residual is copied to the cells in double,
   * $r_{cell} = D^{-1} G r$ (see BalancedCopies), the cycle computes in the
   * level precision, z is one of the equal copies. In rows of Dirichlet
   * nodes $z_i = r_i$: C is positive definite on the whole space, for matrices
   * that keep these rows as well as for those without coupling to them.
   *
   * With data.symmetric, the default, C is symmetric up to rounding and fit
   * for SolverCG. As a smoother: MGSmootherPrecondition with smoothers[l]
   * initialized one by one, or the inner preconditioner of
   * PreconditionChebyshev. Where the operator is not the Laplacian but
   * spectrally close to it (a variable coefficient, say), C stays a good
   * preconditioner.
   *
   * Results do not depend on the partition: the same bits in z for the same
   * bits in r. One object serves one thread at a time.
   *
   * Memory: for degree 3 in 3D and levels in float about 1630 bytes a cell, 60
   * bytes a degree of freedom: 512 bytes the residual, 256 the indices of the
   * copies, 585 the two fields of all levels, the rest mostly the lists of
   * patches. Cost: see patch::Multigrid; in addition one reduction, one
   * exchange of ghost values, and a pass over the copies each way.
   *
   * With Execution = execution::Device everything is done on a device, for
   * elements of degree 1 to 3. Vectors are DeviceVector<double> and <float> on
   * the stream that the constructor gets. Nothing crosses to the host but two
   * numbers and, between ranks, messages; the work is given to the stream, and
   * the host waits for the magnitude of the residual only. z has the bits of
   * the host's. Memory is that of the device: as above, and 4 bytes a degree of
   * freedom.
   */
  template <int dim, typename Execution = execution::Host>
  class PreconditionPatchMultigrid : public dealii_compatibility::Subscriptor
  {
  public:
    using AdditionalData = PatchMultigridData;

    using Queue = typename Execution::Queue;

    /** Without a use before initialize().
     * @param[in] queue On a device: the stream of the vectors, which outlives
     * this object. On the host there is none. */
    PreconditionPatchMultigrid(const Queue &queue = Execution::default_queue());

    ~PreconditionPatchMultigrid() override;

    /**
     * Set up for the active cells of @p dof_handler. Cells are taken for the
     * boxes that their vertices span, as with MappingQ1: manifolds and
     * mappings of higher order are not looked at. Collective over the ranks of
     * its triangulation.
     *
     * Has to be called again after a change of the DoFHandler or its mesh,
     * which may be destroyed only after the last use of this object (the
     * triangulation owns the MPI communicator).
     *
     * @throws InputError (a std::exception) on all ranks, with a message that
     * says what was found and what to do, for elements other than FE_Q(p), 1
     * <= p <= 7 (3 on a device), and meshes other than those above (BoxMesh
     * says which); less than two cells in a direction; a coarsest level that is
     * too large (numbers of cells that cannot be halved often enough);
     * Dirichlet conditions on a part of a face; an id that no face has; Neumann
     * conditions on all of them without a reaction term; a reaction
     * coefficient that is not a number from zero up; DeviceError where there is
     * no device, or not enough memory. The object is not initialized then.
     */
    void
    initialize(const dealii::DoFHandler<dim> &dof_handler,
               const AdditionalData          &data = AdditionalData());

    /**
     * The same, for operators that use a mapping.
     * @throws InputError also if @p mapping moves points of cells away from the
     * boxes. This is tried at the Gauss points of all cells, (p+1) a
     * direction: they may be off by $10^{-8}$ of the size of a cell.
     */
    void
    initialize(const dealii::Mapping<dim>    &mapping,
               const dealii::DoFHandler<dim> &dof_handler,
               const AdditionalData          &data = AdditionalData());

    /** Give back all memory; the state after construction. */
    void
    clear();

    /**
     * $dst = C\,src$. Both vectors have the locally owned entries of
     * locally_owned_dofs() of the DoFHandler, and are different objects; dst
     * has no ghost values afterwards. Collective.
     *
     * @throws InputError on all ranks before initialize(), or for other
     * vectors, those of another stream included.
     */
    template <typename VectorType>
    void
    vmult(VectorType &dst, const VectorType &src) const;

    /** $dst = C^T src$, by the adjoint cycle; the same as vmult(), up to
     * rounding, if data.symmetric. */
    template <typename VectorType>
    void
    Tvmult(VectorType &dst, const VectorType &src) const;

    /** Number of degrees of freedom; zero before initialize(). */
    dealii::types::global_dof_index
    m() const;

    dealii::types::global_dof_index
    n() const;

    /** Bytes of this rank. */
    std::size_t
    memory_consumption() const;

  private:
    class Implementation;

    Implementation &
    initialized() const;

    const Queue                    &queue;
    std::unique_ptr<Implementation> implementation;
  };
} // namespace tessera::dealii_adapters

#endif
