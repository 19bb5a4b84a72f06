# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compare the run records of the showcases with what is expected of them.

Usage: python3 demo_summary.py (EXPECTED_JSON RESULTS_DIRECTORY)...

An expected file is {"title": ..., "checks": [{"what": text, "path": [keys and
indices into run.json], "expected": number or text, "relative_tolerance": t or
"at_most": true}, ...]}. Exit status 1 where something is not as expected.
"""
import json
import pathlib
import sys


def look_up(record, path):
    for key in path:
        record = record[key]
    return record


def fulfils(check, found):
    if check.get("at_most"):
        return found <= check["expected"]
    if "relative_tolerance" in check:
        return abs(found - check["expected"]) <= check["relative_tolerance"] * abs(check["expected"])
    return found == check["expected"]


def text(value):
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def main():
    all_well = True
    for expected_file, results in zip(sys.argv[1::2], sys.argv[2::2]):
        expected = json.loads(pathlib.Path(expected_file).read_text())
        results = pathlib.Path(results)
        record = json.loads((results / "run.json").read_text())
        print(expected["title"])
        print(f"  {'':<36} {'expected':>14} {'found':>14}")
        for check in expected["checks"]:
            found = look_up(record, check["path"])
            well = fulfils(check, found)
            all_well = all_well and well
            bound = ("<= " if check.get("at_most") else "") + text(check["expected"])
            print(f"  {check['what']:<36} {bound:>14} {text(found):>14}   {'ok' if well else 'NOT AS EXPECTED'}")
        print("  Results:")
        for pattern in ("*.pvd", "convergence.*", "run.json"):
            for path in sorted(results.glob(pattern)):
                print(f"    {path}")
        print()
    print("All as expected." if all_well else "Something is not as expected; see above.")
    return 0 if all_well else 1


if __name__ == "__main__":
    sys.exit(main())
