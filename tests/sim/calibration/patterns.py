#!/usr/bin/env python3
"""Writes the access patterns that access.cu launches, one line a warp instruction.

Line: group operation width mask a0 ... a31, with byte addresses relative to the start of a 128-byte aligned window.
The random patterns come from a fixed seed, so the file is the same on every machine.
"""
import random
import sys

FULL = 0xFFFFFFFF
LANES = range(32)


def address_sets(width, rng):
    """Named lists of 32 byte addresses, aligned to `width`."""
    row = 128 // width
    for stride in list(range(0, 34)) + [64, 128]:
        yield f"stride{stride}", [lane * stride * width for lane in LANES]
    yield "reverse", [(31 - lane) * width for lane in LANES]
    for bit in (1, 2, 4, 8, 16):
        yield f"xor{bit}", [(lane ^ bit) * width for lane in LANES]
        yield f"fold{bit}", [(lane & ~bit) * width for lane in LANES]
        # the lanes that differ in this bit use the same bank in different rows
        yield f"clash{bit}", [(lane & ~bit) * width + (1024 if lane & bit else 0) for lane in LANES]
        # the same, but the clashing rows hold what the other lanes do not use
        yield f"shift{bit}", [lane * width + (1024 if lane & bit else 0) for lane in LANES]
    for divisor in (2, 4, 8, 16):
        yield f"div{divisor}", [lane // divisor * width for lane in LANES]
        yield f"mod{divisor}", [lane % divisor * width for lane in LANES]
    for offset in (1, 7):
        yield f"offset{offset}", [(lane + offset) * width for lane in LANES]
    for index in range(4):
        order = list(LANES)
        rng.shuffle(order)
        yield f"permutation{index}", [lane * width for lane in order]
    for span in (8, 16, 32, 64, 128, 256, 512):
        for index in range(4):
            yield f"random{span}_{index}", [rng.randrange(span) * width for _ in LANES]
    for index in range(4):  # several rows, each lane in its own bank group
        yield f"rows{index}", [lane % row * width + rng.randrange(4) * 128 for lane in LANES]


def masks(rng):
    for count in (0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 20, 24, 25, 31):
        yield (1 << count) - 1
    yield from (0x55555555, 0xAAAAAAAA, 0xFFFF0000, 0xFF000000, 0x80000000, 0x00010001, 0x01010101, 0x00000003,
                0x00018000, 0x11111111, 0x00FF00FF, 0x0F0F0F0F, 0x0000FF00, 0x00FFFF00, 0xFF0000FF)
    for _ in range(4):
        yield rng.getrandbits(32)


def emit(group, operation, width, mask, addresses):
    print(group, operation, width, f"{mask:08x}", *addresses)


def shared(group, operations, widths, seed):
    for operation in operations:
        for width in widths:
            rng = random.Random(seed * 100 + width)
            sets = list(address_sets(width, rng))
            for _, addresses in sets:
                emit(group, operation, width, FULL, addresses)
            for mask in masks(rng):
                emit(group, operation, width, mask, [lane * width for lane in LANES])
                emit(group, operation, width, mask, [rng.randrange(256) * width for _ in LANES])
            for index in range(12):
                emit(group, operation, width, rng.getrandbits(32), [rng.randrange(64) * width for _ in LANES])


def shared_atomics():
    rng = random.Random(7)
    simple = [
        [lane * 4 for lane in LANES], [0] * 32, [lane * 8 for lane in LANES], [lane * 128 for lane in LANES],
        [lane // 2 * 4 for lane in LANES], [lane % 2 * 4 for lane in LANES], [lane % 4 * 4 for lane in LANES],
        [lane % 8 * 128 for lane in LANES], [lane // 16 * 128 for lane in LANES], [lane * 132 for lane in LANES],
        [lane % 16 * 4 for lane in LANES],
    ] + [[rng.randrange(span) * 4 for _ in LANES] for span in (8, 16, 32, 64, 256, 256)]
    for operation in ("add_u32", "add_u32_ret", "inc_const", "max_s32", "cas_b32", "exch_b32", "add_f32", "add_f32_ret"):
        for addresses in simple:
            emit("shared_atom", operation, 4, FULL, addresses)
        for mask in (0, 1, 0xFFFF, 0x55555555, 0x00010001):
            emit("shared_atom", operation, 4, mask, simple[0])
            emit("shared_atom", operation, 4, mask, [0] * 32)
    for operation in ("add_u64", "add_f64", "cas_b64"):
        for addresses in simple:
            emit("shared_atom", operation, 8, FULL, [a * 2 for a in addresses])


def global_sets(width, rng):
    for stride in (0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 32, 33, 64):
        yield [lane * stride * width for lane in LANES]
    for offset in (1, 2, 3, 4, 5, 7, 8, 16, 31):
        yield [(lane + offset) * width for lane in LANES]
    yield [(31 - lane) * width for lane in LANES]
    yield [lane // 4 * 256 + lane % 4 * width for lane in LANES]
    yield [lane % 16 * width for lane in LANES]
    yield [lane // 16 * 4096 + lane % 16 * width for lane in LANES]
    for span in (16, 64, 256, 1024, 8192):
        yield [rng.randrange(span) * width for _ in LANES]


def global_groups():
    for operation in ("ld", "st"):
        for width in (1, 2, 4, 8, 16):
            rng = random.Random(width)
            for addresses in global_sets(width, rng):
                emit(f"global_{operation}", operation, width, FULL, addresses)
            for mask in (0, 1, 3, 0xFF, 0xFFFF, 0xFFFF0000, 0x55555555, 0x80000000, 0x00010001, 0x11111111):
                emit(f"global_{operation}", operation, width, mask, [lane * width for lane in LANES])
    for operation in ("ld_nc", "ld_volatile", "ld_cg", "ld_v2"):
        rng = random.Random(3)
        width = 8 if operation == "ld_v2" else 4
        for addresses in list(global_sets(width, rng))[:8]:
            emit("global_ld", operation, width, FULL, addresses)
    for operation, width in (("red_u32", 4), ("red_f32", 4), ("atom_u32", 4), ("atom_f32", 4), ("atom_cas", 4),
                             ("atom_exch", 4), ("red_u64", 8), ("red_f64", 8), ("atom_u64", 8), ("atom_max", 4)):
        rng = random.Random(5)
        sets = list(global_sets(width, rng))
        for addresses in sets[:8] + sets[14:16] + sets[-5:]:
            emit("global_atom", operation, width, FULL, addresses)
        for mask in (0, 1, 0xFFFF, 0x55555555, 0x00010001):
            emit("global_atom", operation, width, mask, [lane * width for lane in LANES])
            emit("global_atom", operation, width, mask, [0] * 32)
    for operation, width in (("cp_ca4", 4), ("cp_ca8", 8), ("cp_ca16", 16), ("cp_cg16", 16)):
        rng = random.Random(6)
        for addresses in list(global_sets(width, rng))[:16]:
            emit("async", operation, width, FULL, addresses)
        for mask in (0, 1, 0xFFFF, 0x55555555):
            emit("async", operation, width, mask, [lane * width for lane in LANES])


def local():
    rng = random.Random(9)
    for width in (1, 2, 4, 8, 16):
        sets = [[0] * 32, list(LANES), [lane * 2 % 64 for lane in LANES], [lane // 2 for lane in LANES],
                [lane // 16 for lane in LANES], [rng.randrange(64) for _ in LANES], [rng.randrange(4) for _ in LANES]]
        for addresses in sets:
            emit("local", "local", width, FULL, addresses)  # element numbers, not addresses
        emit("local", "local", width, 0xFFFF, [0] * 32)
        emit("local", "local", width, 0, [0] * 32)


def matrix():
    rng = random.Random(11)
    for operation in ("ldmatrix_x1", "ldmatrix_x2", "ldmatrix_x4", "ldmatrix_x4_trans", "stmatrix_x4"):
        for stride in (16, 32, 48, 64, 80, 128, 144, 256):
            emit("matrix", operation, 16, FULL, [lane * stride for lane in LANES])
        for _ in range(3):
            emit("matrix", operation, 16, FULL, [rng.randrange(64) * 16 for _ in LANES])


def main():
    shared("shared_ld", ["ld"], (4, 8, 16, 1, 2), 1)
    shared("shared_st", ["st"], (4, 8, 16, 1, 2), 2)
    shared_atomics()
    global_groups()
    local()
    matrix()


if __name__ == "__main__":
    sys.exit(main())
