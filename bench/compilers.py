#!/usr/bin/env python3
"""Compares the results of gradings under two compilers. It matches the results in two folders by name, and lists
differences of verdicts, failed cases, findings, structure and points (of speed points if they differ by more than 2 % of the
maximum), and the counters that differ.
   mkdir -p NVCC CLANG
   for compiler in nvcc clang; do   # CLANG for clang
     CUDA_LABS_COMPILER=nvcc KEEP_RESULTS=NVCC build/release/bin/test_labs "bugs in*","lab* takes every right solution","[matrix]"
     CUDA_LABS_COMPILER=nvcc KEEP_RESULTS=NVCC build/release/bin/test_e2e "[basics],[work],[correct]"
   done
   bench/compilers.py NVCC CLANG [--words] [--counters NAME]
--words: lists also messages that differ in more than numbers; --counters: lists every version in which NAME differs.
The exit status is 1 if anything but counters and estimates differs."""
import argparse
import collections
import json
import pathlib
import re
import statistics

SPEED = 0.02


def results(folder):
    return {file.stem: json.loads(file.read_text()) for file in sorted(pathlib.Path(folder).glob("*.json"))}


def place(thing):
    return f'{thing["file"]}:{thing["line"]}'


def masked(text):
    """Removes the numbers, which depend on the code: counts, sizes, and the first wrong element."""
    return re.sub(r"[-+]?(inf|nan|[0-9][0-9,.]*(e[-+]?[0-9]+)?)", "#", text)


def reported(version, words):
    """The values that must be equal, by kind."""
    kinds = collections.defaultdict(collections.Counter)
    kinds["verdict"][version["verdict"]] += 1
    correctness = version["correctness"]
    kinds["correct cases"][f'{correctness["passed"]} of {correctness["total"]}, {correctness["skipped"]} skipped'] += 1
    for failure in correctness["failures"]:
        kinds["failures"][f'{failure["case"]}: {failure["verdict"]} at {place(failure)}'] += 1
        if words:
            kinds["words of failures"][f'{failure["case"]}: {masked(failure["message"])} | {failure["advice"]}'] += 1
    for part in version["structure"]:
        satisfied = "kept" if part["satisfied"] else "not kept"
        kinds["structure"][f'{part["requirement"]} {satisfied}, {part["points"]} points'] += 1
    for loss in version["lost"]:
        if loss["part"] == "speed":
            continue
        kinds["losses"][f'{loss["part"]} at {place(loss)}, {loss["points"]} points'] += 1
        if words:
            kinds["words of losses"][f'{loss["part"]}: {masked(loss["reason"])} | {masked(loss["advice"])}'] += 1
    return kinds


def speed(version):
    return version.get("speed") or {}


def counters(version):
    total = collections.Counter()
    for launch in version.get("launches", []):
        total.update(launch["counters"])
    return total


def name_of(stem, version):
    return f'{stem} {version["name"]}'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nvcc")
    parser.add_argument("clang")
    parser.add_argument("--words", action="store_true")
    parser.add_argument("--counters", metavar="NAME")
    options = parser.parse_args()
    first, second = results(options.nvcc), results(options.clang)
    for missing in sorted(first.keys() ^ second.keys()):
        print(f'{missing}: graded under {"nvcc" if missing in first else "clang"} alone')

    compared = 0
    differing = set()
    times, changes = [], collections.defaultdict(list)
    for stem in sorted(first.keys() & second.keys()):
        ours, theirs = ({v["name"]: v for v in document["versions"]} for document in (first[stem], second[stem]))
        if ours.keys() != theirs.keys():
            print(f"{stem}: other versions")
            differing.add(stem)
        for name in sorted(ours.keys() & theirs.keys()):
            a, b = ours[name], theirs[name]
            compared += 1
            where = name_of(stem, a)
            reported_a, reported_b = reported(a, options.words), reported(b, options.words)
            for kind in sorted(reported_a.keys() | reported_b.keys()):
                only_a, only_b = reported_a[kind] - reported_b[kind], reported_b[kind] - reported_a[kind]
                if not only_a and not only_b:
                    continue
                differing.add(where)
                print(f"{where}, {kind}:")
                for compiler, only in (("nvcc ", only_a), ("clang", only_b)):
                    for text, count in sorted(only.items()):
                        print(f"    {compiler}: {text}" + (f" ({count} times)" if count > 1 else ""))
            most = speed(a).get("max_points") or 0
            points = [speed(v).get("points") or 0 for v in (a, b)]
            if most and abs(points[0] - points[1]) > SPEED * most:
                differing.add(where)
                print(f"{where}, speed: nvcc {points[0]:g}, clang {points[1]:g} of {most:g} points; "
                      f'speedup over the reference {speed(a)["speedup_over_reference"]:.2f} and '
                      f'{speed(b)["speedup_over_reference"]:.2f}')
            if speed(a).get("time_ns") and speed(b).get("time_ns"):
                times.append((speed(b)["time_ns"] / speed(a)["time_ns"], where))
            before, after = counters(a), counters(b)
            if a["verdict"] == b["verdict"] == "accepted":
                for counter in sorted(before.keys() | after.keys()):
                    if before[counter] != after[counter]:
                        changes[counter].append((before[counter], after[counter], where))

    print(f"\n{compared} versions of {len(first.keys() & second.keys())} submissions compared, {len(differing)} differ")
    if times:
        ratios = sorted(times)
        near = sum(abs(ratio - 1) <= SPEED for ratio, _ in times)
        print(f"estimated times, clang over nvcc: {ratios[0][0]:.2f} ({ratios[0][1]}) to {ratios[-1][0]:.2f} ({ratios[-1][1]}), "
              f"median {statistics.median(r for r, _ in ratios):.3f}; {near} of {len(times)} within 2 %")
    print("\n| counter | versions in which it differs | clang over nvcc, least | most |\n|---|---:|---|---|")
    for counter, rows in sorted(changes.items(), key=lambda item: -len(item[1])):
        ratio = lambda row: row[1] / row[0] if row[0] else float("inf")
        least, most = min(rows, key=ratio), max(rows, key=ratio)
        cell = lambda row: f"{ratio(row):.2f} ({row[2]})"
        print(f"| {counter} | {len(rows)} | {cell(least)} | {cell(most)} |")
    if options.counters:
        for before, after, where in changes[options.counters]:
            print(f"{where}: {options.counters} {before} by nvcc, {after} by clang")
    return 1 if differing else 0


raise SystemExit(main())
