// The file ends in the middle of a function.
#include "good.cuh"

ENTRY(global) {
  if (rows > 0) {
