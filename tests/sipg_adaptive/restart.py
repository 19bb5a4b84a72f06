# SPDX-License-Identifier: LGPL-2.1-or-later
"""Interrupt studies of sipg_adaptive, go on, and compare with one that was not
interrupted: run.json, tables and the list of field files are the same, but for
times and memory.

Usage: python3 restart.py PROGRAM PARAMETER_FILE TEST
"""
import csv
import fcntl
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

MACHINE = {"seconds", "dofs_per_second", "solver_memory_bytes", "peak_memory_bytes",
           "setup", "solve", "MDoF/s", "MiB"}
OF_THE_RUN = {"log", "parameters", "message"}
N_CYCLES = 6

program, parameter_file, test = sys.argv[1:]


def check(condition, message):
    if not condition:
        sys.exit("failed: " + message)


def setting(name, value):
    return ["--set", f"{name}={value}"]


def cycles(n):
    return setting("Refinement/Cycles", n)


def restart_from(directory):
    return setting("Checkpoint/Restart from", directory)


def command(results, arguments):
    return [program, parameter_file, "--results", results] + arguments


def run(results, *arguments, status=0):
    """Run; return what was printed."""
    done = subprocess.run(command(results, sum(arguments, [])), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True)
    check(done.returncode == status,
          f"status {done.returncode} instead of {status}:\n{done.stdout}")
    return done.stdout


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(entry) for key, entry in value.items() if key not in MACHINE}
    if isinstance(value, list):
        return [without_times(entry) for entry in value]
    return value


def record(results):
    return json.loads((pathlib.Path(results) / "run.json").read_text())


def comparable(results):
    """All that must not depend on interruptions."""
    folder = pathlib.Path(results)
    rows = list(csv.DictReader((folder / "convergence.csv").open()))
    of_run = {key: value for key, value in record(results).items() if key not in OF_THE_RUN}
    return {"run.json": without_times(of_run),
            "table": without_times(rows),
            # Without the comment, which has the date.
            "list": re.sub("<!--.*?-->", "", (folder / "solution.pvd").read_text(), flags=re.DOTALL)}


def compare(results, expected):
    found = comparable(results)
    check(len(expected["run.json"]["cycles"]) == N_CYCLES == len(expected["table"]), "cycles are missing")
    for name in expected:
        check(found[name] == expected[name],
              f"{name} differs:\n{json.dumps(found[name], indent=1)}\n{json.dumps(expected[name], indent=1)}")
    for file in re.findall('file="([^"]*)"', found["list"]):
        check((pathlib.Path(results) / file).exists(), f"{file} is missing")
        pieces = re.findall('Source="([^"]*)"', (pathlib.Path(results) / file).read_text())
        check(pieces and all((pathlib.Path(results) / piece).exists() for piece in pieces),
              f"a piece of {file} is missing")


def checkpoints(results):
    """Numbers of the files, ascending."""
    return sorted(int(re.fullmatch(r"checkpoint_(\d+)\.tessera", file.name)[1])
                  for file in pathlib.Path(results).glob("checkpoint_*.tessera"))


def newest(results):
    return pathlib.Path(results) / f"checkpoint_{checkpoints(results)[-1]}.tessera"


def test_same_directory():
    """In two steps, and once more when it is done."""
    expected = whole()
    output = run("steps", cycles(2))
    check("no checkpoint in 'steps' yet" in output, "nothing is said of the first start")
    check(checkpoints("steps") == [1, 2], "two checkpoints were expected")
    run("steps", cycles(5))
    check(checkpoints("steps") == [4, 5], "two checkpoints were expected")
    output = run("steps")
    check("goes on from 'steps/checkpoint_5.tessera', after cycle 4" in output, "nothing is said of the restart")
    check("Cycle 5" in output and "Cycle 4" not in output, "cycle 4 was repeated or 5 was not done")
    compare("steps", expected)

    for n in (N_CYCLES, 2):
        output = run("steps", cycles(n))
        check("all cycles are done already" in output and "Cycle" not in output, "nothing should have been done")
        compare("steps", expected)
    check(checkpoints("steps") == [5, 6], "there is nothing to write")


def test_other_directory():
    expected = whole()
    run("first", cycles(3))
    before = {file.name: file.read_bytes() for file in pathlib.Path("first").iterdir()}
    run("second", restart_from("first"))
    compare("second", expected)
    check(before == {file.name: file.read_bytes() for file in pathlib.Path("first").iterdir()},
          "the directory was changed")

    # A file for ParaView is gone: it is not listed.
    (pathlib.Path("first") / "solution_0001.pvtu").unlink()
    output = run("third", restart_from("first"))
    check("warning: 'first/solution_0001.pvtu' of an earlier cycle is gone" in output, "no warning")
    found = comparable("third")
    check(found["run.json"] == expected["run.json"], "run.json differs")
    check("_0001" not in found["list"] and "_0002" in found["list"], "wrong list:\n" + found["list"])

    # The study with a checkpoint of its own would lose that.
    output = run("second", restart_from("first"), status=1)
    check("'second/checkpoint_" in output and "would replace" in output, "wrong message:\n" + output)
    output = run("first", restart_from(""), status=1)
    check("'first/checkpoint_3.tessera'" in output and "would replace" in output, "wrong message:\n" + output)
    run("first", restart_from(""), setting("Checkpoint/Write", "false"))
    compare("first", expected)
    check(checkpoints("first") == [2, 3], "checkpoints were written")

    output = run("fourth", restart_from("nowhere"), status=1)
    check("'Checkpoint/Restart from = nowhere': there is no such directory" in output, "wrong message:\n" + output)


def test_damaged():
    expected = whole()
    run("damaged", cycles(3))
    file = newest("damaged")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 16
    file.write_bytes(content)
    output = run("damaged")
    check("warning: the checkpoint 'damaged/checkpoint_3.tessera' cannot be used" in output, "no warning:\n" + output)
    check("goes on from 'damaged/checkpoint_2.tessera', after cycle 1" in output, "not the predecessor:\n" + output)
    compare("damaged", expected)

    for number in checkpoints("damaged"):
        file = pathlib.Path("damaged") / f"checkpoint_{number}.tessera"
        file.write_bytes(file.read_bytes()[:-1])
    output = run("damaged", status=1)
    check("no checkpoint in 'damaged' is complete" in output and "cut off" in output, "wrong message:\n" + output)


def test_other_parameters():
    expected = whole()
    run("first", cycles(3))
    before = {name: (pathlib.Path("first") / name).read_bytes() for name in ("run.json", "log.txt", "parameters.prm")}
    for name, value, text in (("Degree", 3, "'Degree' is 2 there and 3 here"),
                              ("Dimension", 3, "'Dimension' is 2 there and 3 here"),
                              ("Refinement/Fraction", 0.25, "'Refinement/Fraction' is 0.5 there and 0.25 here"),
                              ("Problem/Boundary values", "x", "is \"sin(x)*y\" there and \"x\" here"),
                              ("Boundary conditions/3/Value", 0,
                               "'Boundary conditions/3/Value' is absent there and \"0\" here")):
        output = run("first", setting(name, value), status=1)
        check("'first/checkpoint_3.tessera' is one of another discretization: " in output and text in output,
              "wrong message:\n" + output)
    for name, content in before.items():
        check((pathlib.Path("first") / name).read_bytes() == content, "a run that was refused has changed " + name)

    # These do not matter, or not much.
    run("first", setting("Output/Subdivisions", 1), setting("Refinement/Compare with uniform", "true"), cycles(4))
    compare_first = comparable("first")["run.json"]["cycles"]
    check(compare_first == expected["run.json"]["cycles"][:4], "run.json differs")
    output = run("first", setting("Solver/Tolerance", "1e-8"), setting("Multigrid/Block size", 8))
    check("warning: 'Solver/Tolerance' is 1e-08; in the cycles before it was 1e-10" in output, "no warning:\n" + output)
    for found, whole_run in zip(record("first")["cycles"], expected["run.json"]["cycles"]):
        check(found["n_cells"] == whole_run["n_cells"], "other cells")
        check(abs(found["estimator"] / whole_run["estimator"] - 1) < 1e-5, "other errors")


def test_not_converged():
    """The status counts the cycles before the restart."""
    run("few", cycles(2), setting("Solver/Maximum iterations", 2), status=2)
    run("few", cycles(3), status=2)
    check([cycle["converged"] for cycle in record("few")["cycles"]] == [False, False, True], "wrong cycles")


def test_killed():
    """Killed again and again at any moment, started again until it is done."""
    expected = whole()
    chance = random.Random(1)
    n_kills = n_restarts = 0
    while True:
        before = checkpoints("killed")
        process = subprocess.Popen(command("killed", []), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   universal_newlines=True)
        # So that there is progress: not before the next checkpoint is there.
        while process.poll() is None and checkpoints("killed")[-1:] == before[-1:]:
            time.sleep(0.001)
        time.sleep(chance.random() * 0.05)
        process.send_signal(signal.SIGKILL)
        output, _ = process.communicate()
        n_restarts += "goes on from" in output
        # The record is the last thing a run writes; it may be killed between that and its end.
        if process.returncode != -signal.SIGKILL or (pathlib.Path("killed") / "run.json").exists():
            break
        n_kills += 1
        check(n_kills <= N_CYCLES, "there is no progress")
    run("killed")
    check(n_kills > 0 and n_restarts > 0, "no run was killed, or went on")
    # Three if the last kill came before the oldest one was removed.
    check(len(checkpoints("killed")) in (2, 3), "two checkpoints were expected")
    compare("killed", expected)


def test_at_once():
    """Two runs in one directory: the second one leaves all as it is."""
    run("busy", cycles(1))
    before = {file.name: file.read_bytes() for file in pathlib.Path("busy").iterdir()}
    directory = os.open("busy", os.O_RDONLY)
    fcntl.flock(directory, fcntl.LOCK_EX)
    output = run("busy", cycles(2), status=1)
    check("results directory 'busy': another run is writing to it" in output, "wrong message:\n" + output)
    check(before == {file.name: file.read_bytes() for file in pathlib.Path("busy").iterdir()},
          "the directory was changed")
    os.close(directory)
    run("busy", cycles(2))
    check(checkpoints("busy") == [1, 2], "two checkpoints were expected")


def whole():
    run("whole", restart_from(""))
    return comparable("whole")


parameter_file = str(pathlib.Path(parameter_file).resolve())
program = str(pathlib.Path(program).resolve())
folder = tempfile.mkdtemp()
try:
    os.chdir(folder)
    globals()["test_" + test]()
finally:
    shutil.rmtree(folder)
