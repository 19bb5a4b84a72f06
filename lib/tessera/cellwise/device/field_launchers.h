// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_device_field_launchers_h
#define tessera_cellwise_device_field_launchers_h

#include <tessera/base/device/stream.h>
#include <tessera/cellwise/layout.h>

namespace tessera
{
  namespace cellwise
  {
    /** See cell_operator_launchers.h. Fields of the iteration are blocked,
     * those of levels contiguous, of Number float or double. */
    namespace on_device
    {
      /** dst = src, converted from one layout to the other, rounded to nearest;
       * blocked fields of float only from and to contiguous ones of float.
       * Padding becomes zero. */
      template <typename To,
                Layout to_layout,
                typename From,
                Layout from_layout>
      void
      convert(To                   *dst,
              const From           *src,
              CellIndex             n_cells,
              int                   n_nodes,
              const device::Stream &stream);

      /** u <- u + a z. */
      template <typename Number>
      void
      add(double               *u,
          double                a,
          const Number         *z,
          CellIndex             n_cells,
          int                   n_nodes,
          const device::Stream &stream);

      /** Sum of the products of two fields in every cell, of ascending nodes.
       * There is room for sums of whole blocks. */
      template <typename Number>
      void
      dot(double               *sums,
          const double         *r,
          const Number         *z,
          CellIndex             n_cells,
          int                   n_nodes,
          const device::Stream &stream);

      /** Largest magnitude of the first n_owned cells; see
       * correct_and_residual(). */
      void
      max_abs(const double         *r,
              CellIndex             n_owned,
              int                   n_nodes,
              unsigned long long   *largest,
              const device::Stream &stream);

      /** b = a (A x ... x A) r, from r blocked to b contiguous. A as for
       * transform_to_modes(), in host memory. */
      template <int dim, typename Number>
      void
      transform_and_scale(int                   degree,
                          Number               *b,
                          double                a,
                          const double         *A,
                          const double         *r,
                          CellIndex             n_cells,
                          const device::Stream &stream);

      /** Copy cells of a list to a message, message[n][n_nodes], on the device.
       */
      template <typename T, Layout layout>
      void
      pack_cells(T                    *message,
                 const T              *field,
                 const CellIndex      *cells,
                 CellIndex             n,
                 int                   n_nodes,
                 const device::Stream &stream);

      /** The way back; the cells of the list are different. */
      template <typename T, Layout layout>
      void
      unpack_cells(T                    *field,
                   const T              *message,
                   const CellIndex      *cells,
                   CellIndex             n,
                   int                   n_nodes,
                   const device::Stream &stream);

      /**
       * For all lower cells c with a neighbour upper[c] along an axis, and all
       * pairs of copies a, b on their common face: both become factor (a + b).
       * One axis is independent of the order, the axes are not.
       */
      void
      combine_copies(double               *r,
                     double                factor,
                     const CellIndex      *upper,
                     CellIndex             n_cells,
                     int                   n_nodes_of_axis,
                     int                   n_nodes,
                     int                   axis,
                     const device::Stream &stream);

      /** Zero the nodes of n cells on some of their faces, bit 2d + e of
       * faces[i]: lower (e = 0) or upper (e = 1) end of axis d. */
      void
      zero_nodes_of_faces(double               *r,
                          const CellIndex      *cells,
                          const unsigned int   *faces,
                          CellIndex             n,
                          int                   n_nodes_of_axis,
                          int                   n_nodes,
                          const device::Stream &stream);
    } // namespace on_device
  }   // namespace cellwise
} // namespace tessera

#endif
