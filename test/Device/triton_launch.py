# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton kernels, compiled by Triton, loaded and launched by its own driver; run under tileiras-emu. Each is compared with NumPy.
Prints "good" at its end.

Without fusion of multiplications and additions: of a sum over a warp by shuffles, fused, the lanes have different roundings of one
number, and all of them store it to the same place. (The race checker reports that.)

usage: triton_launch.py [NAME...]
"""
import ctypes
import os
import sys
import tempfile

os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "0")
CACHE = tempfile.TemporaryDirectory()
os.environ["TRITON_CACHE_DIR"] = CACHE.name

import numpy as np  # noqa: E402
import triton  # noqa: E402
import triton.language as tl  # noqa: E402

CUDA = ctypes.CDLL("libcuda.so.1")


def call(name, *arguments):
    result = getattr(CUDA, name)(*arguments)
    assert result == 0, f"{name}: {result}"


class Array:
    """A NumPy array on the device, which Triton takes for a tensor."""

    def __init__(self, host):
        self.host = np.ascontiguousarray(host)
        self.dtype = self.host.dtype
        address = ctypes.c_uint64()
        call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(self.host.nbytes))
        self.address = address.value
        call("cuMemcpyHtoD_v2", address, ctypes.c_void_p(self.host.ctypes.data), ctypes.c_size_t(self.host.nbytes))

    def data_ptr(self):
        return self.address

    def get(self):
        result = np.empty_like(self.host)
        call("cuMemcpyDtoH_v2", ctypes.c_void_p(result.ctypes.data), ctypes.c_uint64(self.address), ctypes.c_size_t(result.nbytes))
        return result


RANDOM = np.random.default_rng(7)


def floats(*shape, dtype=np.float32):
    return RANDOM.standard_normal(shape).astype(dtype)


@triton.jit
def add_kernel(x, y, z, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(z + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


def add():
    x, y = floats(1000), floats(1000)
    z = Array(np.zeros_like(x))
    add_kernel[(8,)](Array(x), Array(y), z, 1000, B=128)
    return z.get(), x + y, 0


@triton.jit
def softmax_kernel(x, y, columns, stride, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    v = tl.load(x + row * stride + i, mask=i < columns, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(y + row * stride + i, e / tl.sum(e, axis=0), mask=i < columns)


def softmax():
    x = floats(37, 200)
    y = Array(np.zeros_like(x))
    softmax_kernel[(37,)](Array(x), y, 200, 200, B=256)
    e = np.exp(x - x.max(1, keepdims=True))
    return y.get(), e / e.sum(1, keepdims=True), 1e-5


@triton.jit
def matmul_kernel(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for i in range(0, K, BK):
        x = tl.load(a + m[:, None] * K + (i + k)[None, :], mask=(m[:, None] < M) & ((i + k)[None, :] < K), other=0.0)
        y = tl.load(b + (i + k)[:, None] * N + n[None, :], mask=((i + k)[:, None] < K) & (n[None, :] < N), other=0.0)
        acc = tl.dot(x, y, acc)
    tl.store(c + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


def matmul():
    a, b = floats(100, 70, dtype=np.float16), floats(70, 90, dtype=np.float16)
    c = Array(np.zeros((100, 90), np.float32))
    matmul_kernel[(2, 3)](Array(a), Array(b), c, 100, 90, 70, BM=64, BN=32, BK=32, num_warps=4, num_stages=3)
    return c.get(), a.astype(np.float32) @ b.astype(np.float32), 1e-2


def matmul_tf32():
    a, b = RANDOM.integers(-3, 4, (64, 64)).astype(np.float32), RANDOM.integers(-3, 4, (64, 64)).astype(np.float32)
    c = Array(np.zeros((64, 64), np.float32))
    matmul_kernel[(1, 1)](Array(a), Array(b), c, 64, 64, 64, BM=64, BN=64, BK=32)
    return c.get(), a @ b, 0


@triton.jit
def layer_norm_kernel(x, w, b, y, columns, eps, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    v = tl.load(x + row * columns + i, mask=i < columns, other=0.0)
    mean = tl.sum(v, axis=0) / columns
    d = tl.where(i < columns, v - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(d * d, axis=0) / columns + eps)
    out = d * scale * tl.load(w + i, mask=i < columns) + tl.load(b + i, mask=i < columns)
    tl.store(y + row * columns + i, out, mask=i < columns)


def layer_norm():
    x, w, b = floats(20, 100), floats(100), floats(100)
    y = Array(np.zeros_like(x))
    layer_norm_kernel[(20,)](Array(x), Array(w), Array(b), y, 100, 1e-5, B=128)
    want = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) * w + b
    return y.get(), want, 1e-4


@triton.jit
def attention_kernel(q, k, v, o, n, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    x = tl.load(q + m[:, None] * D + d[None, :])
    top = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for j in range(0, n, BN):
        c = j + tl.arange(0, BN)
        s = tl.dot(x, tl.load(k + c[None, :] * D + d[:, None])) * scale
        s = tl.where(m[:, None] >= c[None, :], s, -float("inf"))
        new = tl.maximum(top, tl.max(s, axis=1))
        p = tl.exp(s - new[:, None])
        shrink = tl.exp(top - new)
        total = total * shrink + tl.sum(p, axis=1)
        acc = tl.dot(p.to(tl.float16), tl.load(v + c[:, None] * D + d[None, :]), acc * shrink[:, None])
        top = new
    tl.store(o + m[:, None] * D + d[None, :], acc / total[:, None])


def attention():
    q, k, v = (floats(128, 64, dtype=np.float16) for _ in range(3))
    o = Array(np.zeros((128, 64), np.float32))
    attention_kernel[(2,)](Array(q), Array(k), Array(v), o, 128, 0.125, BM=64, BN=32, D=64)
    s = q.astype(np.float32) @ k.astype(np.float32).T * 0.125
    s[np.triu_indices(128, 1)] = -np.inf
    p = np.exp(s - s.max(1, keepdims=True))
    return o.get(), p / p.sum(1, keepdims=True) @ v.astype(np.float32), 1e-2


@triton.jit
def histogram_kernel(x, bins, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.atomic_add(bins + tl.load(x + i, mask=i < n, other=0), 1, mask=i < n)


def histogram():
    x = RANDOM.integers(0, 16, 900).astype(np.int32)
    bins = Array(np.zeros(16, np.int32))
    histogram_kernel[(8,)](Array(x), bins, 900, B=128)
    return bins.get(), np.bincount(x, minlength=16), 0


@triton.jit
def scan_kernel(x, y, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(y + i, tl.cumsum(tl.load(x + i), axis=0))


def scan():
    x = RANDOM.integers(-50, 50, 512).astype(np.int32)
    y = Array(np.zeros_like(x))
    scan_kernel[(1,)](Array(x), y, B=512)
    return y.get(), np.cumsum(x), 0


@triton.jit
def transpose_kernel(x, y, M, N, B: tl.constexpr):
    m = tl.program_id(0) * B + tl.arange(0, B)
    n = tl.program_id(1) * B + tl.arange(0, B)
    v = tl.load(x + m[:, None] * N + n[None, :], mask=(m[:, None] < M) & (n[None, :] < N))
    tl.store(y + n[:, None] * M + m[None, :], tl.trans(v), mask=(n[:, None] < N) & (m[None, :] < M))


def transpose():
    x = floats(70, 50)
    y = Array(np.zeros((50, 70), np.float32))
    transpose_kernel[(3, 2)](Array(x), y, 70, 50, B=32)
    return y.get(), x.T, 0


@triton.jit
def sort_kernel(x, y, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(y + i, tl.sort(tl.load(x + i), descending=True))


def sort():
    x = floats(256)
    y = Array(np.zeros_like(x))
    sort_kernel[(1,)](Array(x), y, B=256)
    return y.get(), np.sort(x)[::-1], 0


@triton.jit
def gather_kernel(table, ids, y, D: tl.constexpr):
    row = tl.load(ids + tl.program_id(0))
    i = tl.arange(0, D)
    tl.store(y + tl.program_id(0) * D + i, tl.load(table + row * D + i))


def gather():
    table, ids = floats(50, 64), RANDOM.integers(0, 50, 30).astype(np.int64)
    y = Array(np.zeros((30, 64), np.float32))
    gather_kernel[(30,)](Array(table), Array(ids), y, D=64)
    return y.get(), table[ids], 0


@triton.jit
def split_k_kernel(a, b, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Blocks share the columns of a product and add up in global memory."""
    m, n = tl.arange(0, BM), tl.arange(0, BN)
    k = tl.program_id(0) * BK + tl.arange(0, BK)
    d = tl.dot(tl.load(a + m[:, None] * K + k[None, :]), tl.load(b + k[:, None] * N + n[None, :]))
    tl.atomic_add(c + m[:, None] * N + n[None, :], d)


def split_k():
    a, b = RANDOM.integers(-4, 5, (32, 128)).astype(np.float16), RANDOM.integers(-4, 5, (128, 32)).astype(np.float16)
    c = Array(np.zeros((32, 32), np.float32))
    split_k_kernel[(4,)](Array(a), Array(b), c, 32, 128, BM=32, BN=32, BK=32)
    return c.get(), a.astype(np.float32) @ b.astype(np.float32), 0


@triton.jit
def dropout_kernel(x, y, n, p, seed, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    keep = tl.rand(seed, i) > p
    tl.store(y + i, tl.where(keep, tl.load(x + i, mask=i < n) / (1 - p), 0.0), mask=i < n)


def dropout():
    x = np.ones(4096, np.float32)
    y = Array(np.zeros_like(x))
    dropout_kernel[(16,)](Array(x), y, 4096, 0.25, 123, B=256)
    kept = y.get() != 0
    assert abs(kept.mean() - 0.75) < 0.03
    return y.get(), np.where(kept, np.float32(1 / 0.75), 0), 1e-6


CASES = [add, softmax, matmul, matmul_tf32, layer_norm, attention, histogram, scan, transpose, sort, gather, split_k, dropout]


def main():
    context = ctypes.c_void_p()
    call("cuInit", 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
    call("cuCtxSetCurrent", context)
    for case in CASES:
        if sys.argv[1:] and case.__name__ not in sys.argv[1:]:
            continue
        got, want, tolerance = case()
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance, err_msg=case.__name__)
        print(case.__name__, flush=True)
    print("good")


if __name__ == "__main__":
    main()
