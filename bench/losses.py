#!/usr/bin/env python3
"""Measures the feedback on wrong solutions. Counts in the results of gradings how many versions lost correctness,
how many of them got no reason, and how many no line.
   mkdir -p DIR; KEEP_RESULTS=DIR build/release/bin/test_labs "bugs in*"; KEEP_RESULTS=DIR build/release/bin/test_e2e "[basics],[work]"
   bench/losses.py DIR [--list]"""
import collections
import json
import pathlib
import sys

NO_REASON = "compare_indices_with_sizes"  # the advice where nothing better is known
lost = collections.Counter()
for file in sorted(pathlib.Path(sys.argv[1]).glob("*.json")):
    for version in json.loads(file.read_text())["versions"]:
        for loss in version["lost"]:
            if loss["part"] != "correctness":
                continue
            lost["correctness lost"] += 1
            no_reason = any(part["id"] == NO_REASON for part in loss["advice_parts"])
            lost["no reason named"] += no_reason
            lost["no line"] += loss["line"] is None
            if "--list" in sys.argv and (no_reason or loss["line"] is None):
                print(f'{file.stem} {version["name"]} line {loss["line"]}: {loss["reason"]} | {loss["advice"]}')
for what, count in lost.items():
    print(f"{count:5} {what}")
