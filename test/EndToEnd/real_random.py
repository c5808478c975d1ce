# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Real kernels with random types, extents and tile shapes: real_kernels.py --random=SECONDS runs them until the time is over.

What holds for the kernels of make test (a row fits its tile, extents are multiples of groups) is kept; otherwise anything goes.
"""

import re

import real_attention
import real_matrix
import real_more
import real_norms
import real_quant
import real_routing
import real_rows

FLOATS = ["f32", "f16", "bf16"]
HALVES = ["f16", "bf16"]


class Dice:
    def __init__(self, source):
        self.source = source

    def of(self, *choices):
        return self.source.choice(choices)

    def upto(self, most, least=1):
        """More often a round number, as real extents are."""
        n = self.source.randint(least, most)
        return max(least, n // 16 * 16) if self.source.random() < 0.4 else n

    def power(self, least, most):
        return self.of(*(1 << i for i in range(least.bit_length() - 1, most.bit_length())))

    def cover(self, n):
        """A tile extent for rows of n elements."""
        return (1 << (n - 1).bit_length()) << self.of(0, 0, 1)


def norms(d):
    t, m, n = d.of(*FLOATS), d.upto(9), d.upto(300, 2)
    return d.of(lambda: real_norms.softmax_row(t, m, n, d.cover(n)),
                lambda: real_norms.softmax_persistent(t, m, n, d.cover(n), d.upto(5)),
                lambda: real_norms.softmax_chunked(t, m, n, d.power(1, 8), d.power(4, 128)),
                lambda: real_norms.softmax_backward(t, m, n, d.power(1, 8), d.cover(n)),
                lambda: real_norms.layer_norm(t, m, n, d.power(8, 256)),
                lambda: real_norms.layer_norm_backward(t, m, n, d.power(1, 8), d.cover(n)),
                lambda: real_norms.rms_norm(t, m, n, d.cover(n), d.of(0.0, 1.0), d.of(False, True)),
                lambda: real_norms.rms_norm_backward(t, m, n, d.cover(n), d.upto(4)),
                lambda: real_norms.welford(d.of("f32", "f64"), m, n, d.cover(n)))()


def rows(d):
    t, m, n = d.of(*FLOATS), d.upto(6), d.upto(200, 2)
    return d.of(lambda: real_rows.rope_interleaved(d.of(*HALVES), d.upto(20), d.upto(3), d.power(2, 64), d.of(None, "f8E4M3FN", "f8E5M2")),
                lambda: real_rows.rope_halves(t, d.upto(6), d.upto(5), 2 * d.upto(24), 32, d.of(False, True)),
                lambda: real_rows.swiglu(t, m, n, d.power(1, 8), d.power(8, 128)),
                lambda: real_rows.swiglu_backward(t, m, n, d.power(1, 8), d.power(8, 128)),
                lambda: real_rows.geglu(t, m, n, d.power(32, 512)), lambda: real_rows.dropout(t, n * m, d.power(8, 512), d.of(0.3, 0.9)),
                lambda: real_rows.cross_entropy(t, d.upto(4, 2), n, d.power(4, 256), d.of(0.0, 0.2), d.of(0.0, 1e-3)),
                lambda: real_rows.kl_divergence(t, m, max(n, 9), d.cover(max(n, 9))),
                lambda: real_rows.running(d.of("f32", "f64", "i8", "i16", "i32", "i64"), m, n, d.power(4, 128), "add", d.of(False, True)),
                lambda: real_rows.recurrence(t, m, n, d.power(4, 128)),
                lambda: real_rows.top_k(t, m, max(n, 12), d.cover(max(n, 12)), d.upto(4)),
                lambda: real_rows.arg_extremes(d.of("f32", "f16", "i32", "i16", "i64"), d.upto(16), min(n, 120), d.cover(min(n, 120))))()


def matrix(d):
    t, m, n, k = d.of(*HALVES), d.upto(60), d.upto(60), d.upto(90)
    tiles = (d.power(4, 64), d.power(4, 64), d.power(8, 64))
    return d.of(lambda: real_matrix.batched_matmul(d.of(t, "f8E4M3FN", "f32"), d.of("f16", "bf16", "f32"), d.upto(3), m, n, k, tiles, d.of(False, True)),
                lambda: real_matrix.persistent_matmul(d.of(*FLOATS), m, n, k, tiles, d.upto(5)),
                lambda: real_matrix.grouped_gemm(t, [d.upto(40, 0) for _ in range(d.upto(4))] + [3], n, k, tiles, d.upto(4)),
                lambda: real_matrix.split_k(t, m, n, k, tiles, d.upto(4)), lambda: real_matrix.int8_matmul(m, n, k, tiles),
                lambda: real_matrix.fp8_matmul(d.of("f8E4M3FN", "f8E5M2"), m, n, k, (tiles[0], tiles[1], 32), 32),
                lambda: real_matrix.block_scaled("f8E4M3FN", "f8E8M0FNU", 16, 32, 32 * d.upto(3), (16, d.power(8, 32), 32), 32),
                lambda: real_matrix.block_scaled("f4E2M1FN", d.of("f8E4M3FN", "f8E8M0FNU"), 32, 16, 32 * d.upto(3), (d.power(8, 32), 16, 32), 16),
                lambda: real_matrix.fourier(d.upto(4), (d.power(2, 4), d.power(2, 8), d.power(2, 4))))()


def attention(d):
    groups, share, m = d.upto(2), d.upto(2), d.upto(50)
    tiles = (d.of(16, 16, 32, 64), d.of(16, 32, 64))
    causal = d.of(False, True)
    return d.of(lambda: real_attention.flash(d.of(*FLOATS), d.upto(2), groups * share, groups, m, m + d.of(0, d.upto(20)), d.of(16, 32, 64), *tiles, causal=causal,
                                             window=d.upto(20) if causal and d.of(0, 1) else None, sink=d.of(False, True), lse=d.of(False, True)),
                lambda: real_attention.flash_backward(d.of(*HALVES), d.upto(2), d.upto(40), d.of(16, 32), d.of(16, 32), causal),
                lambda: real_attention.paged_decode(d.of(*HALVES), 2, 4 * groups, groups, d.of(16, 32, 64), d.of(8, 16), [d.upto(40), d.upto(40)]),
                lambda: real_attention.merge_splits(d.of(*FLOATS), d.upto(8, 3), d.upto(5, 2), d.power(8, 128)))()


def routing(d):
    t, n = d.of(*FLOATS), d.upto(150, 4)
    sides = [d.upto(20) for _ in range(3)]
    order = d.of([0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0])
    experts = d.upto(16, 8)
    return d.of(lambda: real_routing.router(t, d.upto(30, 2), experts, d.cover(experts), d.upto(4), d.of(False, True)),
                lambda: real_routing.align_experts(n, d.upto(12), d.cover(n), d.power(1, 16)),
                lambda: real_routing.expert_matmul(d.of(*HALVES), d.upto(20), 2, d.upto(5, 2), d.upto(40), d.upto(40), (d.of(8, 16), d.power(8, 32), d.power(8, 32))),
                lambda: real_routing.histogram(d.upto(600, 20), d.upto(30, 2), d.power(16, 256)),
                lambda: real_routing.embedding(t, d.upto(30), n, d.upto(20, 4), d.power(1, 8), d.power(8, 128), d.of(False, True)),
                lambda: real_routing.permuted(d.of("f32", "f16", "i8", "i64", "f8E5M2"), sides, order, [d.power(1, 16) for _ in sides]),
                lambda: real_routing.convolution(t, d.power(1, 4), d.upto(10, 4), d.upto(10, 4), d.of(2, 3, 4), d.upto(3)),
                lambda: real_routing.segments(n, d.upto(20), d.power(4, 128)), lambda: real_routing.sparse_rows(d.upto(9, 4), d.upto(40), d.power(2, 32)),
                lambda: real_routing.bitonic(d.of("f32", "f16", "i8", "i64"), d.upto(3), d.power(2, 64)))()


def quant(d):
    group, rows_ = d.power(4, 64), d.power(1, 8)
    n = group * d.upto(4)
    return d.of(lambda: real_quant.fp8_groups(d.of(*FLOATS), d.of("f8E4M3FN", "f8E5M2"), d.upto(8), n, group, rows_),
                lambda: real_quant.fp8_dequant(d.of("f8E4M3FN", "f8E5M2"), d.of(*FLOATS), d.upto(8, 2), n, group, rows_),
                lambda: real_quant.int8_rows(d.of(*FLOATS), d.upto(4), d.upto(200), d.power(8, 128)),
                lambda: real_quant.fp4_blocks(d.of(*FLOATS), d.upto(8), 32 * d.upto(4), d.power(1, 8), d.power(32, 128), d.of("f8E4M3FN", "f8E8M0FNU"), False),
                lambda: real_quant.fp4_dequant(d.of(*FLOATS), d.upto(8), 16 * d.upto(6), d.power(1, 8), d.power(16, 64), d.of("view", "pointers", "table")),
                lambda: real_quant.fp4_shuffle(d.upto(200, 2), d.power(2, 64)))()


def more(d):
    tiles = (d.power(4, 32), d.power(4, 32), d.power(8, 32))
    shapes = [(d.upto(30), d.upto(30), d.upto(40)) for _ in range(d.upto(4))]
    groups = d.power(1, 4)
    return d.of(lambda: real_more.listed_gemm(d.of(*HALVES), shapes, tiles, d.upto(4)), lambda: real_more.chained_scan(d.upto(400), d.power(8, 128)),
                lambda: real_more.delta_rule(d.of("f32", "f16"), d.upto(2), d.upto(6), d.power(4, 32), d.upto(40)),
                lambda: real_more.group_norm(d.of(*FLOATS), d.upto(2), groups * d.power(1, 4), groups, d.upto(9, 2), d.upto(9, 2)),
                lambda: real_more.pixel_shuffle(d.of("f32", "f16", "i8", "i64"), d.upto(9), d.upto(9), d.of(2, 4)),
                lambda: real_more.max_pool(d.of("f32", "f16", "bf16"), d.upto(9, 2), d.upto(9, 2), d.of(2, 4), d.upto(3)),
                lambda: real_more.fractal(d.upto(12), d.upto(40), d.upto(40)), lambda: real_more.int4_gemv(d.upto(30), 32 * d.upto(4), d.of(16, 32), d.power(2, 16)),
                lambda: real_more.adam(d.upto(400), d.power(8, 256), d.upto(9)), lambda: real_more.best_segment(d.upto(32), 32),
                lambda: real_more.partition(d.upto(128), 128, d.upto(9)), lambda: real_more.transposed_histogram(d.upto(300), d.upto(20), d.upto(4)))()


def random_case(source):
    d = Dice(source)
    case = d.of(norms, rows, matrix, attention, routing, quant, more)(d)
    if source.random() < 0.4:  # hints of its own
        hints = [text for text in (f"num_cta_in_cga = {d.of(1, 2, 4)}", f"occupancy = {d.upto(4)}", f"num_worker_warps_per_cta = {d.of(4, 8)}")
                 if source.random() < 0.5]
        head, body = case.text.split("\n", 2)[1], case.text.split("\n", 2)[2]
        head = re.sub(r"( optimization_hints=<.*>)? \{$", f" optimization_hints=<default = {{{', '.join(hints)}}}> {{", head)
        case.text = case.text.split("\n", 1)[0] + "\n" + head + "\n" + body
    return case
