# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Blocks of the documentation that test/Docs/blocks.py does not run, and why; and the files that it puts beside those that it runs."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "EndToEnd"))
import pipeline_kernels  # noqa: E402

FORM = "a form, no command"
DRAWING = "a drawing"
SUITE = "a test of its own runs it"
FRAGMENT = "a part of a module; lit tests have whole ones"
UPSTREAM = "crashes or miscompiles in MLIR's own tools: nothing of ours"
EDITOR = "for editors"
NETWORK = "needs a network or another machine"
WHOLE = "builds, tests or measures the project"

#: (page, how the block begins, why); "" is every block of the page.
NOT_RUN = [
    ("README.md", "make demo", WHOLE),
    ("docs/agents.md", "gpu.module", FRAGMENT), ("docs/agents.md", "%ring", FRAGMENT), ("docs/agents.md", "%desc", FRAGMENT),
    ("docs/agents.md", "tileiras-run agents.mlir", FORM),
    ("docs/corpus.md", "test/EndToEnd/corpus.py", "the corpus is not in the repository"),
    ("docs/cuda-tile-optimize.md", "cuda-tile-optimize [FILE]", FORM),
    ("docs/device.md", "nvcc", "needs nvcc; test/Device/run.py runs such programs"),
    ("docs/dialects/cute.md", "tileiras --gpu-name", FORM),
    ("docs/dialects/nvgpu.md", "nvgpu.tensormap", FRAGMENT),
    ("docs/dialects/nvgpu.md", "test/NVGPU/run.py", SUITE),
    ("docs/editor.md", "", EDITOR),
    ("docs/front-ends.md", "python3 -m venv", NETWORK),
    ("docs/fuzzing.md", "", WHOLE),
    ("docs/guide/front-ends.md", "pytest", SUITE),
    ("docs/math-accuracy.md", "TILEIRAS_MATH", WHOLE),
    ("docs/pipelines.md", "", FRAGMENT),
    ("docs/python.md", "pip install", NETWORK), ("docs/python.md", "python -m open_tileiras", SUITE),
    ("docs/python.md", "    32 def clash", SUITE),
    ("docs/real-kernels.md", "test/EndToEnd/real_kernels.py", SUITE),
    ("docs/scheduler.md", "tileiras-opt loops.mlir", SUITE), ("docs/scheduler.md", "II = ", DRAWING),
    ("docs/spills.md", "scripts/spills.py", "the corpus is not in the repository"),
    ("docs/tileiras-opt.md", "tileiras-opt [FILE]", FORM),
    ("docs/tileiras-run.md", "tileiras-run FILE", FORM),
    ("docs/tileiras-translate.md", "tileirdisasm [FILE]", FORM),
    ("docs/tileiras.md", "tileiras INPUT", FORM),
    ("docs/tileiras.md", "tileiras gemm.mlir", "needs a driver; test/EndToEnd/host_maps.py does it with the emulator's"),
    ("docs/tileiras.md", "/* params", FRAGMENT), ("docs/tileiras.md", "void *params", FRAGMENT),
    ("docs/timing.md", "bench/timing", SUITE),
    ("docs/upstream-mlir.md", "", UPSTREAM),
]
#: Those that `make test-all` runs: they take seconds.
LONG = [
    ("docs/timing.md", "tileiras-run examples/pipeline_sm90a.ptx", "8192x8192x8192"),
]

SOFTMAX = "examples/softmax.mlir"
COPY = """gpu.module @m {
  gpu.func @copy(%x: memref<64xf32>, %y: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %y[%t] : memref<64xf32>
    gpu.return
  }
}
"""
SAXPY = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry saxpy(.param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n)
{
  .reg .pred %p;
  .reg .b32 %r<4>;
  .reg .f32 %f<4>;
  .reg .b64 %rd<5>;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %tid.x;
  mad.lo.u32 %r2, %r0, 128, %r1;
  ld.param.u32 %r3, [n];
  setp.ge.u32 %p, %r2, %r3;
  @%p ret;
  ld.param.u64 %rd0, [x];
  ld.param.u64 %rd1, [y];
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd3, %rd0, %rd2;
  add.u64 %rd4, %rd1, %rd2;
  ld.global.f32 %f0, [%rd3];
  ld.global.f32 %f1, [%rd4];
  ld.param.f32 %f2, [a];
  fma.rn.f32 %f3, %f0, %f2, %f1;
  st.global.f32 [%rd4], %f3;
  ret;
}
"""

#: By page: files by name, a path in the repository or their text.
FIXTURES = {
    "docs/bytecode.md": {"kernel.mlir": SOFTMAX},
    "docs/dialects/nvgpu.md": {"kernel.mlir": COPY},
    "docs/emulator.md": {"kernel.ptx": SAXPY},
    "docs/remarks.md": {"kernel.mlir": SOFTMAX},
    "docs/scheduler.md": {"gemm.mlir": pipeline_kernels.ranged(128, 128, 64, 8, 0, 8, bounds="constant").text},
    "docs/tileiras-opt.md": {"k.mlir": SOFTMAX},
}
