// The kernels of all instruction sets, degrees, precisions and block sizes
// against the scalar reference: the operator on level and active cells and on
// shadows, block-Jacobi against the definition of D, residual restriction, and
// prolongation.
#include <tessera/base/instruction_set.h>
#include <tessera/cellwise/degree.h>
#include <tessera/sipg/level_tables.h>
#include <tessera/sipg/operator_kernels.h>
#include <tessera/sipg/reference_operator.h>
#include <tessera/sipg/smoother_kernels.h>
#include <tessera/sipg/transfer_kernels.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "check.h"
#include "meshes.h"

namespace tessera
{
  namespace sipg
  {
    template <int dim, typename T>
    class KernelTest
    {
    public:
      KernelTest(const LevelHierarchy<dim> &hierarchy,
                 const ElementMatrices     &element_matrices,
                 const int                  l,
                 const std::string         &description)
        : levels(hierarchy)
        , matrices(element_matrices)
        , level(hierarchy.level(l))
        , name(description + ", level " + std::to_string(l))
        , N(cellwise::power(element_matrices.n, dim))
        , N_shadow(2 * cellwise::power(element_matrices.n, dim - 1))
        , flags(level)
        , rounded(level, matrices)
        , modes(level, matrices)
        , u(random_cells(1))
        , b(random_cells(2))
        , shadows(std::size_t(level.n_padded_shadow_cells) * N_shadow)
      {
        sipg_tests::Random random(3);
        for (CellIndex s = 0; s < level.n_shadow_cells(); ++s)
          for (std::size_t k = 0; k < N_shadow; ++k)
            shadows[blocked_position(s, k, N_shadow, level.block_size)] =
              T(random());
      }

      void
      run(const InstructionSet set)
      {
        check_operator(set, FaceTerms::level);
        check_operator(set, FaceTerms::active);
        if (level.level > 0)
          {
            check_smoother(set);
            check_restriction(set);
            check_prolongation(set);
          }
      }

    private:
      using Vector = std::vector<T>;
      using Double = std::vector<double>;

      const LevelHierarchy<dim> &levels;
      const ElementMatrices     &matrices;
      const LevelData<dim>      &level;
      const std::string          name;
      const std::size_t          N;
      const std::size_t          N_shadow;

      LevelFlags<dim>       flags;
      LevelMatrices<dim, T> rounded;
      LevelModes<dim, T>    modes;

      Vector u, b, shadows;

      // Round-off, in units of the largest number of a result.
      static constexpr double tolerance =
        std::is_same<T, double>::value ? 1e-12 : 2e-5;

      static T
      nan()
      {
        return std::numeric_limits<T>::quiet_NaN();
      }

      Vector
      random_cells(const unsigned int seed) const
      {
        sipg_tests::Random random(seed);
        Vector             x(std::size_t(level.n_padded_cells) * N);
        for (CellIndex c = 0; c < level.n_cells; ++c)
          for (std::size_t k = 0; k < N; ++k)
            x[position(c, k)] = T(random());
        return x;
      }

      std::size_t
      position(const CellIndex c, const std::size_t k) const
      {
        return blocked_position(c, k, N, level.block_size);
      }

      template <typename A>
      void
      compare(const A             &result,
              const Double        &expected,
              const char          *what,
              const InstructionSet set) const
      {
        double scale = 0., error = 0.;
        for (std::size_t i = 0; i < expected.size(); ++i)
          {
            scale              = std::fmax(scale, std::abs(expected[i]));
            const double delta = std::abs(double(result[i]) - expected[i]);
            error = std::fmax(error, std::isnan(delta) ? INFINITY : delta);
          }
        if (!(error <= tolerance * scale))
          std::cerr << what << ", " << to_string(set) << ", " << name
                    << ", error " << error << " of " << scale << std::endl;
        CHECK(error <= tolerance * scale);
      }

      /** A x by the reference. */
      Double
      reference(const Double &x, const Double &s, const CellSet cells) const
      {
        Double y(x.size()), y_shadows(s.size());
        apply_reference(level,
                        matrices,
                        cells,
                        x.data(),
                        s.data(),
                        y.data(),
                        y_shadows.data());
        return y;
      }

      static Double
      to_double(const Vector &x)
      {
        return Double(x.begin(), x.end());
      }

      void
      check_operator(const InstructionSet set, const FaceTerms terms) const
      {
        const bool is_active = terms == FaceTerms::active;
        Vector     input     = u;
        // Cells that do not take part are not read.
        if (is_active)
          for (CellIndex c = 0; c < level.n_cells; ++c)
            if (!level.active[c])
              for (std::size_t k = 0; k < N; ++k)
                input[position(c, k)] = nan();
        Double reference_input = to_double(input);
        for (double &value : reference_input)
          if (std::isnan(value))
            value = 0.;
        Double y_reference(u.size()), y_shadows_reference(shadows.size());
        apply_reference(level,
                        matrices,
                        is_active ? CellSet::active : CellSet::level,
                        reference_input.data(),
                        to_double(shadows).data(),
                        y_reference.data(),
                        y_shadows_reference.data());
        Vector y(u.size(), nan()), y_shadows(shadows.size(), nan());
        TESSERA_CALL_SIMD_FOR(
          set,
          apply_own_side<dim>(matrices.degree,
                              terms,
                              flags.view(),
                              rounded.view(),
                              static_cast<const T *>(input.data()),
                              static_cast<const T *>(shadows.data()),
                              y.data()));
        compare(y, y_reference, is_active ? "active" : "level", set);
        TESSERA_CALL_SIMD_FOR(
          set,
          apply_to_shadows<dim>(matrices.degree,
                                flags.view(),
                                rounded.view(),
                                static_cast<const T *>(input.data()),
                                static_cast<const T *>(shadows.data()),
                                y_shadows.data()));
        compare(y_shadows, y_shadows_reference, "shadows", set);
      }

      /** Cells of one colour of a checkerboard: neighbours are of the other. */
      bool
      is_black(const CellIndex c) const
      {
        const auto place = levels.forest().coordinates(
          levels.forest().level(level.level).keys[c]);
        int sum = 0;
        for (const int x : place)
          sum += x;
        return sum % 2 == 0;
      }

      /** D x: what A couples within cells, seen where neighbours are zero. */
      Double
      diagonal_blocks(const Double &x) const
      {
        Double result(x.size()), none(shadows.size());
        for (const bool black : {false, true})
          {
            Double part = x;
            for (CellIndex c = 0; c < level.n_cells; ++c)
              if (is_black(c) != black)
                for (std::size_t k = 0; k < N; ++k)
                  part[position(c, k)] = 0.;
            const Double y = reference(part, none, CellSet::level);
            for (CellIndex c = 0; c < level.n_cells; ++c)
              if (is_black(c) == black)
                for (std::size_t k = 0; k < N; ++k)
                  result[position(c, k)] = y[position(c, k)];
          }
        return result;
      }

      /** b in modes, by the first smoothing step. */
      Vector
      modes_of_b(const InstructionSet set, Vector &first_iterate) const
      {
        Vector result = b;
        first_iterate.assign(u.size(), nan());
        TESSERA_CALL_SIMD_FOR(set,
                              smooth_first<dim>(matrices.degree,
                                                flags.view(),
                                                rounded.view(),
                                                modes.view(),
                                                T(0.75),
                                                result.data(),
                                                first_iterate.data()));
        return result;
      }

      void
      check_smoother(const InstructionSet set) const
      {
        Vector       first;
        const Vector b_modes = modes_of_b(set, first);
        // D u = omega b
        Double expected = to_double(b);
        for (double &value : expected)
          value *= 0.75;
        compare(diagonal_blocks(to_double(first)), expected, "first step", set);

        // D (v - u) = omega (b - A u), for an iterate of the size of D^{-1} b.
        Vector old = first;
        for (std::size_t i = 0; i < old.size(); ++i)
          old[i] *= T(1) + u[i];
        Vector small_shadows = shadows;
        for (T &value : small_shadows)
          value *= T(1e-3);
        Vector v(u.size(), nan());
        TESSERA_CALL_SIMD_FOR(
          set,
          smooth_step<dim>(matrices.degree,
                           flags.view(),
                           rounded.view(),
                           modes.view(),
                           T(0.5),
                           static_cast<const T *>(b_modes.data()),
                           static_cast<const T *>(old.data()),
                           static_cast<const T *>(small_shadows.data()),
                           v.data()));
        const Double y =
          reference(to_double(old), to_double(small_shadows), CellSet::level);
        Double difference(v.size());
        for (std::size_t i = 0; i < v.size(); ++i)
          {
            difference[i] = double(v[i]) - double(old[i]);
            expected[i]   = 0.5 * (double(b[i]) - y[i]);
          }
        compare(diagonal_blocks(difference), expected, "step", set);
      }

      /** f(parent, child number, child) */
      template <typename F>
      void
      for_children(const F &f) const
      {
        for (CellIndex c = 0; c < level.n_cells; ++c)
          f(level.group_parent[c / level.group_size], c % level.group_size, c);
      }

      /** Entry of $P_c$. */
      double
      child_entry(const int c, std::size_t i, std::size_t j) const
      {
        double product = 1.;
        for (int a = 0; a < dim; ++a)
          {
            product *=
              matrices.child[(c >> a) & 1](i % matrices.n, j % matrices.n);
            i /= matrices.n;
            j /= matrices.n;
          }
        return product;
      }

      std::size_t
      size_below() const
      {
        return std::size_t(levels.level(level.level - 1).n_padded_cells) * N;
      }

      void
      check_restriction(const InstructionSet set) const
      {
        Vector       first;
        const Vector b_modes       = modes_of_b(set, first);
        Vector       small_shadows = shadows;
        for (T &value : small_shadows)
          value *= T(1e-3);
        const Double y =
          reference(to_double(first), to_double(small_shadows), CellSet::level);
        // Other cells stay.
        Vector coarse(size_below(), T(0.25));
        Double expected(coarse.begin(), coarse.end());
        for_children(
          [&](const CellIndex parent, const int c, const CellIndex cell) {
            for (std::size_t j = 0; j < N; ++j)
              {
                double sum = c == 0 ? 0. : expected[position(parent, j)];
                for (std::size_t i = 0; i < N; ++i)
                  sum += child_entry(c, i, j) *
                         (double(b[position(cell, i)]) - y[position(cell, i)]);
                expected[position(parent, j)] = sum;
              }
          });
        TESSERA_CALL_SIMD_FOR(
          set,
          restrict_residual<dim>(matrices.degree,
                                 flags.view(),
                                 rounded.view(),
                                 modes.view(),
                                 static_cast<const T *>(b_modes.data()),
                                 static_cast<const T *>(first.data()),
                                 static_cast<const T *>(small_shadows.data()),
                                 coarse.data()));
        compare(coarse, expected, "restriction", set);
      }

      void
      check_prolongation(const InstructionSet set) const
      {
        sipg_tests::Random random(4);
        Vector             coarse(size_below());
        for (T &value : coarse)
          value = T(random());
        Double expected = to_double(u);
        for_children(
          [&](const CellIndex parent, const int c, const CellIndex cell) {
            for (std::size_t i = 0; i < N; ++i)
              for (std::size_t j = 0; j < N; ++j)
                expected[position(cell, i)] +=
                  child_entry(c, i, j) * double(coarse[position(parent, j)]);
          });
        Vector result = u;
        TESSERA_CALL_SIMD_FOR(set,
                              prolong_and_add<dim>(matrices.degree,
                                                   flags.view(),
                                                   modes.view(),
                                                   static_cast<const T *>(
                                                     coarse.data()),
                                                   result.data()));
        compare(result, expected, "prolongation", set);
      }
    };
  } // namespace sipg
} // namespace tessera

using namespace sipg_tests;

namespace
{
  template <int dim>
  void
  check_levels(const Forest<dim>         &forest,
               const int                  degree,
               const int                  block_size,
               const Penalty             &penalty,
               const std::vector<double> &coefficient,
               const std::string         &name)
  {
    const LevelHierarchy<dim> levels(forest, block_size, coefficient);
    const ElementMatrices     matrices(degree, penalty);
    const std::string description = name + ", dim " + std::to_string(dim) +
                                    ", degree " + std::to_string(degree) +
                                    ", blocks of " + std::to_string(block_size);
    for (int l = 0; l < levels.n_levels(); ++l)
      for (const tessera::InstructionSet set :
           tessera::available_instruction_sets())
        {
          KernelTest<dim, double>(levels, matrices, l, description).run(set);
          KernelTest<dim, float>(levels, matrices, l, description).run(set);
        }
  }

  template <int dim>
  void
  check_all()
  {
    Penalty other;
    other.factor          = 2.5;
    other.boundary_factor = 1.25;
    const auto mixed      = neumann_at<dim>({1, 2});

    // Anisotropic cells, boundary conditions, refinement edges.
    const Forest<dim> box =
      random_forest(stretched_mesh<dim>(mixed), 2, 0.6, 5);
    const Forest<dim> corner =
      random_forest(corner_mesh<dim>(), 2, 0.3, 6, Balance::faces);
    for (int degree = 1; degree <= (dim == 2 ? 7 : 3); ++degree)
      {
        check_levels(box, degree, 32, other, {}, "box");
        check_levels(box,
                     degree,
                     32,
                     other,
                     random_coefficient(box.n_active_cells(), 11),
                     "box with coefficient");
      }
    check_levels(corner, 3, 32, Penalty(), {}, "corner");
    check_levels(corner, 2, 1, other, {}, "corner");
    check_levels(corner, 1, 2, other, {}, "corner");
    check_levels(corner, 2, 8, other, {}, "corner");
    check_levels(corner,
                 1,
                 4,
                 other,
                 random_coefficient(corner.n_active_cells(), 11),
                 "corner with coefficient");
    if (dim == 3)
      for (int degree = 4; degree <= 7; ++degree)
        check_levels(Forest<dim>::uniform(cube_mesh<dim>(1), 1),
                     degree,
                     16,
                     Penalty(),
                     {},
                     "cube");
  }
} // namespace

int
main()
{
  check_all<2>();
  check_all<3>();
  return check::result();
}
