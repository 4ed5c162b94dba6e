#!/usr/bin/env python3
"""Estimates the ladders' rungs at the sizes that a card was measured at, and lists pairs whose order differs from the card's.
   bench/estimate/ladders.py bench/estimate/truth/ladders_h200.csv h200 [GRADER] [--markdown]
The file has the times of `grader ladder NAME --device gpu --format markdown --no-cpu`. It takes 2.5 minutes of processor time."""
import argparse
import csv
import subprocess
import sys

NEAR = 1.15  # measured times that differ by less are not ranked


def measured(path):
    """{(ladder, size): {rung: ms}}, in the file's order."""
    ladders = {}
    with open(path) as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            ladders.setdefault((row["ladder"], row["size"]), {})[row["rung"]] = float(row["measured_ms"])
    return ladders


def estimated(grader, ladder, size, profile):
    """{rung: ms}"""
    words = [grader, "ladder", ladder, "--device", "simulator", "--device-profile", profile, "--size", size,
             "--format", "markdown", "--no-cpu"]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in run.stdout.splitlines() if line.startswith("| ")]
    if not table:
        sys.exit(f"{' '.join(words)}: no table\n{run.stderr}")
    column = next(i for i, name in enumerate(table[0]) if name.endswith(", ms"))
    return {row[0]: float(row[column].replace(",", "")) for row in table[1:] if len(row) > column and row[column][:1].isdigit()}


def out_of_order(card, model):
    """Returns the pairs of rungs (faster, slower) that the GPU ranks, and those of them that the model ranks otherwise."""
    pairs = [(a, b) for a in card for b in card if card[b] > NEAR * card[a] and a in model and b in model]
    return pairs, [(a, b) for a, b in pairs if model[b] <= model[a]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("truth")
    parser.add_argument("profile")
    parser.add_argument("grader", nargs="?", default="build/release/bin/grader")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    told = wrong = 0
    for (ladder, size), card in measured(options.truth).items():
        model = estimated(options.grader, ladder, size, options.profile)
        if options.markdown:
            print(f"| {ladder}, N = {int(size):,} | measured, ms | estimated, ms | ratio |\n|---|---:|---:|---:|")
        else:
            print(f"{ladder} {size}")
        for rung, time in card.items():
            row = "| {} | {:.4g} | {:.4g} | {:.2f} |" if options.markdown else "  {:36} {:10.4f} {:10.4f} {:6.2f}"
            print(row.format(rung, time, model[rung], model[rung] / time))
        pairs, false = out_of_order(card, model)
        told += len(pairs)
        wrong += len(false)
        print()
        for a, b in false:
            print(f"out of order: {a}, measured {card[a]:.4f} and estimated {model[a]:.4f}; {b}, {card[b]:.4f} and {model[b]:.4f}\n")
    print(f"{told - wrong} of {told} pairs whose times differ by more than 15 % are in order")


if __name__ == "__main__":
    main()
