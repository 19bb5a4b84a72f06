# SPDX-License-Identifier: LGPL-2.1-or-later
"""Run a program twice and compare its records, but for times and memory.

Usage: python3 same_bits.py PROGRAM ARGUMENT...
"""
import json
import pathlib
import subprocess
import sys
import tempfile

MACHINE = {"seconds", "dofs_per_second", "peak_memory_bytes"}


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(entry) for key, entry in value.items() if key not in MACHINE}
    if isinstance(value, list):
        return [without_times(entry) for entry in value]
    return value


def main():
    records = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            (pathlib.Path(folder) / "case.prm").write_text("")
            subprocess.run([sys.argv[1], "case.prm", "--results", "results"] + sys.argv[2:], cwd=folder, check=True)
            text = (pathlib.Path(folder) / "results" / "run.json").read_text()
            records.append(without_times(json.loads(text)))
    assert records[0]["cycles"], "there is nothing to compare"
    if records[0] != records[1]:
        sys.exit("the records of two runs differ")


main()
