# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python module, case by case: api.py ROOT prints "name: ok", "name: skipped WHY" or, after a traceback, "name: FAILED".

It runs with the module that the interpreter finds: that of the wheel in test/Package/wheel.py.
"""

import concurrent.futures
import ctypes
import importlib.metadata
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import traceback

import numpy as np

import open_tileiras as ot
from open_tileiras import ir

ROOT = pathlib.Path(sys.argv[1])
SOFTMAX = ROOT / "examples" / "softmax.mlir"

#: Every thread adds 1 to the same word, without an atomic operation.
RACE = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry race(.param .u64 p)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [p];
  .loc 1 5 3
  ld.global.u32 %r1, [%rd1];
  add.s32 %r1, %r1, 1;
  st.global.u32 [%rd1], %r1;
  ret;
}
.file 1 "racy_kernel.py"
"""

#: Loads RACE by the driver API and launches it with 64 threads; `test` is run by pytest and by python -m.
PROGRAM = '''
import ctypes
PTX = """%s"""

def launch():
    cuda = ctypes.CDLL("libcuda.so.1")
    def call(name, *arguments):
        assert getattr(cuda, name)(*arguments) == 0, name
    context, module, function, memory = (ctypes.c_void_p() for _ in range(4))
    call("cuInit", 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
    call("cuCtxSetCurrent", context)
    call("cuModuleLoadData", ctypes.byref(module), PTX.encode())
    call("cuModuleGetFunction", ctypes.byref(function), module, b"race")
    address = ctypes.c_uint64()
    call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(4))
    call("cuMemsetD32_v2", address, 0, ctypes.c_size_t(1))
    parameters = (ctypes.c_void_p * 1)(ctypes.addressof(address))
    call("cuLaunchKernel", function, 1, 1, 1, 64, 1, 1, 0, None, parameters, None)
    call("cuCtxSynchronize")
''' % RACE


def softmax(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def data(rows=7, columns=333):
    return np.random.default_rng(3).normal(size=(rows, columns)).astype(np.float32)


def case_stages():
    p = ot.compile(SOFTMAX, arch="sm_80")
    for stage, word in (("cuda_tile", "entry @softmax"), ("tileaa", "nv_tileaa.func"), ("tileas", "#nv_tileas.linear"),
                        ("llvm", "llvm.func"), ("llvmir", "define "), ("ptx", ".target sm_80")):
        assert word in p.stage(stage), stage
    assert p.entries == {"softmax": ["ptr<f32>", "ptr<f32>", "i32", "i32"]}
    assert {r.category for r in p.remarks} >= {"resources", "vectorise"} and all(r.reason for r in p.remarks)
    assert p.remarks[0].line == 9 and p.remarks[0].file.endswith("softmax.mlir")


def case_bytecode():
    p = ot.compile(SOFTMAX)
    again = ot.compile(p.bytecode)
    assert again.cuda_tile == p.cuda_tile
    for version in ("13.1", "13.4"):
        assert ot.disassemble(ot.assemble(SOFTMAX, version=version)) == ot.disassemble(SOFTMAX)
    try:
        ot.assemble(SOFTMAX, version="1.0")
    except ot.CompileError as e:
        assert e.status == 2 and "1.0" in str(e)
    else:
        raise AssertionError("version 1.0")


def case_engines():
    x = data()
    for arch in ("sm_80", "sm_100"):
        p = ot.compile(SOFTMAX, arch=arch)
        y = np.zeros_like(x)
        r = p.run(x, ot.out(y), *x.shape, grid=7, schedule="reverse")
        np.testing.assert_allclose(y, softmax(x), rtol=1e-5, atol=1e-7)
        assert r.ok and r.engine == "emulator" and r.stats["blocks"] == 7
    y[:] = 0
    r = p.run(x, y, *x.shape, grid=(7,), engine="reference")
    np.testing.assert_allclose(y, softmax(x), rtol=1e-5, atol=1e-7)
    assert r.ok and r.engine == "reference"


def case_strided_and_read_only():
    # A column of a larger array: what lies between must stay.
    text = """cuda_tile.module @m { entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) {
      %s = make_tensor_view %p, shape = [8], strides = [4] : tensor_view<8xf32, strides=[4]>
      %v = make_partition_view %s : partition_view<tile=(8), tensor_view<8xf32, strides=[4]>>
      %t = make_tensor_view %q, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
      %w = make_partition_view %t : partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
      %0 = constant <i32: 0> : tile<i32>
      %x, %t0 = load_view_tko weak %w[%0] : partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
      %t1 = store_view_tko weak %x, %v[%0] : tile<8xf32>, partition_view<tile=(8), tensor_view<8xf32, strides=[4]>>, tile<i32> -> token
      return } }"""
    for engine in ("emulator", "reference"):
        whole = np.full((8, 4), -1, np.float32)
        source = np.arange(8, dtype=np.float32)
        source.flags.writeable = False
        ot.run(text, whole[:, 0], source, engine=engine)
        assert (whole[:, 0] == source).all() and (whole[:, 1:] == -1).all(), engine


def case_types():
    text = """cuda_tile.module @m { entry @k(%p: tile<ptr<TYPE>>, %n: tile<TYPE>) {
      %t = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xTYPE, strides=[1]>
      %v = make_partition_view %t : partition_view<tile=(8), tensor_view<8xTYPE, strides=[1]>>
      %0 = constant <i32: 0> : tile<i32>
      %a = reshape %n : tile<TYPE> -> tile<1xTYPE>
      %x = broadcast %a : tile<1xTYPE> -> tile<8xTYPE>
      %t1 = store_view_tko weak %x, %v[%0] : tile<8xTYPE>, partition_view<tile=(8), tensor_view<8xTYPE, strides=[1]>>, tile<i32> -> token
      return } }"""
    for name, dtype, value in (("f16", np.float16, 1.5), ("f32", np.float32, -2.5), ("f64", np.float64, 1e100), ("i8", np.int8, -3),
                               ("i16", np.int16, 300), ("i32", np.int32, -70000), ("i64", np.int64, 1 << 40)):
        for engine in ("emulator", "reference"):
            for given in (value, dtype(value)):
                y = np.zeros(8, dtype)
                ot.run(text.replace("TYPE", name), ot.out(y) if engine == "emulator" else y, given, engine=engine)
                assert (y == dtype(value)).all(), (name, engine, y)


def case_reports():
    x, y = data(), np.empty((7, 333), np.float32)
    try:
        ot.compile(SOFTMAX).run(x[:2], ot.out(y), 7, 333, grid=7)
    except ot.KernelError as e:
        r = e.reports[0]
        assert (r.kind, r.line, r.kernel) == ("out-of-bounds", 18, "softmax") and r.file.endswith("softmax.mlir")
        assert r.block[0] >= 2 and r.address and "ld.global" in r.ptx and r.ptx_line and r.count > 1
    else:
        raise AssertionError("no report")
    run = ot.run(RACE, np.zeros(1, np.int32), block=64, check=False)
    assert not run.ok and run.reports[0].kind == "race" and run.reports[0].file == "racy_kernel.py" and run.reports[0].line == 5
    assert ot.run(RACE, np.zeros(1, np.int32), block=64, check_races=False).ok


def case_assertions():
    text = """cuda_tile.module @m { entry @k(%n: tile<i32>) {
      %0 = constant <i32: 0> : tile<i32>
      %c = cmpi greater_than %n, %0, signed : tile<i32> -> tile<i1>
      assert %c, "n is not positive" : tile<i1>
      return } }"""
    for engine in ("reference", "emulator"):
        assert ot.run(text, 1, engine=engine).ok
        run = ot.run(text, -1, engine=engine, check=False)
        assert not run.ok and any("n is not positive" in str(r) + run.output for r in run.reports), (engine, run)


def refused(kind, what, *arguments, **options):
    try:
        what(*arguments, **options)
    except kind as e:
        return str(e)
    raise AssertionError(f"{kind.__name__} was expected")


def case_errors():
    p = ot.compile(SOFTMAX)
    x, y = data(), data()
    assert "4 arguments" in refused(TypeError, p.run, x, y, grid=1)
    assert "holds f64" in refused(TypeError, p.run, x.astype(np.float64), y, 7, 333)
    assert "not an array" in refused(TypeError, p.run, x, y, x, 333)
    refused(OverflowError, p.run, x, y, 1 << 40, 333)
    refused(ValueError, p.run, x[::-1], y, 7, 333)
    refused(ValueError, p.run, x, y, 7, 333, grid=0)
    assert "softmax" in refused(ValueError, p.run, x, y, 7, 333, entry="other")
    refused(ValueError, p.run, x, y, 7, 333, engine="gpu")
    refused(FileNotFoundError, ot.compile, "no_such_file.mlir")
    error = refused(ot.CompileError, ot.compile, "cuda_tile.module @m { entry @k() { nonsense } }")
    assert "nonsense" in error
    assert "sm_42" in refused(ot.CompileError, ot.compile, SOFTMAX, arch="sm_42")
    refused(ot.CompileError, ot.compile, b"\x7fTileIR\x00 and then rubbish")
    assert "abacus" in refused(RuntimeError, p.time, x, y, 7, 333, machine="abacus")
    refused(ot.CompileError, ot.run, ".version 8.0\n.target sm_80\n.visible .entry k() { what; }")


def case_diagnostics():
    try:
        ot.compile("cuda_tile.module @m {\n  entry @k() { nonsense }\n}", name="k.mlir")
    except ot.CompileError as e:
        d = e.diagnostics[0]
        assert (e.status, d.severity, d.file, d.line) == (3, "error", "k.mlir", 2) and str(d) in str(e)


def case_time():
    x, y = data(), data()
    t = ot.compile(SOFTMAX, arch="sm_100").time(x, y, 7, 333, grid=7, machine="b200")
    assert t.machine == "b200" and t.cycles > 100 and t.lines and t.lines[0]["ptx_line"] and "b200" in str(t)
    assert "<html" in t.html and "traceEvents" in t.trace
    refused(AttributeError, lambda: t.parsecs)


def case_report():
    p = ot.compile(SOFTMAX)
    x, y = data(), data()
    page = p.report(timing=p.time(x, y, 7, 333, grid=7))
    assert page.lower().startswith("<!doctype html>") and len(page) < 5e6 and "iframe" in p._repr_html_()
    facts = p.facts()
    assert [s["name"] for s in facts["stages"]] == ["cuda_tile", "tileaa", "tileas", "llvm", "ptx"]
    tileas = facts["stages"][2]
    lines = tileas["text"].splitlines()
    # Line 18 of the source is the load: it is one in every stage.
    assert any("tiled_load" in lines[line - 1] for line, _, source, _ in tileas["locations"] if source == 18)
    ptx = facts["stages"][4]["text"].splitlines()
    assert any("ld.global" in ptx[line - 1] for line, _, source, _ in facts["stages"][4]["locations"] if source == 18)
    uses = dict(map(tuple, facts["layout_uses"]))
    load = next(k for k, text in enumerate(lines, 1) if "tiled_load" in text)
    layout = facts["layouts"][uses[load]]
    assert layout["shape"] == [1, 512] and layout["memory"] == "registers" and len(layout["bases"]["lane"]) == 5


def case_layouts():
    a = ot.Layout("(8,8):(8,1)")
    assert a.size == 64 and a.cosize == 64 and a(9) == 9 and a(1) == 8 and len(a.offsets) == 64
    b = a.logical_divide("<4:1;2:1>")
    assert b.text == "((4,2),(2,4)):((8,32),(1,2))" and b.offsets[3] == 24
    assert a.composition("16:2").offsets == [a(2 * i) for i in range(16)]
    r = a.right_inverse()
    assert all(a(r(i)) == i for i in range(64))
    assert ot.Layout("4:2").complement(16).size == 4
    assert "nonsense" in refused(ot.LayoutError, ot.Layout, "nonsense")
    assert "not a multiple" in refused(ot.LayoutError, ot.Layout("(4,6):(1,10)").composition, "3:3")
    c = ot.Layout("#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>", shape=(16, 8))
    assert c.kind == "distributed" and len(c.bases["lane"]) == 5 and c.draw("svg").startswith("<svg")
    refused(ot.LayoutError, lambda: c.size)


def case_targets():
    names = [t["name"] for t in ot.targets()]
    assert {"sm_80", "sm_90", "sm_100", "sm_120"} <= set(names)


def case_two_hundred_threads():
    kernels = [ROOT / "examples" / f"{n}.mlir" for n in ("softmax", "layer_norm", "fp8_quantise", "moe_routing")]
    jobs = [(k, a) for k in kernels for a in ("sm_80", "sm_90", "sm_100", "sm_120")]
    alone = {job: ot.compile(*job).ptx for job in jobs}
    with concurrent.futures.ThreadPoolExecutor(200) as pool:
        found = list(pool.map(lambda k: (jobs[k % len(jobs)], ot.compile(*jobs[k % len(jobs)]).ptx), range(200)))
    assert all(alone[job] == ptx for job, ptx in found)


def case_runs_side_by_side():
    p, x = ot.compile(SOFTMAX), data()

    def one(k):
        y = np.empty_like(x)
        p.run(x, y if k % 2 else ot.out(y), 7, 333, grid=7, engine="reference" if k % 2 else "emulator")
        return y
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        for y in pool.map(one, range(32)):
            np.testing.assert_allclose(y, softmax(x), rtol=1e-5, atol=1e-7)


def rebuild(op, values):
    """The same operation built anew, with everything inside it."""
    new = ir.create(op.name, [values[v] for v in op.operands], [str(r.type) for r in op.results],
                    {k: str(a) for k, a in op.attributes.items()}, len(op.regions))
    values.update(zip(op.results, new.results))
    for old_region, region in zip(op.regions, new.regions):
        for old_block in old_region.blocks:
            block = region.append_block(*(str(a.type) for a in old_block.arguments))
            values.update(zip(old_block.arguments, block.arguments))
            with ir.at_end(block):
                for inner in old_block:
                    rebuild(inner, values)
    return new


def case_ir_examples():
    # Every example is parsed, built again operation by operation, printed, and goes through bytecode.
    for path in sorted((ROOT / "examples").glob("*.mlir")):
        with ir.Context():
            module = ir.Module.parse(path.read_text())
            text = str(module)
            assert str(ir.Module.parse(text)) == text
            again = ir.Module.create()
            with ir.at_end(again.body):
                for op in module.body:
                    rebuild(op, {})
            again.verify()
            assert str(again) == text, path
            for version in ("13.4", ""):
                assert str(ir.Module.parse(again.bytecode(version))) == text, path
            names = [op.name for op in again.walk()]
            assert names[:3] == ["builtin.module", "cuda_tile.module", "cuda_tile.entry"] and len(names) == len(list(module.walk()))


def case_ir_built():
    t, p, v = "!cuda_tile.tile<8xf32>", "!cuda_tile.tile<ptr<f32>>", "!cuda_tile.partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>"
    with ir.Context():
        module = ir.Module.create()
        with ir.at_end(module.body):
            kernels = ir.cuda_tile.module(sym_name='"kernels"', regions=1)
        with ir.at_end(kernels.regions[0].append_block()):
            entry = ir.cuda_tile.entry(sym_name='"twice"', function_type=f"({p}) -> ()", regions=1)
        body = entry.regions[0].append_block(p)
        with ir.at_end(body), ir.Location.file("twice.py", 7):
            zero = ir.cuda_tile.constant(value="dense<0> : !cuda_tile.tile<i32>", results=["!cuda_tile.tile<i32>"])
            view = ir.cuda_tile.make_tensor_view(body.arguments[0], operandSegmentSizes="array<i32: 1, 0, 0>",
                                                 results=["!cuda_tile.tensor_view<8xf32, strides=[1]>"])
            parts = ir.cuda_tile.make_partition_view(view, results=[v])
            weak = "0 : i32"  # an enumeration without an attribute of its own
            x, _ = ir.cuda_tile.load_view_tko(parts, zero, memory_ordering_semantics=weak, operandSegmentSizes="array<i32: 1, 1, 0>",
                                              results=[t, "!cuda_tile.token"])
            y = ir.cuda_tile.addf(x, x, rounding_mode="#cuda_tile.rounding<nearest_even>")  # its type is inferred
            assert str(y.type) == t and y.operation.name == "cuda_tile.addf"
            ir.cuda_tile.store_view_tko(y, parts, zero, memory_ordering_semantics=weak, operandSegmentSizes="array<i32: 1, 1, 1, 0>",
                                        results=["!cuda_tile.token"])
            ir.cuda_tile.return_()
        module.verify()
        assert 'loc("twice.py":7' in module.operation.text(locations=True)
        data = module.bytecode()
        # Walk, and change: the sum becomes a product.
        add = next(op for op in module.walk() if op.name == "cuda_tile.addf")
        with ir.before(add):
            product = ir.cuda_tile.mulf(*add.operands, rounding_mode=add["rounding_mode"])
        add.result.replace_all_uses_with(product)
        add.erase()
        module.verify()
        changed = str(module)
    for source, wanted in ((data, lambda a: a + a), (changed, lambda a: a * a)):
        a = np.arange(8, dtype=np.float32)
        b = a.copy()
        ot.run(source, b)
        np.testing.assert_array_equal(b, wanted(a))


def case_ir_errors():
    with ir.Context():
        assert "nonsense" in refused(ir.IRError, ir.Module.parse, "cuda_tile.module @m { entry @k() { nonsense } }")
        assert "powers of two" in refused(ir.IRError, ir.Type, "!cuda_tile.tile<3xf32>")
        refused(ir.IRError, ir.Attribute, "#nothing<")
        refused(ir.IRError, ir.Module.parse, b"\x7fTileIR\x00 and then rubbish")
        module = ir.Module.create()
        refused(RuntimeError, ir.create, "cuda_tile.return")
        with ir.at_end(module.body):
            assert "no operation" in refused(ir.IRError, ir.create, "cuda_tile.nonsense")
            nameless = ir.cuda_tile.module(regions=1)
        assert "sym_name" in refused(ir.IRError, module.verify)
        nameless.erase()
        refused(ir.IRError, module.bytecode)
        whole = ir.Module.parse(SOFTMAX.read_text())
        assert "1.0" in refused(ir.IRError, whole.bytecode, "1.0")
        assert ir.Type("!cuda_tile.tile<4xf32>") == ir.Type("!cuda_tile.tile<4xf32>") != ir.Type("!cuda_tile.tile<8xf32>")
    refused(RuntimeError, ir.Type, "f32")


def child(arguments, folder, **variables):
    environment = {**os.environ, **variables}
    return subprocess.run([sys.executable, *arguments], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def case_emulated():
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "program.py").write_text(PROGRAM + textwrap.dedent("""
            import open_tileiras as ot
            with ot.emulated("sm_80") as device:
                launch()
                for report in device.reports:
                    print(report.kind, report.file, report.line)
            with ot.emulated("sm_80") as device:
                assert not device.reports
            try:
                with ot.emulated("sm_80", fail=True):
                    launch()
            except ot.KernelError as e:
                print("failed", len(e.reports))
            try:
                with ot.emulated("sm_90"):
                    pass
            except RuntimeError as e:
                print(e)
        """))
        done = child(["program.py"], folder)
        assert done.returncode == 0 and "race racy_kernel.py 5" in done.stdout and "failed 2" in done.stdout, done.stdout
        assert "the device of this process is sm_80" in done.stdout


def case_python_m():
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "program.py").write_text(PROGRAM + "import sys\nlaunch()\nprint('arguments', sys.argv[1:])\n")
        done = child(["-m", "open_tileiras", "--device=sm_80", "program.py", "--flag", "x"], folder)
        assert done.returncode == 99 and "arguments ['--flag', 'x']" in done.stdout and "[race]" in done.stdout, done.stdout
        assert "2 reports" in done.stdout


def case_pytest_plugin():
    if not importlib.util.find_spec("pytest"):
        return "there is no pytest (apt-get install python3-pytest)"
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "racy_kernel.py").write_text("".join(f"# line {n}\n" for n in range(1, 9)))
        pathlib.Path(folder, "test_it.py").write_text("import pytest\n" + PROGRAM + textwrap.dedent("""
            def test_race():
                launch()
            @pytest.mark.cuda_reports("race")
            def test_expected():
                launch()
            @pytest.mark.cuda_reports("deadlock")
            def test_other():
                launch()
            def test_nothing():
                pass
        """))
        installed = any(d.metadata["Name"] == "open-tileiras" for d in importlib.metadata.distributions())
        plugin = [] if installed else ["-p", "open_tileiras.pytest_plugin"]
        done = child(["-m", "pytest", "-q", *plugin, "-p", "no:cacheprovider", "--cuda=emulated", "--cuda-device=sm_80"], folder)
        assert "2 failed, 2 passed" in done.stdout, done.stdout
        assert re.search(r">\s+5 # line 5", done.stdout) and "[race] racy_kernel.py:5: " in done.stdout, done.stdout
    return None


def main():
    failed = False
    for name, function in list(globals().items()):
        if not name.startswith("case_") or (len(sys.argv) > 2 and sys.argv[2] not in name):
            continue
        try:
            why = function()
            print(f"{name[5:]}: {f'skipped {why}' if why else 'ok'}", flush=True)
        except Exception:  # noqa: BLE001
            traceback.print_exc(file=sys.stdout)
            print(f"{name[5:]}: FAILED", flush=True)
            failed = True
    return 1 if failed and len(sys.argv) > 2 else 0


if __name__ == "__main__":
    sys.exit(main())
