// The headers that grader/CMakeLists.txt precompiles need a source file to stand beside.
