// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_ranks_h
#define tessera_tests_benchmarks_ranks_h

// The processes that run a benchmark at the same time. Without
// TESSERA_BENCHMARK_WITH_MPI there is one, and no MPI is needed.

#ifdef TESSERA_BENCHMARK_WITH_MPI
#  define OMPI_SKIP_MPICXX 1
#  define MPICH_SKIP_MPICXX 1
#  include <mpi.h>
#endif

#include <vector>

namespace benchmark
{
  /** Initializes and ends MPI; to live as long as main(). All functions but
   * the counts are collective. */
  class Ranks
  {
  public:
    Ranks(int &argc, char **&argv)
    {
#ifdef TESSERA_BENCHMARK_WITH_MPI
      MPI_Init(&argc, &argv);
      MPI_Comm_rank(MPI_COMM_WORLD, &this_rank);
      MPI_Comm_size(MPI_COMM_WORLD, &group_size);
#else
      (void)argc;
      (void)argv;
#endif
    }

    ~Ranks()
    {
#ifdef TESSERA_BENCHMARK_WITH_MPI
      MPI_Finalize();
#endif
    }

    Ranks(const Ranks &) = delete;
    Ranks &
    operator=(const Ranks &) = delete;

    int
    rank() const
    {
      return this_rank;
    }

    int
    n_ranks() const
    {
      return group_size;
    }

    void
    barrier() const
    {
#ifdef TESSERA_BENCHMARK_WITH_MPI
      MPI_Barrier(MPI_COMM_WORLD);
#endif
    }

    /** Elementwise maximum over the ranks. */
    std::vector<double>
    max(std::vector<double> values) const
    {
#ifdef TESSERA_BENCHMARK_WITH_MPI
      MPI_Allreduce(MPI_IN_PLACE,
                    values.data(),
                    int(values.size()),
                    MPI_DOUBLE,
                    MPI_MAX,
                    MPI_COMM_WORLD);
#endif
      return values;
    }

    /** The value of every rank, in the order of the ranks, on all ranks. */
    std::vector<double>
    gather(const double value) const
    {
      std::vector<double> values(group_size, value);
#ifdef TESSERA_BENCHMARK_WITH_MPI
      MPI_Allgather(&value,
                    1,
                    MPI_DOUBLE,
                    values.data(),
                    1,
                    MPI_DOUBLE,
                    MPI_COMM_WORLD);
#endif
      return values;
    }

  private:
    int this_rank  = 0;
    int group_size = 1;
  };
} // namespace benchmark

#endif
