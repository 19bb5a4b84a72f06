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


def print_machines(machines):
    for record in machines:
        rates = rates_of(record["gigabytes_per_second"])
        flops = rates_of(record["gigaflops"])
        print(f"  {record['mpi_ranks']} rank(s), {record['simd_bits']}-bit SIMD: "
              f"copy {rates['copy']:.1f} GB/s, triad {rates['triad']:.1f} GB/s, "
              f"FMA {flops['FMA float']:.0f} (float) and {flops['FMA double']:.0f} (double) GFLOP/s")


def rates_of(results):
    return {r["name"]: r["all_ranks"]["median"] for r in results}


def print_sweeps(sweeps, machine):
    """Cell visits against two bounds: the counted SIMD instructions at the
    measured rate of fused multiply-adds, and bytes at the measured rate of
    copying."""
    copy = rates_of(machine["gigabytes_per_second"])["copy"]
    flops = rates_of(machine["gigaflops"])
    print("\nSweeps of patch updates in three dimensions on 1 rank, nanoseconds a cell visit. issue: all counted SIMD\n"
          "instructions (additions, multiplications, permutes, selections, picks, transpositions) at the rate at which\n"
          "this machine issues multiply-adds; operations: the arithmetic among them alone; copy: the bytes that have to come\n"
          "from and go to memory. ratio: to the largest of issue and copy.\n")
    print(f"{'update':<20} {'degree':>6} {'':<6} {'operands':<9} {'order':<10} {'cells':>10} {'ns':>8} "
          f"{'issue':>8} {'operations':>10} {'copy':>8} {'ratio':>6}")
    for r in sweeps["results"]:
        bytes_of_number = 4 if r["precision"] == "float" else 8
        lanes = sweeps["simd_bits"] / 8 / bytes_of_number
        issued_a_nanosecond = flops["FMA " + r["precision"]] / (2 * lanes)
        counts = r["instructions_per_visit"]
        issue = sum(counts.values()) / issued_a_nanosecond
        operations = counts["operations"] / issued_a_nanosecond
        copying = r["bytes_per_visit"] / copy
        time = r["nanoseconds_per_visit"]["median"]
        print(f"{r['update']:<20} {r['degree']:>6} {r['precision']:<6} {r['operands']:<9} {r['order']:<10} "
              f"{'x'.join(map(str, r['n_cells_per_direction'])) or '-':>10} {time:>8.1f} {issue:>8.1f} {operations:>10.1f} {copying:>8.1f} "
              f"{time / max(issue, copying):>6.2f}")


def print_passes(passes, machine):
    """Passes over fields against the same two bounds."""
    copy = rates_of(machine["gigabytes_per_second"])["copy"]
    flops = rates_of(machine["gigaflops"])
    issued_a_nanosecond = flops["FMA float"] / (2 * passes["simd_bits"] / 32)
    print(f"\nPasses of an iteration besides the sweeps, {passes['n_cells_per_direction']}^3 cells of degree 3, 1 rank, "
          f"nanoseconds a cell:\n")
    print(f"{'pass':<20} {'ns':>8} {'issue':>8} {'copy':>8} {'ratio':>6}")
    for r in passes["results"]:
        issue = r["instructions_per_cell"] / issued_a_nanosecond
        copying = r["bytes_per_cell"] / copy
        time = r["nanoseconds_per_cell"]["median"]
        print(f"{r['pass']:<20} {time:>8.1f} {issue:>8.1f} {copying:>8.1f} {time / max(issue, copying):>6.2f}")


def print_sparse(sparse):
    """Sparse matrices of blocks: what there is of the bandwidth of a copy, and
    the numeric product that the library takes against those of others."""
    print(f"\nSparse matrices of blocks, beam with k = {sparse['k']}, 1 rank, seconds of the processor"
          f"; peer: {sparse['peer'] or 'none'}.\n")
    for case in sparse["matrix_vector"]:
        rates = {r["name"]: r["bytes"] / r["seconds"]["median"] for r in case["results"]}
        print(f"  matrix times vector, {case['matrix']}, of a copy: "
              + ", ".join(f"{name} {rate / rates['copy']:.2f}" for name, rate in rates.items() if name != "copy"))
    for case in sparse["products"]:
        times = {r["name"]: r["seconds"]["median"] for r in case["results"]}
        ours = times["cached positions"]
        print(f"  P^T A P, {case['matrix']}: {1e3 * ours:.2f} ms; others take "
              + ", ".join(f"{name} {time / ours:.2f}" for name, time in times.items()
                          if name in ("two-pass", "schedule", "fused", "PETSc MatPtAP")))


def print_elasticity(record):
    """Multigrid methods for elasticity, and ours against the best peer in
    each column."""
    solvers = [s for s in record["solvers"] if "error" not in s]
    columns = ["cold_seconds", "hot_seconds", "galerkin_seconds", "solve_seconds", "memory_with_matrix_bytes"]

    def median(solver, name):
        value = solver.get(name)
        return value["median"] if isinstance(value, dict) else value

    problem = f"Q{record['degree']} beam with k = {record['k']}"
    print(f"\nElasticity, {problem}, {record['n_block_rows']} block rows, 1 rank, seconds of the processor; memory: the peak of\n"
          f"the solver with one matrix. In brackets: the best peer in times of ours; of memory, ours in parts of the best peer's.\n")
    print(f"  {'solver':<27} {'cold':>14} {'hot':>14} {'P^T A P':>14} {'solve':>14} {'its':>4} {'MB':>13}")
    for solver in solvers:
        text = f"  {solver['name']:<27}"
        for name in columns:
            value = median(solver, name)
            peers = [median(s, name) for s in solvers if not s["is_ours"] and name in s]
            is_memory = name == columns[-1]
            if is_memory:
                text += f" {median(solver, 'iterations'):>4.0f}"
            number = "-" if value is None else f"{value * 1e-6:.0f}" if is_memory else f"{value:.3f}"
            if solver["is_ours"] and value and peers:
                ratio = value / min(peers) if is_memory else min(peers) / value
                number += f" ({ratio:.2f})"
            text += f" {number:>13}" if is_memory else f" {number:>14}"
        print(text)
    for solver in record["solvers"]:
        if "error" in solver:
            print(f"  {solver['name']:<27} {solver['error']}")


def print_interior_penalty(record):
    """Ours and deal.II's multigrid at equal algebraic error."""
    print(f"\nInterior penalty, degree {record['degree']}, 1 rank, float levels, equal error of the algebraic system; peer: "
          f"{record['peer']}, vectors of {record['vector_bits_of_peer']} bits.\nratio: throughput of ours to it.\n")
    print(f"  {'mesh':<9} {'cells':>6}  {'solver':<26} {'its':>4} {'set-up':>8} {'seconds':>8} {'MDoF/s':>7} {'ratio':>6} "
          f"{'algebraic':>10} {'L2 error':>10} {'MB':>6}")
    ours = {r["mesh"]: r for r in record["results"] if r["is_ours"]}
    for r in record["results"]:
        ratio = ours[r["mesh"]]["dofs_per_second"] / r["dofs_per_second"]
        print(f"  {r['mesh']:<9} {r['n_cells']:>6}  {r['solver']:<26} {r['iterations']:>4} {r['setup_seconds']:>8.3f} "
              f"{r['solve_seconds']['median']:>8.4f} {1e-6 * r['dofs_per_second']:>7.3f} {ratio:>6.2f} "
              f"{r['algebraic_error']:>10.1e} {r['L2_error']:>10.3e} {1e-6 * r['peak_memory_bytes']:>6.0f}")


def print_solvers(patch, peers, machines):
    """Ours and the peer's side by side, with the true error of each."""
    copy = {m["mpi_ranks"]: rates_of(m["gigabytes_per_second"])["copy"] for m in machines}
    print("\nPoisson, degree 3, product of sines, to 1e-9 (patch, ...: of the monitor; others: of the residual norm).\n"
          "patch, ...: the solver of patch multigrid; deal.II CG with patch: its cycle as a preconditioner of deal.II.")
    if peers:
        bits = peers[0]["vector_bits"]
        print(f"Peer: {peers[0]['peer']}, conjugate gradients with matrix-free multigrid, Chebyshev smoothing, float "
              f"levels;\nthis deal.II computes with vectors of {bits} bits{' (scalars)' if bits == 64 else ''}.")
    print(f"\n{'cells':>5} {'ranks':>5} {'dofs':>9}  {'solver':<26} {'its':>4} {'frac.':>6} {'L2 error':>10} "
          f"{'seconds':>8} {'MDoF/s':>7} {'a rank':>7} {'ratio':>6} {'copies':>7}")

    def print_row(record, solver, name, its, fraction):
        seconds = solver["solve_seconds"]["median"]
        rate = solver["dofs_per_second"] * 1e-6
        n = record["mpi_ranks"]
        # How many vectors of the finest level the machine copies in the time
        # of one solve (16 bytes a degree of freedom and copy).
        copies = seconds * copy[n] * 1e9 / (16 * record["n_dofs"])
        ratio = f"{rate / peer_rates[cells, n]:.2f}" if (cells, n) in peer_rates else "-"
        print(f"{str(record['n_cells_per_direction']) + '^3':>5} {n:>5} {record['n_dofs']:>9.0f}  {name:<26} "
              f"{its:>4} {fraction:>6} {solver['L2_error']:>10.3e} {seconds:>8.4f} {rate:>7.3f} {rate / n:>7.3f} "
              f"{ratio:>6} {copies:>7.0f}")

    peer_rates = {(p["n_cells_per_direction"], p["mpi_ranks"]): p["dofs_per_second"] * 1e-6 for p in peers}
    for cells in sorted({r["n_cells_per_direction"] for r in patch + peers}):
        for record in peers:
            if record["n_cells_per_direction"] == cells:
                print_row(record, record, "peer", record["iterations"], "-")
                preconditioned = record["with_patch_multigrid"]
                print_row(record, preconditioned, "deal.II CG with patch", preconditioned["iterations"], "-")
        for record in patch:
            if record["n_cells_per_direction"] == cells:
                for solver in record["solvers"]:
                    print_row(record, solver, "patch, " + solver["iteration"], solver["iterations"],
                              f"{solver['fractional_iterations']:.2f}")
    print("\nMedians. L2 error: the true one. ratio: throughput to that of the peer on as many ranks. copies: how often "
          "the machine\ncould have copied the solution vector meanwhile.")

    for record in [r for r in patch if r["mpi_ranks"] == 1][-1:]:
        solver = record["solvers"][0]
        total = solver["solve_seconds"]["median"]
        print(f"\nWhere the time of the {solver['iteration']} iteration goes, {record['n_cells_per_direction']}^3 cells, "
              f"{solver['array_bytes_per_dof']:.0f} bytes of arrays a degree of freedom:")
        for name, seconds in solver["phase_seconds"].items():
            print(f"  {name:<20} {seconds:>8.4f} s {100 * seconds / total:>5.1f} %")


def main():
    directory = pathlib.Path(sys.argv[1])
    machines = load(directory, "machine-*.json")
    sweeps = load(directory, "patch_sweep.json")
    passes = load(directory, "patch_passes.json")
    sipg = load(directory, "sipg_passes.json")
    sipg_peer = load(directory, "sipg_peer.json")
    sparse = load(directory, "sparse_products.json")
    elasticity = load(directory, "elasticity_amg.json")
    patch = load(directory, "poisson_q3_patch-*.json")
    peers = load(directory, "poisson_q3_peer-*.json")

    print(f"Summary on {processor()}")
    print_machines(machines)
    for record in sweeps:
        print_sweeps(record, machines[0])
    for record in passes:
        print_passes(record, machines[0])
    for record in sparse:
        print_sparse(record)
    for record in elasticity:
        print_elasticity(record)
    for record in sipg_peer:
        print_interior_penalty(record)
    if patch or peers:
        print_solvers(patch, peers, machines)

    result = directory / "bench.json"
    result.write_text(json.dumps({"processor": processor(), "machine": machines, "patch_sweep": sweeps,
                                  "patch_passes": passes, "sipg_passes": sipg, "sipg_peer": sipg_peer,
                                  "sparse_products": sparse, "elasticity_amg": elasticity,
                                  "poisson_q3_patch": patch, "poisson_q3_peer": peers}, indent=2) + "\n")
    print(f"\nAll figures are in {result}")


if __name__ == "__main__":
    main()
