//===- BindTcgen05.cpp - Tensor memory instructions -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, "TensorCore 5th Generation Family Instructions". Operands of tcgen05.mma:
//
//   plain    [d], a, b-desc, {[meta],} idesc, {disable-output-lane,} enable-input-d {, scale-input-d}
//   scaled   [d], a, b-desc, {[meta],} idesc, [sfa], [sfb], enable-input-d
//   ws       [d], a, b-desc, {[meta],} idesc, enable-input-d {, zero-column-mask-desc}
//
// with a = a-desc or [a]. Which targets have which form is in the "Target ISA Notes" of each instruction; family
// targets (sm_100f, ...) came with PTX 8.8.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Bind/Binder.h"

#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/TensorMemory/Tcgen05Layout.h"

#include <algorithm>
#include <cstdlib>
#include <string>

using namespace tileiras::emu;

namespace {
/// "sm_100a" -> 100, 'a'. sm_101 is the old name of sm_110.
struct Target {
  unsigned sm = 0;
  char suffix = 0;
  explicit Target(const std::string &name) {
    char *end = nullptr;
    sm = unsigned(std::strtoul(name.c_str() + std::min<size_t>(3, name.size()), &end, 10));
    suffix = *end;
    if (sm == 101)
      sm = 110;
  }
  bool tensor() const { return (sm == 100 || sm == 103 || sm == 110) && (suffix == 'a' || suffix == 'f'); }
};
} // namespace

bool Binder::tensorAddress(const Operand &op, TensorAux::Address &address) {
  if (op.kind != Operand::Mem || op.parts.size() != 1)
    return error(op.loc, "expected a tensor memory address in brackets");
  const Operand &base = op.parts[0];
  if (base.kind == Operand::Int) {
    address.row = constants.get(base.bits + uint64_t(op.addend), 4);
    return true;
  }
  if (base.kind != Operand::Reg || base.negated || fn.registers[base.reg].type == Type::Pred || regBits(base) != 32)
    return error(base.loc, "a tensor memory address is a 32-bit register or a constant");
  address.row = regs[base.reg];
  address.offset = uint32_t(op.addend);
  return true;
}

Binder::Bound Binder::bindTcgen05(const Instruction &inst, Inst &i) {
  const Op op = inst.row->op;
  if (op < Op::Tcgen05Alloc || op > Op::Tcgen05Mma)
    return std::nullopt;
  const std::vector<Operand> &ops = inst.operands;
  const Target target(program.ast->target);
  const unsigned version = program.ast->versionMajor * 10 + program.ast->versionMinor;
  auto fault = [&](std::string text) { return error(inst.loc, std::move(text)), true; };
  auto needs = [&](bool have, const char *what, const char *where) {
    if (!have)
      error(inst.loc, std::string(what) + " needs target " + where + ", the module's target is " + program.ast->target);
    return have;
  };
  if (!needs(target.tensor(), "'tcgen05'", "sm_100a, sm_103a or sm_110a, or their family targets"))
    return true;
  if (target.suffix == 'f' && version < 88)
    return fault("target " + program.ast->target + " needs .version 8.8");
  if (version < 86)
    return fault("'tcgen05' needs .version 8.6");
  const uint8_t group = inst.has("cta_group::2") ? 2 : 1;
  if (inst.has("cta_group::1") || inst.has("cta_group::2")) {
    if (tensorGroup && tensorGroup != group)
      return fault("tcgen05 instructions with .cta_group::1 and .cta_group::2 in one function");
    tensorGroup = group;
  }
  i.e = constants.get(0xffffffffu, 4);
  i.count = group;
  auto sharedAddress = [&] {
    program.memAux.emplace_back();
    MemAux &x = program.memAux.back();
    address(inst, ops[0], i, x);
    if (inst.has("shared::cta"))
      x.space = Space::Shared;
  };
  auto aux = [&]() -> TensorAux & {
    program.tensorAux.emplace_back();
    program.tensorAux.back().group = group;
    i.aux = &program.tensorAux.back();
    return program.tensorAux.back();
  };
  switch (op) {
  case Op::Tcgen05Alloc:
    sharedAddress();
    i.b = source(ops[1], Type::U32);
    return finish(i, handlers::tensorAlloc);
  case Op::Tcgen05Dealloc:
    i.a = source(ops[0], Type::U32);
    i.b = source(ops[1], Type::U32);
    return finish(i, handlers::tensorDealloc);
  case Op::Tcgen05Relinquish:
    return finish(i, handlers::tensorRelinquish);
  case Op::Tcgen05Ld:
    if (inst.has("red")) {
      if (!needs(target.sm != 100, "'tcgen05.ld.red'", "sm_103a or sm_110a, or their family targets"))
        return true;
      if (version < 88)
        return fault("'tcgen05.ld.red' needs .version 8.8");
    }
    return bindTensorLoadStore(inst, i, aux());
  case Op::Tcgen05St:
    return bindTensorLoadStore(inst, i, aux());
  case Op::Tcgen05Wait:
    i.flags = inst.has("wait::st");
    return finish(i, handlers::tensorWait);
  case Op::Tcgen05Fence:
    i.flags = inst.has("fence::after_thread_sync");
    return finish(i, handlers::tensorFence);
  case Op::Tcgen05Commit:
    sharedAddress();
    if (ops.size() > 1) {
      i.flags = 1;
      i.b = source(ops[1], Type::U16);
    }
    return finish(i, handlers::tensorCommit);
  case Op::Tcgen05Cp: {
    TensorAux &x = aux();
    if (!tensorAddress(ops[0], x.d))
      return true;
    i.b = source(ops[1], Type::B64);
    x.copyRows = inst.has("4x256b") ? 4 : inst.has("64x128b") ? 64 : inst.has("32x128b") ? 32 : 128;
    x.copyBytes = inst.has("128x256b") || inst.has("4x256b") ? 32 : 16;
    x.multicast = inst.has("warpx2::02_13")   ? TensorMulticast::Warps02And13
                  : inst.has("warpx2::01_23") ? TensorMulticast::Warps01And23
                  : inst.has("warpx4")        ? TensorMulticast::AllWarps
                                              : TensorMulticast::None;
    x.expandBits = inst.has("b4x16_p64") ? 4 : inst.has("b6x16_p32") ? 6 : 0;
    if (inst.has("b8x16") != (x.expandBits != 0))
      return fault("the formats of tcgen05.cp go together: .b8x16.b4x16_p64 or .b8x16.b6x16_p32");
    return finish(i, handlers::tensorCopy);
  }
  case Op::Tcgen05Shift: {
    if (!needs(target.suffix == 'a', "'tcgen05.shift'", "sm_100a, sm_103a or sm_110a"))
      return true;
    TensorAux &x = aux();
    return !tensorAddress(ops[0], x.d) || finish(i, handlers::tensorShift);
  }
  default:
    break;
  }
  // mma
  const bool i8 = inst.has("kind::i8"), sparse = inst.has("sp");
  const bool fp4 = inst.has("kind::mxf4") || inst.has("kind::mxf4nvf4");
  if (i8 && !needs((target.sm == 100 || target.sm == 110) && target.suffix == 'a', "'.kind::i8'", "sm_100a or sm_110a"))
    return true;
  const bool vectors = inst.has("scale_vec::1X") || inst.has("scale_vec::2X") || inst.has("scale_vec::4X");
  if ((vectors || (fp4 && sparse)) &&
      !needs(target.suffix == 'a', fp4 && sparse ? "sparse fp4" : "'.scale_vec'", "sm_100a, sm_103a or sm_110a"))
    return true;
  if (inst.has("block_scale") && !vectors && version < 88)
    return fault("the '.block16' and '.block32' forms need .version 8.8");
  if (inst.has("kind::mxf4nvf4") && version < 87)
    return fault("'.kind::mxf4nvf4' needs .version 8.7");
  return bindTensorMma(inst, i, aux());
}

bool Binder::bindTensorLoadStore(const Instruction &inst, Inst &i, TensorAux &x) {
  const std::vector<Operand> &ops = inst.operands;
  const bool isLoad = inst.row->op == Op::Tcgen05Ld, reduces = inst.has("red");
  uint32_t repeat = 1;
  for (std::string_view word : inst.mods)
    if (word.size() > 1 && word[0] == 'x' && word.find_first_not_of("0123456789", 1) == std::string_view::npos)
      repeat = uint32_t(std::strtoul(std::string(word.substr(1)).c_str(), nullptr, 10));
  x.shape = inst.has("32x32b")    ? TensorShape::S32x32
            : inst.has("16x64b")  ? TensorShape::S16x64
            : inst.has("16x128b") ? TensorShape::S16x128
            : inst.has("16x256b") ? TensorShape::S16x256
                                  : TensorShape::S16x32x2;
  x.packed = inst.has("pack::16b") || inst.has("unpack::16b");
  const uint32_t count = repeat * tensorShapeRegisters(x.shape);
  if (count > 128)
    return error(inst.loc, "this shape has at most .x" + std::to_string(128 / tensorShapeRegisters(x.shape))), true;
  // Loads: {d} [, red], [address] [, half]. Stores: [address] [, half], {s}.
  const bool split = x.shape == TensorShape::S16x32x2;
  const size_t total = 2 + split + reduces, vector = isLoad ? 0 : total - 1, memory = isLoad ? 1 + reduces : 0;
  if (ops.size() != total)
    return error(inst.loc, "this form of 'tcgen05." + std::string(isLoad ? "ld" : "st") + "' takes " +
                               std::to_string(total) + " operands, found " + std::to_string(ops.size())),
           true;
  if (!tensorAddress(ops[memory], x.d))
    return true;
  if (split) {
    const Operand &half = ops[memory + 1];
    if (half.kind != Operand::Int)
      return error(half.loc, "expected the constant distance of the second half"), true;
    x.half = uint32_t(half.bits);
  }
  const Operand &list = ops[vector];
  if (list.kind != Operand::Vector || list.parts.size() != count)
    return error(list.loc, "expected a list of " + std::to_string(count) + " registers"), true;
  auto take = [&](const Operand &part) {
    if (part.kind != Operand::Reg || part.negated || fn.registers[part.reg].type == Type::Pred || regBits(part) != 32)
      return error(part.loc, "expected a 32-bit register");
    if (isLoad)
      x.numbers.push_back(uint32_t(code.asyncNumber[size_t(part.reg)]));
    return true;
  };
  for (const Operand &part : list.parts) {
    if (!isLoad && part.kind == Operand::Int) {
      x.rows.push_back(constants.get(part.bits, 4));
      continue;
    }
    if (!take(part))
      return true;
    x.rows.push_back(regs[part.reg]);
  }
  if (isLoad)
    for (size_t k = 0; k != list.parts.size(); ++k)
      for (size_t j = 0; j != k; ++j)
        if (list.parts[j].reg == list.parts[k].reg)
          return error(list.parts[k].loc,
                       "register '" + fn.registers[list.parts[k].reg].name + "' occurs twice in the list"),
                 true;
  if (reduces) {
    if (!take(ops[1]))
      return true;
    x.reduced = regs[ops[1].reg];
    x.reduction = inst.has("min") ? 1 : 2;
    x.reduceAbs = inst.has("abs");
    x.reduceNaN = inst.has("NaN");
    x.reduceType = inst.type(0);
  }
  return finish(i, isLoad ? handlers::tensorLoad : handlers::tensorStore);
}

bool Binder::bindTensorMma(const Instruction &inst, Inst &i, TensorAux &x) {
  const std::vector<Operand> &ops = inst.operands;
  const Target target(program.ast->target);
  auto fault = [&](Loc loc, std::string text) { return error(loc, std::move(text)), true; };
  x.kind = inst.has("kind::f16")        ? TensorKind::F16
           : inst.has("kind::tf32")     ? TensorKind::TF32
           : inst.has("kind::f8f6f4")   ? TensorKind::F8F6F4
           : inst.has("kind::i8")       ? TensorKind::I8
           : inst.has("kind::mxf8f6f4") ? TensorKind::MXF8F6F4
           : inst.has("kind::mxf4")     ? TensorKind::MXF4
                                        : TensorKind::MXF4NVF4;
  x.sparse = inst.has("sp");
  x.ws = inst.has("ws");
  x.ashift = inst.has("ashift");
  x.blockScaled = inst.has("block_scale");
  if (x.blockScaled)
    x.scaleVector = inst.has("scale_vec::4X") || inst.has("block16") ? 4 : x.kind == TensorKind::MXF8F6F4 ? 1 : 2;
  for (std::string_view word : inst.mods)
    if (word.substr(0, 11) == "collector::") {
      std::string_view buffer = word.substr(11, word.find("::", 11) - 11), use = word.substr(word.rfind("::") + 2);
      x.collectorBuffer = buffer == "a" ? 0 : uint8_t(1 + (buffer[1] - '0'));
      x.collector = use == "fill"      ? TensorCollector::Fill
                    : use == "use"     ? TensorCollector::Use
                    : use == "lastuse" ? TensorCollector::LastUse
                    : use == "discard" ? TensorCollector::Discard
                                       : TensorCollector::None;
      if (x.collector == TensorCollector::None)
        return fault(inst.loc, "unknown use of a collector buffer: '." + std::string(word) + "'");
    }
  if (x.ashift && (x.collector == TensorCollector::Fill || x.collector == TensorCollector::Use))
    return fault(inst.loc, "'.ashift' cannot be combined with filling or using the collector buffer");
  auto scalar = [&](const Operand &op, unsigned bits, const char *what, Row &row) {
    if ((op.kind == Operand::Reg && (op.negated || fn.registers[op.reg].type == Type::Pred || regBits(op) != bits)) ||
        (op.kind != Operand::Reg && op.kind != Operand::Int))
      return error(op.loc, std::string("expected ") + what);
    row = source(op, bits == 64 ? Type::B64 : Type::B32, bits / 8);
    return true;
  };
  const size_t least = 5 + x.sparse + 2 * x.blockScaled;
  if (ops.size() < least)
    return fault(inst.loc, "this form of 'tcgen05.mma' takes at least " + std::to_string(least) + " operands, found " +
                               std::to_string(ops.size()));
  size_t next = 0;
  if (!tensorAddress(ops[next++], x.d))
    return true;
  const Operand &a = ops[next++];
  x.aInTensor = a.kind == Operand::Mem;
  if (x.ashift && !x.aInTensor)
    return fault(a.loc, "'.ashift' needs A in tensor memory");
  if (x.aInTensor ? !tensorAddress(a, x.a) : !scalar(a, 64, "a 64-bit matrix descriptor", x.aDescriptor))
    return true;
  if (!scalar(ops[next++], 64, "a 64-bit matrix descriptor", x.bDescriptor))
    return true;
  if (x.sparse && !tensorAddress(ops[next++], x.meta))
    return true;
  if (!scalar(ops[next++], 32, "a 32-bit instruction descriptor", x.idesc))
    return true;
  if (x.blockScaled && (!tensorAddress(ops[next], x.sfa) || !tensorAddress(ops[next + 1], x.sfb)))
    return true;
  next += 2 * x.blockScaled;
  if (next < ops.size() && ops[next].kind == Operand::Vector) {
    const Operand &mask = ops[next++];
    const size_t words = 4u * x.group;
    if (x.ws || x.blockScaled)
      return fault(mask.loc, "this form of 'tcgen05.mma' has no mask of output lanes");
    if (mask.parts.size() != words)
      return fault(mask.loc, "expected a list of " + std::to_string(words) + " registers");
    for (const Operand &part : mask.parts) {
      if (part.kind != Operand::Reg)
        return fault(part.loc, "expected a 32-bit register");
      x.laneMask.push_back(0);
      if (!scalar(part, 32, "a 32-bit register", x.laneMask.back()))
        return true;
    }
  }
  if (next == ops.size())
    return fault(inst.loc, "the predicate enable-input-d is missing");
  const Operand &enable = ops[next++];
  if (enable.kind == Operand::Reg ? fn.registers[enable.reg].type != Type::Pred : enable.kind != Operand::Int)
    return fault(enable.loc, "expected a predicate for enable-input-d");
  x.enable = uint16_t(predSource(enable, x.enableFlip));
  if (next < ops.size()) {
    const Operand &extra = ops[next++];
    if (x.ws) {
      x.hasZeroMask = true;
      if (!scalar(extra, 64, "a 64-bit zero-column mask", x.zeroMask))
        return true;
    } else if (!x.blockScaled && x.kind <= TensorKind::TF32) {
      if (target.sm == 110)
        return fault(extra.loc,
                     "scale-input-d needs target sm_100a or sm_103a, the module's target is " + program.ast->target);
      if (extra.kind != Operand::Int || extra.bits > 15)
        return fault(extra.loc, "expected a constant from 0 to 15 for scale-input-d");
      x.scaleD = uint8_t(extra.bits);
    } else {
      --next;
    }
  }
  if (next != ops.size())
    return fault(ops[next].loc, "unexpected operand");
  return finish(i, handlers::tensorMma);
}
