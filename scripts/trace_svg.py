#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws a trace of tileiras-run --trace as a picture.

usage: scripts/trace_svg.py TRACE.json OUT.svg [--block N] [--from TICK] [--to TICK]

One line per track: warps above, asynchronous units below. Perfetto shows the same file with everything in it; the
picture is for documents.
"""
import argparse
import html
import json

COLOURS = {"run": "#4878a8", "mbarrier": "#e8e0c8", "barrier": "#d8d8d8", "group": "#e8d0c0", "TMA": "#58a070",
           "wgmma": "#c06048", "tcgen05": "#c06048", "cp.async": "#58a070"}
ROW, LEFT, WIDTH, TOP = 22, 90, 1010, 26


def colour(event):
    return COLOURS.get("run" if event["name"] == "run" else event.get("cat", ""), "#b0a0c0")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("trace")
    parser.add_argument("out")
    parser.add_argument("--block", type=int, default=0)
    parser.add_argument("--from", dest="begin", type=int, default=0)
    parser.add_argument("--to", dest="end", type=int, default=None)
    args = parser.parse_args()
    with open(args.trace) as file:
        events = json.load(file)["traceEvents"]
    names = {e["tid"]: e["args"]["name"] for e in events
             if e["ph"] == "M" and e["name"] == "thread_name" and e["pid"] == args.block}
    slices = [e for e in events if e["ph"] == "X" and e["pid"] == args.block]
    if not slices:
        parser.error(f"the trace has no events of block {args.block}")
    end = args.end if args.end is not None else max(e["ts"] + e["dur"] for e in slices)
    begin = args.begin
    scale = WIDTH / max(1, end - begin)
    rows = {tid: i for i, tid in enumerate(sorted(names))}
    height = TOP + ROW * len(rows) + 40
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 20}" height="{height}" '
           'font-family="sans-serif" font-size="11">',
           '<rect width="100%" height="100%" fill="white"/>']
    for tid, row in rows.items():
        out.append(f'<text x="4" y="{TOP + ROW * row + 14}">{html.escape(names[tid])}</text>')
    for event in sorted(slices, key=lambda e: (e["tid"], e["ts"])):
        lo, hi = max(begin, event["ts"]), min(end, event["ts"] + event["dur"])
        if hi <= lo or event["tid"] not in rows:
            continue
        x, w = LEFT + (lo - begin) * scale, max(0.6, (hi - lo) * scale)
        y = TOP + ROW * rows[event["tid"]]
        title = html.escape(f'{event["name"]} {event["ts"]}..{event["ts"] + event["dur"]}')
        out.append(f'<rect x="{x:.1f}" y="{y}" width="{w:.1f}" height="{ROW - 5}" fill="{colour(event)}" '
                   f'stroke="white" stroke-width="0.4"><title>{title}</title></rect>')
    steps = (m * 10 ** e for e in range(12) for m in (1, 2, 5))
    step = next(s for s in steps if (end - begin) / s <= 12)
    y = TOP + ROW * len(rows) + 4
    for tick in range((begin + step - 1) // step * step, end + 1, step):
        x = LEFT + (tick - begin) * scale
        out.append(f'<line x1="{x:.1f}" y1="{TOP - 4}" x2="{x:.1f}" y2="{y}" stroke="#00000020"/>'
                   f'<text x="{x:.1f}" y="{y + 12}" text-anchor="middle">{tick}</text>')
    legend = [("run", "#4878a8"), ("waits for an mbarrier", "#e8e0c8"), ("waits for a barrier", "#d8d8d8"),
              ("waits for a group", "#e8d0c0"), ("copy", "#58a070"), ("matrix product", "#c06048")]
    x = LEFT
    for text, fill in legend:
        out.append(f'<rect x="{x}" y="6" width="12" height="12" fill="{fill}"/><text x="{x + 16}" y="16">{text}</text>')
        x += 26 + 7 * len(text)
    out.append("</svg>")
    with open(args.out, "w") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
