//===- MachineDescription.cpp - Numbers of one GPU --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Timing/MachineDescription.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

using namespace tileiras::emu::timing;

namespace tileiras::emu::timing {
/// Made by the build from Machines/*.gpu.
extern const std::vector<std::pair<std::string_view, std::string_view>> builtinMachines;
} // namespace tileiras::emu::timing

namespace {

std::string_view trim(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t' || s.front() == '\r'))
    s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r'))
    s.remove_suffix(1);
  return s;
}

double *fieldOf(MachineDescription &m, std::string_view key) {
#define X(name, doc)                                                                                                   \
  if (key == #name)                                                                                                    \
    return &m.name;
  TILEIRAS_MACHINE_FIELDS(X)
#undef X
  return nullptr;
}

} // namespace

std::vector<std::pair<std::string, std::string>> tileiras::emu::timing::machineFields() {
  std::vector<std::pair<std::string, std::string>> fields;
#define X(name, doc) fields.push_back({#name, doc});
  TILEIRAS_MACHINE_FIELDS(X)
#undef X
  return fields;
}

std::vector<std::string> tileiras::emu::timing::machineNames() {
  std::vector<std::string> names;
  for (auto &[name, text] : builtinMachines)
    names.emplace_back(name);
  return names;
}

std::optional<MachineDescription> tileiras::emu::timing::parseMachine(std::string_view text, std::string name,
                                                                      std::string &error) {
  MachineDescription m;
  m.name = name;
  unsigned number = 0;
  auto fail = [&](const std::string &what) {
    error = name + ":" + std::to_string(number) + ": " + what;
    return std::nullopt;
  };
  while (!text.empty()) {
    ++number;
    size_t end = text.find('\n');
    std::string_view line = trim(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.empty() || line.front() == '#')
      continue;
    size_t equals = line.find('='), hash = line.find('#');
    if (equals == std::string_view::npos || hash == std::string_view::npos || hash < equals)
      return fail("expected 'key = value  # [tag] source'");
    std::string_view key = trim(line.substr(0, equals)), source = trim(line.substr(hash + 1));
    std::string value(trim(line.substr(equals + 1, hash - equals - 1)));
    double *field = fieldOf(m, key);
    if (!field)
      return fail("no such key '" + std::string(key) + "'");
    if (source.size() < 5 || source.front() != '[' || source.find(']') == std::string_view::npos)
      return fail("'" + std::string(key) + "' has no source");
    if (!m.sources.emplace(key, source).second)
      return fail("'" + std::string(key) + "' is given twice");
    char *rest = nullptr;
    *field = std::strtod(value.c_str(), &rest);
    if (value.empty() || *rest || !std::isfinite(*field) || *field < 0)
      return fail("'" + value + "' is not a number");
  }
  for (auto &[key, doc] : machineFields())
    if (!m.sources.count(key))
      return fail("'" + key + "' is missing (" + doc + ")");
  // Rates and sizes by which something is divided.
  static const std::set<std::string_view> mayBeZero = {"wgmma_flops",       "wgmma_tail",
                                                       "tcgen05_flops",     "tcgen05_tail_ss",
                                                       "tcgen05_tail_ts",   "tcgen05_tail_pair",
                                                       "tcgen05_batch",     "tmem_bytes",
                                                       "tmem_min_interval", "lat_tmem",
                                                       "tma_bytes",         "tma_narrow_bytes",
                                                       "tma_latency",       "tma_issue_interval",
                                                       "tma_store_bytes",   "tma_store_latency",
                                                       "lat_l2_far",        "lat_dsmem",
                                                       "dsmem_bytes",       "cluster_barrier",
                                                       "mma_fp8_flops",     "mma_f64_flops",
                                                       "mma_tf32_flops",    "fence_proxy",
                                                       "setmaxnreg",        "launch_us",
                                                       "mma_f16_f16_flops", "mma_int8_flops",
                                                       "block_start",       "mbar_arrive",
                                                       "mbar_wait",         "cancel_latency",
                                                       "tma_hold",          "mbar_wake",
                                                       "tma_miss_latency",  "membar_write",
                                                       "launch_cold_us",    "tensor_clock_exponent"};
  for (auto &[key, doc] : machineFields())
    if (*fieldOf(m, key) == 0 && !mayBeZero.count(key))
      return fail("'" + key + "' must not be zero");
  if (m.exchange_queue < 1 || m.exchange_queue > 65536)
    return fail("'exchange_queue' must be from 1 to 65536");
  return m;
}

std::optional<MachineDescription> tileiras::emu::timing::findMachine(std::string_view name, std::string &error) {
  for (auto &[builtin, text] : builtinMachines)
    if (builtin == name)
      return parseMachine(text, std::string(name), error);
  if (name.find('/') != std::string_view::npos || name.ends_with(".gpu")) {
    std::ifstream file{std::string(name)};
    if (!file) {
      error = "cannot read '" + std::string(name) + "'";
      return std::nullopt;
    }
    std::stringstream text;
    text << file.rdbuf();
    return parseMachine(text.str(), std::string(name), error);
  }
  error = "no timing data for '" + std::string(name) + "' (known:";
  for (const std::string &known : machineNames())
    error += " " + known;
  error += ", or a file *.gpu)";
  return std::nullopt;
}

double MachineDescription::peakMatrixFlops(unsigned bits) const {
  double async = std::max(wgmma_flops, tcgen05_flops);
  const double bytes = std::max(2 * async, std::max(mma_fp8_flops, mma_int8_flops));
  if (bits <= 4) // wgmma has none; tcgen05 takes twice as many elements in the bytes of an instruction
    return std::max({bytes, 4 * tcgen05_flops, 2 * std::max(mma_fp8_flops, mma_int8_flops)});
  if (bits <= 8)
    return bytes;
  if (bits <= 16)
    return std::max(async, mma_f16_f32_flops);
  if (bits <= 32)
    return std::max(async / 2, mma_tf32_flops);
  return std::max(mma_f64_flops, 4 * 32 * 2 / fp64_interval);
}
