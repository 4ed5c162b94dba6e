#!/usr/bin/env python3
"""Prints the errors of estimated times against measured ones.
   grader run bench/estimate/estimate.cu --device-profile h200 -- estimate >estimates.csv
   bench/estimate/compare.py bench/estimate/truth/h200.csv estimates.csv [--column filled_us|swept_us] [--cases]"""
import argparse
import csv
import math
import pathlib


def rows(path):
    with open(path) as file:
        return {(r["family"], r["name"]): r for r in csv.DictReader(line for line in file if not line.startswith("#"))}


def halves():
    """The families used for fitting, those used only for testing, and those added after the fit."""
    with open(pathlib.Path(__file__).parent / "truth" / "split.csv") as file:
        half = {r["family"]: r["half"] for r in csv.DictReader(line for line in file if not line.startswith("#"))}
    return {name: {f for f in half if half[f] == name} for name in ("fit", "test", "fresh")}


def ranks(values):
    """Ranks from 0; equal values share the mean of their ranks."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    result = [0.0] * len(values)
    at = 0
    while at < len(order):
        end = at
        while end < len(order) and values[order[end]] == values[order[at]]:
            end += 1
        for i in order[at:end]:
            result[i] = (at + end - 1) / 2
        at = end
    return result


def correlation(x, y):
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    above = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
    below = math.sqrt(sum((a - mean_x) ** 2 for a in x) * sum((b - mean_y) ** 2 for b in y))
    return above / below if below else 1.0


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def summary(pairs):
    """pairs: (measured, estimated)."""
    errors = [abs(e / m - 1) for m, e in pairs]
    logs = [math.log(e / m) for m, e in pairs]
    ordered = right = 0
    for i, (m, e) in enumerate(pairs):
        for other_m, other_e in pairs[:i]:
            if max(m, other_m) / min(m, other_m) > 1.15:
                ordered += 1
                right += (m < other_m) == (e < other_e)
    spearman = correlation(ranks([m for m, _ in pairs]), ranks([e for _, e in pairs]))
    return (f"{len(pairs):4} {100 * median(errors):8.1f} % {100 * sum(e <= 0.35 for e in errors) / len(errors):8.0f} % "
            f"{math.exp(sum(map(abs, logs)) / len(logs)):8.2f} {math.exp(sum(logs) / len(logs)):8.2f} {spearman:9.3f} "
            f"{100 * right / max(ordered, 1):8.1f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("truth", type=pathlib.Path)
    parser.add_argument("estimates", type=pathlib.Path)
    parser.add_argument("--column", default="filled_us", choices=["filled_us", "swept_us"])
    parser.add_argument("--cases", action="store_true", help="every case, the worst first")
    arguments = parser.parse_args()
    truth, estimates = rows(arguments.truth), rows(arguments.estimates)
    missing = sorted(set(truth) - set(estimates))
    if missing:
        raise SystemExit(f"{arguments.estimates}: no estimate of {', '.join('/'.join(case) for case in missing)}")
    pairs = {case: (float(row[arguments.column]), float(estimates[case]["estimated_us"])) for case, row in truth.items()}
    families = {family for family, _ in pairs}
    parts = {"all": families, **halves()}
    print(f"{'':20}{'cases':>5} {'median':>9} {'within 35 %':>11} {'factor':>7} {'bias':>8} {'Spearman':>9} {'in order':>10}")
    for name, members in parts.items():
        if members & families:
            print(f"{name:20}", summary([pair for (family, _), pair in pairs.items() if family in members]))
    for family in sorted(families):
        of_family = [pair for (other, _), pair in pairs.items() if other == family]
        errors = [abs(e / m - 1) for m, e in of_family]
        print(f"{family:20} {len(errors):4} {100 * median(errors):8.1f} %   {next((name for name in ('fit', 'test') if family in parts[name]), 'fresh')}")
    if arguments.cases:
        for case, (m, e) in sorted(pairs.items(), key=lambda item: -abs(math.log(item[1][1] / item[1][0]))):
            print(f"{'/'.join(case):40} {m:10.2f} {e:10.2f} {e / m:6.2f}")


if __name__ == "__main__":
    main()
