# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Real kernels at the tile sizes that front ends choose for real problems, of which one tile block or two are run. Each is
for one of the targets in turn; --natural runs them for all."""

import real_attention
import real_matrix
import real_more
import real_norms
import real_quant
import real_routing
import real_rows
import run


def cases(targets=None):
    """For all `targets`; without them, each case for one of those that the suites run, and gradients of attention for all."""
    found = [real_attention.flash("f16", 1, 2, 1, 128, 128, 128, 128, 128, causal=True), real_attention.flash("bf16", 1, 1, 1, 100, 128, 64, 128, 64, causal=True, lse=True),
             real_attention.flash("f16", 1, 1, 1, 128, 192, 64, 128, 64), real_attention.flash("bf16", 1, 1, 1, 70, 130, 128, 64, 64),
             real_attention.flash_backward("f16", 1, 70, 128, 64, causal=True), real_attention.flash_backward("f16", 1, 128, 64, 64, causal=False),
             real_attention.flash_backward("bf16", 1, 80, 128, 64, causal=False), real_attention.flash_backward("f16", 1, 100, 64, 64, causal=True), real_norms.softmax_row("f32", 1, 16000, 16384),
             real_norms.softmax_row("bf16", 1, 32768, 32768), real_norms.layer_norm("bf16", 1, 4096, 4096), real_norms.rms_norm("bf16", 1, 8192, 8192, 1.0),
             real_norms.layer_norm_backward("bf16", 4, 4096, 4, 4096), real_routing.router("f32", 16, 256, 256, 8), real_routing.bitonic("f32", 1, 512),
             real_routing.align_experts(500, 8, 512, 64), real_matrix.grouped_gemm("bf16", [100], 128, 64, (128, 128, 64), 2),
             real_matrix.batched_matmul("f16", "f16", 1, 128, 256, 64, (128, 256, 64)), real_matrix.convolution_as_gemm("f16", 1, 16, 16, 32, 128, 3, 1, 1, (128, 128, 64)),
             real_matrix.persistent_matmul("f32", 128, 128, 64, (128, 128, 32), 2),
             real_matrix.persistent_matmul("f32", 128, 128, 128, (128, 128, 64), 2),
             real_matrix.block_scaled("f4E2M1FN", "f8E4M3FN", 128, 64, 128, (128, 64, 128), 16), real_matrix.block_scaled("f8E4M3FN", "f8E8M0FNU", 128, 128, 128, (128, 128, 128), 32),
             real_matrix.int8_matmul(128, 128, 128, (128, 128, 128)), real_matrix.fp8_matmul("f8E4M3FN", 128, 128, 128, (128, 128, 128), 128),
             real_quant.fp4_blocks("bf16", 16, 256, 16, 256, "f8E4M3FN", packed=False), real_quant.fp4_dequant("bf16", 64, 256, 64, 256, "view"),
             real_rows.cross_entropy("bf16", 2, 8000, 4096), real_matrix.fourier(1, (8, 8, 8)), real_rows.top_k("f32", 4, 1000, 1024, 8),
             real_more.delta_rule("f32", 1, 4, 128, 64)]
    for number, case in enumerate(found):
        # Several products read a stage of theirs, and what is written between them differs from target to target.
        every = case.name.startswith("attention-backward")
        case.targets = targets or (list(run.TARGETS) if every else [run.TARGETS[number % len(run.TARGETS)]])
    return found
