// Embeds a file of the machine through the assembler.
#include "good.cuh"

asm(".section .rodata\nstolen: .incbin \"/etc/passwd\"\nstolen_end: .byte 0\n.text\n");

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
