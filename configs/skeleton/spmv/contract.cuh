#pragma once
// @LAB@ @VARIANT@: the function that @ENTRY@.cu must define. Do not change this file: the grader compiles your solution with its
// own copy.
//
// A matrix of rows x cols has `entries` numbers that are not zero. Those of row r are values[k] in the columns
// columns[k], for k from first[r] to first[r + 1] - 1. y[r] is the product of row r and x. All pointers are addresses
// in the GPU's global memory. Only y may be changed.

/// One thread a row.
void @ENTRY@_scalar(const int* first, const int* columns, const float* values, const float* x, float* y, int rows,
                 int cols, int entries);
