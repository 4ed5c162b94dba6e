#!/usr/bin/env python3
"""CLASSROOM/autograders/ASSIGNMENT/autograder.py of Classroom 50: grades one variant by the grader that the assignment's
runtime installs (docs/ci.md). Its runner calls this in the student's checkout and reads result.json and release-body.md."""

import os
import subprocess
import sys

LAB, VARIANT = "lab3", "variant4"

command = [os.environ.get("GRADER", "grader"), LAB, VARIANT, "--submission", ".", "--device", "simulator",
           "--require-sandbox", "--quiet",
           "--classroom50", "result.json", "--markdown", "release-body.md"]
# 0 and 1 are grades. For other statuses there is no result.json, and the runner reports that grading failed.
sys.exit(0 if subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode <= 1 else 1)
