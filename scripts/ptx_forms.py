#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which forms of PTX instructions ptxas takes and the emulator does not: writes BUILD/docs/ptx-left.md.

usage: ptx_forms.py BUILD [--ptxas PTXAS] [--family NAME] [--list]

FORMS are patterns: {a|b|} stands for each of its alternatives. Every form is assembled by ptxas for its target; what that takes
is parsed by tileiras-run. Families that were complete once (COMPLETE) must stay so, else the exit code is 1. Without ptxas nothing
is done.
"""
import argparse
import itertools
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HEAD = """.version {version}
.target {target}
.address_size 64
"""
REGISTERS = """.reg .pred %p<8>; .reg .b16 %h<16>; .reg .b32 %r<64>; .reg .b64 %rd<16>; .reg .f32 %f<16>; .reg .f64 %fd<8>; .reg .b8 %c<8>;
.reg .b128 %q<4>;
"""

# Coordinates of surfaces, and what is loaded or stored.
PLACES = [("1d", "{%r4|{{%r4}} }"), ("2d", "{{%r4,%r5}}"), ("3d", "{{%r4,%r5,%r6,%r7}}"), ("a1d", "{{%r4,%r5}}"), ("a2d", "{{%r4,%r5,%r6,%r7}}")]
SURFACE_DATA = [("{b8|b16}", "{%h0|%r0|{{%h0}} }"), ("b32", "{%r0|{{%r0}} }"), ("b64", "%rd1"), ("v2.{b8|b16}", "{{%h0,%h1}}"), ("v4.{b8|b16}", "{{%h0,%h1,%h2,%h3}}"),
                ("v2.b32", "{{%r0,%r1}}"), ("v4.b32", "{{%r0,%r1,%r2,%r3}}"), ("v2.b64", "{{%rd1,%rd2}}")]

# family: target, PTX version, patterns.
FORMS = {
    "texture fetches": ("sm_90", "8.7", [
        "tex{|.base}.1d.v4.{f32|s32|u32}.{f32|s32} {{%r0,%r1,%r2,%r3}}, [%rd0, { {{%f0}}|{{%r4}} }];",
        "tex.2d.v4.{f32|s32|u32}.{f32|s32} {{%r0,%r1,%r2,%r3}}, [%rd0, { {{%f0,%f1}}|{{%r4,%r5}} }]{|, {{%r6,%r7}} };",
        "tex.3d.v4.{f32|s32|u32}.{f32|s32} {{%r0,%r1,%r2,%r3}}, [%rd0, { {{%f0,%f1,%f2,%f3}}|{{%r4,%r5,%r6,%r7}} }];",
        "tex.{1d|2d}.v4.f16.{f32|s32} {{%h0,%h1,%h2,%h3}}, [%rd0, { {{%f0}}|{{%r4}}|{{%f0,%f1}}|{{%r4,%r5}} }];",
        "tex.{1d|2d}.v2.f16x2.{f32|s32} {{%r0,%r1}}, [%rd0, { {{%f0}}|{{%r4}}|{{%f0,%f1}}|{{%r4,%r5}} }];",
        "tex.{a1d|a2d|cube|acube}.v4.{f32|u32|s32}.f32 {{%r0,%r1,%r2,%r3}}, [%rd0, { {{%r4,%f1}}|{{%r4,%f1,%f2,%f3}}|{{%f0,%f1,%f2,%f3}} }];",
        "tex.level.{1d|2d|3d|a1d|a2d|cube|acube}.v4.f32.f32 {{%r0,%r1,%r2,%r3}}, [%rd0, { {{%f0}}|{{%f0,%f1}}|{{%r4,%f1}}|{{%r4,%f1,%f2,%f3}}|{{%f0,%f1,%f2,%f3}} }], %f2;",
        "tex.grad.{1d|2d|3d|a1d|a2d}.v4.f32.f32 {{%r0,%r1,%r2,%r3}}, [%rd0, { {{%f0}}|{{%f0,%f1}}|{{%r4,%f1}}|{{%r4,%f1,%f2,%f3}}|{{%f0,%f1,%f2,%f3}} }], "
        "{ {{%f2}}, {{%f4}}|{{%f2,%f3}}, {{%f4,%f5}}|{{%f2,%f3,%f4,%f4}}, {{%f5,%f6,%f7,%f7}} };",
        "tex.grad.{cube|acube}.v4.f32.f32 {{%r0,%r1,%r2,%r3}}, [%rd0, { {{%r4,%f1,%f2,%f3}}|{{%f0,%f1,%f2,%f3}} }], {{%f2,%f3,%f4,%f4}}, {{%f5,%f6,%f7,%f7}};",
        "tld4.{r|g|b|a}.2d.v4.{f32|s32|u32}.f32 {{%r0,%r1,%r2,%r3}}, [%rd0, {{%f0,%f1}}]{|, {{%r6,%r7}} };",
        "tex.2d.v4.f32.f32 {{%r0,%r1,%r2,%r3}}|%p1, [%rd0, {{%f0,%f1}}];", "tld4.r.2d.v4.f32.f32 {{%r0,%r1,%r2,%r3}}|%p1, [%rd0, {{%f0,%f1}}];",
        "tld4.r.{a2d|cube|acube}.v4.f32.f32 {{%r0,%r1,%r2,%r3}}, [%rd0, { {{%r4,%f1,%f2,%f3}}|{{%f0,%f1,%f2,%f3}} }];",
        "txq.{width|height|depth|channel_data_type|channel_order|normalized_coords|array_size|num_mipmap_levels|num_samples}.b32 %r0, [%rd0];",
    ]),
    "surfaces": ("sm_90", "8.7", [
        *(f"suld.b.{geometry}.{type_}.{{trap|clamp|zero}} {data}, [%rd0, {place}];" for geometry, place in PLACES for type_, data in SURFACE_DATA),
        *(f"sust.b.{geometry}.{type_}.{{trap|clamp|zero}} [%rd0, {place}], {data};" for geometry, place in PLACES for type_, data in SURFACE_DATA),
        *(f"sust.p.{geometry}.{type_}.{{trap|clamp|zero}} [%rd0, {place}], {data};" for geometry, place in PLACES for type_, data in SURFACE_DATA if "b32" in type_),
        *(f"sured.b.{{add|min|max|and|or}}.{geometry}.{type_}.{{trap|clamp|zero}} [%rd0, {place}], {data};" for geometry, place in PLACES
          for type_, data in (("{u32|s32|b32}", "%r0"), ("{u64|s64}", "%rd1"))),
        *(f"sured.p.{{add|min|max|and|or}}.{geometry}.b32.{{trap|clamp|zero}} [%rd0, {place}], %r0;" for geometry, place in PLACES),
        "suq.{width|height|depth|channel_data_type|channel_order|array_size}.b32 %r0, [%rd0];",
    ]),
    "video": ("sm_90", "8.7", [
        "{vadd|vsub|vabsdiff|vmin|vmax}.s32.{u32|s32}.{u32|s32} %r0, %r1{|.b0|.b3|.h1}, %r2{|.b1|.h0};",
        "{vadd|vsub|vabsdiff|vmin|vmax}.s32.s32.s32.sat %r0{|.b2|.h1}, %r1, %r2{|, %r3};",
        "vmad.s32.{u32|s32}.{u32|s32}{|.sat}{|.shr7|.shr15} %r0, %r1{|.b0|.h1}, %r2{|.b1}, %r3;",
        "{vshl|vshr}.u32.u32.u32.{clamp|wrap} %r0, %r1{|.b0}, %r2;",
        "vset.{u32|s32}.s32.{eq|lt|ge} %r0, %r1{|.h0}, %r2;",
        "{vadd2|vsub2|vavrg2|vabsdiff2|vmin2|vmax2}.s32.s32.s32 %r0{|.h0|.h10}, %r1{|.h32|.h13}, %r2, %r3;",
        "{vadd4|vsub4|vavrg4|vabsdiff4|vmin4|vmax4}.s32.u32.u32{|.add|.sat} %r0{|.b0|.b210|.b3210}, %r1{|.b7531|.b0123}, %r2, %r3;",
        "{vset2|vset4}.u32.u32.{eq|ne|gt} %r0, %r1, %r2, %r3;",
    ]),
    "conversions of small floats": ("sm_100a", "8.7", [
        "cvt.rn.satfinite{|.relu}.{e4m3x2|e5m2x2}.{f32|f16x2} %h0, {%f0, %f1|%r0};",
        "cvt.rn{|.relu}.f16x2.{e4m3x2|e5m2x2} %r0, %h0;",
        "cvt.rn{|.relu}.{f16x2|bf16x2}.{e2m1x2|e2m3x2|e3m2x2} %r0, {%c0|%h0};",
        "cvt.rn.bf16x2.ue8m0x2 %r0, %h0;",
        "cvt.{rz|rp}{|.satfinite}.ue8m0x2.{f32|bf16x2} %h0, {%f0, %f1|%r0};",
        "cvt.rn.satfinite{|.relu}.{e2m1x2|e2m3x2|e3m2x2}.f32 {%c0|%h0}, %f0, %f1;",
        "cvt.rs{|.relu}{|.satfinite}.{f16x2|bf16x2}.f32 %r0, %f0, %f1, %r1;",
        "cvt.rs{|.relu}.satfinite.{e4m3x4|e5m2x4|e2m1x4|e2m3x4|e3m2x4}.f32 {%r0|%h0}, {{%f0,%f1,%f2,%f3}}, %r1;",
    ]),
    "asynchronous stores": ("sm_90", "8.7", [
        "st.async{|.weak}.shared::cluster.mbarrier::complete_tx::bytes.{b32|u32|s32} [%r0], %r1, [%r5];",
        "st.async{|.weak}.shared::cluster.mbarrier::complete_tx::bytes.v2.{b32|u32|f32} [%r0], {{%r1,%r2}}, [%r5];",
        "st.async{|.weak}.shared::cluster.mbarrier::complete_tx::bytes.v4.{b32|u32|f32} [%r0], {{%r1,%r2,%r3,%r4}}, [%r5];",
        "st.async{|.weak}.shared::cluster.mbarrier::complete_tx::bytes.b64 [%r0], %rd1, [%r5];",
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.{add|min|max|inc|dec|and|or|xor}.{u32|s32|b32} [%r0], %r1, [%r5];",
        "ld.mmio.relaxed.sys.global.u32 %r0, [%rd0];",
        "st.mmio.relaxed.sys.global.u32 [%rd0], %r0;",
    ]),
    "asynchronous stores, sm_100": ("sm_100a", "8.7", [
        "st.async.mmio.release.{sys|gpu|cluster|cta}.global.{b32|b64|u32} [%rd0], {%r1|%rd1};",
    ]),
    "sparse products": ("sm_90", "8.7", [
        "mma.sp{|::ordered_metadata}.sync.aligned.m16n8k16.row.col.f32.{f16.f16|bf16.bf16}.f32 {{%f0,%f1,%f2,%f3}}, {{%r0,%r1}}, {{%r2,%r3}}, {{%f0,%f1,%f2,%f3}}, %r4, {0|1|2|3};",
        "mma.sp{|::ordered_metadata}.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {{%f0,%f1,%f2,%f3}}, {{%r0,%r1,%r5,%r6}}, {{%r2,%r3,%r7,%r8}}, {{%f0,%f1,%f2,%f3}}, %r4, {0|1};",
        "mma.sp{|::ordered_metadata}.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {{%f0,%f1,%f2,%f3}}, {{%r0,%r1}}, {{%r2,%r3}}, {{%f0,%f1,%f2,%f3}}, %r4, {0|1|2|3};",
        "mma.sp{|::ordered_metadata}.sync.aligned.m16n8k32.row.col{|.satfinite}.s32.s8.s8.s32 {{%r10,%r11,%r12,%r13}}, {{%r0,%r1}}, {{%r2,%r3}}, {{%r10,%r11,%r12,%r13}}, %r4, {0|1};",
        "mma.sp{|::ordered_metadata}.sync.aligned.m16n8k64.row.col.s32.s8.u8.s32 {{%r10,%r11,%r12,%r13}}, {{%r0,%r1,%r5,%r6}}, {{%r2,%r3,%r7,%r8}}, {{%r10,%r11,%r12,%r13}}, %r4, 0;",
    ]),
    "integers": ("sm_90", "8.7", [
        "{add|sub|mul.lo|mul.hi|div|rem|min|max}.{s16|u16|s32|u32|s64|u64} {%h0, %h1, %h2|%r0, %r1, %r2|%rd0, %rd1, %rd2};",
        "{min|max}.relu.s32 %r0, %r1, %r2;", "{add|min|max}.{u16x2|s16x2} %r0, %r1, %r2;",
        "{bfe|bfi|bfind|brev|clz|popc|fns|sad|dp4a|dp2a|szext|bmsk|prmt|lop3|shf}{|.b32|.u32|.s32|.shiftamt.u32|.u32.u32|.lo.u32.u32|.clamp.u32|.wrap.b32|.l.wrap.b32|.r.clamp.b32} %r0, %r1{|, %r2|, %r2, %r3|, %r2, %r3, 17|, 3, 4};",
        "prmt.b32.{f4e|b4e|rc8|ecl|ecr|rc16} %r0, %r1, %r2, %r3;",
        "{mul24|mad24}.{lo|hi}.{u32|s32} %r0, %r1, %r2{|, %r3};", "{add|sub}{|.cc}.{u32|s32|u64} {%r0, %r1, %r2|%rd0, %rd1, %rd2};",
        "{addc|subc}{|.cc}.{u32|u64} {%r0, %r1, %r2|%rd0, %rd1, %rd2};", "{mad|madc}.{lo|hi}{|.cc}.{u32|u64} {%r0, %r1, %r2, %r3|%rd0, %rd1, %rd2, %rd3};",
    ]),
    "floats": ("sm_100a", "8.7", [
        "{add|sub|mul}{|.rn|.rz|.rm|.rp}{|.ftz}{|.sat}.f32 %f0, %f1, %f2;", "fma.{rn|rz|rm|rp}{|.ftz}{|.sat}.f32 %f0, %f1, %f2, %f3;",
        "{add|sub|mul}{|.rn|.rz|.rm|.rp}.f64 %fd0, %fd1, %fd2;", "{add|sub|mul}.{rn|rz|rm|rp}{|.ftz}.f32x2 %rd0, %rd1, %rd2;",
        "{min|max}{|.ftz}{|.NaN}{|.xorsign.abs}.f32 %f0, %f1, %f2{|, %f3};", "{ex2|lg2|sin|cos|tanh|rcp|rsqrt|sqrt}.approx{|.ftz}.f32 %f0, %f1;",
        "{rcp|sqrt}.{rn|rz|rm|rp}{|.ftz}.f32 %f0, %f1;", "{div}.{approx|full|rn|rz|rm|rp}{|.ftz}.f32 %f0, %f1, %f2;",
        "{add|sub|mul}{|.rn}{|.ftz}{|.sat}.{f16|f16x2|bf16|bf16x2} {%h0, %h1, %h2|%r0, %r1, %r2};",
        "fma.rn{|.ftz}{|.sat|.relu}.{f16|f16x2|bf16|bf16x2} {%h0, %h1, %h2, %h3|%r0, %r1, %r2, %r3};",
        "{ex2|tanh}.approx{|.ftz}.{f16|f16x2|bf16|bf16x2} {%h0, %h1|%r0, %r1};", "{add|sub}{|.rn|.rz}{|.sat}.f32.{f16|bf16} %f0, %h0, %f1;",
        "fma.rn{|.sat}.f32.{f16|bf16} %f0, %h0, %h1, %f1;", "copysign.{f32|f64} {%f0, %f1, %f2|%fd0, %fd1, %fd2};", "testp.{finite|infinite|number|notanumber|normal|subnormal}.f32 %p0, %f0;",
    ]),
    "memory and control": ("sm_90", "8.7", [
        "ld{|.weak|.volatile|.relaxed.gpu|.acquire.sys}{|.global}{|.v2|.v4}.{u8|u32|f32|b64} {%r0|%f0|%rd1|{{%r0,%r1}}|{{%r0,%r1,%r2,%r3}}|{{%f0,%f1}}|{{%rd1,%rd2}}}, [%rd0];",
        "ld.global{|.ca|.cg|.cs|.lu|.cv|.nc}{|.L1::evict_first|.L1::no_allocate}{|.L2::64B|.L2::256B}.u32 %r0, [%rd0];",
        "{atom|red}{|.relaxed|.acq_rel}{|.gpu|.sys|.cta}{|.global|.shared}.{add|min|max|inc|dec}.{u32|s32|u64|f32|f64} {%r0, |%f0, |%rd1, |%fd0, |}[%rd0], {%r1|%f1|%rd2|%fd1};",
        "atom{|.global}.{exch|cas}.{b16|b32|b64|b128} {%r0|%h0|%rd1|%q0}, [%rd0], {%r1|%h1|%rd2|%q1}{|, %r2|, %h2|, %rd3|, %q2};",
        "{atom|red}.global.{v2|v4}{|.f32.add|.f16.add.noftz}.{f32|f16} {{{%f0,%f1}}, |{{%f0,%f1,%f2,%f3}}, |}[%rd0], {{{%f0,%f1}}|{{%f0,%f1,%f2,%f3}}};",
        "{prefetch|prefetchu}{|.global|.local}.{L1|L2} [%rd0];", "applypriority.global.L2::evict_normal [%rd0], 128;", "discard.global.L2 [%rd0], 128;",
        "createpolicy.fractional.L2::{evict_first|evict_last|evict_normal|evict_unchanged}.b64 %rd1{|, 0.5};",
        "{cvta|cvta.to}.{global|shared|local|const|param}.u64 %rd1, %rd0;", "isspacep.{global|shared|local|const|param::entry|shared::cluster|shared::cta} %p0, %rd0;",
        "{istypep.texref|istypep.surfref|istypep.samplerref} %p0, %rd0;",
        "nanosleep.u32 %r0;", "pmevent 3;", "brkpt;", "trap;", "griddepcontrol.{wait|launch_dependents};", "stacksave.u64 %rd0;", "stackrestore.u64 %rd0;", "alloca.u64 %rd0, %rd1, 16;",
        "getctarank{|.shared::cluster}.u64 %r0, %rd0;", "mapa{|.shared::cluster}.u64 %rd0, %rd1, %r0;", "membar.{cta|gl|sys};", "fence{|.acq_rel|.sc}.{cta|cluster|gpu|sys};",
    ]),
}
# Families of which nothing was left: all of them now.
COMPLETE = list(FORMS)


def expand(pattern):
    """Every form of a pattern; {{ and }} are braces of PTX."""
    hidden = pattern.replace("{{", "\x01").replace("}}", "\x02")
    parts = re.split(r"\{([^{}]*)\}", hidden)
    choices = [[part] if k % 2 == 0 else part.split("|") for k, part in enumerate(parts)]
    return ["".join(choice).replace("\x01", "{").replace("\x02", "}") for choice in itertools.product(*choices)]


def module(target, version, forms):
    lines = HEAD.format(target=target, version=version)
    places = {}
    for k, form in enumerate(forms):
        lines += f".visible .entry k{k}(.param .u64 p)\n{{\n{REGISTERS}ld.param.u64 %rd0, [p];\n"
        places[lines.count("\n") + 1] = form
        lines += form + "\nret;\n}\n"
    return lines, places


def refused(command, target, version, forms, folder, pattern):
    """Forms that a tool complains about, until it complains no more."""
    bad = {}
    rest = list(forms)
    while True:
        text, places = module(target, version, rest)
        file = pathlib.Path(folder) / "forms.ptx"
        file.write_text(text)
        done = subprocess.run([a.replace("FILE", str(file)).replace("TARGET", target) for a in command], capture_output=True, text=True)
        found = {}
        for line in (done.stdout + done.stderr).splitlines():
            match = re.search(pattern, line)
            if match and int(match[1]) in places:
                found.setdefault(places[int(match[1])], line.split("error", 1)[-1].lstrip(" :;"))
        stray = [line for line in (done.stdout + done.stderr).splitlines() if re.search(pattern, line)]
        if stray and not found:
            sys.exit(f"not about a form: {stray[0]}")
        bad.update(found)
        rest = [form for form in rest if form not in bad]
        if not found or not rest:
            return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--ptxas", default=shutil.which("ptxas"))
    parser.add_argument("--family", default="")
    parser.add_argument("--list", action="store_true", help="print what is left")
    options = parser.parse_args()
    if not options.ptxas:
        print("skipped: no ptxas")
        return 0
    run = str(options.build / "bin" / "tileiras-run")
    rows, worse = [], []
    with tempfile.TemporaryDirectory() as folder:
        for family, (target, version, patterns) in FORMS.items():
            if options.family not in family:
                continue
            forms = list(dict.fromkeys(form for pattern in patterns for form in expand(pattern)))
            # ptxas stops early on errors of syntax: pieces, so that each gets its say.
            taken = []
            for start in range(0, len(forms), 400):
                piece = forms[start:start + 400]
                bad = refused([options.ptxas, "-arch=TARGET", "-o", "/dev/null", "FILE"], target, version, piece, folder, r"line (\d+); (?:error|fatal)")
                taken += [form for form in piece if form not in bad]
            left = refused([run, "FILE", "--entry=none", "--engine=emulator"], target, version, taken, folder, r":(\d+):\d+: error")
            rows.append((family, target, len(forms), len(taken), left))
            if left and family in COMPLETE:
                worse.append(family)
            print(f"{family}: {len(forms)} forms, {len(taken)} taken by ptxas, {len(left)} of them not by the emulator", flush=True)
            if options.list:
                for form, why in left.items():
                    print(f"    {form}   {why}")
    page = ["# What is left of PTX", "", "Made by `scripts/ptx_forms.py`: forms that ptxas takes and the emulator's parser does not.", ""]
    for family, target, forms, taken, left in rows:
        page += [f"## {family} ({target})", "", f"{taken} of {forms} forms that were tried are taken by ptxas; {len(left)} of these are left.", ""]
        page += [f"* `{form}`" for form in left] + ([""] if left else [])
    if not options.family:
        out = options.build / "docs"
        out.mkdir(exist_ok=True)
        (out / "ptx-left.md").write_text("\n".join(page) + "\n")
    for family in worse:
        print(f"{family} was complete", file=sys.stderr)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
