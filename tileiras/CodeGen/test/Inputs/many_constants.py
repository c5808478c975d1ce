# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel that adds up a hundred constants of 16,384 elements."""

T, P, N = "tile<16384xi64>", "tile<16384xptr<i64>>", 100
print("cuda_tile.module @m {\nentry @k(%p: tile<ptr<i64>>) {")
print(f"%z = reshape %p : tile<ptr<i64>> -> tile<1xptr<i64>>\n%q = broadcast %z : tile<1xptr<i64>> -> {P}")
print(f"%x0 = iota : {T}\n%a = offset %q, %x0 : {P}, {T} -> {P}")
for i in range(N):
    print(f"%c{i} = constant <i64: {7 * i}> : {T}\n%x{i + 1} = addi %x{i}, %c{i} : {T}")
print(f"%t = store_ptr_tko weak %a, %x{N} : {P}, {T} -> token\nreturn\n}}\n}}")
