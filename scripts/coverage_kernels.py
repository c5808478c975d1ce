# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One small kernel per public operation, for coverage.py.

Each loads what the operation needs from random arrays and stores what it gives, so that nothing is dead. Tiles are
accessed through tiles of pointers, which need only the oldest operations; operations on views use views. The module is called
@kernels because bytecode does not keep its name and the reader gives this one.
"""

from dataclasses import dataclass


@dataclass
class Kernel:
    text: str
    args: list
    tolerance: str = "exact"
    grid: int = 1


def tile(shape, t):
    return "tile<" + "".join(f"{d}x" for d in shape) + t + ">"


def product(shape):
    n = 1
    for d in shape:
        n *= d
    return n


def dims(shape):
    return "x".join(map(str, shape))


def pointers(name, shape, t):
    """Lines that make %NAME_p, a tile of pointers to the elements of the row-major array %NAME."""
    n, ones = product(shape), "x".join("1" for _ in shape)
    return f"""
    %{name}_i = iota : tile<{n}xi32>
    %{name}_j = reshape %{name}_i : tile<{n}xi32> -> {tile(shape, 'i32')}
    %{name}_1 = reshape %{name} : tile<ptr<{t}>> -> tile<{ones}xptr<{t}>>
    %{name}_b = broadcast %{name}_1 : tile<{ones}xptr<{t}>> -> {tile(shape, f'ptr<{t}>')}
    %{name}_p = offset %{name}_b, %{name}_j : {tile(shape, f'ptr<{t}>')}, {tile(shape, 'i32')} -> {tile(shape, f'ptr<{t}>')}"""


def load(name, into, shape, t):
    return pointers(name, shape, t) + f"""
    %{into}, %{into}_t = load_ptr_tko weak %{name}_p : {tile(shape, f'ptr<{t}>')} -> {tile(shape, t)}, token"""


def store(name, value, shape, t, token=""):
    """Stores %VALUE to the array %NAME, after %TOKEN if one is given."""
    after = f" token=%{token}" if token else ""
    return pointers(name, shape, t) + f"""
    %{name}_t = store_ptr_tko weak %{name}_p, %{value}{after} : {tile(shape, f'ptr<{t}>')}, {tile(shape, t)} -> token"""


def fill(t, seed, lo=None, hi=None):
    low, high = ("0.25", "1.75") if t[0] in "fb" else ("1", "7")
    return f"random(lo={lo or low},hi={hi or high},seed={seed})"


def module(params, body, outside=""):
    return f"cuda_tile.module @kernels {{{outside}\n  entry @kernel({', '.join(params)}) {{{body}\n    return\n  }}\n}}\n"


def whole(body, out=None, extra=(), outside="", tolerance="exact", init="poison"):
    """A kernel given as text. `out` is (shape, type) of the array %o; `extra` are (name, shape, type) of other arrays."""
    arrays = [(n, s, t, fill(t, i), "") for i, (n, s, t) in enumerate(extra)] + ([("o", *out, init, "out:")] if out else [])
    return Kernel(module([f"%{n}: tile<ptr<{t}>>" for n, _, t, _, _ in arrays], body, outside),
                  [f"{kind}{n}:{t}[{dims(s)}]={f}" for n, s, t, f, kind in arrays], tolerance)


def op(line, inputs, result, tolerance="exact"):
    """A kernel of one operation: `line` gives %r from the tiles %x0, %x1, ... `inputs` and `result` are (shape, type)."""
    names = [f"a{i}" for i in range(len(inputs))]
    body = "".join(load(n, f"x{i}", *inputs[i]) for i, n in enumerate(names))
    body += "\n    " + line + store("o", "r", *result)
    return whole(body, result, [(n, *inputs[i]) for i, n in enumerate(names)], tolerance=tolerance)


def unary(mnemonic, t, suffix="", tolerance="exact"):
    s = ((64,), t)
    return op(f"%r = {mnemonic} %x0{suffix} : {tile(*s)}", [s], s, tolerance)


def binary(mnemonic, t, suffix="", tolerance="exact"):
    s = ((64,), t)
    return op(f"%r = {mnemonic} %x0, %x1{suffix} : {tile(*s)}", [s, s], s, tolerance)


def convert(mnemonic, source, result, suffix=""):
    return op(f"%r = {mnemonic} %x0{suffix} : tile<64x{source}> -> tile<64x{result}>", [((64,), source)], ((64,), result))


def compare(line):
    return line + "\n    %r = exti %c unsigned : tile<64xi1> -> tile<64xi8>"


def reduction(body):
    return (f"{body} {{\n      %s = addf %e, %acc : tile<f32>\n      yield %s : tile<f32>\n    }}")


TV = "tensor_view<16x32xf32, strides=[32,1]>"
PV = f"partition_view<tile=(8x16), {TV}>"
SV = f"strided_view<tile=(8x16), traversal_strides=[4,16], {TV}>"
GV = f"gather_scatter_view<tile=(8x16), {TV}, sparse_dim=0>"
VIEWS = f"""
    %rows = iota : tile<8xi32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %at = make_tensor_view %a, shape = [16, 32], strides = [32, 1] : {TV}
    %ot = make_tensor_view %o, shape = [16, 32], strides = [32, 1] : {TV}
    %op = make_partition_view %ot : {PV}"""


def on_views(body):
    return whole(VIEWS + body, ((16, 32), "f32"), [("a", (16, 32), "f32")], init="zeros")


def copy_through(make, view, index="%c1, %c0", types="tile<i32>"):
    return on_views(f"""
    %v = {make} %at : {view}
    %x, %t = load_view_tko weak %v[{index}] : {view}, {types} -> tile<8x16xf32>, token
    %k = store_view_tko weak %x, %op[%c1, %c1] : tile<8x16xf32>, {PV}, tile<i32> -> token""")


def numbers(line, count):
    """`line`, and lines that store the i32 scalars %r0, %r1, ... that it gives."""
    body = "\n    " + line.strip()
    for i in range(count):
        body += f"\n    %s{i} = reshape %r{i} : tile<i32> -> tile<1xi32>"
        body += f"\n    %k{i} = constant <i32: {i}> : tile<i32>"
        body += f"\n    %q{i} = offset %o, %k{i} : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>"
        body += f"\n    %w{i} = store_ptr_tko weak %q{i}, %r{i} : tile<ptr<i32>>, tile<i32> -> token"
    return body


def fence(line):
    """A store and a load on both sides of a fence: %t is the token before, %u the one after."""
    S = ((64,), "f32")
    return whole(load("a", "x", *S) + pointers("o", *S) + f"""
    %t = store_ptr_tko weak %o_p, %x : tile<64xptr<f32>>, tile<64xf32> -> token
    {line}
    %y, %v = load_ptr_tko weak %o_p token=%u : tile<64xptr<f32>> -> tile<64xf32>, token
    %z = addf %y, %x : tile<64xf32>
    %w = store_ptr_tko weak %o_p, %z token=%v : tile<64xptr<f32>>, tile<64xf32> -> token""", S, [("a", *S)])


def scaled():
    s = [((16, 64), "f8E4M3FN"), ((64, 16), "f8E4M3FN"), ((16, 16), "f32"), ((16, 2), "f8E8M0FNU"), ((2, 16), "f8E8M0FNU")]
    return op("%r = mmaf_scaled %x0, %x1, %x2, %x3, %x4 : " + ", ".join(tile(*x) for x in s), s, s[2], "rel:1e-4,abs:1e-4")


def control(flow):
    """Stores the number %r0 that `flow` gives."""
    return whole(f"""
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c9 = constant <i32: 9> : tile<i32>""" + numbers(flow, 1), ((1,), "i32"))


LOOP = """
    %r0, %i9 = loop iter_values(%s = %c0, %i = %c0) : tile<i32>, tile<i32> -> tile<i32>, tile<i32> {
      %done = cmpi greater_than %i, %c9, signed : tile<i32> -> tile<i1>
      if %done {
        break %s, %i : tile<i32>, tile<i32>
      }
      %s1 = addi %s, %i : tile<i32>
      %i1 = addi %i, %c1 : tile<i32>
      continue %s1, %i1 : tile<i32>, tile<i32>
    }"""
FOR = """
    %r0 = for %i in (%c0 to %c9, step %c1) : tile<i32> iter_values(%s = %c0) -> (tile<i32>) {
      %s1 = addi %s, %i : tile<i32>
      continue %s1 : tile<i32>
    }"""
IF = """
    %b0, %b1, %b2 = get_tile_block_id : tile<i32>
    %first = cmpi equal %b0, %c0, signed : tile<i32> -> tile<i1>
    %r0 = if %first -> (tile<i32>) {
      yield %c9 : tile<i32>
    } else {
      yield %c1 : tile<i32>
    }"""
RETURN = """
    %b0, %b1, %b2 = get_tile_block_id : tile<i32>
    %late = cmpi greater_than %b0, %c0, signed : tile<i32> -> tile<i1>
    if %late {
      return
    }
    %r0 = addi %b0, %c9 : tile<i32>"""


def kernels():
    k = {}
    for name in ("absf", "negf", "ceil", "floor", "sqrt"):
        k[name] = unary(name, "f32")
    for name in ("cos", "sin", "tan", "cosh", "sinh", "tanh", "exp", "exp2", "log", "log2", "rsqrt"):
        k[name] = unary(name, "f32", tolerance="rel:1e-5,abs:1e-5")
    for name in ("absi", "negi"):
        k[name] = unary(name, "i32")
    for name in ("addf", "subf", "mulf", "divf", "maxf", "minf", "remf"):
        k[name] = binary(name, "f32")
    for name in ("fpowf", "atan2"):
        k[name] = binary(name, "f32", tolerance="rel:1e-5,abs:1e-5")
    for name in ("addi", "subi", "muli", "mulhii", "andi", "ori", "xori", "shli"):
        k[name] = binary(name, "i32")
    for name in ("divi", "remi", "maxi", "mini", "shri"):
        k[name] = binary(name, "i32", " signed")
    F, I = ((64,), "f32"), ((64,), "i32")
    k["fpowi"] = op("%r = fpowi %x0, %x1 : tile<64xf32>, tile<64xi32>", [F, I], F, "rel:1e-5,abs:1e-5")
    k["fma"] = op("%r = fma %x0, %x1, %x2 : tile<64xf32>", [F, F, F], F)
    k["cmpf"] = op(compare("%c = cmpf less_than ordered %x0, %x1 : tile<64xf32> -> tile<64xi1>"), [F, F], ((64,), "i8"))
    k["cmpi"] = op(compare("%c = cmpi less_than %x0, %x1, signed : tile<64xi32> -> tile<64xi1>"), [I, I], ((64,), "i8"))
    k["select"] = op("%c = cmpi less_than %x0, %x1, signed : tile<64xi32> -> tile<64xi1>\n"
                     "    %r = select %c, %x0, %x1 : tile<64xi1>, tile<64xi32>", [I, I], I)

    k["bitcast"] = convert("bitcast", "f32", "i32")
    k["exti"] = convert("exti", "i8", "i32", " signed")
    k["trunci"] = convert("trunci", "i32", "i8")
    k["ftof"] = convert("ftof", "f32", "f16")
    k["ftoi"] = convert("ftoi", "f32", "i32", " signed")
    k["itof"] = convert("itof", "i32", "f32", " signed")
    k["pack"] = op("%r = pack %x0 : tile<64xi32> -> tile<256xi8>", [I], ((256,), "i8"))
    k["unpack"] = op("%r = unpack %x0 : tile<256xi8> -> tile<64xi32>", [((256,), "i8")], I)

    # Pointers and numbers: the address is moved by one element as an integer, or read as another type.
    ints = "\n    %l = ptr_to_int %a : tile<ptr<i32>> -> tile<i64>\n    %four = constant <i64: 4> : tile<i64>\n" \
           "    %m = addi %l, %four : tile<i64>\n    %q = int_to_ptr %m : tile<i64> -> tile<ptr<i32>>\n" \
           "    %x, %t = load_ptr_tko weak %q : tile<ptr<i32>> -> tile<i32>, token\n" \
           "    %k = store_ptr_tko weak %o, %x : tile<ptr<i32>>, tile<i32> -> token"
    k["ptr_to_int"] = k["int_to_ptr"] = whole(ints, ((1,), "i32"), [("a", (2,), "i32")])
    k["ptr_to_ptr"] = whole("\n    %q = ptr_to_ptr %a : tile<ptr<f32>> -> tile<ptr<i32>>\n"
                            "    %x, %t = load_ptr_tko weak %q : tile<ptr<i32>> -> tile<i32>, token\n"
                            "    %k = store_ptr_tko weak %o, %x : tile<ptr<i32>>, tile<i32> -> token", ((1,), "i32"), [("a", (2,), "f32")])

    k["iota"] = op("%r = iota : tile<64xi32>", [], I)
    k["constant"] = op("%r = constant <i32: 7> : tile<64xi32>", [], I)
    k["broadcast"] = op("%r = broadcast %x0 : tile<1x16xf32> -> tile<8x16xf32>", [((1, 16), "f32")], ((8, 16), "f32"))
    k["reshape"] = op("%r = reshape %x0 : tile<8x16xf32> -> tile<4x32xf32>", [((8, 16), "f32")], ((4, 32), "f32"))
    k["permute"] = op("%r = permute %x0 [1, 0] : tile<8x16xf32> -> tile<16x8xf32>", [((8, 16), "f32")], ((16, 8), "f32"))
    k["cat"] = op("%r = cat %x0, %x1 dim = 0 : tile<64xf32>, tile<64xf32> -> tile<128xf32>", [F, F], ((128,), "f32"))
    k["extract"] = op("%one = constant <i32: 1> : tile<i32>\n    %r = extract %x0[%one] : tile<64xf32> -> tile<16xf32>", [F], ((16,), "f32"))
    k["insert"] = op("%one = constant <i32: 1> : tile<i32>\n    %r = insert %x1, %x0[%one] : tile<16xf32>, tile<64xf32>", [F, ((16,), "f32")], F)
    k["offset"] = op("%r = addf %x0, %x0 : tile<64xf32>", [F], F)
    k["assume"] = op("%r = assume bounded<0, 7>, %x0 : tile<64xi32>", [I], I)

    k["reduce"] = op(reduction("%r = reduce %x0 dim=1 identities=[0.0 : f32] : tile<8x16xf32> -> tile<8xf32>\n"
                               "    (%e: tile<f32>, %acc: tile<f32>)"), [((8, 16), "f32")], ((8,), "f32"), "rel:1e-5,abs:1e-5")
    k["scan"] = op(reduction("%r = scan %x0 dim=1 reverse=false identities=[0.0 : f32] : tile<8x16xf32> -> tile<8x16xf32>\n"
                             "    (%e: tile<f32>, %acc: tile<f32>)"), [((8, 16), "f32")], ((8, 16), "f32"), "rel:1e-5,abs:1e-5")
    s = [((16, 16), "f16"), ((16, 16), "f16"), ((16, 16), "f32")]
    k["mmaf"] = op("%r = mmaf %x0, %x1, %x2 : " + ", ".join(tile(*x) for x in s), s, s[2], "rel:1e-4,abs:1e-4")
    s = [((16, 32), "i8"), ((32, 16), "i8"), ((16, 16), "i32")]
    k["mmai"] = op("%r = mmai %x0, %x1, %x2 signed signed : " + ", ".join(tile(*x) for x in s), s, s[2])
    k["mmaf_scaled"] = scaled()

    k["loop"] = k["break"] = control(LOOP)
    k["for"] = k["continue"] = control(FOR)
    k["if"] = k["yield"] = control(IF)
    k["return"] = control(RETURN)
    k["return"].grid = 2  # the second tile block returns early, the first one stores
    k["get_tile_block_id"] = whole(numbers("%r0, %r1, %r2 = get_tile_block_id : tile<i32>", 3), ((3,), "i32"))
    k["get_num_tile_blocks"] = whole(numbers("%r0, %r1, %r2 = get_num_tile_blocks : tile<i32>", 3), ((3,), "i32"))
    k["module"] = k["entry"] = op("%r = addi %x0, %x0 : tile<64xi32>", [I], I)
    k["global"] = k["get_global"] = whole(
        "\n    %g = get_global @table : tile<ptr<i32>>" + load("g", "x", (4,), "i32") + store("o", "x", (4,), "i32"),
        ((4,), "i32"), outside="\n  global @table <i32: [3, 1, 4, 1]> : tile<4xi32>")
    k["assert"] = whole(numbers("%r0, %r1, %r2 = get_tile_block_id : tile<i32>\n    %c9 = constant <i32: 9> : tile<i32>\n"
                                "    %ok = cmpi less_than %r0, %c9, signed : tile<i32> -> tile<i1>\n"
                                '    assert %ok, "few tile blocks" : tile<i1>', 1), ((1,), "i32"))
    k["print_tko"] = whole(numbers("%r0, %r1, %r2 = get_tile_block_id : tile<i32>\n"
                                   '    %p = print_tko "block %d\\n", %r0 : tile<i32> -> token', 1), ((1,), "i32"))

    k["load_ptr_tko"] = k["store_ptr_tko"] = op("%r = addf %x0, %x0 : tile<64xf32>", [F], F)
    k["make_token"] = whole("\n    %k = make_token : token" + load("a", "x", *F) + store("o", "x", *F, token="k"), F, [("a", *F)])
    k["join_tokens"] = fence("%u = join_tokens %t, %x_t : token")
    k["memory_fence_alias_tko"] = fence("%u = memory_fence_alias_tko token=%t -> token")
    k["gdc_wait_tko"] = fence("%u = gdc_wait_tko token = %t -> token")
    k["gdc_launch_dependents_tko"] = fence("%u = gdc_launch_dependents_tko token = %t -> token")
    k["alloca"] = whole(load("a", "x", *F) + "\n    %s = alloca num_elem = 64, alignment = 16 : tile<ptr<f32>>" + store("s", "x", *F) + """
    %y, %y_t = load_ptr_tko weak %s_p token=%s_t : tile<64xptr<f32>> -> tile<64xf32>, token""" + store("o", "y", *F), F, [("a", *F)])
    atomic = lambda line: whole(load("a", "x", *I) + pointers("o", *I) + "\n    " + line, I, [("a", *I)], init="iota(lo=0)")
    k["atomic_rmw_tko"] = atomic("%old, %t = atomic_rmw_tko relaxed device %o_p, add, %x : tile<64xptr<i32>>, tile<64xi32> -> tile<64xi32>, token")
    k["atomic_cas_tko"] = atomic("%old, %t = atomic_cas_tko relaxed device %o_p, %x, %x_n : tile<64xptr<i32>>, tile<64xi32> -> tile<64xi32>, token"
                                 .replace("%old", "%x_n = muli %x, %x : tile<64xi32>\n    %old"))

    k["make_tensor_view"] = k["make_partition_view"] = k["load_view_tko"] = k["store_view_tko"] = copy_through("make_partition_view", PV)
    k["make_strided_view"] = copy_through("make_strided_view", SV)
    k["make_gather_scatter_view"] = copy_through("make_gather_scatter_view", GV, "%rows, %c1", "tile<8xi32>, tile<i32>")
    k["atomic_red_view_tko"] = on_views(f"""
    %v = make_partition_view %at : {PV}
    %x, %t = load_view_tko weak %v[%c1, %c0] : {PV}, tile<i32> -> tile<8x16xf32>, token
    %k = atomic_red_view_tko relaxed device %op[%c1, %c0], addf, %x : tile<8x16xf32>, {PV}, tile<i32> -> token""")
    k["get_tensor_shape"] = whole("""
    %t = make_tensor_view %a, shape = [16, 32], strides = [32, 1] : """ + TV +
                                  numbers(f"%r0, %r1 = get_tensor_shape %t : {TV} -> tile<i32>", 2), ((2,), "i32"), [("a", (16, 32), "f32")])
    k["get_index_space_shape"] = whole(f"""
    %t = make_tensor_view %a, shape = [16, 32], strides = [32, 1] : {TV}
    %v = make_partition_view %t : {PV}""" + numbers(f"%r0, %r1 = get_index_space_shape %v : {PV} -> tile<i32>", 2),
                                       ((2,), "i32"), [("a", (16, 32), "f32")])
    return k
