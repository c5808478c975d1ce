# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of Python packages, run under tileiras-emu by python.py: python_cases.py NAME. Each prints "good" at its end."""
import sys


def numba_add():
    import numpy as np
    from numba import cuda

    @cuda.jit
    def add(a, b, c):
        i = cuda.grid(1)
        if i < c.size:
            c[i] = a[i] + b[i]
    n = 1000
    a = np.arange(n, dtype=np.float32)
    c = np.zeros_like(a)
    add[(n + 127) // 128, 128](a, 2 * a, c)
    assert (c == 3 * a).all()


def numba_shared():
    import numpy as np
    from numba import cuda, float32

    @cuda.jit
    def matmul(a, b, c):
        ta = cuda.shared.array((16, 16), float32)
        tb = cuda.shared.array((16, 16), float32)
        x, y = cuda.grid(2)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        s = float32(0)
        for k in range(a.shape[1] // 16):
            ta[tx, ty] = a[x, ty + k * 16]
            tb[tx, ty] = b[tx + k * 16, y]
            cuda.syncthreads()
            for j in range(16):
                s += ta[tx, j] * tb[j, ty]
            cuda.syncthreads()
        c[x, y] = s
    rng = np.random.default_rng(1)
    a, b = rng.random((32, 48), dtype=np.float32), rng.random((48, 64), dtype=np.float32)
    c = cuda.device_array((32, 64), dtype=np.float32)
    matmul[(2, 4), (16, 16)](cuda.to_device(a), cuda.to_device(b), c)
    np.testing.assert_allclose(c.copy_to_host(), a @ b, rtol=1e-4)


def numba_atomics():
    import numpy as np
    from numba import cuda

    @cuda.jit
    def histogram(data, bins):
        i = cuda.grid(1)
        if i < data.size:
            cuda.atomic.add(bins, data[i] % bins.size, 1)
    data = np.arange(5000, dtype=np.int32) * 7 % 1013
    bins = np.zeros(10, dtype=np.int32)
    histogram[40, 128](data, bins)
    assert (bins == np.bincount(data % 10, minlength=10)).all()


def cutile_add():
    import cuda.tile as ct
    import numpy as np
    from numba import cuda

    @ct.kernel
    def add(a, b, c, tile: ct.Constant[int]):
        i = ct.bid(0)
        ct.store(c, index=(i,), tile=ct.load(a, index=(i,), shape=(tile,)) + ct.load(b, index=(i,), shape=(tile,)))
    n = 1024
    x = np.arange(n, dtype=np.float32)
    a, b, c = cuda.to_device(x), cuda.to_device(2 * x), cuda.device_array(n, dtype=np.float32)
    stream = cuda.stream()
    ct.launch(int(stream.handle), (n // 128,), add, (a, b, c, 128))
    cuda.synchronize()
    assert (c.copy_to_host() == 3 * x).all()


def cuda_core():
    import numpy as np
    from cuda.bindings import driver

    def good(result):
        assert int(result[0]) == 0, result
        return result[1] if len(result) == 2 else result[1:]
    good(driver.cuInit(0))
    device = good(driver.cuDeviceGet(0))
    good(driver.cuCtxSetCurrent(good(driver.cuDevicePrimaryCtxRetain(device))))
    ptx = b""".version 8.0
.target sm_80
.address_size 64
.visible .entry twice(.param .u64 p) {
  .reg .b64 %rd<4>; .reg .b32 %r<4>;
  ld.param.u64 %rd0, [p]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, 4; add.u64 %rd0, %rd0, %rd1;
  ld.global.u32 %r1, [%rd0]; add.u32 %r1, %r1, %r1; st.global.u32 [%rd0], %r1; ret;
}
\0"""
    module = good(driver.cuModuleLoadData(ptx))
    kernel = good(driver.cuModuleGetFunction(module, b"twice"))
    x = np.arange(64, dtype=np.uint32)
    address = good(driver.cuMemAlloc(x.nbytes))
    good(driver.cuMemcpyHtoD(address, x.ctypes.data, x.nbytes))
    argument = np.array([int(address)], dtype=np.uint64)
    pointers = np.array([argument.ctypes.data], dtype=np.uint64)
    good(driver.cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, 0, pointers.ctypes.data, 0))
    out = np.zeros_like(x)
    good(driver.cuMemcpyDtoH(out.ctypes.data, address, x.nbytes))
    assert (out == 2 * x).all()


if __name__ == "__main__":
    globals()[sys.argv[1]]()
    print("good")
