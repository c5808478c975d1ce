#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of `tileiras-run --time-report`, in a headless Chromium: it loads without errors and without other files, what is drawn can be seen and read.

usage: time_report.py BUILD [--report FILE.json] [--keep FOLDER]     --keep: pages and pictures of them
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import browser
from suite import Suite

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
# The page, GPU, kernel and arguments.
PAGES = [
    ("softmax", "h200", "softmax.mlir", 400, ["x:f32[400x512]=zeros", "out:y:f32[400x512]=zeros", "i32=400", "i32=512"]),
    ("one-block", "rtx5090", "softmax.mlir", 1, ["x:f32[1x512]=zeros", "out:y:f32[1x512]=zeros", "i32=1", "i32=512"]),
    ("roles", "h100", "pipeline_sm90a.ptx", "8,8",
     ["A:bf16[512x512]{pass=none}=zeros", "B:bf16[512x512]{pass=none}=zeros", "map=A{box=64x64,swizzle=128B}", "map=B{box=64x64,swizzle=128B}",
      "out:C:f32[512x512]", "i32=512", "i32=8"]),
]

# Boxes of elements, as the browser has laid them out.
BOXES = "[...document.querySelectorAll({})].map(e => {{ const r = e.getBoundingClientRect(); return [r.x, r.y, r.right, r.bottom, e.textContent]; }})"


def boxes(chromium, selector):
    return chromium.value(BOXES.format(json.dumps(selector)))


def check(suite, chromium, name, page, facts):
    with suite.case(f"{name}: loads alone and without errors"):
        seconds = chromium.open(page, ready="document.readyState === 'complete'")
        assert seconds < 2 and not chromium.errors, (seconds, chromium.errors)
        assert chromium.value("performance.getEntriesByType('resource').length") == 0
        assert chromium.value("document.title") == f"{facts['kernel']} on {facts['machine']}"
    with suite.case(f"{name}: every text of a drawing is inside it, and none covers another"):
        for drawing in ("roofline", "units", "stalls"):
            (frame,) = boxes(chromium, "#" + drawing)
            assert frame[2] - frame[0] > 300 and frame[3] - frame[1] > 10, (drawing, frame)
            texts = boxes(chromium, f"#{drawing} text")
            for box in texts:
                assert frame[0] - 1 <= box[0] and box[2] <= frame[2] + 1 and frame[1] - 1 <= box[1] and box[3] <= frame[3] + 1, (drawing, box, frame)
            if drawing != "roofline": # there the name of the point may lie on an axis
                for i, a in enumerate(texts):
                    for b in texts[:i]:
                        assert min(a[2], b[2]) - max(a[0], b[0]) < 1 or min(a[3], b[3]) - max(a[1], b[1]) < 2, (drawing, a, b)
    with suite.case(f"{name}: the point lies in the roofline, not above the roof"):
        (frame,), (point,), (roof,) = boxes(chromium, "#roofline"), boxes(chromium, "#roofline .point"), boxes(chromium, "#roofline .roof")
        assert frame[0] < point[0] and point[2] < frame[2] and point[3] < frame[3], (point, frame)
        assert (point[1] + point[3]) / 2 >= roof[1] - 1, (point, roof)
    with suite.case(f"{name}: bars are as long as the numbers beside them"):
        bars = chromium.value("[...document.querySelectorAll('#units rect[fill]:not([fill=\"#f0f2f5\"])')].map(r => +r.getAttribute('width') / 470)")
        shown = sorted(facts["units"].values(), reverse=True)[:10]
        assert len(bars) == len(shown), (bars, shown)
        assert all(abs(a - b) < 0.006 for a, b in zip(sorted(bars, reverse=True), shown)), (bars, shown)
        rows = chromium.value("(() => { const rows = {}; for (const r of document.querySelectorAll('#stalls rect')) rows[r.getAttribute('y')] = "
                              "(rows[r.getAttribute('y')] || 0) + +r.getAttribute('width'); return Object.values(rows); })()")
        assert rows and all(580 < width < 591 for width in rows), rows
    with suite.case(f"{name}: a colour of the key is a colour of the bars, and no two are alike"):
        key = chromium.value("[...document.querySelectorAll('.key i')].map(e => getComputedStyle(e).backgroundColor)")
        used = set(chromium.value("[...document.querySelectorAll('#stalls rect')].map(e => getComputedStyle(e).fill)"))
        assert len(set(key)) == len(key) and used <= set(key), (key, used)
    with suite.case(f"{name}: the lines that take most, and how far to trust it"):
        assert chromium.value("document.querySelectorAll('#lines tr').length") > 3
        assert "of " in chromium.value("document.querySelector('#trust').innerText")
        assert chromium.value("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the window"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--report")
    parser.add_argument("--keep", type=pathlib.Path)
    args = parser.parse_args()
    suite = Suite(args.report)
    program = browser.find()
    if not program:
        suite.skip("time-report-browser", "there is no Chromium (apt-get install chromium)")
        return suite.finish()
    with tempfile.TemporaryDirectory(prefix="tileiras-time-report-") as scratch:
        folder = args.keep or pathlib.Path(scratch)
        folder.mkdir(exist_ok=True, parents=True)
        for narrow in (False, True):
            chromium = browser.Browser(program, width=700 if narrow else 1500)
            for name, machine, kernel, grid, arguments in PAGES:
                page, facts = folder / f"{name}.html", folder / f"{name}.json"
                subprocess.run([args.build / "bin" / "tileiras-run", EXAMPLES / kernel, f"--grid={grid}", f"--time={machine}", f"--time-report={page}",
                                f"--time-json={facts}", *(["--dynamic-shared=49152"] if kernel.endswith(".ptx") else []), *arguments], check=True,
                               stdout=subprocess.DEVNULL)
                check(suite, chromium, f"{name}, narrow" if narrow else name, page, json.loads(facts.read_text()))
                if args.keep and not narrow:
                    chromium.screenshot(folder / f"{name}.png")
            chromium.close()
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
