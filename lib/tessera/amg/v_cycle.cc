// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/v_cycle.h>
#include <tessera/base/timer.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace tessera
{
  namespace amg
  {
    namespace
    {
      /** $y = s x$ for owned values, rounded. */
      template <typename From, typename To>
      void
      convert_scaled(const sparse::BlockVector<From> &x,
                     const double                     s,
                     sparse::BlockVector<To>         &y)
      {
        const From *const from = x.data();
        std::transform(from,
                       from + x.n_owned_values(),
                       y.data(),
                       [s](const From value) {
                         return static_cast<To>(value * s);
                       });
      }



      template <typename Number>
      class VCycleImplementation : public VCycle
      {
      public:
        using Vector = sparse::BlockVector<Number>;

        VCycleImplementation(const Hierarchy        &levels_in_double,
                             const OrthonormalBasis &kernel,
                             const Options          &options,
                             HierarchyRecord        &record)
          : hierarchy(levels_in_double)
          , coarse_kernel(kernel)
          , coarsest(hierarchy.n_levels() - 1)
          , coarse_solver(coarsest)
        {
          const double start = wall_clock();
          for (unsigned int l = 0; l < coarsest; ++l)
            levels.push_back(
              std::make_unique<CycleLevel<Number>>(l,
                                                   hierarchy.matrix(l),
                                                   hierarchy.prolongator(l),
                                                   hierarchy.inactive(l),
                                                   hierarchy.keys(l),
                                                   options));
          const sparse::BlockMatrix<double> &A = hierarchy.matrix(coarsest);
          coarse_b = Vector(A.pattern().columns(), A.shape().rows);
          coarse_x = Vector(A.pattern().columns(), A.shape().rows);
          record.seconds.smoother += wall_clock() - start;
          finish_setup(record);
        }



        void
        update(HierarchyRecord &record) override
        {
          const double start = wall_clock();
          for (unsigned int l = 0; l < coarsest; ++l)
            levels[l]->update(hierarchy.matrix(l));
          record.seconds.smoother += wall_clock() - start;
          finish_setup(record);
        }



        void
        vmult(sparse::BlockVector<double>       &z,
              const sparse::BlockVector<double> &r) override
        {
          Vector      &b     = right_hand_side(0);
          const double scale = power_of_two_for(r);
          convert_scaled(r, scale, b);
          remove_inactive(b);

          for (unsigned int l = 0; l < coarsest; ++l)
            levels[l]->descend(right_hand_side(l + 1));
          coarse_solver.solve(coarse_b, coarse_x);
          for (unsigned int l = coarsest; l > 0; --l)
            levels[l - 1]->ascend(l == coarsest ? coarse_x :
                                                  levels[l]->solution());

          const Vector &x = coarsest == 0 ? coarse_x : levels[0]->solution();
          convert_scaled(x, 1 / scale, z);
        }



        std::size_t
        memory_consumption(const unsigned int level) const override
        {
          return level == coarsest ?
                   coarse_solver.memory_consumption() +
                     2 * coarse_b.n_values() * sizeof(Number) :
                   levels[level]->memory_consumption();
        }

      private:
        void
        finish_setup(HierarchyRecord &record)
        {
          for (unsigned int l = 0; l < coarsest; ++l)
            record.levels[l].largest_eigenvalue =
              levels[l]->largest_eigenvalue();
          const double start = wall_clock();
          coarse_solver.factorize(hierarchy.matrix(coarsest),
                                  hierarchy.inactive(coarsest),
                                  coarse_kernel);
          record.seconds.coarse += wall_clock() - start;
        }

        Vector &
        right_hand_side(const unsigned int level)
        {
          return level == coarsest ? coarse_b :
                                     levels[level]->right_hand_side();
        }

        /** The largest entry of a residual that is not inactive. Local. */
        double
        largest_entry(const sparse::BlockVector<double> &r) const
        {
          const InactiveComponents &inactive = hierarchy.inactive(0);
          const double *const       values   = r.data();
          double                    largest  = 0;
          if (inactive.empty())
            {
              const std::size_t n = r.n_owned_values();
              for (std::size_t i = 0; i < n; ++i)
                largest = std::max(largest, std::abs(values[i]));
              return largest;
            }
          const int                size = r.block_size();
          const sparse::LocalIndex n    = r.layout().n_owned();
          for (sparse::LocalIndex i = 0; i < n; ++i)
            for (int c = 0; c < size; ++c)
              if (!inactive.is_inactive(i, c))
                largest =
                  std::max(largest,
                           std::abs(
                             values[static_cast<std::size_t>(i) * size + c]));
          return largest;
        }

        /** A factor that brings residuals of any size into the range of float
         * without changing their digits; 1 in double. Collective. */
        double
        power_of_two_for(const sparse::BlockVector<double> &r) const
        {
          if (std::is_same<Number, double>::value)
            return 1;
          const double largest =
            r.layout().communicator().max(largest_entry(r));
          int exponent = 0;
          if (largest > 0 && std::isfinite(largest))
            std::frexp(largest, &exponent);
          // Within what double has of reciprocals.
          return std::ldexp(1., std::clamp(-exponent, -1000, 1000));
        }

        void
        remove_inactive(Vector &b) const
        {
          const InactiveComponents &inactive = hierarchy.inactive(0);
          if (inactive.empty())
            return;
          const int size = b.block_size();
          for (sparse::LocalIndex i = 0; i < b.layout().n_owned(); ++i)
            if (inactive.of_node(i) != 0)
              for (int c = 0; c < size; ++c)
                if (inactive.is_inactive(i, c))
                  b.data()[static_cast<std::size_t>(i) * size + c] = 0;
        }

        const Hierarchy                                 &hierarchy;
        const OrthonormalBasis                          &coarse_kernel;
        const unsigned int                               coarsest;
        std::vector<std::unique_ptr<CycleLevel<Number>>> levels;
        CoarseSolver                                     coarse_solver;
        Vector                                           coarse_b, coarse_x;
      };
    } // namespace



    std::unique_ptr<VCycle>
    make_v_cycle(const Hierarchy        &hierarchy,
                 const OrthonormalBasis &coarse_kernel,
                 const Options          &options,
                 HierarchyRecord        &record)
    {
      if (options.level_precision == LevelPrecision::single_precision)
        return std::make_unique<VCycleImplementation<float>>(hierarchy,
                                                             coarse_kernel,
                                                             options,
                                                             record);
      return std::make_unique<VCycleImplementation<double>>(hierarchy,
                                                            coarse_kernel,
                                                            options,
                                                            record);
    }
  } // namespace amg
} // namespace tessera
