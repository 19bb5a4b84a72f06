// The operator in split form against the scalar reference and the fused form:
// the kernels of all instruction sets, degrees, precisions and block sizes on
// level and active cells and on shadows, where sweeps over faces are two-sided
// and where they are not; and the operator on whole fields and on levels.
#include <tessera/base/instruction_set.h>
#include <tessera/cellwise/degree.h>
#include <tessera/sipg/fused_operator.h>
#include <tessera/sipg/level_tables.h>
#include <tessera/sipg/reference_operator.h>
#include <tessera/sipg/split_kernels.h>
#include <tessera/sipg/split_operator.h>

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
    /** The operator with the coefficient taken out of the scale of errors: what
     * a cell gets is of the size of its own k, beside any other one. */
    template <int dim, typename T>
    class SplitTest
    {
    public:
      SplitTest(const std::shared_ptr<const LevelHierarchy<dim>> &hierarchy,
                const ElementMatrices                            &all_matrices,
                const std::string                                &description)
        : levels(hierarchy)
        , matrices(all_matrices)
        , name(description + (sizeof(T) == 4 ? ", float" : ", double"))
        , A(levels, matrices)
        , N(A.layout()->n_cell_values)
        , N_shadow(A.layout()->n_shadow_values)
        , u(A.layout())
      {
        sipg_tests::Random random(1);
        for (int l = 0; l < levels->n_levels(); ++l)
          {
            const LevelData<dim> &level = levels->level(l);
            for (CellIndex c = 0; c < level.n_cells; ++c)
              for (int k = 0; k < N; ++k)
                u(l, c, k) = T(random());
            for (CellIndex s = 0; s < level.n_shadow_cells(); ++s)
              for (int k = 0; k < N_shadow; ++k)
                u.shadow(l, s, k) = T(random());
          }
      }

      void
      run() const
      {
        for (int l = 0; l < levels->n_levels(); ++l)
          for (const FaceTerms terms : {FaceTerms::level, FaceTerms::active})
            check_level(l, terms);
        check_fields();
      }

    private:
      using Vector = std::vector<T>;
      using Double = std::vector<double>;

      const std::shared_ptr<const LevelHierarchy<dim>> levels;
      const ElementMatrices                           &matrices;
      const std::string                                name;
      const SplitOperator<dim, T>                      A;
      const int                                        N;
      const int                                        N_shadow;
      PrimalField<T>                                   u;

      static constexpr double tolerance =
        std::is_same<T, double>::value ? 1e-13 : 1e-5;

      static T
      nan()
      {
        return std::numeric_limits<T>::quiet_NaN();
      }

      std::size_t
      n_cell_values(const int l) const
      {
        return std::size_t(levels->level(l).n_padded_cells) * N;
      }

      std::size_t
      n_shadow_values(const int l) const
      {
        return std::size_t(levels->level(l).n_padded_shadow_cells) * N_shadow;
      }

      /** u on the cells of a level, with NaN where cells do not take part. */
      Vector
      input(const int l, const FaceTerms terms) const
      {
        const LevelData<dim> &level = levels->level(l);
        Vector                x(u.cells(l), u.cells(l) + n_cell_values(l));
        if (terms == FaceTerms::active)
          for (CellIndex c = 0; c < level.n_cells; ++c)
            if (!level.active[c])
              for (int k = 0; k < N; ++k)
                x[blocked_position(c, k, N, level.block_size)] = nan();
        return x;
      }

      /** Round-off, for each entry in units of its coefficient. */
      template <typename F>
      void
      compare(const T           *result,
              const double      *expected,
              const std::size_t  size,
              const F           &coefficient_of,
              const std::string &what) const
      {
        double scale = 0., error = 0.;
        for (std::size_t i = 0; i < size; ++i)
          {
            const double k     = coefficient_of(i);
            const double delta = std::abs(double(result[i]) - expected[i]) / k;
            scale              = std::fmax(scale, std::abs(expected[i]) / k);
            error = std::fmax(error, std::isnan(delta) ? INFINITY : delta);
          }
        if (!(error <= tolerance * scale))
          std::cerr << what << ", " << name << ", error " << error << " of "
                    << scale << std::endl;
        CHECK(error <= tolerance * scale);
      }

      void
      compare_level(const int          l,
                    const T           *y,
                    const T           *y_shadows,
                    const double      *expected,
                    const double      *expected_shadows,
                    const std::string &what) const
      {
        const LevelData<dim> &level   = levels->level(l);
        const std::size_t     B       = level.block_size;
        const std::string     on_what = what + ", level " + std::to_string(l);
        compare(
          y,
          expected,
          n_cell_values(l),
          [&](const std::size_t i) {
            return level.cell_coefficient(CellIndex(i / (B * N) * B + i % B));
          },
          on_what);
        compare(
          y_shadows,
          expected_shadows,
          n_shadow_values(l),
          [&](const std::size_t i) {
            const std::size_t s    = i / (B * N_shadow) * B + i % B;
            const std::size_t slot = s / LevelData<dim>::n_face_children;
            return level.has_coefficient && slot < std::size_t(level.n_slots) ?
                     level.slot_coefficient[slot] :
                     1.;
          },
          on_what + ", shadows");
      }

      void
      check_level(const int l, const FaceTerms terms) const
      {
        const LevelData<dim>       &level = levels->level(l);
        const LevelFlags<dim>       flags(level);
        const LevelMatrices<dim, T> rounded(level, matrices);
        const bool                  is_active = terms == FaceTerms::active;
        const std::string           what      = is_active ? "active" : "level";
        const Vector                x         = input(l, terms);
        const T                    *cells     = x.data();
        const T                    *shadows   = u.shadows(l);

        Double x_reference(x.begin(), x.end());
        for (double &value : x_reference)
          if (std::isnan(value))
            value = 0.;
        const Double shadows_reference(shadows, shadows + n_shadow_values(l));
        Double       expected(x.size()), expected_shadows(n_shadow_values(l));
        apply_reference(level,
                        matrices,
                        is_active ? CellSet::active : CellSet::level,
                        x_reference.data(),
                        shadows_reference.data(),
                        expected.data(),
                        expected_shadows.data());

        Vector first, first_shadows;
        for (const InstructionSet set : available_instruction_sets())
          {
            Vector y(x.size(), nan()), y_shadows(n_shadow_values(l), nan());
            TESSERA_CALL_SIMD_FOR(set,
                                  apply_volume_terms<dim>(matrices.degree,
                                                          terms,
                                                          flags.view(),
                                                          rounded.view(),
                                                          cells,
                                                          y.data(),
                                                          y_shadows.data()));
            // Any order of the axes.
            for (int axis = dim - 1; axis >= 0; --axis)
              TESSERA_CALL_SIMD_FOR(set,
                                    add_face_terms<dim>(matrices.degree,
                                                        axis,
                                                        terms,
                                                        flags.view(),
                                                        rounded.view(),
                                                        cells,
                                                        shadows,
                                                        y.data(),
                                                        y_shadows.data()));
            compare_level(l,
                          y.data(),
                          y_shadows.data(),
                          expected.data(),
                          expected_shadows.data(),
                          what + ", " + to_string(set));
            // The same bits from all sets.
            if (first.empty())
              {
                first         = y;
                first_shadows = y_shadows;
              }
            CHECK(y == first);
            CHECK(y_shadows == first_shadows);
          }

        Vector y(x.size(), nan()), y_shadows(n_shadow_values(l), nan());
        A.apply_level(l, terms, cells, shadows, y.data(), y_shadows.data());
        compare_level(l,
                      y.data(),
                      y_shadows.data(),
                      expected.data(),
                      expected_shadows.data(),
                      what + ", operator");
      }

      void
      check_fields() const
      {
        const FusedOperator<dim, T> fused(levels, matrices);
        DualField<T>                y(A.layout()), z(fused.layout());
        for (std::size_t i = 0; i < y.size(); ++i)
          y.data()[i] = z.data()[i] = nan();
        A.apply(u, y);
        fused.apply(u, z);
        for (int l = 0; l < levels->n_levels(); ++l)
          {
            const Double expected(z.cells(l), z.cells(l) + n_cell_values(l));
            const Double expected_shadows(z.shadows(l),
                                          z.shadows(l) + n_shadow_values(l));
            compare_level(l,
                          y.cells(l),
                          y.shadows(l),
                          expected.data(),
                          expected_shadows.data(),
                          "fields");
          }

        // In parts.
        DualField<T> parts(A.layout());
        for (std::size_t i = 0; i < parts.size(); ++i)
          parts.data()[i] = nan();
        A.apply_volume_terms(u, parts);
        for (int axis = 0; axis < dim; ++axis)
          A.add_face_terms(axis, u, parts);
        for (int l = 0; l < levels->n_levels(); ++l)
          {
            CHECK(std::equal(y.cells(l),
                             y.cells(l) + n_cell_values(l),
                             parts.cells(l)));
            CHECK(std::equal(y.shadows(l),
                             y.shadows(l) + n_shadow_values(l),
                             parts.shadows(l)));
          }
      }
    };
  } // namespace sipg
} // namespace tessera

using namespace sipg_tests;

namespace
{
  template <int dim>
  void
  check_forest(const Forest<dim>         &forest,
               const int                  degree,
               const int                  block_size,
               const Penalty             &penalty,
               const std::vector<double> &coefficient,
               const std::string         &name)
  {
    const auto levels =
      std::make_shared<const LevelHierarchy<dim>>(forest,
                                                  block_size,
                                                  coefficient);
    const ElementMatrices matrices(degree, penalty);
    const std::string     description = name + ", dim " + std::to_string(dim) +
                                    ", degree " + std::to_string(degree) +
                                    ", blocks of " + std::to_string(block_size);
    SplitTest<dim, double>(levels, matrices, description).run();
    SplitTest<dim, float>(levels, matrices, description).run();
  }

  /** Of the mesh: some level has shadows at each face of its groups. */
  template <int dim>
  void
  check_shadows(const Forest<dim> &forest)
  {
    const LevelHierarchy<dim> levels(forest);
    bool                      found = false;
    for (int l = 0; l < levels.n_levels(); ++l)
      {
        bool        all   = true;
        const auto &begin = levels.level(l).slot_begin;
        for (int face = 0; face < 2 * dim; ++face)
          all = all && begin[face + 1] > begin[face];
        found = found || all;
      }
    CHECK(found);
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
      random_forest(stretched_mesh<dim>(mixed), 4, 0.4, 5);
    check_shadows(box);
    const Forest<dim> corner =
      random_forest(corner_mesh<dim>(), 3, 0.3, 6, Balance::faces);
    check_shadows(corner);
    // Contrasts up to 10^6, so that an error of the larger side shows in the
    // smaller one.
    const std::vector<double> k_box =
      random_coefficient(box.n_active_cells(), 11, 10.);
    const std::vector<double> k_corner =
      random_coefficient(corner.n_active_cells(), 11, 10.);

    for (int degree = 1; degree <= (dim == 2 ? 7 : 3); ++degree)
      {
        check_forest(box, degree, 32, other, {}, "box");
        check_forest(box, degree, 32, other, k_box, "box with coefficient");
      }
    int block_size = 1;
    for (const int degree : {3, 2, 3, 3, 1, 4, 3})
      {
        check_forest(corner, degree, block_size, Penalty(), {}, "corner");
        if (dim == 2 || block_size == 8)
          check_forest(corner,
                       degree,
                       block_size,
                       other,
                       k_corner,
                       "corner with coefficient");
        block_size *= 2;
      }
    if (dim == 3)
      {
        const Forest<dim> small =
          random_forest(stretched_mesh<dim>(mixed), 3, 0.3, 3);
        check_shadows(small);
        const std::vector<double> k =
          random_coefficient(small.n_active_cells(), 11, 10.);
        for (int degree = 4; degree <= 7; ++degree)
          check_forest(small, degree, 16, other, k, "small box");
      }
  }
} // namespace

int
main()
{
  check_all<2>();
  check_all<3>();
  return check::result();
}
