// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_face_traces_h
#define tessera_sipg_face_traces_h

#include <tessera/sipg/box_quadrature.h>
#include <tessera/sipg/element_matrices.h>
#include <tessera/sipg/field.h>
#include <tessera/sipg/problem_data.h>
#include <tessera/sipg/tensor_products.h>

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

namespace tessera
{
  namespace sipg
  {
    /** The active cells of a block that this process owns, for which a
     * condition holds, ascending, in @p cells. */
    template <int dim, typename Condition>
    void
    find_active_cells(const LevelData<dim>   &level,
                      const CellIndex         block,
                      std::vector<CellIndex> &cells,
                      const Condition        &condition)
    {
      cells.clear();
      const CellIndex begin = block * level.block_size;
      const CellIndex end =
        std::min(begin + level.block_size, level.n_owned_cells);
      for (CellIndex c = begin; c < end; ++c)
        if (level.active[c] == 1 && condition(c))
          cells.push_back(c);
    }

    template <int dim>
    CellIndex
    n_owned_blocks(const LevelData<dim> &level)
    {
      return (level.n_owned_cells + level.block_size - 1) / level.block_size;
    }

    /** Values and derivatives of the functions of a block of cells at an end of
     * an axis: coefficients along the other axes, n^(dim-1) x block size, the
     * cell fastest. */
    template <int dim>
    class BlockTraces
    {
    public:
      BlockTraces(const ElementMatrices &matrices, int block_size);

      /**
       * Valid until the next call of it.
       *
       * @param[in] cells coefficients of a block
       */
      const double *
      values(const double *cells, const int axis, const int side)
      {
        return multiply(end_values[side], cells, axis, value);
      }

      /** $\partial/\partial x_{axis}$ on $[0, 1]^{dim}$. */
      const double *
      derivatives(const double *cells, const int axis, const int side)
      {
        return multiply(end_derivatives[side], cells, axis, derivative);
      }

    private:
      int                        n;
      int                        block_size;
      std::array<DenseMatrix, 2> end_values, end_derivatives; ///< 1 x n
      std::vector<double>        value, derivative;

      const double *
      multiply(const DenseMatrix   &row,
               const double        *cells,
               int                  axis,
               std::vector<double> &trace) const;
    };

    /** A face of an active cell with what is beyond it on its level: an active
     * cell, at the upper end of the axis, or a shadow cell. So each face
     * between active cells comes once; where these differ in size, in the parts
     * that belong to the smaller ones. */
    struct InteriorFace
    {
      int       level;
      CellIndex cell;
      Neighbour beyond;
      double    h;      ///< $h_F$
      double    kappa;  ///< $\kappa_F$, the harmonic mean of k of both sides
      double    k_mean; ///< the arithmetic mean of k of both sides
    };

    /** f(face, $\|[u]\|_F^2$, $\|[k\,\partial_n u]\|_F^2$) */
    using FaceVisitor =
      std::function<void(const InteriorFace &, double, double)>;

    /**
     * Call @p visit for all interior faces of the active mesh, with the squares
     * of the jumps of u and of its flux, integrated exactly.
     *
     * @param[in] u consistent
     *
     * Cost: about dim n^(dim-1) (16 + 4 (dim-1) n) flops a cell.
     */
    template <int dim>
    void
    for_interior_faces(const LevelHierarchy<dim> &levels,
                       const ElementMatrices     &matrices,
                       const PrimalField<double> &u,
                       const FaceVisitor         &visit);

    /** A quadrature point on a face at the boundary. */
    template <int dim>
    struct BoundaryPoint
    {
      int          level;
      CellIndex    cell; ///< on its level
      BoundaryFace face;
      Point<dim>   x;
      double       weight;
      double       trace; ///< u, or its outward normal derivative
    };

    template <int dim>
    using BoundaryVisitor = std::function<void(const BoundaryPoint<dim> &)>;

    /** Call @p visit for the quadrature points of all faces at the boundary of
     * a kind: Dirichlet, where the trace is u, or Neumann, where it is
     * $\partial_n u$. */
    template <int dim>
    void
    for_boundary_points(const LevelHierarchy<dim>  &levels,
                        const ElementMatrices      &matrices,
                        const PrimalField<double>  &u,
                        const BoxQuadrature<dim>   &quadrature,
                        NeighbourKind               kind,
                        const BoundaryVisitor<dim> &visit);
  } // namespace sipg
} // namespace tessera

#endif
