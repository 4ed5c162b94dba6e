#!/usr/bin/env python3
"""Compares configs/schema/ with the YAML of all courses, and its keys with those that the grader takes.

Usage: schema_test.py SOURCE_FOLDER GRADER. The grader names its keys in the error for an unknown one. Status 77: the
libraries are not here.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import jsonschema
    import yaml
except ImportError:
    print("skipped: needs jsonschema and yaml")
    sys.exit(77)

SOURCE, GRADER = pathlib.Path(sys.argv[1]), sys.argv[2]
SCHEMAS = {p.name: json.loads(p.read_text()) for p in (SOURCE / "configs/schema").glob("*.json")}
FILES = {  # schema -> the files that it describes
    "variant.json": ["configs/labs/*/*.yaml", "configs/skeleton/**/variant.yaml"],
    "grading.json": ["configs/grading.yaml"],
    "course.json": ["course.yaml"],
    "planted.json": ["labs/*/*/planted.yaml", "configs/skeleton/*/planted.yaml"],
}
failures = []


def check(holds, text):
    if not holds:
        failures.append(text)


def validator(name):
    resolver = jsonschema.RefResolver("", SCHEMAS[name], store=SCHEMAS)
    return jsonschema.Draft7Validator(SCHEMAS[name], resolver=resolver)


def read(path):
    # The placeholders of skeletons begin with a character that YAML keeps for itself.
    return yaml.safe_load(re.sub(r"@(\w+)@", r"\1", path.read_text()))


def check_files():
    for name, patterns in FILES.items():
        jsonschema.Draft7Validator.check_schema(SCHEMAS[name])
        for root in [SOURCE, *(SOURCE / "courses").glob("*/")]:
            for path in (path for pattern in patterns for path in root.glob(pattern)):
                for problem in validator(name).iter_errors(read(path)):
                    failures.append(f"{path.relative_to(SOURCE)}: {list(problem.path)}: {problem.message[:200]}")


# A file of a course, a text in one of its mappings after which an unknown key is put, how, and the mapping's schema.
VARIANT, LAB5 = "configs/labs/lab1/variant1.yaml", "configs/labs/lab5/variant1.yaml"
BLOCK, FLOW = "{}not_a_key: 1\n", "not_a_key: 1, "
MAPPINGS = [
    (VARIANT, "file: table.cu\n", BLOCK, 0, "variant.json", []),
    (VARIANT, "parameters:\n  - {", FLOW, 0, "variant.json", ["$defs", "parameter"]),
    (VARIANT, "  - name: global\n", BLOCK, 4, "variant.json", ["$defs", "version"]),
    (VARIANT, "    structure:\n", BLOCK, 6, "variant.json", ["$defs", "structure"]),
    (LAB5, "algorithm: {", FLOW, 0, "variant.json", ["$defs", "algorithm"]),
    (LAB5, "sums: {", FLOW, 0, "variant.json", ["$defs", "sums"]),
    ("configs/grading.yaml", "limits:\n", BLOCK, 2, "variant.json", ["$defs", "limits"]),
    ("configs/grading.yaml", "  safe: {", FLOW, 0, "variant.json", ["$defs", "criteria", "additionalProperties"]),
    ("configs/grading.yaml", "gate: proportional\n", BLOCK, 0, "grading.json", []),
    ("course.yaml", "name: basics\n", BLOCK, 0, "course.json", []),
]


def keys_taken(course, file, after, form, indent):
    """The keys that the grader names when it meets one that it does not know."""
    path = course / file
    before = path.read_text()
    at = before.index(after) + len(after)
    path.write_text(before[:at] + form.format(" " * indent) + before[at:])
    lab = file.split("/")[2] if "labs/" in file else "lab1"
    done = subprocess.run([GRADER, lab, "variant1", "--course", course, "--submission", "/dev/null"], capture_output=True, text=True)
    path.write_text(before)
    found = re.search(r"the keys of .* are: (.*)", done.stderr)
    check(found, f"{file}: {after!r}: the grader takes a key that it does not know: {done.stderr}")
    return set(re.split(r", ", found.group(1))) if found else set()


def check_keys():
    with tempfile.TemporaryDirectory() as folder:
        course = pathlib.Path(folder) / "course"
        for part in ["configs", "labs", "student_templates", "reference"]:
            shutil.copytree(SOURCE / part, course / part)
        shutil.copy(SOURCE / "course.yaml", course)
        for file, after, form, indent, name, path in MAPPINGS:
            node = SCHEMAS[name]
            for key in path:
                node = node[key]
            taken, described = keys_taken(course, file, after, form, indent), set(node["properties"])
            check(taken == described, f"{name} {'/'.join(path)}: only the grader has {taken - described}, only the schema {described - taken}")


# A mapping of a term's file, where an unknown key is put, and the mapping's schema.
TERM = "class: {file: class.csv}\ntotal: {points: 10}\nlabs:\n  - lab: lab1\n    variants: {variant1: out}\n"
TERM_MAPPINGS = [("", "", []), ("class: {", ", ", ["properties", "class", "oneOf", 1]), ("total: {", ", ", ["properties", "total"]),
                 ("  - ", "\n    ", ["$defs", "lab"])]


def check_term_keys():
    schema = SCHEMAS["term.json"]
    jsonschema.Draft7Validator.check_schema(schema)
    for problem in validator("term.json").iter_errors(yaml.safe_load(TERM)):
        failures.append(f"term.json: {problem.message[:200]}")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "term.yaml"
        for after, between, path in TERM_MAPPINGS:
            at = TERM.index(after) + len(after)
            file.write_text(TERM[:at] + "not_a_key: 1" + (between or "\n") + TERM[at:])
            done = subprocess.run([GRADER, "term", file, "--out", folder], capture_output=True, text=True)
            found = re.search(r"the keys of .* are: (.*)", done.stderr)
            taken = set(found.group(1).split(", ")) if found else set()
            node = schema
            for key in path:
                node = node[key]
            described = set(node["properties"])
            check(taken == described, f"term.json {path}: only the grader has {taken - described}, only the schema {described - taken}")


check_files()
check_keys()
check_term_keys()
print("\n".join(failures) or "the schemas describe what the grader takes")
sys.exit(1 if failures else 0)
