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


def cutile_fault():
    """A tile that is scattered past the end of its array; run.py wants the report, with this file and line."""
    import ctypes
    import cuda.tile as ct
    import numpy as np
    from cutile_launch import Array, DeviceArray, call

    @ct.kernel
    def spill(x, n: ct.Constant[int]):
        i = ct.arange(n, dtype=ct.int32)
        ct.scatter(x, i * 3, ct.full((n,), 1.0, ct.float32), check_bounds=False)  # BOUNDS
    context = ctypes.c_void_p()
    call("cuInit", 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
    call("cuCtxSetCurrent", context)
    ct.launch(0, (1,), spill, (DeviceArray(Array(np.zeros(128, np.float32))), 64))
    assert ctypes.CDLL("libcuda.so.1").cuCtxSynchronize() == 700


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


def cuda_core_objects():
    """cuda.core: modules, programs, streams, buffers, events, graphs."""
    import numpy as np
    from cuda.core import Device, EventOptions, LaunchConfig, LegacyPinnedMemoryResource, ObjectCode, Program, ProgramOptions, launch
    ptx = """.version 8.0
.target sm_80
.address_size 64
.visible .entry axpy(.param .u64 p, .param .u64 q, .param .f32 a, .param .u32 n) {
  .reg .b64 %rd<6>; .reg .b32 %r<6>; .reg .f32 %f<6>; .reg .pred %p;
  ld.param.u64 %rd0, [p]; ld.param.u64 %rd1, [q]; ld.param.f32 %f0, [a]; ld.param.u32 %r0, [n];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r1, %r2, %r3;
  setp.ge.u32 %p, %r1, %r0; @%p bra END;
  mul.wide.u32 %rd2, %r1, 4; add.u64 %rd0, %rd0, %rd2; add.u64 %rd1, %rd1, %rd2;
  ld.global.f32 %f1, [%rd0]; ld.global.f32 %f2, [%rd1]; fma.rn.f32 %f2, %f0, %f1, %f2; st.global.f32 [%rd1], %f2;
END: ret;
}
"""
    device = Device()
    device.set_current()
    stream = device.create_stream()
    kernel = ObjectCode.from_ptx(ptx.encode()).get_kernel("axpy")
    assert kernel.num_arguments == 4
    n = 1000
    pinned = LegacyPinnedMemoryResource()
    host_x, host_y = pinned.allocate(4 * n), pinned.allocate(4 * n)
    x, y = np.from_dlpack(host_x).view(np.float32), np.from_dlpack(host_y).view(np.float32)
    x[:] = np.arange(n)
    y[:] = 1
    p, q = device.allocate(4 * n, stream=stream), device.allocate(4 * n, stream=stream)
    p.copy_from(host_x, stream=stream)
    q.copy_from(host_y, stream=stream)
    config = LaunchConfig(grid=8, block=128)
    before = stream.record(options=EventOptions(timing_enabled=True))
    launch(stream, config, kernel, p, q, np.float32(3), np.uint32(n))
    after = stream.record(options=EventOptions(timing_enabled=True))
    # The same as a program that is linked.
    linked = Program(ptx, "ptx", ProgramOptions(arch="sm_90")).compile("cubin").get_kernel("axpy")
    launch(stream, config, linked, p, q, np.float32(1), np.uint32(n))
    builder = device.create_graph_builder().begin_building()
    launch(builder, config, kernel, p, q, np.float32(1), np.uint32(n))
    graph = builder.end_building().complete()
    graph.upload(stream)
    graph.launch(stream)
    graph.launch(stream)
    q.copy_to(host_y, stream=stream)
    stream.sync()
    assert after - before >= 0
    assert (y == 6 * x + 1).all()


def numba_reduce():
    """A sum by shuffles, one atomic for each block."""
    import numpy as np
    from numba import cuda, float32

    @cuda.jit
    def total(data, result):
        partial = cuda.shared.array(4, float32)
        i = cuda.grid(1)
        value = data[i] if i < data.size else float32(0)
        for step in (16, 8, 4, 2, 1):
            value += cuda.shfl_down_sync(0xffffffff, value, step)
        if cuda.threadIdx.x % 32 == 0:
            partial[cuda.threadIdx.x // 32] = value
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            cuda.atomic.add(result, 0, partial[0] + partial[1] + partial[2] + partial[3])
    data = np.arange(1000, dtype=np.float32)
    result = np.zeros(1, dtype=np.float32)
    total[8, 128](data, result)
    assert result[0] == data.sum()


def numba_scan():
    """Running sums in shared memory, two barriers a step."""
    import numpy as np
    from numba import cuda, int32

    @cuda.jit
    def scan(data):
        t = cuda.threadIdx.x
        buffer = cuda.shared.array(256, int32)
        buffer[t] = data[t]
        cuda.syncthreads()
        step = 1
        while step < 256:
            add = buffer[t - step] if t >= step else 0
            cuda.syncthreads()
            buffer[t] += add
            cuda.syncthreads()
            step *= 2
        data[t] = buffer[t]
    data = np.arange(256, dtype=np.int32) % 17
    want = np.cumsum(data)
    scan[1, 256](data)
    assert (data == want).all()


def numba_transpose():
    import numpy as np
    from numba import cuda, float64

    @cuda.jit
    def transpose(a, b):
        tile = cuda.shared.array((16, 17), float64)
        x, y = cuda.grid(2)
        if x < a.shape[0] and y < a.shape[1]:
            tile[cuda.threadIdx.x, cuda.threadIdx.y] = a[x, y]
        cuda.syncthreads()
        u = cuda.blockIdx.x * 16 + cuda.threadIdx.y
        v = cuda.blockIdx.y * 16 + cuda.threadIdx.x
        if u < a.shape[0] and v < a.shape[1]:
            b[v, u] = tile[cuda.threadIdx.y, cuda.threadIdx.x]
    a = np.arange(40 * 25, dtype=np.float64).reshape(40, 25)
    b = np.zeros((25, 40))
    transpose[(3, 2), (16, 16)](a, b)
    assert (b == a.T).all()


def numba_mandelbrot():
    """Loops of different length in the threads of a warp, complex numbers."""
    import numpy as np
    from numba import cuda

    def escape(x, y, most):
        z = c = complex(x, y)
        for i in range(most):
            if z.real * z.real + z.imag * z.imag >= 4:
                return i
            z = z * z + c
        return most
    device = cuda.jit(device=True)(escape)

    @cuda.jit
    def draw(image):
        i, j = cuda.grid(2)
        if i < image.shape[0] and j < image.shape[1]:
            image[i, j] = device(-2 + j * 3 / image.shape[1], -1 + i * 2 / image.shape[0], 40)
    image = np.zeros((24, 32), dtype=np.int32)
    draw[(2, 4), (16, 8)](image)
    want = [[escape(-2 + j * 3 / 32, -1 + i * 2 / 24, 40) for j in range(32)] for i in range(24)]
    assert (image == want).all()


def numba_sort():
    """Bitonic sort, one launch a step."""
    import numpy as np
    from numba import cuda

    @cuda.jit
    def step(data, j, k):
        i = cuda.grid(1)
        other = i ^ j
        if other > i:
            up = (i & k) == 0
            if (data[i] > data[other]) == up:
                data[i], data[other] = data[other], data[i]
    data = np.random.default_rng(3).integers(-1000, 1000, 512).astype(np.int32)
    d = cuda.to_device(data)
    k = 2
    while k <= data.size:
        j = k // 2
        while j:
            step[4, 128](d, j, k)
            j //= 2
        k *= 2
    assert (d.copy_to_host() == np.sort(data)).all()


def numba_stencil():
    """Heat on a grid, two arrays that take turns, on a stream."""
    import numpy as np
    from numba import cuda

    @cuda.jit
    def heat(a, b):
        x, y = cuda.grid(2)
        if 0 < x < a.shape[0] - 1 and 0 < y < a.shape[1] - 1:
            b[x, y] = 0.25 * (a[x - 1, y] + a[x + 1, y] + a[x, y - 1] + a[x, y + 1])
    a = np.zeros((20, 30))
    a[0] = 100
    want = a.copy()
    stream = cuda.stream()
    u, v = cuda.to_device(a, stream=stream), cuda.to_device(a, stream=stream)
    for _ in range(6):
        heat[(2, 2), (16, 16), stream](u, v)
        u, v = v, u
        new = want.copy()
        new[1:-1, 1:-1] = 0.25 * (want[:-2, 1:-1] + want[2:, 1:-1] + want[1:-1, :-2] + want[1:-1, 2:])
        want = new
    result = u.copy_to_host(stream=stream)
    stream.synchronize()
    np.testing.assert_allclose(result, want)


def numba_records():
    """Structured arrays, constant memory, local arrays."""
    import numpy as np
    from numba import cuda, int32
    kind = np.dtype([("key", np.int32), ("value", np.float64)], align=True)
    weights = np.array([1.0, 10.0, 100.0])

    @cuda.jit
    def weigh(records, sums):
        w = cuda.const.array_like(weights)
        local = cuda.local.array(3, int32)
        i = cuda.grid(1)
        for k in range(3):
            local[k] = records[i]["key"] + k
        total = 0.0
        for k in range(3):
            total += local[k] * w[k]
        sums[i] = total + records[i]["value"]
    records = np.zeros(64, dtype=kind)
    records["key"], records["value"] = np.arange(64), np.arange(64) / 8
    sums = np.zeros(64)
    weigh[2, 32](records, sums)
    key = np.arange(64)
    assert (sums == key + (key + 1) * 10 + (key + 2) * 100 + key / 8).all()


def numba_events():
    """Pinned and mapped memory, events, several streams."""
    import numpy as np
    from numba import cuda

    @cuda.jit
    def scale(x, factor):
        i = cuda.grid(1)
        if i < x.size:
            x[i] *= factor
    host = cuda.pinned_array(256, dtype=np.float32)
    host[:] = np.arange(256)
    first, second, done = cuda.stream(), cuda.stream(), cuda.event()
    x = cuda.to_device(host, stream=first)
    scale[2, 128, first](x, 3)
    done.record(first)
    done.wait(second)
    scale[2, 128, second](x, 5)
    x.copy_to_host(host, stream=second)
    second.synchronize()
    assert (host == 15 * np.arange(256)).all()
    mapped = cuda.mapped_array(32, dtype=np.int32)
    mapped[:] = 1
    scale[1, 32](mapped, 7)
    cuda.synchronize()
    assert (mapped == 7).all()


def numba_vectorize():
    """A ufunc, and a reduction that numba writes itself."""
    import numpy as np
    from numba import cuda, vectorize

    @vectorize(["float32(float32, float32)", "float64(float64, float64)"], target="cuda")
    def hypot(a, b):
        return (a * a + b * b) ** 0.5
    a, b = np.arange(300, dtype=np.float64), np.arange(300, dtype=np.float64)[::-1].copy()
    np.testing.assert_allclose(hypot(a, b), np.hypot(a, b), rtol=1e-12)

    @cuda.reduce
    def largest(x, y):
        return x if x > y else y
    assert largest(np.array([3, 9, -1, 4] * 50, dtype=np.int64)) == 9


if __name__ == "__main__":
    globals()[sys.argv[1]]()
    print("good")
