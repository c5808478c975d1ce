//===- ReportHtml.cpp - Predictions as one page -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Plain HTML with inline SVG: no scripts, no other files, readable in print. Colours follow one order on the whole
// page.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Timing/Predict.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

using namespace tileiras::emu::timing;

namespace {

__attribute__((format(printf, 2, 3))) void put(std::string &s, const char *pattern, ...) {
  char buffer[1024];
  va_list list;
  va_start(list, pattern);
  std::vsnprintf(buffer, sizeof buffer, pattern, list);
  va_end(list);
  s += buffer;
}

std::string escaped(const std::string &text) {
  std::string s;
  for (char c : text)
    switch (c) {
    case '<':
      s += "&lt;";
      break;
    case '>':
      s += "&gt;";
      break;
    case '&':
      s += "&amp;";
      break;
    case '"':
      s += "&quot;";
      break;
    default:
      s += c;
    }
  return s;
}

/// Issue is green; arithmetic blue; memory orange to red; synchronisation violet; the rest grey.
const char *colourOf(unsigned stall) {
  static const char *colours[NumStalls] = {"#2e9e5b", "#7fb3e6", "#4f86c6", "#f2b134", "#e8743b", "#2b5c9e", "#c9a227",
                                           "#9b6fc9", "#7a4fb0", "#b38fd9", "#d1495b", "#8f2d56", "#5b3a8e", "#c8553d",
                                           "#6c757d", "#a7a9be", "#8d99ae", "#edc7a0", "#c9ced6", "#e0e3e8"};
  return colours[stall];
}

void roofline(std::string &s, const Prediction &p) {
  const double width = 560, height = 300, left = 60, bottom = 40;
  const double intensity = p.dramBytes > 0 ? p.flops / p.dramBytes : 1e4;
  const double peak = std::max(p.peakTflops, 1e-3), slope = std::max(p.peakGbs, 1.0) * 1e-3;
  const double ridge = peak / slope;
  const double x0 = std::floor(std::log10(std::min(ridge, std::max(intensity, 1e-3)))) - 1,
               x1 = std::ceil(std::log10(std::max(ridge, intensity))) + 1;
  const double y1 = std::ceil(std::log10(peak * 1.2)), low = std::log10(std::max(p.tflops, 1e-4)),
               y0 = std::min(y1 - 3, std::floor(low));
  auto x = [&](double v) { return left + (std::log10(v) - x0) / (x1 - x0) * (width - left - 20); };
  auto y = [&](double v) {
    return height - bottom - (std::log10(std::max(v, 1e-9)) - y0) / (y1 - y0) * (height - bottom - 20);
  };
  put(s, "<svg id=\"roofline\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"roofline\">\n", width, height);
  for (double e = x0; e <= x1; ++e)
    put(s,
        "<line x1=\"%.1f\" y1=\"20\" x2=\"%.1f\" y2=\"%.1f\" class=\"grid\"/><text x=\"%.1f\" y=\"%.1f\" "
        "class=\"tick\" "
        "text-anchor=\"middle\">%g</text>\n",
        x(std::pow(10, e)), x(std::pow(10, e)), height - bottom, x(std::pow(10, e)), height - bottom + 15,
        std::pow(10, e));
  for (double e = y0; e <= y1; ++e)
    put(s,
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"grid\"/><text x=\"%.1f\" y=\"%.1f\" "
        "class=\"tick\" "
        "text-anchor=\"end\">%g</text>\n",
        left, y(std::pow(10, e)), width - 20, y(std::pow(10, e)), left - 6, y(std::pow(10, e)) + 4, std::pow(10, e));
  const double first = std::pow(10, x0), last = std::pow(10, x1);
  put(s, "<polyline class=\"roof\" points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\"/>\n", x(first),
      std::min(y(first * slope), height - bottom), x(ridge), y(peak), x(last), y(peak));
  put(s, "<text x=\"%.1f\" y=\"%.1f\" class=\"note\" text-anchor=\"end\">%.0f TFLOP/s</text>\n", width - 24,
      y(peak) + (y(peak) < 40 ? 16 : -6), peak); // not across the uppermost line
  put(s,
      "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6\" class=\"point\"><title>%.1f FLOP per byte, %.1f "
      "TFLOP/s</title></circle>\n",
      x(std::max(intensity, first)), y(std::max(p.tflops, std::pow(10, y0))), intensity, p.tflops);
  put(s, "<text x=\"%.1f\" y=\"%.1f\" class=\"axis\" text-anchor=\"middle\">FLOP per byte of DRAM</text>\n",
      (left + width) / 2, height - 6);
  put(s,
      "<text x=\"14\" y=\"%.1f\" class=\"axis\" transform=\"rotate(-90 14 %.1f)\" "
      "text-anchor=\"middle\">TFLOP/s</text>\n",
      height / 2, height / 2);
  s += "</svg>\n";
}

} // namespace

std::string Prediction::html() const {
  std::string s = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>" + escaped(kernel) +
                  " on " + escaped(machine) + R"html(</title>
<style>
body{font:15px/1.45 system-ui,sans-serif;color:#1d232b;max-width:980px;margin:28px auto;padding:0 20px;background:#fff}
h1{font-size:24px;margin:0 0 4px} h2{font-size:17px;margin:28px 0 8px} .sub{color:#56606c;margin:0 0 16px}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(170px,1fr));gap:12px}
.figure{border:1px solid #dfe3e8;border-radius:8px;padding:10px 14px} .figure b{display:block;font-size:21px}
.figure span{color:#56606c;font-size:13px} .limit{border-left:4px solid #d1495b;padding:6px 14px;background:#fbf3f4;margin:18px 0}
svg{width:100%;height:auto;max-width:720px;display:block} .grid{stroke:#e8ebef} .roof{fill:none;stroke:#2b5c9e;stroke-width:2.5}
.point{fill:#d1495b} .tick{font-size:11px;fill:#56606c} .axis,.note{font-size:12px;fill:#3a434d} .label{font-size:12px;fill:#1d232b}
table{border-collapse:collapse;width:100%;font-size:13px} td,th{padding:4px 8px;text-align:left;border-bottom:1px solid #e8ebef;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums} code{font-size:12px;overflow-wrap:anywhere}
.key{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:12px;margin:6px 0} .key i{display:inline-block;width:11px;height:11px;border-radius:2px;margin-right:5px}
</style></head><body>
)html";
  s += "<h1>" + escaped(kernel) + "</h1>\n<p class=\"sub\">predicted for " + escaped(machine) + "; ";
  put(s, "%.0f MHz (%s). A model, not a measurement.</p>\n<div class=\"figures\">\n", clockMhz, clockReason.c_str());
  auto figure = [&](const std::string &value, const std::string &what) {
    s += "<div class=\"figure\"><b>" + escaped(value) + "</b><span>" + escaped(what) + "</span></div>\n";
  };
  auto number = [](const char *pattern, double v) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, pattern, v);
    return std::string(buffer);
  };
  figure(number("%.0f", cycles), number("cycles, +- %.0f %%", errorPercent));
  figure(number("%.2f us", seconds * 1e6), number("time, +- %.0f %%", timeErrorPercent));
  if (flops > 0)
    figure(number("%.1f TFLOP/s", tflops), number("%.1f %% of peak", peakTflops > 0 ? 100 * tflops / peakTflops : 0));
  figure(number("%.0f GB/s", gbs), number("%.1f %% of DRAM's", peakGbs > 0 ? 100 * gbs / peakGbs : 0));
  figure(number("%.0f", blocksPerSm), "blocks per SM, limited by " + occupancyLimit);
  s += "</div>\n<p class=\"limit\"><b>Limited by " + escaped(limiter) + ".</b> ";
  if (slackPercent < 10)
    s += "Nearly as much by " + escaped(second) + ".</p>\n";
  else
    put(s, "Next, %.0f points behind: %s.</p>\n", slackPercent, escaped(second).c_str());

  s += "<h2>Roofline</h2>\n";
  roofline(s, *this);

  s += "<h2>Units</h2>\n";
  const size_t count = std::min<size_t>(units.size(), 10);
  put(s, "<svg id=\"units\" viewBox=\"0 0 720 %zu\" role=\"img\" aria-label=\"share of cycles each unit is busy\">\n",
      count * 24 + 8);
  for (size_t i = 0; i != count; ++i) {
    put(s, "<text x=\"170\" y=\"%zu\" class=\"label\" text-anchor=\"end\">%s</text>", i * 24 + 18,
        escaped(units[i].name).c_str());
    put(s, "<rect x=\"180\" y=\"%zu\" width=\"470\" height=\"16\" fill=\"#f0f2f5\"/>", i * 24 + 6);
    put(s, "<rect x=\"180\" y=\"%zu\" width=\"%.1f\" height=\"16\" fill=\"%s\"/>", i * 24 + 6, 470 * units[i].share,
        limiter.compare(0, units[i].name.size(), units[i].name) == 0 ? "#d1495b" : "#4f86c6");
    put(s, "<text x=\"658\" y=\"%zu\" class=\"label\">%.0f %%</text>\n", i * 24 + 18, 100 * units[i].share);
  }
  s += "</svg>\n<h2>Where warps spend their clocks</h2>\n";
  constexpr double Visible = 0.0004; // what is not a quarter of a point wide is not drawn
  std::array<double, NumStalls> most{};
  for (const StallRow &row : stalls)
    for (unsigned r = 0; r != NumStalls; ++r)
      most[r] = std::max(most[r], row.share[r]);
  put(s, "<svg id=\"stalls\" viewBox=\"0 0 720 %zu\" role=\"img\" aria-label=\"stall reasons by role\">\n",
      stalls.size() * 30 + 6);
  for (size_t i = 0; i != stalls.size(); ++i) {
    put(s, "<text x=\"110\" y=\"%zu\" class=\"label\" text-anchor=\"end\">%s</text>", i * 30 + 20,
        escaped(stalls[i].role).c_str());
    double at = 120;
    for (unsigned r = 0; r != NumStalls; ++r) {
      const double width = 590 * stalls[i].share[r];
      if (stalls[i].share[r] < Visible)
        continue;
      put(s, "<rect x=\"%.1f\" y=\"%zu\" width=\"%.1f\" height=\"20\" fill=\"%s\"><title>%s: %.1f %%</title></rect>",
          at, i * 30 + 6, width, colourOf(r), stallName(Stall(r)), 100 * stalls[i].share[r]);
      if (width > 46)
        put(s, "<text x=\"%.1f\" y=\"%zu\" font-size=\"11\" fill=\"%s\" text-anchor=\"middle\">%.0f %%</text>",
            at + width / 2, i * 30 + 20,
            Stall(r) == Stall::NotSelected || Stall(r) == Stall::Branch || Stall(r) == Stall::MemoryQueue ? "#333"
                                                                                                          : "#fff",
            100 * stalls[i].share[r]);
      at += width;
    }
    s += "\n";
  }
  s += "</svg>\n<div class=\"key\">";
  for (unsigned r = 0; r != NumStalls; ++r)
    if (most[r] >= Visible)
      put(s, "<span><i style=\"background:%s\"></i>%s</span>", colourOf(r), stallName(Stall(r)));
  s += "</div>\n<h2>Lines</h2>\n<table id=\"lines\"><tr><th class=\"n\">share</th><th>mostly</th><th class=\"n\">PTX "
       "line</th><th>instruction</th>";
  const bool located = std::any_of(lines.begin(), lines.end(), [](const StallLine &line) { return line.sourceLine; });
  s += located ? "<th>source</th></tr>\n" : "</tr>\n";
  double all = 0;
  for (const StallLine &line : lines)
    all += line.clocks;
  for (size_t i = 0; i != std::min<size_t>(lines.size(), 25); ++i) {
    const StallLine &line = lines[i];
    unsigned worst = 0;
    for (unsigned r = 0; r != NumStalls; ++r)
      if (line.byReason[r] > line.byReason[worst])
        worst = r;
    put(s, "<tr><td class=\"n\">%.1f %%</td><td>%s</td><td class=\"n\">%u</td><td><code>",
        all ? 100 * line.clocks / all : 0, stallName(Stall(worst)), line.line);
    s += escaped(line.ptx.substr(0, 160)) + "</code></td>";
    if (located)
      s += "<td>";
    if (line.sourceLine)
      s += escaped(line.sourceFile.substr(line.sourceFile.rfind('/') + 1)) + ":" + std::to_string(line.sourceLine);
    s += located ? "</td></tr>\n" : "</tr>\n";
  }
  s += "</table>\n<h2>How far to trust this</h2>\n<ul id=\"trust\">\n";
  s += "<li>" + escaped(extrapolation) + "; " + std::to_string(simulatedClusters) + " of " + std::to_string(clusters) +
       " clusters were run.</li>\n";
  put(s, "<li>%u registers per thread, %s.</li>\n", registers, registersExact ? "as assembled" : "estimated");
  for (const std::string &why : errorReasons)
    s += "<li>error bar: " + escaped(why) + "</li>\n";
  for (const std::string &what : unmodelled)
    s += "<li><b>not modelled:</b> " + escaped(what) + "</li>\n";
  return s + "</ul>\n</body></html>\n";
}
