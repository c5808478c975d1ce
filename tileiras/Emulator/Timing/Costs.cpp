//===- Costs.cpp - What each PTX instruction costs --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Timing/Costs.h"

#include "tileiras/Emulator/Machine/RegisterAllocation.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace tileiras::emu;
using namespace tileiras::emu::timing;

const char *tileiras::emu::timing::pipeName(Pipe p) {
  static const char *names[NumPipes] = {"-",   "fma",      "integer multiply", "alu", "special function",
                                        "f64", "mma.sync", "tensor memory"};
  return names[unsigned(p)];
}

const char *tileiras::emu::timing::stallName(Stall s) {
  static const char *names[NumStalls] = {"issue",
                                         "arithmetic result",
                                         "special function result",
                                         "shared memory or shuffle",
                                         "global memory",
                                         "mma.sync result",
                                         "tensor memory",
                                         "barrier",
                                         "cluster barrier",
                                         "mbarrier (threads)",
                                         "mbarrier (copies)",
                                         "mbarrier (tensor cores)",
                                         "wgmma",
                                         "copy group",
                                         "fence",
                                         "nanosleep",
                                         "pipe busy",
                                         "memory queue",
                                         "not selected",
                                         "branch"};
  return names[unsigned(s)];
}

namespace {

/// "m16n8k16" of the words of a matrix instruction.
bool shapeOf(const Instruction &inst, unsigned &m, unsigned &n, unsigned &k) {
  for (std::string_view word : inst.words) {
    unsigned a = 0, b = 0, c = 0;
    std::string text(word);
    int got = std::sscanf(text.c_str(), "m%un%uk%u", &a, &b, &c);
    if (got == 3) {
      m = a, n = b, k = c;
      return true;
    }
  }
  return false;
}

bool wide(const Instruction &inst) {
  for (Type t : inst.types)
    if (typeBits(t) == 64)
      return true;
  return false;
}

} // namespace

double tileiras::emu::timing::matrixFlops(const Instruction &inst) {
  unsigned m = 0, n = 0, k = 0;
  return shapeOf(inst, m, n, k) ? 2.0 * m * n * k : 0;
}

OpCost Costs::costOf(const Function &, const Instruction &inst) {
  const MachineDescription &d = machine;
  OpCost c;
  const Type type = inst.type();
  const bool f64 = type == Type::F64, is64 = wide(inst) && !f64;
  const bool f32 = type == Type::F32, f32x2 = type == Type::F32x2;
  const bool half = type == Type::F16 || type == Type::F16x2, bf16 = type == Type::BF16 || type == Type::BF16x2;
  auto alu = [&](double interval, double latency, unsigned slots = 1) {
    c.pipe = Pipe::Alu;
    c.slots = uint16_t(slots);
    c.busy = float(interval * slots);
    c.latency = float(latency * slots);
  };
  auto on = [&](Pipe pipe, double interval, double latency, unsigned slots = 1, Stall produces = Stall::Fixed) {
    c.pipe = pipe;
    c.slots = uint16_t(slots);
    c.busy = float(interval);
    c.latency = float(latency);
    c.produces = produces;
  };
  auto floating = [&] {
    if (f64)
      on(Pipe::Fp64, d.fp64_interval, d.lat_fp64);
    else if (f32)
      on(Pipe::Fma, d.fma_interval, d.lat_fma);
    else if (f32x2)
      on(Pipe::Fma, d.fma2_interval, d.lat_fma, d.sm >= 100 && d.sm < 120 ? 1 : 2);
    else if (half)
      on(Pipe::Fma, d.half_interval, d.lat_half);
    else if (bf16)
      on(Pipe::Fma, d.bf16_interval, d.lat_half);
    else
      return false;
    return true;
  };
  auto xu = [&](unsigned extra, bool slow) {
    on(Pipe::Xu, d.xu_interval, (slow ? d.lat_xu_slow : d.lat_xu) + extra * d.lat_alu, 1 + extra, Stall::Xu);
  };
  auto latencyOnly = [&](double latency, Stall produces) {
    c.latency = float(latency);
    c.produces = produces;
    c.dynamic = true;
  };
  auto matrix = [&] {
    unsigned m = 16, n = 8, k = 16;
    shapeOf(inst, m, n, k);
    Type a = inst.types.size() > 1 ? inst.types[1] : Type::F16, sums = type;
    double rate = d.mma_f16_f32_flops;
    unsigned bits = a == Type::TF32 ? 32 : typeBits(a);
    if (a == Type::F64 || sums == Type::F64)
      rate = d.mma_f64_flops;
    else if (bits >= 32)
      rate = d.mma_tf32_flops;
    else if (bits <= 8)
      rate = isInteger(a) ? d.mma_int8_flops * (bits == 4 ? 2 : 1) : d.mma_fp8_flops * (bits == 4 ? 2 : 1);
    else if (sums == Type::F16)
      rate = d.mma_f16_f16_flops;
    double flops = 2.0 * m * n * k;
    if (inst.has("sp") || inst.has("sp::ordered_metadata"))
      rate *= 2;
    if (rate == 0) {
      unmodelled[std::string(inst.text.substr(0, inst.text.find_first_of(" \t")))] =
          "no rate of this matrix instruction on " + d.name;
      rate = d.mma_f16_f32_flops;
    }
    double busy = flops / (rate / 4);
    on(Pipe::Mma, busy, std::max(d.lat_mma, busy) * std::max(1.0, flops / 4096 > 1 ? 1.25 : 1.0), 1, Stall::Matrix);
  };

  switch (inst.row->op) {
  case Op::Mov:
  case Op::Cvta:
  case Op::StackSave:
  case Op::StackRestore:
  case Op::Nop:
  case Op::CreatePolicy:
    c.slots = 0;
    break;
  case Op::Add:
  case Op::Sub:
    if (!floating())
      alu(d.iadd_interval, d.lat_alu, is64 ? 2 : 1);
    break;
  case Op::AddCC:
    alu(d.iadd_interval, d.lat_alu);
    break;
  case Op::Fma:
    floating();
    break;
  case Op::Mul:
  case Op::Mad:
    if (!floating())
      on(Pipe::Heavy, d.imad_interval * (is64 ? 3 : inst.has("hi") ? 2 : 1), d.lat_imad * (is64 ? 3 : 1), is64 ? 3 : 1);
    break;
  case Op::MulWide:
  case Op::MadWide:
  case Op::MadCC:
  case Op::Mul24:
  case Op::Mad24:
  case Op::Dp4a:
  case Op::Dp2a:
    on(Pipe::Heavy, d.imad_interval, d.lat_imad);
    break;
  case Op::Div:
    if (f32 && (inst.has("approx") || inst.has("full")))
      xu(2, false);
    else if (f32)
      xu(8, true);
    else if (f64)
      on(Pipe::Fp64, d.fp64_interval * 9, d.lat_fp64 * 9, 14);
    else
      xu(is64 ? 40 : 18, true);
    break;
  case Op::Rem:
    xu(is64 ? 42 : 20, true);
    break;
  case Op::Abs:
  case Op::Neg:
    if (f32 || half || bf16 || f64)
      c.slots = 0; // operand modifiers
    else
      alu(d.alu_interval, d.lat_alu, is64 ? 2 : 1);
    break;
  case Op::Min:
  case Op::Max:
  case Op::Min3:
  case Op::Max3:
    if (f64)
      on(Pipe::Fp64, d.fp64_interval, d.lat_fp64);
    else
      alu(d.alu_interval, d.lat_setp, is64 ? 2 : 1);
    break;
  case Op::Popc:
  case Op::Clz:
  case Op::Bfind:
  case Op::Brev:
  case Op::Fns:
    xu(is64 ? 1 : 0, false);
    break;
  case Op::Rcp:
  case Op::Sqrt:
  case Op::Rsqrt:
    if (f64)
      on(Pipe::Fp64, d.fp64_interval * 6, d.lat_fp64 * 6, 10);
    else if (!inst.has("approx"))
      xu(7, true);
    else
      xu(inst.has("ftz") ? 0 : 2, inst.row->op == Op::Rcp);
    break;
  case Op::Sin:
  case Op::Cos:
    xu(1, false);
    break;
  case Op::Ex2:
  case Op::Lg2:
    xu(inst.has("ftz") || half || bf16 ? 0 : 2, false);
    break;
  case Op::Tanh:
    xu(0, false);
    break;
  case Op::Setp:
  case Op::SetpX2:
  case Op::Set:
  case Op::Selp:
  case Op::Slct:
  case Op::Testp:
    if (f64)
      on(Pipe::Fp64, d.fp64_interval, d.lat_fp64);
    else
      alu(d.alu_interval, d.lat_setp, is64 && inst.row->op != Op::Setp ? 2 : 1);
    break;
  case Op::And:
  case Op::Or:
  case Op::Xor:
  case Op::Not:
  case Op::Shl:
  case Op::Shr:
    alu(d.alu_interval, d.lat_alu, is64 ? 2 : 1);
    break;
  case Op::Cvt: {
    const Type to = inst.type(0), from = inst.type(1);
    const bool packs = typeBits(to) <= 16 || to == Type::F16x2 || to == Type::BF16x2;
    if (to == Type::F64 || from == Type::F64 || (typeBits(to) == 64 && isFloat(from)) ||
        (typeBits(from) == 64 && isFloat(to)))
      on(Pipe::Xu, d.xu_interval, d.lat_xu_slow, 1, Stall::Xu);
    else if (isFloat(to) && isFloat(from) && typeBits(from) < typeBits(to))
      alu(d.cvt_pack_interval, d.lat_alu); // widening
    else if (to == Type::F16x2 || to == Type::BF16x2 || (isFloat(to) && typeBits(to) < 16))
      alu(d.cvt_pack_interval, d.lat_alu);
    else if (packs && isFloat(to) && isFloat(from))
      on(Pipe::Xu, d.cvt_interval, d.lat_xu, 1, Stall::Xu);
    else if (isFloat(from) && !isFloat(to))
      on(Pipe::Xu, d.xu_interval, d.lat_xu, 1, Stall::Xu);
    else if (isFloat(to) && !isFloat(from))
      alu(d.alu_interval, d.lat_alu);
    else if (isFloat(to))
      alu(d.alu_interval, d.lat_alu); // rounding to an integral value, tf32
    else if (typeBits(to) > typeBits(from) && typeBits(to) == 64)
      alu(d.alu_interval, d.lat_alu);
    else
      c.slots = typeBits(to) >= 32 && typeBits(from) >= 32 ? 0 : 1, c.latency = float(c.slots ? d.lat_alu : 0),
      c.pipe = c.slots ? Pipe::Alu : Pipe::None, c.busy = float(c.slots ? d.alu_interval : 0);
    break;
  }
  case Op::Ld:
  case Op::St:
  case Op::StBulk: {
    const bool load = inst.row->op == Op::Ld;
    c.dynamic = true;
    c.produces = Stall::Global;
    for (std::string_view mod : inst.mods)
      if (mod == "param" || mod == "const") { // operands of the constant bank
        c.dynamic = false;
        c.slots = 0;
      } else if (mod == "local") {
        const float bytes = float(std::max(4u, typeBits(type) / 8) * (inst.has("v2") ? 2 : inst.has("v4") ? 4 : 1));
        (load ? c.localLoads : c.localStores) = bytes;
      } else if (mod.substr(0, 6) == "shared")
        c.produces = Stall::Exchange;
    break;
  }
  case Op::Atom:
  case Op::Red:
  case Op::Ldmatrix:
  case Op::Stmatrix:
  case Op::Ldmatrix8:
  case Op::Stmatrix8:
  case Op::WmmaLoad:
  case Op::WmmaStore:
  case Op::CpAsync:
    latencyOnly(0, inst.row->op == Op::Atom || inst.row->op == Op::Red || inst.row->op == Op::CpAsync
                       ? Stall::Global
                       : Stall::Exchange);
    break;
  case Op::Prefetch:
    c.latency = 0;
    break;
  case Op::Shfl:
  case Op::Movmatrix:
    latencyOnly(d.lat_shfl, Stall::Exchange);
    c.exchange = float(d.shfl_interval);
    break;
  case Op::VoteAll:
  case Op::VoteAny:
  case Op::VoteUni:
  case Op::VoteBallot:
  case Op::Activemask:
  case Op::Elect:
    alu(d.alu_interval, d.lat_vote);
    break;
  case Op::MatchAny:
  case Op::MatchAll:
    on(Pipe::Xu, d.xu_interval * 16, 375, 1, Stall::Xu);
    break;
  case Op::Redux:
    on(Pipe::Xu, d.xu_interval, d.lat_redux, 1, Stall::Xu);
    break;
  case Op::Mma:
  case Op::WmmaMma:
    matrix();
    break;
  case Op::WgmmaFence:
  case Op::Tcgen05Fence:
    c.dynamic = true;
    c.produces = Stall::Fence;
    break;
  case Op::BarWarp:
    c.latency = float(d.lat_alu);
    break;
  case Op::BarSync:
  case Op::BarArrive:
  case Op::BarRed:
  case Op::ClusterArrive:
  case Op::ClusterWait:
  case Op::MbarrierWait:
  case Op::BulkWait:
  case Op::WgmmaWait:
  case Op::CpAsyncWait:
  case Op::CpAsyncWaitAll:
  case Op::Tcgen05Wait:
    latencyOnly(0, Stall::Barrier);
    break;
  case Op::MbarrierInit:
  case Op::MbarrierInval:
  case Op::MbarrierTx:
  case Op::MbarrierArrive:
  case Op::CpAsyncMbarrierArrive:
    latencyOnly(d.mbar_arrive, Stall::Exchange);
    c.exchange = 1;
    break;
  case Op::Wgmma:
    // The registers of the accumulators are guarded by wgmma.wait_group, not by the scoreboard.
    latencyOnly(0, Stall::Wgmma);
    break;
  case Op::Tcgen05Ld:
  case Op::Tcgen05St:
    latencyOnly(d.lat_tmem, Stall::TensorMemory);
    break;
  case Op::Bulk:
  case Op::TensorCopy:
  case Op::StoreAsync:
  case Op::LaunchTryCancel:
    latencyOnly(0, Stall::Copies);
    c.slots = 2; // uniform registers for the descriptor
    break;
  case Op::Tcgen05Mma:
    latencyOnly(0, Stall::TensorMemory);
    c.slots = 4; // uniform registers and the election around it
    break;
  case Op::Tcgen05Cp:
  case Op::Tcgen05Shift:
  case Op::Tcgen05Commit:
    latencyOnly(0, Stall::TensorMemory);
    c.slots = 2;
    break;
  case Op::Tcgen05Alloc:
    latencyOnly(253, Stall::TensorMemory); // QRC on sm_103
    break;
  case Op::Fence:
    c.latency = 0;
    c.dynamic = true;
    c.produces = Stall::Fence;
    break;
  case Op::Bra:
  case Op::Brx:
  case Op::Call:
  case Op::Ret:
  case Op::Exit:
    c.branch = true;
    break;
  case Op::Setmaxnreg:
    c.latency = float(d.setmaxnreg);
    break;
  case Op::Nanosleep:
    latencyOnly(0, Stall::Sleep);
    break;
  case Op::Video:
  case Op::VideoSimd:
    alu(d.alu_interval, d.lat_alu, 4);
    break;
  default:
    alu(d.alu_interval, d.lat_alu, is64 ? 2 : 1);
    break;
  }
  if (c.pipe == Pipe::Alu || c.pipe == Pipe::Fma || c.pipe == Pipe::Heavy)
    c.produces = Stall::Fixed;
  return c;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// A load of one word from shared memory; the assembler makes one of several that lie beside each other.
static bool loadsSharedWord(const Instruction &inst) {
  return inst.row->op == Op::Ld && typeBits(inst.type()) == 32 && !inst.has("v2") && !inst.has("v4") &&
         !inst.has("volatile") && std::any_of(inst.mods.begin(), inst.mods.end(), [](std::string_view mod) {
           return mod.substr(0, 6) == "shared";
         });
}

/// Replaces the estimated issue slots by the assembler's. What the assembler has unrolled appears several times: as
/// often as most fused multiply-adds and products say, which become exactly one instruction each; where there are none,
/// as those say that become at least one (loads, stores, barriers).
void Costs::correct(const Function &fn, BlockCosts &block, const MachineCounts &counts) {
  struct LineEstimate {
    float slots = 0, fewest = 0, exact = 0, count = 0; // machine instructions: estimated, at least, exactly; PTX ones
    bool local = false;                                // the program itself uses local memory here
    bool spills = false;                               // whose spills have been given to an instruction
  };
  std::map<uint32_t, LineEstimate> lines;
  for (const OpCost &op : block.ops) {
    auto &line = lines[fn.body[op.source].loc.line];
    line.slots += float(op.slots);
    line.fewest += op.dynamic || op.pipe == Pipe::Mma ? 1.0f : 0.0f;
    const bool fma = fn.body[op.source].row->op == Op::Fma && fn.body[op.source].type() == Type::F32;
    line.exact += fma || op.pipe == Pipe::Mma ? 1.0f : 0.0f;
    line.count += 1;
    line.local |= op.localLoads + op.localStores > 0;
  }
  auto countOf = [&](uint32_t line) {
    auto it = counts.find(line);
    return it == counts.end() ? 0.0f : float(it->second.instructions);
  };
  std::map<float, float> votes;
  float least = 0;
  for (auto &[number, line] : lines) {
    const float emitted =
        countOf(number) - (line.local || !counts.count(number) ? 0.0f : float(counts.at(number).local));
    if (emitted > 0 && line.exact > 0)
      votes[std::floor(emitted / line.exact)] += line.exact;
    if (emitted > 0 && line.fewest > 0)
      least = least == 0 ? emitted / line.fewest : std::min(least, emitted / line.fewest);
  }
  auto fewer = [](auto &a, auto &b) { return a.second < b.second; };
  const float unrolled =
      std::max(1.0f, votes.empty() ? std::floor(least) : std::max_element(votes.begin(), votes.end(), fewer)->first);
  // Loads that have been put together, with their neighbours or with those of the next iterations: only such as have
  // one base address.
  struct Loads {
    float words = 0, loads = 0;
    bool wide() const { return loads > 0 && words > 1.4f * loads; }
    uint8_t width() const { return !wide() ? 1 : words > 2.8f * loads ? 4 : 2; }
  };
  auto baseOf = [&](const OpCost &op) { return op.readsBegin != op.readsEnd ? block.registers[op.readsBegin] : ~0u; };
  std::map<uint32_t, Loads> byBase;
  for (const OpCost &op : block.ops)
    if (const Instruction &inst = fn.body[op.source]; loadsSharedWord(inst)) {
      Loads &group = byBase[baseOf(op)];
      group.words += 1;
      group.loads += countOf(inst.loc.line) / unrolled / lines[inst.loc.line].count;
    }
  auto widthOf = [&](const OpCost &op) -> uint8_t {
    return loadsSharedWord(fn.body[op.source]) ? byBase[baseOf(op)].width() : 1;
  };
  if (std::any_of(byBase.begin(), byBase.end(), [](auto &group) { return group.second.wide(); })) {
    block.sharedWidth.assign(block.end - block.begin, 1);
    for (const OpCost &op : block.ops)
      block.sharedWidth[op.source - block.begin] = widthOf(op);
  }
  for (OpCost &op : block.ops) {
    auto &line = lines[fn.body[op.source].loc.line];
    // What the assembler keeps in local memory for want of registers. A reload stands under the line of what is next
    // to it, well before its user.
    if (auto it = counts.find(fn.body[op.source].loc.line); it != counts.end() && !line.local && !line.spills) {
      op.localLoads = float(it->second.localLoads) / unrolled;
      op.localStores = float(it->second.localStores) / unrolled;
      op.spills = true;
      line.spills = true;
    }
    if (op.branch)
      continue;
    const float emitted = countOf(fn.body[op.source].loc.line) / unrolled;
    // A line with several instructions shares its count out as it was estimated.
    const float share = line.slots > 0 ? emitted * float(op.slots) / line.slots : emitted / line.count;
    float slots = std::min(share, 64.0f);
    if ((op.dynamic || op.pipe == Pipe::Mma) && widthOf(op) == 1)
      slots = std::max(slots, 1.0f);
    const uint16_t before = op.slots;
    op.slots = uint16_t(slots + 0.5f);
    if (op.pipe == Pipe::None && !op.dynamic && op.slots) {
      op.pipe = Pipe::Alu; // a move that could not be folded
      op.busy = float(machine.alu_interval) * op.slots;
      op.latency = std::max(op.latency, float(machine.lat_alu));
    } else if (before && (op.pipe == Pipe::Alu || op.pipe == Pipe::Heavy || op.pipe == Pipe::Fma)) {
      op.busy *= float(op.slots) / float(before);
      if (!op.slots)
        op.latency = 0;
    }
  }
}

Costs::Costs(const Program &program, const MachineDescription &machine, const MachineCounts &counts)
    : machine(machine), program(program) {
  for (const FunctionCode &code : program.functions) {
    if (!code.ast->isDefined)
      continue;
    const Function &fn = *code.ast;
    ControlFlow flow = buildControlFlow(fn);
    for (uint32_t number : flow.order) { // as in compileProgram
      const BasicBlock &basic = flow.blocks[number];
      BlockCosts block;
      block.function = code.number;
      block.begin = basic.begin;
      block.end = basic.end;
      for (uint32_t k = basic.begin; k != basic.end; ++k) {
        const Instruction &inst = fn.body[k];
        OpCost cost = costOf(fn, inst);
        cost.source = k;
        cost.readsBegin = uint32_t(block.registers.size());
        forEachRegister(inst, [&](int32_t r, bool definition) {
          if (!definition)
            block.registers.push_back(uint32_t(r));
        });
        cost.readsEnd = uint32_t(block.registers.size());
        // Accumulators of wgmma are guarded by its waits; everything else by the scoreboard.
        if (inst.row->op != Op::Wgmma)
          forEachRegister(inst, [&](int32_t r, bool definition) {
            if (definition)
              block.registers.push_back(uint32_t(r));
          });
        else
          block.registers.resize(cost.readsBegin), cost.readsEnd = cost.readsBegin;
        cost.writesEnd = uint32_t(block.registers.size());
        block.ops.push_back(cost);
      }
      if (!counts.empty())
        correct(fn, block, counts);
      schedule(fn, block);
      blocks.push_back(std::move(block));
    }
  }
}
