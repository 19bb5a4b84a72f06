// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_device_device_cell_operator_h
#define tessera_cellwise_device_device_cell_operator_h

#include <tessera/cellwise/device/cell_reductions.h>
#include <tessera/cellwise/device/device_field.h>
#include <tessera/cellwise/element_weights.h>
#include <tessera/cellwise/reference_cell.h>

#include <vector>

namespace tessera
{
  namespace cellwise
  {
    /**
     * CellOperator on a device: $(A u)_K = A_K u_K$, of double in blocked
     * fields, of float in blocked or contiguous ones; degree 1 to 3. The bits
     * of the host's operator, evaluated in Number.
     *
     * One cell a thread, with all values in registers. Cost for degree 3 in
     * three dimensions: of vmult(), 2, of residual() 3 times 64 numbers a cell
     * between device memory and registers, and 1216 and 1280 operations a cell.
     * Launches go to the stream; nothing waits.
     */
    template <int dim,
              typename Number = double,
              Layout layout   = Layout::blocked>
    class DeviceCellOperator
    {
    public:
      using Primal = DevicePrimalField<Number, layout>;
      using Dual   = DeviceDualField<Number, layout>;

      /** @param[in] weights Of $A_K$, see element_weights().
       * @throws InputError for degrees that devices do not take. */
      DeviceCellOperator(const ReferenceCell       &cell,
                         const ElementWeights<dim> &weights);

      /** $dst = A\,src$. */
      void
      vmult(Dual &dst, const Primal &src, const device::Stream &stream) const;

      /** $r = b - A u$; r may be b. */
      void
      residual(Dual                 &r,
               const Dual           &b,
               const Primal         &u,
               const device::Stream &stream) const;

    protected:
      int                 degree;
      std::vector<Number> inverse_eigenvectors;
      std::vector<Number> eigenvalues; ///< $\Lambda_K$, of all modes
    };

    /**
     * The same in double, with the steps of iterations as CellOperator has
     * them. They return numbers of the first n_owned cells of all ranks, the
     * bits of the host's, and wait for the stream; collective.
     *
     * z is a field of a level: contiguous, float or double.
     */
    template <int dim>
    class DeviceIterationOperator : public DeviceCellOperator<dim>
    {
    public:
      using DeviceCellOperator<dim>::DeviceCellOperator;
      using typename DeviceCellOperator<dim>::Primal;
      using typename DeviceCellOperator<dim>::Dual;

      /** $u \leftarrow u + a z$, $r = b - A u$.
       * @return $\max |r|$, NaN if a number is not finite. */
      template <typename Number>
      double
      correct(Primal                                              &u,
              double                                               a,
              const DevicePrimalField<Number, Layout::contiguous> &z,
              Dual                                                &r,
              const Dual                                          &b,
              CellIndex                                            n_owned,
              const Communicator                                  &communicator,
              CellReductions                                      &reductions,
              const device::Stream &stream) const;

      /** $d \leftarrow \beta d + a z$.
       * @return $\langle d, A d \rangle$. */
      template <typename Number>
      double
      update_direction(Primal &d,
                       double  beta,
                       double  a,
                       const DevicePrimalField<Number, Layout::contiguous> &z,
                       CellIndex             n_owned,
                       const Communicator   &communicator,
                       CellReductions       &reductions,
                       const device::Stream &stream) const;

      /** $u \leftarrow u + \alpha d$, $r \leftarrow r - \alpha A d$.
       * @return As correct(). */
      double
      step(Primal               &u,
           Dual                 &r,
           double                alpha,
           const Primal         &d,
           CellIndex             n_owned,
           const Communicator   &communicator,
           CellReductions       &reductions,
           const device::Stream &stream) const;
    };
  } // namespace cellwise
} // namespace tessera

#endif
