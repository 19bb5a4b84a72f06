# SPDX-License-Identifier: LGPL-2.1-or-later
"""Print a table of the results that scripts/bench left in a directory, and
collect them in the directory's bench.json.

Usage: python3 bench_summary.py DIRECTORY
"""
import json
import pathlib
import platform
import sys


def processor():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def load(directory, pattern):
    return [json.loads(path.read_text()) for path in sorted(directory.glob(pattern))]


def main():
    directory = pathlib.Path(sys.argv[1])
    machines = load(directory, "machine-*.json")
    peers = load(directory, "poisson_q3_peer-*.json")

    print(f"Summary on {processor()}")
    copy = {}
    for record in machines:
        rates = {r["name"]: r["all_ranks"]["median"] for r in record["gigabytes_per_second"]}
        flops = {r["name"]: r["all_ranks"]["median"] for r in record["gigaflops"]}
        copy[record["mpi_ranks"]] = rates["copy"]
        print(f"  {record['mpi_ranks']} rank(s), {record['simd_bits']}-bit SIMD: "
              f"copy {rates['copy']:.1f} GB/s, triad {rates['triad']:.1f} GB/s, "
              f"FMA {flops['FMA float']:.0f} (float) and {flops['FMA double']:.0f} (double) GFLOP/s")

    if peers:
        peer = peers[0]
        print(f"\nPoisson, degree 3, relative residual 1e-9: {peer['peer']}, conjugate gradients with "
              f"matrix-free multigrid,\nChebyshev smoothing, float levels. This deal.II computes with vectors of "
              f"{peer['vector_bits']} bits{' (scalars)' if peer['vector_bits'] == 64 else ''}.\n")
        # How many vectors of the finest level the machine copies in the time of
        # one solve (16 bytes a degree of freedom and copy).
        print(f"{'cells':>7} {'ranks':>5} {'dofs':>9} {'its':>4} {'L2 error':>10} {'seconds':>8} "
              f"{'MDoF/s':>7} {'a rank':>7} {'copies':>7}")
        for r in peers:
            seconds = r["solve_seconds"]["median"]
            rate = r["dofs_per_second"] * 1e-6
            copies = seconds * copy[r["mpi_ranks"]] * 1e9 / (16 * r["n_dofs"])
            print(f"{str(r['n_cells_per_direction']) + '^3':>7} {r['mpi_ranks']:>5} {r['n_dofs']:>9} "
                  f"{r['iterations']:>4} {r['L2_error']:>10.3e} {seconds:>8.3f} {rate:>7.3f} "
                  f"{rate / r['mpi_ranks']:>7.3f} {copies:>7.0f}")
        print("\nMedians. copies: how often the machine could have copied the solution vector meanwhile.")

    result = directory / "bench.json"
    result.write_text(json.dumps({"processor": processor(), "machine": machines, "poisson_q3_peer": peers},
                                 indent=2) + "\n")
    print(f"All figures are in {result}")


if __name__ == "__main__":
    main()
