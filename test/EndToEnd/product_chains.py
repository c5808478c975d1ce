# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels with several products that depend on each other, or whose operands are found by indices: both halves of attention's gradient, and the products
of a mixture of experts."""

from kernels import Case, module, tile
from matrix_kernels import static_view


class Text:
    """Lines of cuda_tile, with a name for each value."""

    def __init__(self):
        self.lines, self.count = [], 0

    def __call__(self, line):
        self.lines.append(line)

    def value(self, expression):
        self.count += 1
        self.lines.append(f"%v{self.count} = {expression}")
        return f"%v{self.count}"

    def load(self, view, partition, indices, result):
        name = f"%v{self.count + 1}"
        self.count += 1
        self.lines.append(f"{name}, {name}t = load_view_tko weak {view}[{', '.join(indices)}] : {partition}, tile<i32> -> {result}, token")
        return name

    def spread(self, vector, rows, columns, down):
        """A vector as rows (down) or columns of a tile of f32."""
        extent = rows if down else columns
        line = tile([extent, 1] if down else [1, extent], "f32")
        shaped = self.value(f"reshape {vector} : {tile([extent], 'f32')} -> {line}")
        return self.value(f"broadcast {shaped} : {line} -> {tile([rows, columns], 'f32')}")

    def text(self):
        return "\n".join(self.lines) + "\n"


def attention_backward(t, rows, keys, depth, tm, tn, of_queries):
    """The gradient of softmax(c q k^T) v by way of the saved logarithms of sums `l` (base 2) and the row sums `e` of do * o: for keys and values (a block has
    `tn` keys and goes over tiles of `tm` queries), or for queries (the other way round).

        p = exp2(c q k^T - l)    dp = do v^T    ds = p * (dp - e)    dv += p^T do    dk += ds^T q    dq += ds k
    """
    w = Text()
    w("%b, %by, %bz = get_tile_block_id : tile<i32>\n%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>")
    views = {}
    for name, extent, box in (("q", rows, tm), ("do", rows, tm), ("k", keys, tn), ("v", keys, tn)):
        aligned = w.value(f"assume div_by<16>, %p{name} : tile<ptr<{t}>>")
        lines, views[name] = static_view(name, aligned[1:], [extent, depth], [box, depth], t)
        w(lines)
    for name in ("l", "e"):
        w(f"%{name}_t = make_tensor_view %p{name}, shape = [{rows}], strides = [1] : tensor_view<{rows}xf32, strides=[1]>")
        views[name] = f"partition_view<tile=({tm}), tensor_view<{rows}xf32, strides=[1]>>"
        w(f"%{name} = make_partition_view %{name}_t : {views[name]}")
    own, other = (tm, tn) if of_queries else (tn, tm)  # rows of the block's tiles, and of those that it goes over
    extent, mine = (rows, "q") if of_queries else (keys, "k")
    outputs = ["dq"] if of_queries else ["dk", "dv"]
    O, S, P = tile([own, depth], "f32"), tile([own, other], "f32"), tile([own, other], t)
    Mine, Other, Turned = tile([own, depth], t), tile([other, depth], t), tile([depth, other], t)
    for name in outputs:
        lines, views[name] = static_view(name, f"p{name}", [extent, depth], [own, depth], "f32")
        w(lines)
    factors = ("q", "do") if of_queries else ("k", "v")
    fixed = [w.load(f"%{name}", views[name], ["%b", "%c0"], Mine) for name in factors]
    vectors = [w.load(f"%{name}", views[name], ["%b"], tile([tm], "f32")) for name in "le"] if of_queries else None
    w(f"%zs = constant <f32: 0.0> : {S}\n%zo = constant <f32: 0.0> : {O}\n%c = constant <f32: 0.2> : {S}")
    rounds = (keys // tn) if of_queries else (rows // tm)
    w(f"%n = constant <i32: {rounds}> : tile<i32>")
    results = ", ".join(f"%r{i}" for i in range(len(outputs)))
    carried = ", ".join(f"%a{i} = %zo" for i in range(len(outputs)))
    w(f"{results} = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values({carried}) -> ({', '.join([O] * len(outputs))}) {{")
    moving = [w.load(f"%{name}", views[name], ["%i", "%c0"], Other) for name in (("k", "v") if of_queries else ("q", "do"))]
    turned = [w.value(f"permute {x} [1, 0] : {Other} -> {Turned}") for x in moving]
    s = w.value(f"mmaf {fixed[0]}, {turned[0]}, %zs : {Mine}, {Turned}, {S}")
    l, e = vectors or [w.load(f"%{name}", views[name], ["%i"], tile([tm], "f32")) for name in "le"]
    scaled = w.value(f"mulf {s}, %c : {S}")
    p = w.value(f"exp2 {w.value(f'subf {scaled}, {w.spread(l, own, other, of_queries)} : {S}')} : {S}")
    dp = w.value(f"mmaf {fixed[1]}, {turned[1]}, %zs : {Mine}, {Turned}, {S}")
    ds = w.value(f"mulf {p}, {w.value(f'subf {dp}, {w.spread(e, own, other, of_queries)} : {S}')} : {S}")
    dsh = w.value(f"ftof {ds} : {S} -> {P}")
    sums = [w.value(f"mmaf {dsh}, {moving[0]}, %a0 : {P}, {Other}, {O}")]
    if not of_queries:
        sums.append(w.value(f"mmaf {w.value(f'ftof {p} : {S} -> {P}')}, {moving[1]}, %a1 : {P}, {Other}, {O}"))
    w(f"continue {', '.join(sums)} : {', '.join([O] * len(sums))}\n}}")
    for i, name in enumerate(outputs):
        w(f"%t{name} = store_view_tko weak %r{i}, %{name}[%b, %c0] : {O}, {views[name]}, tile<i32> -> token")
    arguments = [f"%p{name}: tile<ptr<{t}>>" for name in ("q", "do", "k", "v")] + [f"%p{name}: tile<ptr<f32>>" for name in ["l", "e", *outputs]]
    what = "queries" if of_queries else "keys"
    return Case(f"attention-backward-{what}-{t}-{rows}x{keys}x{depth}-t{tm}x{tn}", module("backward", ", ".join(arguments), w.text()), "backward",
                (extent // own, 1, 1),
                [f"q:{t}[{rows}x{depth}]=random(seed=51)", f"do:{t}[{rows}x{depth}]=random(seed=52)", f"k:{t}[{keys}x{depth}]=random(seed=53)",
                 f"v:{t}[{keys}x{depth}]=random(seed=54)", f"l:f32[{rows}]=random(seed=55,lo=2,hi=4)", f"e:f32[{rows}]=random(seed=56)"] +
                [f"out:{'o' if of_queries else name}:f32[{extent}x{depth}]=poison" for name in outputs], "rel:2e-2,abs:2e-2")


def experts(t, tokens, count, n, k, tm, tn, tk):
    """A mixture of experts: block (i, j) multiplies `tm` tokens, whose numbers are in `index`, by columns j of the matrix of expert `which[i]`."""
    w = Text()
    blocks = tokens // tm
    w("%b, %j, %bz = get_tile_block_id : tile<i32>\n%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>")
    for name in ("a", "w"):
        w(f"%{name}_p = assume div_by<16>, %p{name} : tile<ptr<{t}>>")
    lines, weights = static_view("w", "w_p", [count, k, n], [1, tk, tn], t)
    w(lines)
    lines, out = static_view("o", "po", [tokens, n], [tm, tn], "f32")
    w(lines)
    for name, extent, box in (("which", blocks, 1), ("index", tokens, tm)):
        w(f"%{name}_t = make_tensor_view %p{name}, shape = [{extent}], strides = [1] : tensor_view<{extent}xi32, strides=[1]>")
        w(f"%{name} = make_partition_view %{name}_t : partition_view<tile=({box}), tensor_view<{extent}xi32, strides=[1]>>")
    one = w.load("%which", f"partition_view<tile=(1), tensor_view<{blocks}xi32, strides=[1]>>", ["%b"], "tile<1xi32>")
    w(f"%expert = reshape {one} : tile<1xi32> -> tile<i32>")
    rows = w.load("%index", f"partition_view<tile=({tm}), tensor_view<{tokens}xi32, strides=[1]>>", ["%b"], f"tile<{tm}xi32>")
    I, A, B, C = tile([tm, tk], "i32"), tile([tm, tk], t), tile([tk, tn], t), tile([tm, tn], "f32")
    Pointers = tile([tm, tk], f"ptr<{t}>")
    spread = w.value(f"broadcast {w.value(f'reshape {rows} : tile<{tm}xi32> -> tile<{tm}x1xi32>')} : tile<{tm}x1xi32> -> {I}")
    first = w.value(f"muli {spread}, {w.value(f'constant <i32: {k}> : {I}')} : {I}")
    along = w.value(f"reshape {w.value(f'iota : tile<{tk}xi32>')} : tile<{tk}xi32> -> tile<1x{tk}xi32>")
    offsets = w.value(f"addi {first}, {w.value(f'broadcast {along} : tile<1x{tk}xi32> -> {I}')} : {I}")
    base = w.value(f"broadcast {w.value(f'reshape %a_p : tile<ptr<{t}>> -> tile<1x1xptr<{t}>>')} : tile<1x1xptr<{t}>> -> {Pointers}")
    w(f"%zero = constant <f32: 0.0> : {C}\n%n = constant <i32: {k // tk}> : tile<i32>\n%step = constant <i32: {tk}> : tile<i32>")
    w(f"%r = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %zero) -> ({C}) {{")
    ahead = w.value("muli %i, %step : tile<i32>")
    moved = w.value(f"broadcast {w.value(f'reshape {ahead} : tile<i32> -> tile<1x1xi32>')} : tile<1x1xi32> -> {I}")
    at = w.value(f"offset {base}, {w.value(f'addi {offsets}, {moved} : {I}')} : {Pointers}, {I} -> {Pointers}")
    w(f"%x, %tx = load_ptr_tko weak {at} : {Pointers} -> {A}, token")
    y = w.value(f"reshape {w.load('%w', weights, ['%expert', '%i', '%j'], tile([1, tk, tn], t))} : {tile([1, tk, tn], t)} -> {B}")
    w(f"%d = mmaf %x, {y}, %s : {A}, {B}, {C}\ncontinue %d : {C}\n}}")
    w(f"%to = store_view_tko weak %r, %o[%b, %j] : {C}, {out}, tile<i32> -> token")
    arguments = f"%pa: tile<ptr<{t}>>, %pw: tile<ptr<{t}>>, %po: tile<ptr<f32>>, %pwhich: tile<ptr<i32>>, %pindex: tile<ptr<i32>>"
    return Case(f"experts-{t}-{tokens}x{n}x{k}-{count}-t{tm}x{tn}x{tk}", module("experts", arguments, w.text()), "experts", (blocks, n // tn, 1),
                [f"a:{t}[{tokens}x{k}]=random(seed=61)", f"w:{t}[{count}x{k}x{n}]=random(seed=62)", f"out:o:f32[{tokens}x{n}]=poison",
                 f"which:i32[{blocks}]=random(seed=63,lo=0,hi={count - 1})", f"index:i32[{tokens}]=random(seed=64,lo=0,hi={tokens - 1})"], "rel:1e-2,abs:1e-2")


def all_cases():
    yield attention_backward("f16", 256, 256, 64, 64, 128, of_queries=False)
    yield attention_backward("bf16", 128, 256, 64, 128, 64, of_queries=True)
    yield attention_backward("f16", 128, 512, 128, 128, 64, of_queries=True)
    yield attention_backward("f16", 192, 128, 128, 64, 64, of_queries=False)
    yield experts("f16", 256, 3, 128, 256, 128, 64, 64)
    yield experts("bf16", 128, 4, 64, 192, 64, 64, 64)
