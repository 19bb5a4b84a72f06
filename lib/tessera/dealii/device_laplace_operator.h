// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_dealii_device_laplace_operator_h
#define tessera_dealii_device_laplace_operator_h

#include <tessera/base/device/stream.h>
#include <tessera/dealii/compatibility.h>
#include <tessera/dealii/device_vector.h>

#include <deal.II/base/types.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/mapping.h>

#include <cstddef>
#include <memory>
#include <set>

namespace tessera::dealii_adapters
{
  /**
   * The matrix of $-\Delta u + c\,u$ with continuous elements on a box, without
   * storing it, on a device: the operator that goes with
   * PreconditionPatchMultigrid, for the same meshes and elements, of degree 1
   * to 3, and DeviceVectors.
   *
   * $A = Z G^T A_{cell} G Z + (1 - Z)$, with G and Z of
   * cellwise::DeviceDoFCopies: values are copied to the cells, multiplied by
   * the element matrices there (cellwise::DeviceCellOperator), and the copies
   * summed in a fixed order. Rows and columns of Dirichlet nodes are those of
   * the identity: inhomogeneous conditions belong into the right-hand side.
   * Symmetric, and positive definite with Dirichlet conditions on a face or a
   * positive c.
   *
   * The same bits in the product for the same bits in the vector, on any number
   * of ranks.
   *
   * Device memory for degree 3 in three dimensions: 1024 bytes a cell for the
   * fields and 380 for lists. Cost of a product, in bytes a cell between device
   * memory and registers: 984 to copy to the cells, 1024 to multiply, 1536 to
   * sum, 580 to write the result. Between ranks two exchanges, one of values of
   * degrees of freedom and one of the cells at the boundary. Nothing else
   * crosses to the host, which waits for the stream only where it has messages.
   * One object serves one thread at a time.
   */
  template <int dim>
  class DeviceLaplaceOperator : public dealii_compatibility::Subscriptor
  {
  public:
    struct AdditionalData
    {
      /** Boundary ids with Dirichlet conditions; faces with others have natural
       * (Neumann) conditions. Each face of the box has one condition all over.
       */
      std::set<dealii::types::boundary_id> dirichlet_ids = {0};

      /** The coefficient $c \ge 0$; one over the square of a length. */
      double reaction_coefficient = 0.;
    };

    /** Without a use before initialize().
     * @param[in] queue That of the vectors; outlives this object. */
    explicit DeviceLaplaceOperator(const device::Stream &queue);

    ~DeviceLaplaceOperator() override;

    /**
     * Set up for the active cells of @p dof_handler, as
     * PreconditionPatchMultigrid::initialize() does. Collective.
     *
     * @throws InputError on all ranks for meshes and elements that it does not
     * take; a Dirichlet id that no face has; a reaction coefficient that is not
     * a number from zero up; DeviceError where there is no device, or not
     * enough memory. The object is not initialized then.
     */
    void
    initialize(const dealii::DoFHandler<dim> &dof_handler,
               const AdditionalData          &data = AdditionalData());

    /** The same; also throws if @p mapping moves points of cells away from the
     * boxes. */
    void
    initialize(const dealii::Mapping<dim>    &mapping,
               const dealii::DoFHandler<dim> &dof_handler,
               const AdditionalData          &data = AdditionalData());

    /** Give back all memory; the state after construction. */
    void
    clear();

    /** $dst = A\,src$; different vectors. Collective.
     * @throws InputError on all ranks before initialize(), or for other
     * vectors. */
    template <typename Number>
    void
    vmult(DeviceVector<Number> &dst, const DeviceVector<Number> &src) const;

    /** The same: A is symmetric. */
    template <typename Number>
    void
    Tvmult(DeviceVector<Number> &dst, const DeviceVector<Number> &src) const;

    /** A vector of zeros for vmult(). Collective. */
    template <typename Number>
    void
    initialize_dof_vector(DeviceVector<Number> &v) const;

    /** Number of degrees of freedom; zero before initialize(). */
    dealii::types::global_dof_index
    m() const;

    dealii::types::global_dof_index
    n() const;

    /** Bytes of this rank on the device. */
    std::size_t
    memory_consumption() const;

  private:
    class Implementation;

    Implementation &
    initialized() const;

    const device::Stream           &queue;
    std::unique_ptr<Implementation> implementation;
  };
} // namespace tessera::dealii_adapters

#endif
