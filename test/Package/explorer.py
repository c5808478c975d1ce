#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The explorer's page, in a headless Chromium: it loads without errors, its lines are linked, its views are there.

usage: explorer.py BUILD [--report FILE.json] [--keep FOLDER]     --keep: pages and screenshots, for docs/images/explorer
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import browser
from suite import Suite

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "EndToEnd"))
import pipeline_kernels  # noqa: E402

LOCATED = """cuda_tile.module @m {
  entry @located(%p: tile<ptr<f32>>) {
    %x, %t0 = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token loc("kernel.py":3:9)
    %y = addf %x, %x : tile<f32> loc(callsite("kernel.py":2:5 at "kernel.py":4:9))
    %t1 = store_ptr_tko weak %p, %y : tile<ptr<f32>>, tile<f32> -> token loc("kernel.py":5:3)
    return
  }
}
"""
DEBUG_INFO = """#file = #cuda_tile.di_file<"kernel.py" in ".">
#unit = #cuda_tile.di_compile_unit<file = #file>
#scope = #cuda_tile.di_subprogram<file = #file, line = 1, name = "described", linkageName = "described", compileUnit = #unit, scopeLine = 1>
#at = loc("kernel.py":4:9)
#place = #cuda_tile.di_loc<#at in #scope>
#begin = loc("kernel.py":1:1)
#entry = #cuda_tile.di_loc<#begin in #scope>
cuda_tile.module @m {
  entry @described(%p: tile<ptr<f32>>) {
    %x, %t0 = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    %y = addf %x, %x : tile<f32> loc(#place)
    %t1 = store_ptr_tko weak %p, %y : tile<ptr<f32>>, tile<f32> -> token loc(#place)
    return
  } loc(#entry)
}
"""
HOSTILE = """// </script><script>throw 1</script><!-- "
cuda_tile.module @m { entry @k(%c: tile<i1>) { assert %c, "</script><script>throw 2</script><!--" : tile<i1>
 return } }
"""


def facts_of(page):
    """The JSON of a page; nothing in it may end its element."""
    text = re.search(r'<script type="application/json" id="facts">(.*?)</script>', page.read_text(encoding="utf-8"), re.S)[1]
    assert "<" not in text
    return json.loads(text)


def lines(facts, stage, file, source_line):
    """The texts of a stage's lines that belong to a line of the source."""
    stage = next(s for s in facts["stages"] if s["name"] == stage)
    text = stage["text"].splitlines()
    return [text[n - 1] for n, f, line, _ in stage["locations"] if (f, line) == (file, source_line)]


def make_pages(tool, runner, folder):
    """Page by name: softmax with its prediction, a pipelined product, attention, and one with lines of Python."""
    def compile_page(name, source, *options):
        subprocess.run([str(tool), str(source), f"--report={folder / name}.html", *options], check=True, cwd=folder)
        return folder / f"{name}.html"

    softmax = ROOT / "examples" / "softmax.mlir"
    subprocess.run([str(runner), str(softmax), "--grid=3700", "--gpu-name=sm_90", "--lineinfo", "--time=h200", f"--time-json={folder}/t.json",
                    f"--trace={folder}/trace.json", "x:f32[3700x333]=normal(seed=1)", "out:y:f32[3700x333]=poison", "i32=3700", "i32=333"],
                   check=True, stdout=subprocess.DEVNULL)
    (folder / "gemm.mlir").write_text(pipeline_kernels.ranged(128, 128, 64, 16, 0, 16, bounds="constant").text)
    (folder / "kernel.py").write_text("def twice(x):\n    return x + x\nx = load(p)\ny = twice(x)\nstore(p, y)\n")
    (folder / "located.mlir").write_text(LOCATED)
    (folder / "hostile.mlir").write_text(HOSTILE)
    (folder / "described.mlir").write_text(DEBUG_INFO)
    return {"softmax": compile_page("softmax", softmax, "--gpu-name=sm_90", f"--report-timing={folder}/t.json", f"--report-trace={folder}/trace.json"),
            "gemm": compile_page("gemm", folder / "gemm.mlir", "--gpu-name=sm_90"),
            "attention": compile_page("attention", ROOT / "examples" / "attention.mlir", "--gpu-name=sm_90"),
            "located": compile_page("located", "located.mlir", "--gpu-name=sm_100"),
            "described": compile_page("described", "described.mlir", "--gpu-name=sm_90"),
            "hostile": compile_page("hostile", "hostile.mlir", "--gpu-name=sm_80")}


def check_facts(suite, pages, tool, folder):
    """What needs no browser."""
    with suite.case("pages are small and need nothing else"):
        for name, page in pages.items():
            text = page.read_text(encoding="utf-8")
            assert len(text) < 5e6, (name, len(text))
            assert not re.search(r'(src|href)="(?!data:,)', text.split('id="facts"')[0]), name
    with suite.case("lines are linked through every stage"):
        facts = facts_of(pages["softmax"])
        assert [s["name"] for s in facts["stages"]] == ["cuda_tile", "tileaa", "tileas", "llvm", "ptx"]
        for stage, word in (("cuda_tile", "load_view_tko"), ("tileaa", "tiled_load"), ("tileas", "tiled_load"), ("llvm", "ld.global"), ("ptx", "ld.global")):
            assert any(word in line for line in lines(facts, stage, 0, 18)), stage
        assert facts["timing"]["lines"] and facts["trace"]["traceEvents"]
    with suite.case("lines of Python, of callers too"):
        facts = facts_of(pages["located"])
        at = next(k for k, f in enumerate(facts["files"]) if f["name"] == "kernel.py")
        assert facts["files"][at]["text"].startswith("def twice")
        for line in (2, 4):
            assert any("add" in x for x in lines(facts, "ptx", at, 2)) and any("addf" in x for x in lines(facts, "tileas", at, line))
    with suite.case("locations with a scope, as cuTile writes them"):
        facts = facts_of(pages["described"])
        at = next(k for k, f in enumerate(facts["files"]) if f["name"] == "kernel.py")
        assert facts["files"][at]["text"].startswith("def twice")
        assert any("addf" in x for x in lines(facts, "cuda_tile", at, 4)) and any("add" in x for x in lines(facts, "ptx", at, 4))
    with suite.case("of bytecode with debug information the sources are shown, of other bytecode its text"):
        translate = tool.parent / "tileiras-translate"
        for name, first in (("described", "kernel.py"), ("gemm", "gemm.tileirbc")):
            subprocess.run([str(translate), "-mlir-to-cudatilebc", f"{name}.mlir", "-o", f"{name}.tileirbc"], cwd=folder, check=True)
            subprocess.run([str(tool), f"{name}.tileirbc", f"--report={name}-bytecode.html"], cwd=folder, check=True)
            facts = facts_of(folder / f"{name}-bytecode.html")
            assert facts["files"][0]["name"] == first and "\0" not in facts["files"][0]["text"], facts["files"]
            assert facts["stages"][-1]["locations"]
    with suite.case("a pipelined product has its shared tiles and its ring"):
        facts = facts_of(pages["gemm"])
        assert any(layout["memory"] == "shared memory" for layout in facts["layouts"])
        assert any(r["category"] == "pipeline" and r["name"] == "Loop" for r in facts["remarks"])
    with suite.case("what is not compiled has a page, too"):
        (folder / "broken.mlir").write_text("cuda_tile.module @m { entry @k() { nonsense } }")
        done = subprocess.run([str(tool), "broken.mlir", "--report=broken.html"], cwd=folder, stderr=subprocess.PIPE, text=True)
        facts = facts_of(folder / "broken.html")
        assert done.returncode == 3 and "nonsense" in done.stderr and facts["status"] == 3 and not facts["stages"]
        assert facts["diagnostics"][0]["line"] == 1 and "nonsense" in facts["diagnostics"][0]["message"]
    with suite.case("TILEIRAS_REPORT: a page of every compilation"):
        (folder / "pages").mkdir(exist_ok=True)
        for emit in ("ptx", "ptx", "tileas"):
            done = subprocess.run([str(tool), "located.mlir", "--gpu-name=sm_80", f"--emit={emit}", "-o", "out"], cwd=folder, stderr=subprocess.PIPE,
                                  text=True, env={**os.environ, "TILEIRAS_REPORT": "pages"})
            assert done.returncode == 0 and not done.stderr and (folder / "out").stat().st_size, done.stderr
        page, = (folder / "pages").iterdir()
        assert re.fullmatch(r"located-[0-9a-f]+[.]html", page.name) and facts_of(page)["status"] == 0
        done = subprocess.run([str(tool), "located.mlir", "--emit=ptx", "-o", "other"], cwd=folder, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, "TILEIRAS_REPORT": "nowhere"})
        assert done.returncode == 0 and "nowhere" in done.stderr and (folder / "other").exists()
    with suite.case("errors of the options"):
        for option, message in (("--report-timing=nowhere.json", "cannot read 'nowhere.json'"), (f"--report-timing={folder}/gemm.mlir", "--report-timing: ")):
            done = subprocess.run([str(tool), "gemm.mlir", "--report=x.html", option], cwd=folder, stderr=subprocess.PIPE, text=True)
            assert done.returncode == 1 and message in done.stderr and not (folder / "x.html").exists(), done.stderr
        done = subprocess.run([str(tool), "gemm.mlir", "--report=/nowhere/x.html"], cwd=folder, stderr=subprocess.PIPE, text=True)
        assert done.returncode == 1 and "/nowhere/x.html" in done.stderr


SELECTED = "[...document.querySelectorAll('#pane{} .line.sel')].map(e => e.querySelector('.code').textContent)"


def check_page(suite, chromium, pages, keep):
    with suite.case("pages open in less than two seconds, without errors"):
        for name, page in pages.items():
            seconds = chromium.open(page)
            print(f"{name}: {page.stat().st_size / 1e3:.0f} kB, opens in {seconds:.2f} s")
            assert seconds < 2 and not chromium.errors, (name, seconds, chromium.errors)
            for tab in chromium.value("[...document.querySelectorAll('nav button')].map(e => e.id)"):
                chromium.click("#" + tab)
                assert chromium.value(f"document.getElementById('{tab.replace('tab-', 'view-')}').innerText.length") > 0, (name, tab)
                if keep:
                    chromium.screenshot(keep / f"{name}-{tab[4:]}.webp")
            assert not chromium.errors, (name, chromium.errors)
            assert chromium.value("performance.getEntriesByType('resource').length") == 0, name
    with suite.case("nothing in the text becomes a script"):
        chromium.open(pages["hostile"])
        assert chromium.value("document.scripts.length") == 2 and not chromium.errors
        assert chromium.value("document.querySelector('#pane0 .code').textContent").startswith("// </script><script>")
    chromium.open(pages["softmax"])
    with suite.case("a line of the source chooses its operations, and an operation its line"):
        chromium.click("#pane0 .line[data-n='18'] .code")
        assert any("tiled_load" in x for x in chromium.value(SELECTED.format(1)))
        ptx = chromium.value(SELECTED.format(2))
        assert any("ld.global" in x for x in ptx) and not any("st.global" in x for x in ptx)
        assert chromium.value("location.hash") == "#code=0:18"
        store = chromium.value("[...document.querySelectorAll('#pane2 .line')].findIndex(e => e.textContent.includes('st.global')) + 1")
        chromium.click(f"#pane2 .line[data-n='{store}'] .code")
        assert any("store_view_tko" in x for x in chromium.value(SELECTED.format(0)))
        assert chromium.value("(() => { const l = document.querySelector('#pane1 .line.sel').getBoundingClientRect(); return l.top > 0 && l.bottom < innerHeight; })()")
        if keep:
            chromium.screenshot(keep / "softmax-linked.webp")
    with suite.case("links and addresses"):
        chromium.click("#tab-remarks")
        chromium.click("#remarks a")
        assert chromium.value("document.querySelector('#view-code').classList.contains('on')") and chromium.value(SELECTED.format(0))
        chromium.open(pages["softmax"], "#code=0:19")
        assert any("reduce" in x for x in chromium.value(SELECTED.format(1)))
        chromium.click("#tab-time")
        chromium.click("#hot a")
        assert chromium.value(SELECTED.format(2))
        chromium.open(pages["softmax"], "#nonsense")
        assert chromium.value("document.querySelector('#view-code').classList.contains('on')") and not chromium.errors
    with suite.case("keys"):
        chromium.open(pages["softmax"])
        for number, view in enumerate(chromium.value("[...document.querySelectorAll('nav button')].map(e => e.id.slice(4))"), 1):
            chromium.key(str(number))
            assert chromium.value(f"document.querySelector('#view-{view}').classList.contains('on')"), view
        chromium.key("1")
        chromium.value("document.querySelector('#pane0 .lines').focus()")
        for _ in range(18):
            chromium.key("j")
        assert any("tiled_load" in x for x in chromium.value(SELECTED.format(1)))
        chromium.key("Escape")
        assert not chromium.value(SELECTED.format(1))
        chromium.key("/")
        for c in "bar.sync":
            chromium.key(c)
        chromium.key("Enter")
        assert chromium.value("document.querySelector('.line.found')?.textContent.includes('bar.sync')")
        chromium.value("document.activeElement.blur()")
        theme = chromium.value("document.documentElement.dataset.theme")
        chromium.key("t")
        assert chromium.value("document.documentElement.dataset.theme") != theme
        chromium.key("r")
        assert chromium.value("getComputedStyle(document.querySelector('.remark')).display") == "none"
        chromium.key("?")
        assert chromium.value("document.querySelector('#keys').open") and not chromium.errors
    with suite.case("a layout is drawn as the compiler has it"):
        chromium.open(pages["softmax"])
        chromium.click("#tab-layouts")
        assert chromium.value("document.querySelector('#layout').width") >= 32 * 4
        # Element [0, 37] of a row of 512: lane 5 of warp 1, by the bases.
        chromium.value("(() => { const c = document.querySelector('#layout'), r = c.getBoundingClientRect(), n = r.width / 32; "
                       "c.dispatchEvent(new MouseEvent('mousemove', {clientX: r.x + 5.5 * n, clientY: r.y + 1.5 * n, bubbles: true})); })()")
        tip = chromium.value("document.querySelector('#tip').textContent")
        assert "[0, 37]" in tip and "lane 5" in tip and "warp 1" in tip and "thread 37" in tip, tip
    with suite.case("with lines of Python"):
        chromium.open(pages["located"])
        names = chromium.value("[...document.querySelectorAll('#pane0 option')].map(e => e.textContent)")
        assert "kernel.py" in names, names
        chromium.value("(() => { const s = document.querySelector('#pane0 select'); s.value = [...s.options].find(o => o.textContent === 'kernel.py').value; "
                       "s.dispatchEvent(new Event('change')); })()")
        chromium.click("#pane0 .line[data-n='4'] .code")
        assert any("addf" in x for x in chromium.value(SELECTED.format(1))), chromium.value(SELECTED.format(1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--report")
    parser.add_argument("--keep", type=pathlib.Path)
    args = parser.parse_args()
    suite = Suite(args.report)
    binaries = args.build.resolve() / "bin"
    with tempfile.TemporaryDirectory(prefix="tileiras-explorer-") as scratch:
        folder = args.keep or pathlib.Path(scratch)
        folder.mkdir(exist_ok=True, parents=True)
        folder = folder.resolve()
        pages = make_pages(binaries / "tileiras", binaries / "tileiras-run", folder)
        check_facts(suite, pages, binaries / "tileiras", folder)
        program = browser.find()
        if not program:
            suite.skip("explorer-browser", "there is no Chromium (apt-get install chromium)")
            return suite.finish()
        for dark in (False, True) if args.keep else (False,):
            chromium = browser.Browser(program, dark=dark)
            try:
                if args.keep:
                    (args.keep / "dark").mkdir(exist_ok=True)
                check_page(suite, chromium, pages, args.keep and args.keep / "dark" if dark else args.keep)
            finally:
                chromium.close()
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
