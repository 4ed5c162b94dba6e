#pragma once
// @LAB@ @VARIANT@: the function that @ENTRY@.cu must define. Do not change this file: the grader compiles your solution
// with its own copy.
//
// Edge e of a graph joins the vertices from[e] and to[e], which differ. colours[v] is the colour of vertex v: a number
// from 0 to 63. The vertices of an edge have different colours. All pointers are addresses in the GPU's global memory.
// No vertex has more than 63 neighbours. Only `colours` may be changed.

/// One round after the other.
void @ENTRY@_rounds(const int* from, const int* to, int* colours, int vertices, int edges);
