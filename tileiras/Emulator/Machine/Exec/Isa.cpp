//===- Isa.cpp - Choosing handlers for the host's vector units -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Exec/Isa.h"

#include <cstdlib>
#include <cstring>

namespace tileiras::emu {

namespace isa_baseline {
extern const IsaTable table;
}
#if defined(__x86_64__)
namespace isa_avx2 {
extern const IsaTable table;
}
namespace isa_avx512 {
extern const IsaTable table;
}
#endif

const std::vector<const IsaTable *> &availableIsas() {
  static const std::vector<const IsaTable *> isas = [] {
    std::vector<const IsaTable *> list;
#if defined(__x86_64__)
    __builtin_cpu_init();
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("popcnt");
    if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd"))
      list.push_back(&isa_avx512::table);
    if (avx2)
      list.push_back(&isa_avx2::table);
#endif
    list.push_back(&isa_baseline::table);
    return list;
  }();
  return isas;
}

static const IsaTable *findIsa(const char *name) {
  for (const IsaTable *isa : availableIsas())
    if (name && !std::strcmp(isa->name, name))
      return isa;
  return nullptr;
}

static const IsaTable *&chosen() {
  static const IsaTable *isa = [] {
    const IsaTable *wanted = findIsa(std::getenv("TILEIRAS_EMULATOR_ISA"));
    return wanted ? wanted : availableIsas().front();
  }();
  return isa;
}

const IsaTable &currentIsa() { return *chosen(); }

bool setIsa(const char *name) {
  const IsaTable *isa = findIsa(name);
  if (isa)
    chosen() = isa;
  return isa != nullptr;
}

} // namespace tileiras::emu
