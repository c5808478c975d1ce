//===- Report.cpp - Predictions as text and JSON ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Timing/Predict.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <map>
#include <set>

using namespace tileiras::emu::timing;

namespace {

__attribute__((format(printf, 2, 3))) void put(std::string &s, const char *pattern, ...) {
  char buffer[512];
  va_list list;
  va_start(list, pattern);
  std::vsnprintf(buffer, sizeof buffer, pattern, list);
  va_end(list);
  s += buffer;
}

std::string quoted(const std::string &text) {
  std::string s = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      s += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      put(s, "\\u%04x", c);
    else
      s += c;
  }
  return s + "\"";
}

std::string firstWords(const std::string &text, size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

} // namespace

std::vector<StallRow> tileiras::emu::timing::rolesOf(const Engine &engine, const ClusterTrace &trace) {
  std::vector<StallRow> rows;
  std::vector<uint64_t> hashes;
  std::vector<std::vector<uint32_t>> members;
  for (uint32_t w = 0; w != trace.warpsPerCta; ++w) {
    std::set<uint32_t> visited;
    for (const BlockEntry &e : trace.warps[w].entries)
      visited.insert(e.block);
    uint64_t h = 1469598103934665603ull;
    for (uint32_t b : visited)
      h = (h ^ b) * 1099511628211ull;
    auto it = std::find(hashes.begin(), hashes.end(), h);
    if (it == hashes.end()) {
      hashes.push_back(h);
      members.emplace_back();
      it = hashes.end() - 1;
    }
    members[size_t(it - hashes.begin())].push_back(w);
  }
  for (auto &list : members) {
    StallRow row;
    row.role = list.size() == 1 ? "warp " + std::to_string(list[0])
               : list.back() - list.front() + 1 == list.size()
                   ? "warps " + std::to_string(list.front()) + "-" + std::to_string(list.back())
                   : std::to_string(list.size()) + " warps from " + std::to_string(list.front());
    double sum = 0;
    for (uint32_t w : list)
      for (unsigned s = 0; s != NumStalls; ++s)
        row.share[s] += engine.byWarp[w][s], sum += engine.byWarp[w][s];
    for (double &v : row.share)
      v = sum ? v / sum : 0;
    rows.push_back(row);
  }
  return rows;
}

std::string Prediction::text() const {
  std::string s;
  put(s, "%s on %s: %.0f cycles +- %.0f %%, %.2f us +- %.0f %% at %.0f MHz (%s), of which launch %.2f us\n",
      kernel.c_str(), machine.c_str(), cycles, errorPercent, seconds * 1e6, timeErrorPercent, clockMhz,
      clockReason.c_str(), launchSeconds * 1e6);
  if (flops > 0)
    put(s, "  %s: %.4g FLOP, %.1f TFLOP/s, %.1f %% of %.0f\n", matrixFlops ? "matrix products" : "fma", flops, tflops,
        peakTflops > 0 ? 100 * tflops / peakTflops : 0, peakTflops);
  put(s, "  memory: %.1f MB through L2, %.1f MB of DRAM (%.0f %% of L2 reads miss), %.0f GB/s, %.1f %% of %.0f\n",
      l2Bytes * 1e-6, dramBytes * 1e-6, 100 * missRatio, gbs, peakGbs > 0 ? 100 * gbs / peakGbs : 0, peakGbs);
  put(s, "  limited by: %s", limiter.c_str());
  if (slackPercent < 10)
    put(s, ", and as much by: %s (%.0f points apart)\n", second.c_str(), slackPercent);
  else
    put(s, " (%.0f points before: %s)\n", slackPercent, second.c_str());
  for (size_t i = 0; i != std::min<size_t>(dependences.size(), 5) && dependences[i].points >= 1; ++i)
    put(s, "%s %s %.0f %%",
        i ? "," : "  time hangs on:", dependences[i].name.substr(0, dependences[i].name.find(':')).c_str(),
        dependences[i].points);
  if (!dependences.empty() && dependences[0].points >= 1)
    s += "\n";
  put(s, "  units:");
  for (size_t i = 0; i != std::min<size_t>(units.size(), 7); ++i)
    put(s, "%s %s %.0f %%", i ? "," : "", units[i].name.c_str(), 100 * units[i].share);
  put(s, "\n  %u blocks per SM (limited by %s; %u registers, %s", blocksPerSm, occupancyLimit.c_str(), registers,
      registersExact ? "as assembled" : "estimated");
  if (spillBytes)
    put(s, "; %u bytes spilled", spillBytes);
  put(s, "), %.2f waves\n", waves);
  for (const StallRow &row : stalls) {
    put(s, "  %s:", row.role.c_str());
    std::vector<unsigned> order;
    for (unsigned r = 0; r != NumStalls; ++r)
      order.push_back(r);
    std::sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return row.share[a] > row.share[b]; });
    for (size_t k = 0; k != 5 && row.share[order[k]] > 0.005; ++k)
      put(s, "%s %s %.0f %%", k ? "," : "", stallName(Stall(order[k])), 100 * row.share[order[k]]);
    s += "\n";
  }
  double all = 0;
  for (const StallLine &line : lines)
    all += line.clocks;
  put(s, "  most time is spent at (share of all warps' clocks, reason, PTX line):\n");
  for (size_t i = 0; i != std::min<size_t>(lines.size(), 6); ++i) {
    const StallLine &line = lines[i];
    unsigned worst = 0;
    for (unsigned r = 0; r != NumStalls; ++r)
      if (line.byReason[r] > line.byReason[worst])
        worst = r;
    put(s, "    %5.1f %%  %-26s %5u: %s", all ? 100 * line.clocks / all : 0, stallName(Stall(worst)), line.line,
        firstWords(line.ptx, 70).c_str());
    if (line.sourceLine)
      put(s, "  (%s:%u)", line.sourceFile.c_str(), line.sourceLine);
    s += "\n";
  }
  put(s, "  %llu of %llu clusters run, %s\n", static_cast<unsigned long long>(simulatedClusters),
      static_cast<unsigned long long>(clusters), extrapolation.c_str());
  for (const std::string &why : errorReasons)
    s += "  error bar " + why + "\n";
  for (const std::string &what : unmodelled)
    s += "  not modelled: " + what + "\n";
  return s;
}

std::string Prediction::json() const {
  std::string s = "{\n";
  auto number = [&](const char *key, double v) { put(s, "  \"%s\": %.17g,\n", key, std::isfinite(v) ? v : 0); };
  s += "  \"kernel\": " + quoted(kernel) + ",\n  \"machine\": " + quoted(machine) + ",\n";
  number("cycles", cycles);
  number("error_percent", errorPercent);
  number("clock_mhz", clockMhz);
  number("microseconds", seconds * 1e6);
  number("launch_microseconds", launchSeconds * 1e6);
  number("flop", flops);
  number("tflops", tflops);
  number("peak_tflops", peakTflops);
  number("l2_bytes", l2Bytes);
  number("dram_bytes", dramBytes);
  number("gbs", gbs);
  number("peak_gbs", peakGbs);
  number("blocks_per_sm", blocksPerSm);
  number("registers", registers);
  number("waves", waves);
  s += "  \"limiter\": " + quoted(limiter) + ",\n  \"second\": " + quoted(second) + ",\n";
  number("slack_percent", slackPercent);
  s += "  \"hangs_on\": {";
  for (size_t i = 0; i != dependences.size(); ++i)
    put(s, "%s%s: %.2f", i ? ", " : "", quoted(dependences[i].name).c_str(), dependences[i].points);
  s += "},\n  \"units\": {";
  for (size_t i = 0; i != units.size(); ++i)
    put(s, "%s%s: %.6f", i ? ", " : "", quoted(units[i].name).c_str(), units[i].share);
  s += "},\n  \"stalls\": {";
  for (size_t i = 0; i != stalls.size(); ++i) {
    s += (i ? ", " : "") + quoted(stalls[i].role) + ": {";
    bool first = true;
    for (unsigned r = 0; r != NumStalls; ++r)
      if (stalls[i].share[r] > 0) {
        put(s, "%s%s: %.6f", first ? "" : ", ", quoted(stallName(Stall(r))).c_str(), stalls[i].share[r]);
        first = false;
      }
    s += "}";
  }
  s += "},\n  \"lines\": [";
  for (size_t i = 0; i != lines.size(); ++i) {
    const StallLine &line = lines[i];
    put(s, "%s\n    {\"ptx_line\": %u, \"source_file\": %s, \"source_line\": %u, \"executed\": %llu, \"clocks\": %.1f",
        i ? "," : "", line.line, quoted(line.sourceFile).c_str(), line.sourceLine,
        static_cast<unsigned long long>(line.executed), line.clocks);
    s += ", \"reasons\": {";
    bool first = true;
    for (unsigned r = 0; r != NumStalls; ++r)
      if (line.byReason[r] > 0) {
        put(s, "%s%s: %.1f", first ? "" : ", ", quoted(stallName(Stall(r))).c_str(), line.byReason[r]);
        first = false;
      }
    s += "}}";
  }
  s += "],\n  \"unmodelled\": [";
  for (size_t i = 0; i != unmodelled.size(); ++i)
    s += (i ? ", " : "") + quoted(unmodelled[i]);
  return s + "]\n}\n";
}

std::string Prediction::trace() const {
  std::string s = "{\"displayTimeUnit\": \"ns\", \"otherData\": {\"clock\": \"1 us is 1 cycle of " + machine +
                  " as modelled\"},\n\"traceEvents\": [\n";
  std::set<uint64_t> processes;
  std::map<std::pair<uint64_t, uint64_t>, std::string> tracks;
  for (const TimelineEvent &e : timeline) {
    processes.insert(e.process);
    auto &name = tracks[{e.process, e.track}];
    if (name.empty())
      name = e.track < 1000 ? "warp " + std::to_string(e.track) : e.name;
  }
  bool first = true;
  auto event = [&](const std::string &text) {
    s += (first ? "" : ",\n") + text;
    first = false;
  };
  for (uint64_t p : processes)
    event("{\"ph\": \"M\", \"pid\": " + std::to_string(p) +
          ", \"name\": \"process_name\", \"args\": {\"name\": \"block " + std::to_string(p) + "\"}}");
  for (auto &[key, name] : tracks)
    event("{\"ph\": \"M\", \"pid\": " + std::to_string(key.first) + ", \"tid\": " + std::to_string(key.second) +
          ", \"name\": \"thread_name\", \"args\": {\"name\": " + quoted(name) + "}}");
  for (const TimelineEvent &e : timeline) {
    std::string line;
    put(line, "{\"ph\": \"X\", \"pid\": %llu, \"tid\": %llu, \"ts\": %.1f, \"dur\": %.1f, \"cat\": %s, \"name\": %s",
        static_cast<unsigned long long>(e.process), static_cast<unsigned long long>(e.track), e.begin, e.end - e.begin,
        quoted(e.category).c_str(), quoted(e.name).c_str());
    if (e.line)
      put(line, ", \"args\": {\"PTX line\": %u}", e.line);
    event(line + "}");
  }
  return s + "\n]}\n";
}

std::string tileiras::emu::timing::compareText(const Prediction &a, const std::string &nameA, const Prediction &b,
                                               const std::string &nameB) {
  std::string s;
  put(s, "%-26s %16s %16s\n", "", firstWords(nameA, 16).c_str(), firstWords(nameB, 16).c_str());
  auto row = [&](const char *name, double x, double y, const char *pattern) {
    put(s, "%-26s ", name);
    put(s, pattern, x);
    s += " ";
    put(s, pattern, y);
    s += "\n";
  };
  row("cycles", a.cycles, b.cycles, "%16.0f");
  row("microseconds", a.seconds * 1e6, b.seconds * 1e6, "%16.2f");
  if (a.flops > 0 || b.flops > 0)
    row("TFLOP/s", a.tflops, b.tflops, "%16.1f");
  row("DRAM GB/s", a.gbs, b.gbs, "%16.0f");
  row("blocks per SM", a.blocksPerSm, b.blocksPerSm, "%16.0f");
  std::map<std::string, std::pair<double, double>> units;
  for (const UnitUse &u : a.units)
    units[u.name].first = u.share;
  for (const UnitUse &u : b.units)
    units[u.name].second = u.share;
  for (auto &[name, v] : units)
    if (std::max(v.first, v.second) > 0.05)
      row((name + " %").c_str(), 100 * v.first, 100 * v.second, "%16.1f");
  put(s, "%s is limited by: %s\n%s is limited by: %s\n", nameA.c_str(), a.limiter.c_str(), nameB.c_str(),
      b.limiter.c_str());
  const double ratio = a.seconds > 0 ? b.seconds / a.seconds : 1;
  const std::string &winner = ratio >= 1 ? nameA : nameB;
  const double gain = 100 * (std::max(ratio, 1 / ratio) - 1);
  // Most of the error of two kernels on one machine is common to both.
  const double doubt = 0.4 * std::max(a.errorPercent, b.errorPercent);
  if (gain < 0.05)
    s += "the model sees no difference\n";
  else
    put(s, "%s is faster by %.1f %%%s\n", winner.c_str(), gain,
        gain < doubt ? ", which is less than the model can be trusted with" : "");
  return s;
}
