//===- Compile.cpp - From the AST to pre-decoded code -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Compile.h"

#include "tileiras/Emulator/Machine/Convert.h"
#include "tileiras/Emulator/Machine/FloatRounding.h"
#include "tileiras/Emulator/Machine/Handlers.h"
#include "tileiras/Emulator/Machine/Isa.h"
#include "tileiras/Emulator/Machine/Layout.h"
#include "tileiras/Emulator/Machine/Memory.h"
#include "tileiras/Emulator/Machine/RegisterAllocation.h"
#include "tileiras/Emulator/PTX/ControlFlow.h"
#include "tileiras/Emulator/PTX/Verifier.h"

#include <algorithm>
#include <cstring>
#include <map>

using namespace tileiras::emu;

namespace {

unsigned rowBytes(Type t) { return std::max(16u, typeBits(t)) / 8; }

Space spaceOf(const Instruction &inst) {
  for (std::string_view m : inst.mods) {
    if (m == "global") return Space::Global;
    if (m.substr(0, 6) == "shared") return Space::Shared;
    if (m == "local") return Space::Local;
    if (m == "const") return Space::Const;
    if (m.substr(0, 5) == "param") return Space::Param;
  }
  return Space::Generic;
}

/// Constant rows of the whole module.
class Constants {
public:
  Row get(uint64_t value, unsigned bytes) {
    if (bytes < 8)
      value &= (uint64_t(1) << (8 * bytes)) - 1;
    auto [it, isNew] = rows.try_emplace({bytes, value}, 0);
    if (isNew) {
      it->second = Row(storage.size());
      storage.resize(storage.size() + std::max(64u, 32 * bytes));
      for (unsigned l = 0; l != 32; ++l)
        std::memcpy(&storage[it->second + l * bytes], &value, bytes);
    }
    return it->second | ConstantBit;
  }
  std::vector<uint8_t> storage;

private:
  std::map<std::pair<unsigned, uint64_t>, Row> rows;
};

class FunctionCompiler {
public:
  FunctionCompiler(Program &program, FunctionCode &code, const ControlFlow &cf, Constants &constants,
                   std::vector<Diagnostic> &errors)
      : program(program), code(code), fn(*code.ast), cf(cf), constants(constants), errors(errors), isa(currentIsa()),
        regs(code.regs) {}

  void run() {
    std::vector<uint32_t> start(cf.blocks.size(), ~0u);
    for (size_t n = 0; n != cf.order.size(); ++n) {
      const BasicBlock &block = cf.blocks[cf.order[n]];
      start[cf.order[n]] = uint32_t(code.code.size());
      current = block.begin < fn.body.size() ? block.begin : (fn.body.empty() ? 0 : uint32_t(fn.body.size()) - 1);
      BlockCounts counts;
      for (uint32_t k = block.begin; k != block.end; ++k) {
        ++counts.total;
        InstClass cls = fn.body[k].row->cls;
        auto it = std::find_if(counts.byClass.begin(), counts.byClass.end(), [&](auto &p) { return p.first == cls; });
        if (it == counts.byClass.end())
          counts.byClass.push_back({cls, 1});
        else
          ++it->second;
      }
      Inst head;
      head.fn = handlers::blockHead;
      head.imm = program.blocks.size();
      head.e = counts.total;
      emit(head);
      program.blocks.push_back(std::move(counts));
      for (uint32_t k = block.begin; k != block.end; ++k) {
        current = k;
        compile(fn.body[k]);
      }
      if (block.begin == block.end && cf.order[n] + 1 == cf.blocks.size())
        emitPlain(handlers::ret); // ran off the end
      uint32_t next = n + 1 < cf.order.size() ? cf.order[n + 1] : ~0u;
      if (block.fallthrough != ~0u && block.fallthrough != next) {
        Inst jump;
        jump.fn = handlers::jump;
        fixups.push_back({code.code.size(), block.fallthrough});
        emit(jump);
      }
    }
    for (auto &[inst, block] : fixups)
      code.code[inst].target = code.code.data() + start[block];
    for (BranchAux *aux : tables)
      for (size_t i = 0; i != aux->blocks.size(); ++i)
        aux->targets[i] = code.code.data() + start[aux->blocks[i]];
    code.bound = true;
  }

private:
  bool error(Loc loc, std::string message) {
    errors.push_back({program.ast->fileName, loc.line, loc.column, std::move(message)});
    return false;
  }

  //===--------------------------------------------------------------------===//
  // Registers and rows
  //===--------------------------------------------------------------------===//

  /// A row for a value that only the next instruction reads.
  Row newRow(unsigned bytes) {
    std::vector<Row> &pool = temporaries[bytes];
    unsigned &used = usedTemporaries[bytes];
    if (used == pool.size()) {
      pool.push_back(code.frameBytes);
      code.frameBytes += 32 * bytes;
    }
    return pool[used++];
  }

  unsigned regBits(const Operand &op) const { return 8 * rowBytes(fn.registers[op.reg].type); }

  void emit(Inst inst) {
    inst.source = current;
    code.code.push_back(inst);
  }
  void emitPlain(Handler h) {
    Inst inst;
    inst.fn = h;
    emit(inst);
  }

  static uint64_t floatBits(const Operand &op, Type want) {
    double d;
    if (op.type == Type::F32) {
      float f;
      uint32_t b = uint32_t(op.bits);
      std::memcpy(&f, &b, 4);
      d = f;
    } else {
      std::memcpy(&d, &op.bits, 8);
    }
    unsigned bits = typeBits(want);
    if (want == Type::F32 || (bits == 32 && op.type != Type::F32)) {
      if (op.type == Type::F32)
        return op.bits;
      float f = float(d);
      uint32_t b;
      std::memcpy(&b, &f, 4);
      return b;
    }
    if (want == Type::F64 || (bits == 64 && op.type == Type::F32)) {
      uint64_t b;
      std::memcpy(&b, &d, 8);
      return op.type == Type::F32 ? b : op.bits;
    }
    return op.bits;
  }

  /// Row with the value of a source operand, `bytes` wide. May emit an instruction that computes it.
  Row source(const Operand &op, Type want, unsigned bytes) {
    switch (op.kind) {
    case Operand::Reg:
      return regs[op.reg];
    case Operand::Int:
      return constants.get(op.bits, bytes);
    case Operand::Float:
      return constants.get(floatBits(op, want), bytes);
    case Operand::Special: {
      Inst i;
      i.fn = handlers::readSpecial;
      i.d = newRow(bytes);
      i.imm = uint64_t(op.special);
      i.count = uint8_t(bytes);
      emit(i);
      return i.d;
    }
    case Operand::Func:
      return constants.get(FunctionWindow + 16 * uint64_t(op.fn->number), bytes);
    case Operand::Var: {
      const Variable &v = *op.var;
      checkDefined(op);
      bool frame = inFrame(v);
      if (!frame && v.space != Space::Shared)
        return constants.get(v.offset + uint64_t(op.addend), bytes);
      Inst i;
      i.fn = frame ? handlers::localAddress : handlers::sharedAddress;
      i.d = newRow(bytes);
      i.imm = v.offset + uint64_t(op.addend);
      i.count = uint8_t(bytes);
      emit(i);
      return i.d;
    }
    default:
      error(op.loc, "expected a register or a constant");
      return SinkRow;
    }
  }
  Row source(const Operand &op, Type want) { return source(op, want, rowBytes(want)); }

  /// .local and function-scope .param variables live in the thread's local memory.
  static bool inFrame(const Variable &v) {
    return v.space == Space::Local || (v.space == Space::Param && !(v.owner && v.owner->isEntry && isFormal(v)));
  }
  static bool isFormal(const Variable &v) {
    for (const Variable &p : v.owner->params)
      if (&p == &v)
        return true;
    return false;
  }
  void checkDefined(const Operand &op) {
    if (op.var->isExtern && op.var->space == Space::Global)
      error(op.loc, "extern variable '" + op.var->name + "' has no definition");
  }

  Row destination(const Operand &op) const { return op.kind == Operand::Reg ? regs[op.reg] : SinkRow; }
  uint32_t predDestination(const Operand &op) const { return op.kind == Operand::Reg ? regs[op.reg] : PredSink; }

  /// Predicate number of a source operand; `flip` tells whether it is negated.
  uint32_t predSource(const Operand &op, bool &flip) {
    flip = op.negated;
    if (op.kind == Operand::Reg)
      return regs[op.reg];
    if (op.kind == Operand::Int) {
      flip = op.bits == 0;
      return PredTrue;
    }
    Inst i; // %is_explicit_cluster
    i.fn = handlers::readSpecialPred;
    i.d = code.predicates++;
    i.imm = uint64_t(op.special);
    emit(i);
    return i.d;
  }

  //===--------------------------------------------------------------------===//
  // Instructions
  //===--------------------------------------------------------------------===//

  void compile(const Instruction &inst) {
    usedTemporaries.clear();
    Inst i;
    if (inst.guard >= 0) {
      i.guard = uint16_t(regs[inst.guard]);
      i.guardFlip = inst.guardNegated ? ~0u : 0u;
    }
    if (!bind(inst, i))
      error(inst.loc, "unsupported instruction '" + std::string(inst.text) + "'");
  }

  /// Fills d, a, b, c, e from operands in the order of the table row.
  void plainOperands(const Instruction &inst, Inst &i) {
    Row *slots[] = {&i.a, &i.b, &i.c, &i.e};
    unsigned next = 0;
    for (size_t k = 0; k != inst.operands.size(); ++k) {
      const OperandSpec &spec = inst.row->operandSpecs[k];
      Type want = operandType(spec, inst.types);
      switch (spec.kind) {
      case 'd':
        i.d = destination(inst.operands[k]);
        break;
      case 'p':
        i.d = predDestination(inst.operands[k]);
        break;
      case 'a':
        *slots[next++] = source(inst.operands[k], want);
        break;
      default:
        break;
      }
    }
  }
  bool finish(Inst &i, Handler h) {
    i.fn = h;
    if (!h)
      return false;
    emit(i);
    return true;
  }

  void booleanCombination(const Instruction &inst, Inst &i) {
    i.flags = inst.has("and") ? 1 : inst.has("or") ? 2 : inst.has("xor") ? 3 : 0;
    if (i.flags) {
      bool flip;
      i.c = predSource(inst.operands.back(), flip);
      if (flip)
        i.flags |= 4;
    }
  }

  bool bind(const Instruction &inst, Inst &i) {
    const std::vector<Operand> &ops = inst.operands;
    Type t = inst.type();
    bool flip = false;
    switch (inst.row->op) {
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Not:
      if (t == Type::Pred) {
        i.d = predDestination(ops[0]);
        i.a = predSource(ops[1], flip);
        i.flags = flip;
        if (inst.row->op == Op::Not) {
          i.flags ^= 1;
          return finish(i, handlers::predMov);
        }
        i.b = predSource(ops[2], flip);
        i.flags |= flip ? 2 : 0;
        return finish(i, inst.row->op == Op::And  ? handlers::predAnd
                         : inst.row->op == Op::Or ? handlers::predOr
                                                  : handlers::predXor);
      }
      break;
    case Op::AddCC:
    case Op::SubCC:
    case Op::MadCC: {
      plainOperands(inst, i);
      bool carryIn = inst.opcode == "addc" || inst.opcode == "subc" || inst.opcode == "madc";
      i.flags = uint8_t((carryIn ? 1 : 0) | (inst.has("cc") ? 2 : 0) | (inst.row->op == Op::SubCC ? 4 : 0) |
                        (inst.row->op == Op::MadCC ? 8 : 0) | (inst.has("hi") ? 16 : 0) | (isSignedInt(t) ? 32 : 0));
      i.e = PredCarry;
      return finish(i, isa.integer(inst));
    }
    case Op::Lop3:
      plainOperands(inst, i);
      i.imm = ops[4].bits & 0xff;
      return finish(i, isa.integer(inst));
    case Op::Lop3Bool: {
      const Operand &d = ops[0].kind == Operand::Pair ? ops[0].parts[0] : ops[0];
      i.e = ops[0].kind == Operand::Pair ? predDestination(ops[0].parts[1]) : uint32_t(PredSink);
      i.count = d.kind == Operand::Reg;
      i.d = destination(d);
      i.a = source(ops[1], Type::B32);
      i.b = source(ops[2], Type::B32);
      i.c = source(ops[3], Type::B32);
      uint32_t q = predSource(ops[5], flip);
      i.imm = (ops[4].bits & 0xff) | uint64_t(q) << 8 | uint64_t(flip) << 24;
      return finish(i, isa.integer(inst));
    }
    case Op::Setp:
    case Op::SetpX2: {
      bool pair = ops[0].kind == Operand::Pair;
      i.d = predDestination(pair ? ops[0].parts[0] : ops[0]);
      i.e = pair ? predDestination(ops[0].parts[1]) : uint32_t(PredSink);
      i.count = pair;
      i.a = source(ops[1], t);
      i.b = source(ops[2], t);
      booleanCombination(inst, i);
      return finish(i, isa.integer(inst));
    }
    case Op::Set: {
      Type s = inst.type(1);
      i.d = destination(ops[0]);
      i.a = source(ops[1], s);
      i.b = source(ops[2], s);
      booleanCombination(inst, i);
      i.imm = t == Type::F32 ? 0x3f800000u : t == Type::F16 ? 0x3c00 : t == Type::BF16 ? 0x3f80 : 0xffffffffu;
      return finish(i, isa.integer(inst));
    }
    case Op::Selp:
      i.d = destination(ops[0]);
      i.a = source(ops[1], t);
      i.b = source(ops[2], t);
      i.c = predSource(ops[3], flip);
      i.flags = flip;
      return finish(i, isa.integer(inst));
    case Op::Mov:
      return bindMov(inst, i);
    case Op::Cvt:
      return bindConvert(inst, i);
    case Op::CvtPack:
      i.d = destination(ops[0]);
      i.a = source(ops[1], Type::S32);
      i.b = source(ops[2], Type::S32);
      if (ops.size() > 3)
        i.c = source(ops[3], Type::B32);
      for (auto &[name, bits, isSigned] : {std::tuple("u16", 16, false), std::tuple("s16", 16, true),
                                           std::tuple("u8", 8, false), std::tuple("s8", 8, true),
                                           std::tuple("u4", 4, false), std::tuple("s4", 4, true),
                                           std::tuple("u2", 2, false), std::tuple("s2", 2, true)})
        if (std::find(inst.words.begin(), inst.words.end(), name) != inst.words.end()) {
          i.count = uint8_t(bits);
          i.flags = uint8_t((isSigned ? 1 : 0) | (ops.size() > 3 ? 2 : 0));
        }
      return finish(i, selectConvertPack());
    case Op::Cvta: {
      Space space = spaceOf(inst);
      uint64_t window = space == Space::Shared  ? SharedWindow
                        : space == Space::Local ? LocalWindow
                        : space == Space::Const ? ConstWindow
                        : space == Space::Param ? ParamWindow
                                                : 0;
      // A parameter of a .func is local memory.
      if (space == Space::Param && !fn.isEntry)
        window = LocalWindow;
      i.imm = inst.has("to") ? 0 - window : window;
      i.d = destination(ops[0]);
      i.a = source(ops[1], t);
      i.count = i.flags = uint8_t(rowBytes(t));
      return finish(i, window ? handlers::addImmediate : isa.move(rowBytes(t)));
    }
    case Op::Isspacep:
      i.d = predDestination(ops[0]);
      i.a = source(ops[1], Type::U64);
      i.imm = uint64_t(spaceOf(inst));
      i.flags = inst.has("shared::cta") || inst.has("shared");
      return finish(i, handlers::isspacep);
    case Op::Mapa:
      plainOperands(inst, i);
      i.count = uint8_t(rowBytes(t));
      return finish(i, handlers::mapa);
    case Op::Getctarank:
      plainOperands(inst, i);
      i.count = uint8_t(rowBytes(t));
      return finish(i, handlers::getctarank);
    case Op::Ld:
    case Op::St:
      return bindMemory(inst, i);
    case Op::Atom:
    case Op::Red:
      return bindAtomic(inst, i);
    case Op::CreatePolicy:
      i.d = destination(ops[0]);
      i.a = constants.get(0, 8);
      return finish(i, isa.move(8));
    case Op::Prefetch:
    case Op::Nop:
    case Op::Brkpt:
      return finish(i, handlers::nop);
    case Op::Fence:
      return finish(i, handlers::fence);
    case Op::Nanosleep:
      return finish(i, handlers::nanosleep);
    case Op::Shfl:
      pairDestination(ops[0], i);
      i.a = source(ops[1], Type::B32);
      i.b = source(ops[2], Type::B32);
      i.c = source(ops[3], Type::B32);
      i.e = source(ops[4], Type::B32);
      return finish(i, isa.shuffle(inst));
    case Op::VoteAll:
    case Op::VoteAny:
    case Op::VoteUni:
    case Op::VoteBallot: {
      Op op = inst.row->op;
      i.d = op == Op::VoteBallot ? destination(ops[0]) : predDestination(ops[0]);
      i.a = predSource(ops[1], flip);
      i.flags = flip;
      i.e = source(ops[2], Type::B32);
      return finish(i, op == Op::VoteAll   ? handlers::voteAll
                       : op == Op::VoteAny ? handlers::voteAny
                       : op == Op::VoteUni ? handlers::voteUni
                                           : handlers::voteBallot);
    }
    case Op::MatchAny:
      i.d = destination(ops[0]);
      i.a = source(ops[1], t);
      i.e = source(ops[2], Type::B32);
      i.count = uint8_t(rowBytes(t));
      return finish(i, handlers::matchAny);
    case Op::MatchAll:
      pairDestination(ops[0], i);
      i.a = source(ops[1], t);
      i.e = source(ops[2], Type::B32);
      i.count = uint8_t(rowBytes(t));
      return finish(i, handlers::matchAll);
    case Op::Redux:
      i.d = destination(ops[0]);
      i.a = source(ops[1], t);
      i.e = source(ops[2], Type::B32);
      i.flags = uint8_t((inst.has("abs") ? 1 : 0) | (inst.has("NaN") ? 2 : 0) | (inst.has("max") ? 4 : 0));
      return finish(i, handlers::redux(inst));
    case Op::Activemask:
      i.d = destination(ops[0]);
      return finish(i, handlers::activemask);
    case Op::Elect:
      pairDestination(ops[0], i);
      i.e = source(ops[1], Type::B32);
      return finish(i, handlers::elect);
    case Op::BarWarp:
      i.e = source(ops[0], Type::B32);
      return finish(i, handlers::barWarp);
    case Op::BarSync:
    case Op::BarArrive:
      i.a = source(ops[0], Type::U32);
      i.count = ops.size() > 1;
      if (i.count)
        i.b = source(ops[1], Type::U32);
      i.flags = inst.opcode == "bar" || inst.has("aligned") ? 16 : 0;
      return finish(i, inst.row->op == Op::BarSync ? handlers::barSync : handlers::barArrive);
    case Op::BarRed: {
      bool popc = inst.has("popc");
      i.d = popc ? destination(ops[0]) : predDestination(ops[0]);
      i.a = source(ops[1], Type::U32);
      i.count = ops.size() > 3;
      if (i.count)
        i.b = source(ops[2], Type::U32);
      i.c = predSource(ops.back(), flip);
      i.flags = uint8_t((popc ? 0 : inst.has("and") ? 1 : 2) | (flip ? 4 : 0) |
                        (inst.opcode == "bar" || inst.has("aligned") ? 16 : 0));
      return finish(i, handlers::barRed);
    }
    case Op::ClusterArrive:
      return finish(i, handlers::clusterArrive);
    case Op::ClusterWait:
      return finish(i, handlers::clusterWait);
    case Op::CpAsync:
      return bindCpAsync(inst, i);
    case Op::CpAsyncCommit:
      return finish(i, handlers::cpAsyncCommit);
    case Op::CpAsyncWait:
      i.imm = ops[0].bits;
      return finish(i, handlers::cpAsyncWait);
    case Op::CpAsyncWaitAll:
      return finish(i, handlers::cpAsyncWaitAll);
    case Op::Ldmatrix:
    case Op::Stmatrix: {
      bool isLoad = inst.row->op == Op::Ldmatrix;
      const Operand &data = ops[isLoad ? 0 : 1];
      program.memAux.emplace_back();
      MemAux &aux = program.memAux.back();
      address(inst, ops[isLoad ? 1 : 0], i, aux);
      aux.count = 0;
      aux.bytes = 16;
      for (const Operand &part : data.kind == Operand::Vector ? data.parts : std::vector<Operand>{data}) {
        if (part.kind == Operand::Reg && regBits(part) != 32)
          return error(part.loc, "a matrix fragment needs 32-bit registers"), true;
        aux.rows[aux.count++] = isLoad ? destination(part) : source(part, Type::B32);
      }
      i.e = constants.get(0xffffffffu, 4);
      i.flags = inst.has("trans");
      return finish(i, isLoad ? handlers::ldmatrix : handlers::stmatrix);
    }
    case Op::Movmatrix:
      i.d = destination(ops[0]);
      i.a = source(ops[1], Type::B32);
      i.e = constants.get(0xffffffffu, 4);
      return finish(i, handlers::movmatrix);
    case Op::Mma:
      return bindMma(inst, i);
    case Op::Bra:
      i.fn = i.guard ? handlers::branch : handlers::jump;
      fixups.push_back({code.code.size(), blockOf(ops[0].reg)});
      emit(i);
      return true;
    case Op::Brx: {
      i.a = source(ops[0], Type::U32);
      program.branchAux.emplace_back();
      BranchAux &aux = program.branchAux.back();
      for (const Operand &target : fn.tables[ops[1].reg].targets)
        aux.blocks.push_back(blockOf(target.reg));
      aux.targets.resize(aux.blocks.size());
      tables.push_back(&aux);
      i.aux = &aux;
      return finish(i, handlers::branchIndexed);
    }
    case Op::Call:
      return bindCall(inst, i);
    case Op::Ret:
      return finish(i, handlers::ret);
    case Op::Exit:
      return finish(i, handlers::exitThread);
    case Op::Trap:
      return finish(i, handlers::trap);
    case Op::Alloca:
      i.d = destination(ops[0]);
      i.a = source(ops[1], t);
      i.imm = ops.size() > 2 ? ops[2].bits : 8;
      i.count = uint8_t(rowBytes(t));
      return finish(i, handlers::alloca_);
    case Op::StackSave:
      i.d = destination(ops[0]);
      i.count = uint8_t(rowBytes(t));
      return finish(i, handlers::stackSave);
    case Op::StackRestore:
      i.a = source(ops[0], t);
      i.count = uint8_t(rowBytes(t));
      return finish(i, handlers::stackRestore);
    default:
      break;
    }
    plainOperands(inst, i);
    if (Handler h = selectDirected(inst)) {
      i.flags = directedFlags(inst);
      return finish(i, h);
    }
    if (Handler h = isa.integer(inst))
      return finish(i, h);
    return finish(i, isa.floating(inst));
  }

  /// `d` or `d|p`: the predicate goes to imm (0: none); flags bit 3 tells whether d is wanted.
  void pairDestination(const Operand &op, Inst &i) {
    const Operand &d = op.kind == Operand::Pair ? op.parts[0] : op;
    i.d = destination(d);
    if (d.kind == Operand::Reg)
      i.flags |= 8;
    if (op.kind == Operand::Pair && op.parts[1].kind == Operand::Reg)
      i.imm = regs[op.parts[1].reg];
  }

  bool bindMov(const Instruction &inst, Inst &i) {
    const std::vector<Operand> &ops = inst.operands;
    Type t = inst.type();
    bool flip = false;
    if (t == Type::Pred) {
      i.d = predDestination(ops[0]);
      i.a = predSource(ops[1], flip);
      i.flags = flip;
      return finish(i, handlers::predMov);
    }
    if (ops.size() != 2)
      return error(inst.loc, "'mov' takes 2 operands, found " + std::to_string(ops.size())), true;
    unsigned bytes = rowBytes(t);
    auto registerFits = [&](const Operand &op, unsigned want) {
      if (op.kind == Operand::Sink)
        return true;
      if (op.kind != Operand::Reg)
        return error(op.loc, "expected a register");
      Type have = fn.registers[op.reg].type;
      if (have == Type::Pred || rowBytes(have) != want)
        return error(op.loc, "register '" + fn.registers[op.reg].name + "' of type ." + typeName(have) +
                                 " does not fit type ." + typeName(t));
      return true;
    };
    bool pack = ops[1].kind == Operand::Vector, unpack = ops[0].kind == Operand::Vector;
    if (pack || unpack) {
      const Operand &vector = ops[pack ? 1 : 0], &scalar = ops[pack ? 0 : 1];
      unsigned n = unsigned(vector.parts.size());
      if (pack && unpack)
        return error(inst.loc, "'mov' between two vectors is not supported"), true;
      if (n == 0 || n > 8 || bytes % n)
        return error(vector.loc, "bad vector for 'mov." + std::string(typeName(t)) + "'"), true;
      program.memAux.emplace_back();
      MemAux &aux = program.memAux.back();
      aux.count = uint8_t(n);
      aux.bytes = uint8_t(bytes / n);
      unsigned element = std::max(2u, bytes / n);
      for (unsigned k = 0; k != n; ++k) {
        const Operand &part = vector.parts[k];
        if (pack) {
          if (part.kind == Operand::Reg && !registerFits(part, element))
            return true;
          aux.rows[k] = source(part, element == 2 ? Type::B16 : element == 4 ? Type::B32 : Type::B64, element);
        } else {
          if (!registerFits(part, element))
            return true;
          aux.rows[k] = destination(part);
          aux.sink[k] = part.kind == Operand::Sink;
        }
      }
      i.count = uint8_t(bytes);
      i.aux = &aux;
      if (scalar.kind == Operand::Reg && !registerFits(scalar, bytes))
        return true;
      if (pack) {
        i.d = destination(scalar);
        return finish(i, handlers::packMov);
      }
      i.a = source(scalar, t, bytes);
      return finish(i, handlers::unpackMov);
    }
    if (!registerFits(ops[0], bytes))
      return true;
    if (ops[1].kind == Operand::Reg && !registerFits(ops[1], bytes))
      return true;
    if (ops[1].kind == Operand::Name || ops[1].kind == Operand::Label)
      return error(ops[1].loc, "undefined name '" + std::string(ops[1].name) + "'"), true;
    i.d = destination(ops[0]);
    if (bytes == 16) {
      if (ops[1].kind != Operand::Reg)
        return error(ops[1].loc, "a 128-bit 'mov' needs a register"), true;
      i.a = regs[ops[1].reg];
      return finish(i, handlers::move128);
    }
    // Values that are computed anyway are computed in place.
    const Operand &s = ops[1];
    if (s.kind == Operand::Special) {
      i.fn = handlers::readSpecial;
      i.imm = uint64_t(s.special);
      i.count = uint8_t(bytes);
      emit(i);
      return true;
    }
    if (s.kind == Operand::Var && (inFrame(*s.var) || s.var->space == Space::Shared)) {
      i.fn = inFrame(*s.var) ? handlers::localAddress : handlers::sharedAddress;
      i.imm = s.var->offset + uint64_t(s.addend);
      i.count = uint8_t(bytes);
      emit(i);
      return true;
    }
    i.a = source(s, t);
    return finish(i, isa.move(bytes));
  }

  bool bindConvert(const Instruction &inst, Inst &i) {
    const std::vector<Operand> &ops = inst.operands;
    Type d = inst.type(0), s = inst.type(1);
    unsigned dstBits = ops[0].kind == Operand::Reg ? regBits(ops[0]) : 8 * rowBytes(d);
    unsigned srcBits = ops[1].kind == Operand::Reg ? regBits(ops[1]) : 8 * rowBytes(s);
    // The rounding modifier is required exactly where information can be lost.
    bool rounding = false, integral = false;
    for (std::string_view m : inst.mods) {
      rounding |= m == "rn" || m == "rz" || m == "rm" || m == "rp" || m == "rna";
      integral |= m == "rni" || m == "rzi" || m == "rmi" || m == "rpi";
    }
    bool fd = isFloat(d), fs = isFloat(s);
    if (fs && !fd && !integral)
      return error(inst.loc, "conversion from float to integer needs .rni, .rzi, .rmi or .rpi"), true;
    if (!fs && fd && !rounding)
      return error(inst.loc, "conversion from integer to float needs a rounding modifier"), true;
    if (fs && fd && typeBits(d) < typeBits(s) && !rounding)
      return error(inst.loc, "narrowing conversion needs a rounding modifier"), true;
    i.d = destination(ops[0]);
    i.a = source(ops[1], s, srcBits / 8);
    if (ops.size() > 2)
      i.b = source(ops[2], s, srcBits / 8);
    if (Handler h = isa.convert(inst, dstBits, srcBits)) {
      i.flags = uint8_t(64 - typeBits(s));
      i.count = uint8_t(64 - typeBits(d));
      return finish(i, h);
    }
    Handler h = selectGeneralConvert(inst, dstBits, srcBits, i.imm);
    return finish(i, h);
  }

  /// Address operand to MemAux, i.a and i.imm.
  void address(const Instruction &inst, const Operand &mem, Inst &i, MemAux &aux) {
    const Operand &base = mem.parts[0];
    aux.space = spaceOf(inst);
    i.imm = uint64_t(mem.addend);
    switch (base.kind) {
    case Operand::Var: {
      const Variable &v = *base.var;
      checkDefined(base);
      aux.uniform = true;
      i.imm += v.offset;
      if (inFrame(v)) {
        aux.space = Space::Local;
        aux.frameRelative = true;
      } else {
        // A variable tells its own space; a generic access to it is an access to that space.
        aux.space = v.space;
        aux.ownShared = v.space == Space::Shared;
      }
      break;
    }
    case Operand::Int:
      aux.uniform = true;
      i.imm += base.bits;
      break;
    default:
      i.a = regs[base.reg];
      aux.wideAddress = regBits(base) == 64;
      if (aux.space == Space::Param && !fn.isEntry)
        aux.space = Space::Local;
    }
    i.aux = &aux;
  }

  bool bindMemory(const Instruction &inst, Inst &i) {
    bool isStore = inst.row->op == Op::St;
    const Operand &mem = inst.operands[isStore ? 0 : 1], &data = inst.operands[isStore ? 1 : 0];
    Type t = inst.type();
    program.memAux.emplace_back();
    MemAux &aux = program.memAux.back();
    address(inst, mem, i, aux);
    if (inst.opcode == "ldu" && aux.space == Space::Generic)
      aux.space = Space::Generic;
    if (isStore && aux.space == Space::Const)
      return error(inst.loc, "constant memory cannot be written"), true;
    aux.strong = inst.has("volatile") || inst.has("relaxed") || inst.has("acquire") || inst.has("release");
    std::vector<const Operand *> elements;
    if (data.kind == Operand::Vector)
      for (const Operand &part : data.parts)
        elements.push_back(&part);
    else
      elements.push_back(&data);
    unsigned bytes = std::max(1u, typeBits(t) / 8), registerBits = 8 * rowBytes(t);
    bool wide = t == Type::B128;
    for (const Operand *op : elements)
      if (op->kind == Operand::Reg)
        registerBits = regBits(*op);
    for (const Operand *op : elements)
      if (op->kind == Operand::Reg && regBits(*op) != registerBits)
        return error(op->loc, "the registers of a vector must have one size"), true;
    if (elements.size() * bytes > 32)
      return error(inst.loc, "a memory access has at most 32 bytes"), true;
    if (wide) {
      bytes = 8;
      registerBits = 64;
    }
    aux.bytes = uint8_t(bytes);
    aux.count = 0;
    for (const Operand *op : elements) {
      Row r = isStore ? source(*op, t, registerBits / 8) : destination(*op);
      aux.rows[aux.count++] = r;
      if (wide)
        aux.rows[aux.count++] = r + 256;
    }
    return finish(i, isa.memory(isStore, bytes, registerBits, isSignedInt(t)));
  }

  bool bindAtomic(const Instruction &inst, Inst &i) {
    bool isRed = inst.row->op == Op::Red;
    const std::vector<Operand> &ops = inst.operands;
    const Operand &mem = ops[isRed ? 0 : 1];
    Type t = inst.type();
    program.memAux.emplace_back();
    MemAux &aux = program.memAux.back();
    address(inst, mem, i, aux);
    if (aux.space != Space::Generic && aux.space != Space::Global && aux.space != Space::Shared)
      return error(inst.loc, "atomics work on global and shared memory"), true;
    size_t first = isRed ? 1 : 2;
    bool cas = inst.has("cas");
    if (cas && ops.size() < 4)
      return error(inst.loc, "'atom.cas' takes 4 operands"), true;
    const Operand &b = ops[first];
    if (b.kind == Operand::Vector) {
      for (size_t k = 0; k != b.parts.size(); ++k) {
        if (b.parts[k].kind == Operand::Reg && regBits(b.parts[k]) != 8 * rowBytes(t))
          return error(b.parts[k].loc, "register does not fit type ." + std::string(typeName(t))), true;
        aux.rows[k] = source(b.parts[k], t);
      }
      if (!isRed)
        for (size_t k = 0; k != ops[0].parts.size(); ++k) {
          if (ops[0].parts[k].kind == Operand::Reg && regBits(ops[0].parts[k]) != 8 * rowBytes(t))
            return error(ops[0].parts[k].loc, "register does not fit type ." + std::string(typeName(t))), true;
          aux.results[k] = destination(ops[0].parts[k]);
        }
      i.count = !isRed;
    } else {
      i.b = source(b, t);
      if (cas)
        i.c = source(ops[first + 1], t);
      i.count = !isRed && ops[0].kind == Operand::Reg;
      if (i.count)
        i.d = regs[ops[0].reg];
    }
    return finish(i, selectAtomic(inst, aux.plan));
  }

  bool bindCpAsync(const Instruction &inst, Inst &i) {
    const std::vector<Operand> &ops = inst.operands;
    uint64_t bytes = ops[2].bits;
    if (bytes != 16 && (inst.has("cg") || (bytes != 4 && bytes != 8)))
      return error(ops[2].loc, "cp.async copies 4, 8 or 16 bytes, .cg only 16"), true;
    program.memAux.emplace_back();
    MemAux &src = program.memAux.back();
    address(inst, ops[1], i, src);
    if (src.space != Space::Const && src.space != Space::Local)
      src.space = Space::Global;
    src.plan = i.imm; // offset; the row goes to b
    i.b = i.a;
    program.memAux.emplace_back();
    MemAux &dst = program.memAux.back();
    address(inst, ops[0], i, dst);
    dst.space = Space::Shared;
    dst.second = &src;
    i.count = uint8_t(bytes);
    if (ops.size() > 3) {
      if (operandType(inst.row->operandSpecs[3], inst.types) == Type::U32) {
        i.flags = 1;
        i.c = source(ops[3], Type::U32);
      } else if (inst.row->operandSpecs[3].kind == 'P') { // else: a cache policy
        bool flip;
        i.c = predSource(ops[3], flip);
        i.flags = uint8_t(2 | (flip ? 4 : 0));
      }
    }
    return finish(i, handlers::cpAsync);
  }

  bool bindMma(const Instruction &inst, Inst &i) {
    const std::vector<Operand> &ops = inst.operands;
    if (ops.size() != 4)
      return error(inst.loc, "'mma' takes 4 operands, found " + std::to_string(ops.size())), true;
    program.matrixAux.emplace_back();
    MatrixAux &x = program.matrixAux.back();
    for (std::string_view word : inst.mods) {
      unsigned m, n, k;
      if (std::sscanf(std::string(word).c_str(), "m%un%uk%u", &m, &n, &k) == 3) {
        x.m = uint8_t(m);
        x.n = uint8_t(n);
        x.k = uint8_t(k);
      }
    }
    x.d = inst.type(0);
    x.a = inst.type(1);
    x.b = inst.type(2);
    x.c = inst.type(3);
    if (x.d != x.c)
      return error(inst.loc, "'mma' needs the same type for C and D"), true;
    x.saturate = inst.has("satfinite");
    x.rounding = directedFlags(inst);
    auto fragment = [&](const Operand &op, Type t, unsigned elements, bool isD, std::vector<Row> &rows) {
      unsigned bits = t == Type::F64 ? 64 : 32;
      unsigned count = std::max(1u, elements * (t == Type::TF32 ? 32 : typeBits(t)) / 32 / bits);
      std::vector<Operand> parts = op.kind == Operand::Vector ? op.parts : std::vector<Operand>{op};
      if (parts.size() != count)
        return error(op.loc, "this fragment of 'mma' has " + std::to_string(count) + " registers, found " +
                                 std::to_string(parts.size()));
      for (const Operand &part : parts) {
        bool reg = part.kind == Operand::Reg;
        if ((reg && regBits(part) != bits) || (!reg && isD && part.kind != Operand::Sink) ||
            (reg && fn.registers[part.reg].type == Type::Pred))
          return error(part.loc, "expected a " + std::to_string(bits) + "-bit register");
        rows.push_back(isD ? destination(part) : source(part, bits == 64 ? Type::F64 : part.kind == Operand::Float ? Type::F32 : Type::B32));
      }
      return true;
    };
    if (!fragment(ops[0], x.d, x.m * x.n, true, x.rd) || !fragment(ops[1], x.a, x.m * x.k, false, x.ra) ||
        !fragment(ops[2], x.b, x.n * x.k, false, x.rb) || !fragment(ops[3], x.c, x.m * x.n, false, x.rc))
      return true;
    i.e = constants.get(0xffffffffu, 4);
    i.aux = &x;
    return finish(i, handlers::mma);
  }

  /// Copies between actual and formal parameters. `toCallee`: arguments, else results.
  bool copies(const Instruction &inst, const std::vector<Operand> &actual, const Function &callee, bool toCallee,
              std::vector<CallAux::Copy> &out) {
    const auto &formals = toCallee ? callee.params : callee.returns;
    const auto &formalRegs = toCallee ? callee.paramRegs : callee.returnRegs;
    if (actual.size() != formals.size())
      return error(inst.loc, "call of '" + callee.name + "' has " + std::to_string(actual.size()) +
                                 (toCallee ? " arguments" : " results") + ", the function has " +
                                 std::to_string(formals.size()));
    const FunctionCode &target = program.functions[callee.number];
    for (size_t k = 0; k != actual.size(); ++k) {
      const Operand &a = actual[k];
      const Variable &f = formals[k];
      CallAux::Copy c;
      if (a.kind == Operand::Var && inFrame(*a.var)) {
        if (formalRegs[k] >= 0 && callee.isDefined)
          return error(a.loc, "parameter passed in .param space, but the function takes a register");
        c.size = std::min(f.size, a.var->size);
        if (f.unsized)
          c.size = a.var->size;
        c.fromOffset = toCallee ? a.var->offset : f.offset;
        c.toOffset = toCallee ? f.offset : a.var->offset;
      } else {
        // Register or constant.
        bool predicate = f.type == Type::Pred;
        c.reg = true;
        c.predicate = predicate;
        c.regBytes = rowBytes(f.type);
        Row mine;
        if (predicate) {
          bool flip;
          mine = predSource(a, flip);
        } else if (toCallee) {
          mine = source(a, f.type);
        } else {
          mine = destination(a);
        }
        Row theirs = 0;
        if (callee.isDefined) {
          if (formalRegs[k] < 0)
            return error(a.loc, "a register is passed, but the function takes .param");
          theirs = target.regs[size_t(formalRegs[k])];
        }
        c.from = toCallee ? mine : theirs;
        c.to = toCallee ? theirs : mine;
      }
      out.push_back(c);
    }
    return true;
  }

  /// call (ret), fname, (args);  call fname, (args);  call (ret), reg, (args), prototype;
  bool bindCall(const Instruction &inst, Inst &i) {
    std::vector<Operand> rets, args;
    size_t k = 0;
    const std::vector<Operand> &ops = inst.operands;
    if (k < ops.size() && ops[k].kind == Operand::List)
      rets = ops[k++].parts;
    if (k >= ops.size())
      return error(inst.loc, "call without a function"), true;
    const Operand &callee = ops[k++];
    if (k < ops.size() && ops[k].kind == Operand::List)
      args = ops[k++].parts;
    program.callAux.emplace_back();
    CallAux &aux = program.callAux.back();
    i.aux = &aux;
    if (callee.kind == Operand::Func) {
      const Function &f = *callee.fn;
      if (f.isEntry)
        return error(callee.loc, "a kernel cannot be called"), true;
      if (!f.isDefined) {
        aux.builtin = findBuiltin(f.name);
        if (!aux.builtin)
          return error(callee.loc, "call of undefined function '" + f.name + "'"), true;
      }
      aux.target = &program.functions[f.number];
      if (!copies(inst, args, f, true, aux.args) || !copies(inst, rets, f, false, aux.returns))
        return true;
      return finish(i, handlers::call);
    }
    if (callee.kind != Operand::Reg || regBits(callee) != 64)
      return error(callee.loc, callee.kind == Operand::Name ? "undefined function '" + std::string(callee.name) + "'"
                                                            : std::string("expected a function")),
             true;
    if (k >= ops.size() || ops[k].kind != Operand::Proto)
      return error(inst.loc, "an indirect call needs a .callprototype or .calltargets label"), true;
    // Every function of the right shape is a candidate; its argument copies are made now.
    program.candidates.emplace_back();
    std::vector<CallAux> &list = program.candidates.back();
    const CallPrototype &proto = fn.prototypes[ops[k].reg];
    for (FunctionCode &target : program.functions) {
      const Function &f = *target.ast;
      if (f.isEntry || !f.isDefined || f.params.size() != args.size() || f.returns.size() != rets.size())
        continue;
      bool fits = true;
      for (size_t p = 0; p < proto.params.size() && fits; ++p)
        fits = proto.params[p].size == f.params[p].size && f.paramRegs[p] < 0;
      for (size_t p = 0; p < proto.returns.size() && fits; ++p)
        fits = proto.returns[p].size == f.returns[p].size && f.returnRegs[p] < 0;
      if (!proto.targets.empty())
        fits = std::any_of(proto.targets.begin(), proto.targets.end(), [&](const Operand &o) { return o.fn == &f; });
      if (!fits)
        continue;
      CallAux candidate;
      candidate.target = &target;
      if (!copies(inst, args, f, true, candidate.args) || !copies(inst, rets, f, false, candidate.returns))
        return true;
      list.push_back(std::move(candidate));
    }
    aux.candidates = &list;
    i.a = regs[callee.reg];
    return finish(i, handlers::call);
  }

  uint32_t blockOf(int32_t label) const { return cf.blockOfLabel[size_t(label)]; }

  Program &program;
  FunctionCode &code;
  const Function &fn;
  const ControlFlow &cf;
  Constants &constants;
  std::vector<Diagnostic> &errors;
  const IsaTable &isa;
  const std::vector<uint32_t> &regs; ///< row, or predicate number
  std::map<unsigned, std::vector<Row>> temporaries;
  std::map<unsigned, unsigned> usedTemporaries;
  uint32_t current = 0;
  std::vector<std::pair<size_t, uint32_t>> fixups; ///< instruction, target block
  std::vector<BranchAux *> tables;
};

} // namespace

std::unique_ptr<Program> tileiras::emu::compileProgram(std::unique_ptr<ParsedModule> ast, uint64_t moduleId,
                                                       std::vector<Diagnostic> &errors) {
  auto program = std::make_unique<Program>();
  program->ast = std::move(ast);
  for (Function &f : program->ast->functions) {
    program->functions.emplace_back();
    program->functions.back().ast = &f;
    program->functions.back().number = f.number;
  }
  layoutVariables(*program, moduleId, errors);
  Constants constants;
  std::vector<ControlFlow> flows(program->functions.size());
  for (FunctionCode &f : program->functions)
    if (f.ast->isDefined) {
      flows[f.number] = buildControlFlow(*f.ast);
      allocateRegisters(f, flows[f.number]);
    }
  for (FunctionCode &f : program->functions)
    if (f.ast->isDefined)
      FunctionCompiler(*program, f, flows[f.number], constants, errors).run();
  program->constantRowStorage.assign(constants.storage.size() + 64, 0);
  uintptr_t start = (reinterpret_cast<uintptr_t>(program->constantRowStorage.data()) + 63) & ~uintptr_t(63);
  program->constantRows = reinterpret_cast<uint8_t *>(start);
  if (!constants.storage.empty())
    std::memcpy(program->constantRows, constants.storage.data(), constants.storage.size());
  return program;
}
