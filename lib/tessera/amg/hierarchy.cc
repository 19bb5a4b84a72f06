// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/aggregation.h>
#include <tessera/amg/hierarchy.h>
#include <tessera/amg/prolongator_filter.h>
#include <tessera/amg/prolongator_smoothing.h>
#include <tessera/amg/spectrum.h>
#include <tessera/amg/strength_graph.h>
#include <tessera/amg/tentative_prolongator.h>
#include <tessera/base/exceptions.h>
#include <tessera/base/timer.h>

#include <cmath>
#include <sstream>
#include <string>
#include <utility>

namespace tessera
{
  namespace amg
  {
    namespace
    {
      std::string
      equations(const std::uint64_t n)
      {
        return std::to_string(n) + (n == 1 ? " equation" : " equations");
      }

      LevelRecord
      new_record(const sparse::BlockMatrix<double> &A,
                 const InactiveComponents          &inactive)
      {
        const Communicator &communicator = A.pattern().rows().communicator();
        LevelRecord         result;
        result.block_size   = A.shape().rows;
        result.n_block_rows = A.pattern().rows().n_global();
        result.n_blocks =
          communicator.sum(static_cast<std::uint64_t>(A.pattern().n_blocks()));
        result.n_inactive = communicator.sum(inactive.n_components());
        return result;
      }

      /** The number of nodes at general places whose rows of B have full rank:
       * three in 3D, two in 2D for rigid-body modes. */
      unsigned int
      min_nodes(const NearNullSpace &B)
      {
        return B.n_modes() <= B.block_size() ? 1 :
                                               B.n_modes() / B.block_size() + 1;
      }

      std::uint64_t
      n_unaggregated(const Aggregates &aggregates)
      {
        std::uint64_t result = 0;
        for (const sparse::LocalIndex a : aggregates.aggregate_of_node)
          result += a < 0;
        return result;
      }

      /** The time since the last call, added to a sum. */
      class StopWatch
      {
      public:
        void
        lap(double &seconds)
        {
          const double now = wall_clock();
          seconds += now - start;
          start = now;
        }

      private:
        double start = wall_clock();
      };
    } // namespace



    std::uint64_t
    largest_dense_size(const Options &options)
    {
      return 3 * options.coarse_size_limit;
    }



    Hierarchy::Hierarchy(const sparse::BlockMatrix<double> &A,
                         NearNullSpace                      B,
                         const InactiveComponents          &inactive,
                         const std::vector<std::uint64_t>  &keys,
                         const Options                     &options,
                         HierarchyRecord                   &record)
      : finest(&A)
    {
      levels.emplace_back();
      levels[0].inactive = inactive;
      levels[0].keys     = keys;
      record.levels      = {new_record(A, inactive)};

      while (record.end_of_coarsening.empty())
        record.end_of_coarsening = coarsen(B, options, record);
      modes = std::move(B);
    }



    std::string
    Hierarchy::coarsen(NearNullSpace   &B,
                       const Options   &options,
                       HierarchyRecord &record)
    {
      const unsigned int                 l      = levels.size() - 1;
      const sparse::BlockMatrix<double> &A      = matrix(l);
      const std::uint64_t                n_rows = A.pattern().rows().n_global();
      const std::uint64_t                size   = n_rows * A.shape().rows;

      // The finest level is made coarser wherever that is possible.
      if (l > 0 && size <= options.coarse_size_limit)
        return equations(size) + ", not more than the coarse size limit, " +
               std::to_string(options.coarse_size_limit);
      if (n_rows < 2)
        return std::to_string(n_rows) + " block row";

      const auto end = [&](const std::string &reason,
                           const std::string &advice) {
        if (size > largest_dense_size(options))
          throw InputError("Algebraic multigrid: coarsening ends on level " +
                           std::to_string(l) + " with " +
                           std::to_string(n_rows) + " block rows, " +
                           equations(size) + ": " + reason +
                           ". That is more than can be solved exactly, " +
                           std::to_string(largest_dense_size(options)) +
                           ", three times the coarse size limit. " + advice);
        return reason;
      };
      if (levels.size() >= options.max_levels)
        return end("the largest number of levels, " +
                     std::to_string(options.max_levels),
                   "Allow more levels.");

      StopWatch    watch;
      LevelRecord &level = record.levels[l];
      const double threshold =
        options.strength_threshold * std::pow(options.threshold_scale, l);
      const StrengthGraph graph        = strength_graph(A,
                                                 levels[l].inactive,
                                                 threshold,
                                                 options.strength_measure);
      Aggregates          aggregates   = aggregate(graph,
                                        levels[l].keys,
                                        options.aggregation_order,
                                        l < options.aggressive_levels);
      level.n_merged                   = merge_small_aggregates(graph,
                                              levels[l].keys,
                                              options.aggregation_order,
                                              min_nodes(B),
                                              aggregates);
      const std::uint64_t n_aggregates = aggregates.n_aggregates();
      const std::uint64_t n_left       = n_unaggregated(aggregates);

      // More aggregates are of use only if they are few enough to be solved.
      if (n_aggregates == 0 ||
          (n_aggregates >= 0.9 * (n_rows - n_left) &&
           (size <= largest_dense_size(options) ||
            n_aggregates * B.n_modes() > options.coarse_size_limit)))
        {
          std::ostringstream reason, advice;
          reason << std::to_string(n_aggregates) << " aggregates of "
                 << n_rows - n_left << " block rows with strong couplings, of "
                 << n_rows;
          advice << "Lower the strength threshold, which was " << threshold
                 << " here; or raise the coarse size limit.";
          return end(reason.str(), advice.str());
        }

      level.n_aggregates   = n_aggregates;
      level.n_unaggregated = n_left;

      TentativeProlongator tentative =
        tentative_prolongator(A.pattern().rows(), aggregates, B);
      Level next;
      next.inactive = std::move(tentative.inactive);
      remove_inactive(levels[l].inactive, tentative.P);
      next.keys = keys_of_roots(aggregates, levels[l].keys);
      watch.lap(record.seconds.aggregation);

      sparse::BlockMatrix<double> P = std::move(tentative.P);
      if (options.prolongator_smoothing)
        {
          const sparse::BlockDiagonal<double> inverse_diagonal =
            inverse_scalar_diagonal(A);
          level.largest_eigenvalue_scalar = largest_eigenvalue(
            A, inverse_diagonal, levels[l].inactive, levels[l].keys);
          P = smoothed_prolongator(A,
                                   inverse_diagonal,
                                   options.smoothing_factor /
                                     level.largest_eigenvalue_scalar,
                                   P);
        }
      level.n_unfiltered_prolongator_blocks = P.pattern().n_blocks();
      if (options.prolongator_filter > 0)
        {
          FilteredProlongator filtered =
            filtered_prolongator(P,
                                 tentative.coarse_modes,
                                 options.prolongator_filter *
                                   std::pow(options.filter_scale, l),
                                 options.filter_projection);
          level.error_of_modes_dropped   = filtered.error_of_modes_dropped;
          level.error_of_modes_projected = filtered.error_of_modes_projected;
          P                              = std::move(filtered.P);
        }
      level.n_prolongator_blocks = P.pattern().n_blocks();
      levels[l].P                = std::move(P);
      watch.lap(record.seconds.prolongator);

      levels[l].product =
        std::make_unique<sparse::ParallelGalerkinProduct<double>>(
          A.pattern(),
          levels[l].P.pattern(),
          A.shape().rows,
          B.n_modes(),
          options.product);
      next.A = sparse::BlockMatrix<double>(levels[l].product->pattern(),
                                           levels[l].product->shape());
      levels.push_back(std::move(next));
      watch.lap(record.seconds.galerkin);
      multiply(l, record);
      record.levels.push_back(new_record(matrix(l + 1), inactive(l + 1)));
      B = std::move(tentative.coarse_modes);
      return {};
    }



    void
    Hierarchy::multiply(const unsigned int l, HierarchyRecord &record)
    {
      StopWatch watch;
      double    seconds = 0;
      levels[l].product->multiply(matrix(l), levels[l].P, levels[l + 1].A);
      watch.lap(seconds);
      if (!levels[l + 1].inactive.empty())
        replace_inactive(levels[l + 1].inactive, levels[l + 1].A);

      const sparse::GalerkinProduct<double> &product =
        levels[l].product->local_product();
      LevelRecord &level          = record.levels[l];
      level.product_algorithm     = to_string(product.algorithm());
      level.product_description   = product.description();
      level.n_intermediate_blocks = product.sizes().n_blocks_W;
      level.product_seconds       = seconds;
      level.predicted_bytes       = product.traffic().floor_bytes;
      level.predicted_flops       = product.traffic().flops;
      watch.lap(seconds);
      record.seconds.galerkin += seconds;
    }



    void
    Hierarchy::update(const sparse::BlockMatrix<double> &A,
                      HierarchyRecord                   &record)
    {
      finest = &A;
      for (unsigned int l = 0; l + 1 < levels.size(); ++l)
        multiply(l, record);
    }



    unsigned int
    Hierarchy::n_levels() const
    {
      return levels.size();
    }



    const sparse::BlockMatrix<double> &
    Hierarchy::matrix(const unsigned int level) const
    {
      return level == 0 ? *finest : levels[level].A;
    }



    const sparse::BlockMatrix<double> &
    Hierarchy::prolongator(const unsigned int level) const
    {
      return levels[level].P;
    }



    const InactiveComponents &
    Hierarchy::inactive(const unsigned int level) const
    {
      return levels[level].inactive;
    }



    const std::vector<std::uint64_t> &
    Hierarchy::keys(const unsigned int level) const
    {
      return levels[level].keys;
    }



    const NearNullSpace &
    Hierarchy::coarsest_modes() const
    {
      return modes;
    }



    void
    Hierarchy::forget_modes()
    {
      modes = NearNullSpace();
    }



    std::size_t
    Hierarchy::memory_consumption(const unsigned int l) const
    {
      const Level &level  = levels[l];
      std::size_t  result = level.keys.size() * sizeof(std::uint64_t);
      if (l > 0)
        result += level.A.memory_consumption();
      if (level.product)
        result +=
          level.P.memory_consumption() + level.product->memory_consumption();
      return result;
    }
  } // namespace amg
} // namespace tessera
