//===- Options.cpp - What the environment asks of the device ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Options.h"

#include "tileiras/Emulator/Machine/Occupancy.h"
#include "tileiras/Emulator/Timing/MachineDescription.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

using namespace tileiras::device;

static std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

static uint64_t number(const char *name, std::string &error) {
  std::string text = variable(name);
  char *end = nullptr;
  uint64_t value = std::strtoull(text.c_str(), &end, 10);
  if (*end)
    error = std::string(name) + ": '" + text + "' is not a number";
  return value;
}

static Options read() {
  Options o;
  if (std::string target = variable("TILEIRAS_DEVICE"); !target.empty()) {
    if (target.rfind("sm_", 0) != 0 || !tileiras::emu::limitsOf(target))
      o.error = "TILEIRAS_DEVICE: no device '" + target + "' (sm_70, 75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121)";
    else
      o.target = target;
  }
  o.sm = tileiras::emu::limitsOf(o.target)->computeCapability;
  o.target = "sm_" + std::to_string(o.sm);
  std::string list = variable("TILEIRAS_CHECK");
  for (std::string_view rest = list; !rest.empty();) {
    std::string_view word = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    if (word == "race" || word == "all")
      o.checkRaces = true;
    if (word == "init" || word == "all")
      o.checkUninitialized = true;
    if (word == "idioms")
      o.checkRaces = o.checkIdioms = true;
    if (word != "race" && word != "init" && word != "all" && word != "memory" && word != "idioms")
      o.error = "TILEIRAS_CHECK: no check '" + std::string(word) + "' (memory, race, init, all, idioms)";
  }
  std::string rules = variable("TILEIRAS_RULES");
  if (rules == "isa")
    o.rules = tileiras::emu::Rules::Isa;
  else if (!rules.empty() && rules != "hardware")
    o.error = "TILEIRAS_RULES: '" + rules + "' is neither hardware nor isa";
  if (std::string file = variable("TILEIRAS_SUPPRESSIONS"); !file.empty()) {
    auto suppressions = std::make_shared<tileiras::emu::Suppressions>();
    std::string why;
    if (suppressions->read(file, why))
      o.suppressions = suppressions;
    else
      o.error = "TILEIRAS_SUPPRESSIONS: " + why;
  }
  o.log = variable("TILEIRAS_LOG");
  o.summary = variable("TILEIRAS_SUMMARY");
  o.reports = variable("TILEIRAS_REPORTS");
  o.trace = variable("TILEIRAS_TRACE");
  o.coverage = variable("TILEIRAS_COVERAGE");
  o.time = variable("TILEIRAS_TIME");
  std::vector<std::string> machines = tileiras::emu::timing::machineNames();
  if (!o.time.empty() && !o.time.ends_with(".gpu") &&
      std::find(machines.begin(), machines.end(), o.time) == machines.end()) {
    o.error = "TILEIRAS_TIME: no machine '" + o.time + "' (";
    for (const std::string &name : machines)
      o.error += name + " ";
    o.error += "or a file *.gpu)";
    o.time.clear();
  }
  o.maxSteps = number("TILEIRAS_MAX_STEPS", o.error);
  o.threads = unsigned(number("TILEIRAS_THREADS", o.error));
  return o;
}

const Options &tileiras::device::options() {
  static const Options *o = new Options(read());
  return *o;
}
