// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_patch_assembled_problem_h
#define tessera_tests_patch_assembled_problem_h

// What the tests of this folder compare with: the Laplacian on a box grid, with
// a reaction term, assembled, with dense matrices of double and their Cholesky
// decompositions. Nothing here uses eigenvectors, symmetries, or cell-wise
// storage, but for the functions that convert to and from it.

#include <tessera/base/dense_matrix.h>
#include <tessera/cellwise/cell_grid.h>
#include <tessera/cellwise/field.h>
#include <tessera/cellwise/reference_cell.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace reference
{
  using tessera::DenseMatrix;
  using tessera::cellwise::BoundaryCondition;
  using tessera::cellwise::CellGrid;
  using tessera::cellwise::CellIndex;
  using tessera::cellwise::DualModalField;
  using tessera::cellwise::GridDescription;
  using tessera::cellwise::power;
  using tessera::cellwise::PrimalField;
  using tessera::cellwise::ReferenceCell;

  using Vector = std::vector<double>;

  /** Fields of a level. */
  template <typename Number>
  using Primal = PrimalField<Number>;

  /** Uniform in [-1, 1), the same numbers everywhere. */
  class Random
  {
  public:
    explicit Random(const unsigned int seed)
      : engine(seed)
    {}

    double
    operator()()
    {
      return std::ldexp(double(engine() >> 11), -52) - 1.;
    }

    Vector
    vector(const std::size_t n)
    {
      Vector v(n);
      for (double &x : v)
        x = (*this)();
      return v;
    }

  private:
    std::mt19937_64 engine;
  };

  inline double
  dot(const Vector &a, const Vector &b)
  {
    double sum = 0.;
    for (std::size_t i = 0; i < a.size(); ++i)
      sum += a[i] * b[i];
    return sum;
  }

  /** $|a - b| / |b|$; not less than a tolerance if there is a NaN. */
  inline double
  relative_error(const Vector &a, const Vector &b)
  {
    double difference = 0.;
    for (std::size_t i = 0; i < a.size(); ++i)
      difference += (a[i] - b[i]) * (a[i] - b[i]);
    return a.size() == b.size() ? std::sqrt(difference / dot(b, b)) : NAN;
  }

  /** The entries of v. */
  inline Vector
  entries(const Vector &v, const std::vector<int> &indices)
  {
    Vector w;
    for (const int i : indices)
      w.push_back(v[i]);
    return w;
  }

  /** A decomposition $A = L L^T$ of a dense matrix. */
  class Cholesky
  {
  public:
    explicit Cholesky(const DenseMatrix &A)
      : n(A.n_rows())
      , L(A.data(), A.data() + n * n)
    {
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j)
          {
            const double *row_i = &L[i * n], *row_j = &L[j * n];
            // Four sums, since one is a chain of additions.
            double      sum[4] = {0., 0., 0., 0.};
            std::size_t k      = 0;
            for (; k + 4 <= j; k += 4)
              for (int l = 0; l < 4; ++l)
                sum[l] += row_i[k + l] * row_j[k + l];
            for (; k < j; ++k)
              sum[0] += row_i[k] * row_j[k];
            const double rest =
              L[i * n + j] - ((sum[0] + sum[1]) + (sum[2] + sum[3]));
            if (i == j && !(rest > 0.))
              {
                std::fprintf(stderr, "the reference matrix is singular\n");
                std::abort();
              }
            L[i * n + j] = i == j ? std::sqrt(rest) : rest / L[j * n + j];
          }
    }

    /** $A^{-1} b$. */
    Vector
    solve(Vector b) const
    {
      for (std::size_t i = 0; i < n; ++i)
        {
          for (std::size_t k = 0; k < i; ++k)
            b[i] -= L[i * n + k] * b[k];
          b[i] /= L[i * n + i];
        }
      for (std::size_t i = n; i-- > 0;)
        {
          b[i] /= L[i * n + i];
          for (std::size_t k = 0; k < i; ++k)
            b[k] -= L[i * n + k] * b[i];
        }
      return b;
    }

  private:
    std::size_t n;
    Vector      L;
  };

  /** $(A \otimes \dots \otimes A) v$ for the values of one cell. */
  template <int dim>
  Vector
  tensor_product(const DenseMatrix &A, Vector v)
  {
    const std::size_t q = A.n_rows();
    for (std::size_t stride = 1; stride < v.size(); stride *= q)
      {
        Vector w(v.size(), 0.);
        for (std::size_t i = 0; i < v.size(); ++i)
          {
            const std::size_t row = i / stride % q;
            for (std::size_t k = 0; k < q; ++k)
              w[i] += A(row, k) * v[i + k * stride - row * stride];
          }
        v = w;
      }
    return v;
  }

  /** $\hat b = S^T b$, rounded; nodal values [cell][node]. */
  template <int dim, typename Number>
  DualModalField<Number>
  to_modal(const Vector &b, const ReferenceCell &cell)
  {
    const DenseMatrix      to_modes = transpose(cell.eigenvectors);
    const int              n        = power(cell.n_nodes, dim);
    DualModalField<Number> field(CellIndex(b.size() / n), n);
    for (CellIndex c = 0; c < field.n_cells(); ++c)
      {
        const auto   begin = b.begin() + std::size_t(c) * n;
        const Vector modes = tensor_product<dim>(to_modes, {begin, begin + n});
        for (int k = 0; k < n; ++k)
          field(c, k) = Number(modes[k]);
      }
    return field;
  }

  /** The way back: $S^{-T} \hat b$, [cell][node]. */
  template <int dim, typename Number>
  Vector
  to_nodal(const DualModalField<Number> &b, const ReferenceCell &cell)
  {
    const DenseMatrix to_nodes = transpose(cell.inverse_eigenvectors);
    Vector            all;
    for (CellIndex c = 0; c < b.n_cells(); ++c)
      {
        Vector modes(b.n_nodes());
        for (int k = 0; k < b.n_nodes(); ++k)
          modes[k] = b(c, k);
        const Vector nodal = tensor_product<dim>(to_nodes, modes);
        all.insert(all.end(), nodal.begin(), nodal.end());
      }
    return all;
  }

  /** The assembled problem. Nodes form a lattice of degree * n_d + 1 a
   * direction, x fastest; vectors have a value for each, Dirichlet nodes
   * included. */
  template <int dim>
  class AssembledProblem
  {
  public:
    using Coordinates = std::array<int, dim>;

    /** @param[in] c of $-\Delta u + c\,u$. */
    AssembledProblem(const GridDescription<dim> &box,
                     const ReferenceCell        &reference_cell,
                     const double                c = 0.)
      : grid(box)
      , cell(reference_cell)
      , degree(cell.degree)
    {
      const int  n       = power(degree + 1, dim);
      const auto weights = grid.stiffness_weights();
      element_matrix     = DenseMatrix(n, n);
      mass_weight        = c;
      for (const double h : box.cell_size)
        mass_weight *= h;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          // The last term is the one without derivatives.
          for (int d = 0; d <= dim; ++d)
            {
              double product = d < dim ? weights[d] : mass_weight;
              for (int e = 0; e < dim; ++e)
                {
                  const int stride = power(degree + 1, e);
                  product *= (d == e ? cell.stiffness :
                                       cell.mass)(i / stride % (degree + 1),
                                                  j / stride % (degree + 1));
                }
              element_matrix(i, j) += product;
            }

      n_nodes = 1;
      for (int d = 0; d < dim; ++d)
        {
          extents[d] = box.n_cells[d] * degree + 1;
          n_nodes *= extents[d];
        }
      for (int i = 0; i < n_nodes; ++i)
        if (!is_dirichlet(i))
          free_nodes.push_back(i);
    }

    /** Rows and columns of the assembled matrix. */
    DenseMatrix
    matrix(const std::vector<int> &nodes) const
    {
      std::vector<int> row(n_nodes, -1);
      for (std::size_t i = 0; i < nodes.size(); ++i)
        row[nodes[i]] = int(i);

      DenseMatrix A(nodes.size(), nodes.size());
      for (CellIndex c = 0; c < grid.n_local(); ++c)
        for (std::size_t i = 0; i < element_matrix.n_rows(); ++i)
          for (std::size_t j = 0; j < element_matrix.n_columns(); ++j)
            {
              const int a = row[node(c, int(i))], b = row[node(c, int(j))];
              if (a >= 0 && b >= 0)
                A(a, b) += element_matrix(i, j);
            }
      return A;
    }

    /** $r \leftarrow r - A_K u$ for one cell. */
    void
    subtract_product(Vector &r, const CellIndex c, const Vector &u) const
    {
      for (std::size_t i = 0; i < element_matrix.n_rows(); ++i)
        {
          double sum = 0.;
          for (std::size_t j = 0; j < element_matrix.n_columns(); ++j)
            sum += element_matrix(i, j) * u[node(c, int(j))];
          r[node(c, int(i))] -= sum;
        }
    }

    /** $b - A u$, Dirichlet nodes included. */
    Vector
    residual(const Vector &b, const Vector &u) const
    {
      Vector r = b;
      for (CellIndex c = 0; c < grid.n_local(); ++c)
        subtract_product(r, c, u);
      return r;
    }

    int
    node_at(const Coordinates &place) const
    {
      int result = 0;
      for (int d = dim - 1; d >= 0; --d)
        result = result * extents[d] + place[d];
      return result;
    }

    Coordinates
    place_of(int node) const
    {
      Coordinates place;
      for (int d = 0; d < dim; ++d)
        {
          place[d] = node % extents[d];
          node /= extents[d];
        }
      return place;
    }

    /** The node that is number k of a cell. */
    int
    node(const CellIndex c, int k) const
    {
      Coordinates place = grid.coordinates(c);
      for (int d = 0; d < dim; ++d)
        {
          place[d] = place[d] * degree + k % (degree + 1);
          k /= degree + 1;
        }
      return node_at(place);
    }

    bool
    is_dirichlet(const int node) const
    {
      const Coordinates place = place_of(node);
      const auto       &box   = grid.description();
      for (int d = 0; d < dim; ++d)
        if ((place[d] == 0 &&
             box.boundary[d][0] == BoundaryCondition::dirichlet) ||
            (place[d] == extents[d] - 1 &&
             box.boundary[d][1] == BoundaryCondition::dirichlet))
          return true;
      return false;
    }

    /** G u, rounded. */
    template <typename Number>
    Primal<Number>
    copy_to_cells(const Vector &u) const
    {
      const int      n = power(degree + 1, dim);
      Primal<Number> field(grid.n_local(), n);
      for (CellIndex c = 0; c < grid.n_local(); ++c)
        for (int k = 0; k < n; ++k)
          field(c, k) = Number(u[node(c, k)]);
      return field;
    }

    /** The values of one copy of each node. */
    template <typename Number>
    Vector
    values(const Primal<Number> &field) const
    {
      Vector u(n_nodes);
      for (CellIndex c = 0; c < grid.n_local(); ++c)
        for (int k = 0; k < field.n_nodes(); ++k)
          u[node(c, k)] = field(c, k);
      return u;
    }

    /** Whether all copies are equal; false for NaN. */
    template <typename Number>
    bool
    is_continuous(const Primal<Number> &field) const
    {
      const Vector u = values(field);
      for (CellIndex c = 0; c < grid.n_local(); ++c)
        for (int k = 0; k < field.n_nodes(); ++k)
          if (!(field(c, k) == Number(u[node(c, k)])))
            return false;
      return true;
    }

    /** $G^T b$ of nodal values [cell][node]. */
    Vector
    assemble(const Vector &b) const
    {
      const int n = power(degree + 1, dim);
      Vector    sum(n_nodes, 0.);
      for (CellIndex c = 0; c < grid.n_local(); ++c)
        for (int k = 0; k < n; ++k)
          sum[node(c, k)] += b[std::size_t(c) * n + k];
      return sum;
    }

    /** $G^T S^{-T} \hat b$. */
    template <typename Number>
    Vector
    assemble(const DualModalField<Number> &b) const
    {
      return assemble(to_nodal<dim>(b, cell));
    }

    CellGrid<dim>        grid;
    ReferenceCell        cell;
    int                  degree;
    double               mass_weight; ///< $c \prod_d h_d$
    DenseMatrix          element_matrix;
    std::array<int, dim> extents;
    int                  n_nodes;
    std::vector<int>     free_nodes; ///< those that are not Dirichlet nodes
  };
} // namespace reference

#endif
