#!/usr/bin/env python3
"""Joins ncu's csv logs with the patterns that were launched, into the golden tables.

  collect.py PATTERNS LOG_DIR OUT_DIR     LOG_DIR has shared_ld.csv shared_st.csv shared_atom.csv matrix.csv global_ld.csv
                                          global_st.csv global_atom.csv async.csv local.csv course.csv, as measure.sh wrote them
"""
import csv
import sys

WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum"
CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum"
SHARED = "smsp__inst_executed_op_shared_{}.sum"
REQUESTS = "l1tex__t_requests_pipe_lsu_mem_{}_op_{}.sum"
SECTORS = "l1tex__t_sectors_pipe_lsu_mem_{}_op_{}.sum"


def launches(path):
    """One dict a launch, in order."""
    with open(path) as log:
        table = csv.DictReader(line for line in log if line.startswith('"'))
        found = {}
        for row in table:
            launch = found.setdefault(int(row["ID"]), {"kernel": row["Kernel Name"], "grid": row["Grid Size"],
                                                       "block": row["Block Size"]})
            launch[row["Metric Name"]] = int(row["Metric Value"].replace(",", ""))
    return [found[key] for key in sorted(found)]


def patterns(path):
    groups = {}
    for line in open(path):
        fields = line.split()
        groups.setdefault(fields[0], []).append(fields[1:])
    return groups


def main():
    pattern_file, logs, out = sys.argv[1:4]
    groups = patterns(pattern_file)

    def joined(group):
        measured = launches(f"{logs}/{group}.csv")
        assert len(measured) == len(groups[group]), group
        return zip(groups[group], measured)

    def table(name, columns):
        writer = csv.writer(open(f"{out}/{name}.csv", "w", newline=""), lineterminator="\n")
        writer.writerow(columns)
        return writer

    key = ["operation", "width", "mask", "addresses"]
    shared = table("shared", key + ["instructions", "wavefronts", "conflicts", "loop_load_instructions",
                                    "loop_load_wavefronts", "loop_load_conflicts"])
    for group, kind in (("shared_ld", "ld"), ("shared_st", "st"), ("shared_atom", "atom"), ("matrix", "")):
        for (operation, width, mask, *addresses), row in joined(group):
            op = kind or ("st" if operation.startswith("st") else "ld")
            instructions = 1 if group == "matrix" else row[SHARED.format(op)]  # ldmatrix has a metric of its own
            loop = [row[m.format("ld")] for m in (SHARED, WAVEFRONTS, CONFLICTS)] if kind == "atom" else [0, 0, 0]
            shared.writerow([operation, width, mask, " ".join(addresses), instructions, row[WAVEFRONTS.format(op)],
                             row[CONFLICTS.format(op)], *loop])
    memory = table("global", key + ["instructions", "requests", "sectors"])
    for group in ("global_ld", "global_st", "global_atom"):
        for (operation, width, mask, *addresses), row in joined(group):
            op = operation.split("_")[0]
            executed = row.get(f"smsp__inst_executed_op_global_{op}.sum", "")
            memory.writerow([operation, width, mask, " ".join(addresses), executed,
                             row[REQUESTS.format("global", op)], row[SECTORS.format("global", op)]])
    for (operation, width, mask, *addresses), row in joined("async"):
        if operation.startswith("cp_ca"):  # the bypass of cp.async.cg counts otherwise: not understood, not kept
            memory.writerow([operation, width, mask, " ".join(addresses), row["smsp__inst_executed_op_ldgsts.sum"],
                             row[REQUESTS.format("global", "ld")], row[SECTORS.format("global", "ld")]])
    local = table("local", ["width", "mask", "elements", "store_requests", "store_sectors"])
    for (_, width, mask, *elements), row in joined("local"):
        local.writerow([width, mask, " ".join(elements), row[REQUESTS.format("local", "st")],
                        row[SECTORS.format("local", "st")]])
    columns = [("shared_load_instructions", SHARED.format("ld")), ("shared_load_wavefronts", WAVEFRONTS.format("ld")),
               ("shared_load_bank_conflicts", CONFLICTS.format("ld")),
               ("shared_store_instructions", SHARED.format("st")),
               ("shared_store_wavefronts", WAVEFRONTS.format("st")),
               ("shared_store_bank_conflicts", CONFLICTS.format("st")),
               ("shared_atomic_instructions", SHARED.format("atom")),
               ("shared_atomic_wavefronts", WAVEFRONTS.format("atom")),
               ("global_load_requests", REQUESTS.format("global", "ld")),
               ("global_load_sectors", SECTORS.format("global", "ld")),
               ("global_store_requests", REQUESTS.format("global", "st")),
               ("global_store_sectors", SECTORS.format("global", "st")),
               ("global_reduction_requests", REQUESTS.format("global", "red")),
               ("global_reduction_sectors", SECTORS.format("global", "red")),
               ("warp_instructions", "smsp__inst_executed.sum"),
               ("thread_instructions", "smsp__thread_inst_executed.sum")]
    course = table("course", ["kernel", "grid", "block"] + [name for name, _ in columns])
    for row in launches(f"{logs}/course.csv"):
        name = row["kernel"].removeprefix("void ").split("(")[0]
        course.writerow([name, row["grid"], row["block"]] + [row[metric] for _, metric in columns])


main()
