//===- Builtins.cpp - Functions the driver provides -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// vprintf, __assertfail, malloc and free are called like PTX functions but defined by the CUDA driver.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Cta.h"
#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Warp.h"

#include <bit>

using namespace tileiras::emu;

namespace {

enum Builtin { None, Vprintf, AssertFail, Malloc, Free };

/// Bytes of one lane at a generic address; stops at the first fault. Used for strings and argument buffers.
class LaneReader {
public:
  LaneReader(Warp &w, uint32_t lane) : w(w), lane(lane) {}
  bool read(uint64_t address, void *out, unsigned bytes) {
    Region r;
    if (!w.region(Space::Generic, address, address + bytes, false, r))
      return false;
    std::memcpy(out, r.host + lane * r.laneStride, bytes);
    return true;
  }
  bool string(uint64_t address, std::string &out) {
    for (unsigned n = 0; n != 65536; ++n) {
      char c;
      if (!read(address + n, &c, 1))
        return false;
      if (!c)
        return true;
      out += c;
    }
    return false;
  }

private:
  Warp &w;
  uint32_t lane;
};

/// C's printf with the arguments laid out by the CUDA calling convention: each aligned to its own size.
bool format(LaneReader &reader, const std::string &fmt, uint64_t args, std::string &out) {
  uint64_t at = args;
  auto take = [&](unsigned bytes, uint64_t &value) {
    at = (at + bytes - 1) & ~uint64_t(bytes - 1);
    value = 0;
    bool ok = reader.read(at, &value, bytes);
    at += bytes;
    return ok;
  };
  for (size_t i = 0; i < fmt.size(); ++i) {
    if (fmt[i] != '%') {
      out += fmt[i];
      continue;
    }
    if (i + 1 < fmt.size() && fmt[i + 1] == '%') {
      out += '%';
      ++i;
      continue;
    }
    std::string spec = "%";
    size_t j = i + 1;
    unsigned longs = 0;
    bool size64 = false;
    for (; j < fmt.size(); ++j) {
      char c = fmt[j];
      if (c == '*') {
        uint64_t v;
        if (!take(4, v))
          return false;
        spec += std::to_string(int32_t(v));
      } else if (c == 'l') {
        ++longs;
      } else if (c == 'z' || c == 'j' || c == 't') {
        size64 = true;
      } else if (c == 'h') {
      } else if (std::strchr("-+ #0123456789.", c)) {
        spec += c;
      } else {
        break;
      }
    }
    if (j >= fmt.size() || spec.size() > 32) {
      out += fmt.substr(i);
      return true;
    }
    char conversion = fmt[j];
    char buffer[512];
    uint64_t v;
    switch (conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
    case 'c': {
      bool wide = longs || size64;
      if (!take(wide ? 8 : 4, v))
        return false;
      if (conversion == 'c') {
        std::snprintf(buffer, sizeof buffer, (spec + "c").c_str(), int(v));
      } else {
        long long value = wide                                     ? static_cast<long long>(v)
                          : conversion == 'd' || conversion == 'i' ? static_cast<long long>(int32_t(v))
                                                                   : static_cast<long long>(uint32_t(v));
        std::snprintf(buffer, sizeof buffer, (spec + "ll" + conversion).c_str(), value);
      }
      out += buffer;
      break;
    }
    case 'p':
      if (!take(8, v))
        return false;
      std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(v));
      out += buffer;
      break;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      if (!take(8, v))
        return false;
      std::snprintf(buffer, sizeof buffer, (spec + conversion).c_str(), std::bit_cast<double>(v));
      out += buffer;
      break;
    case 's': {
      if (!take(8, v))
        return false;
      std::string s;
      if (!reader.string(v, s))
        return false;
      std::vector<char> big(s.size() + 256);
      std::snprintf(big.data(), big.size(), (spec + "s").c_str(), s.c_str());
      out += big.data();
      break;
    }
    default:
      out += fmt.substr(i, j - i + 1);
    }
    i = j;
  }
  return true;
}

/// The nth argument of the call, for one lane.
uint64_t argument(Warp &w, const CallAux &x, unsigned n, uint32_t lane) {
  if (n >= x.args.size())
    return 0;
  const CallAux::Copy &c = x.args[n];
  uint64_t v = 0;
  if (c.reg)
    std::memcpy(
        &v, (c.from & ConstantBit ? w.base[1] + (c.from & ~ConstantBit) : w.frame->regs + c.from) + lane * c.regBytes,
        c.regBytes);
  else
    std::memcpy(&v, &w.local[lane * w.localStride + w.frame->localBase + c.fromOffset], std::min<uint64_t>(c.size, 8));
  return v;
}

void result(Warp &w, const CallAux &x, uint32_t lane, uint64_t value, unsigned bytes = 4) {
  if (x.returns.empty())
    return;
  const CallAux::Copy &c = x.returns[0];
  if (c.reg) {
    if (c.regBytes == bytes)
      std::memcpy(w.frame->regs + c.to + lane * bytes, &value, bytes);
    return;
  }
  uint64_t at = lane * w.localStride + w.frame->localBase + c.toOffset;
  std::memcpy(&w.local[at], &value, bytes);
  std::memset(&w.localShadow[at], 0xff, bytes);
}

} // namespace

bool tileiras::emu::usesHeap(int builtin) { return builtin == Malloc; }

int tileiras::emu::findBuiltin(std::string_view name) {
  if (name == "vprintf")
    return Vprintf;
  if (name == "__assertfail")
    return AssertFail;
  if (name == "malloc")
    return Malloc;
  if (name == "free")
    return Free;
  return None;
}

void tileiras::emu::callBuiltin(Warp &w, const Inst &inst, const CallAux &x, uint32_t mask) {
  for (uint32_t m = mask; m; m &= m - 1) {
    uint32_t lane = uint32_t(std::countr_zero(m));
    LaneReader reader(w, lane);
    if (x.builtin == Vprintf) {
      std::string fmt, out;
      uint64_t format_ = argument(w, x, 0, lane), args = argument(w, x, 1, lane);
      if (!reader.string(format_, fmt) || !format(reader, fmt, args, out)) {
        w.report(ReportKind::OutOfBounds, inst, lane, "printf reads outside of memory (format or arguments)", format_);
        result(w, x, lane, ~0u);
        continue;
      }
      w.launch->print(out);
      result(w, x, lane, uint32_t(out.size()));
      continue;
    }
    if (x.builtin == Malloc) {
      result(w, x, lane, w.launch->heap->allocate(argument(w, x, 0, lane)), 8);
      continue;
    }
    if (x.builtin == Free) {
      uint64_t address = argument(w, x, 0, lane);
      if (!w.launch->heap->release(address))
        w.report(ReportKind::OutOfBounds, inst, lane,
                 "free of an address that malloc did not give, or gave back already", address);
      continue;
    }
    // __assertfail(message, file, line, function, charSize)
    std::string message, file, function;
    reader.string(argument(w, x, 0, lane), message);
    reader.string(argument(w, x, 1, lane), file);
    reader.string(argument(w, x, 3, lane), function);
    uint32_t line = uint32_t(argument(w, x, 2, lane));
    std::string text = file + ":" + std::to_string(line) + ": " + function + ": Assertion `" + message + "' failed.";
    w.launch->print(text + "\n");
    w.fatal(ReportKind::Trap, inst, lane, text);
    return;
  }
}
