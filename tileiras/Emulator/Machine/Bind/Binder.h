//===- Binder.h - Linking instructions to their handlers --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Binding turns one verified instruction into an Inst: rows of its operands, the handler, and what the handler wants
// in the other fields. The class is spread over files by instruction family: Bind*.cpp. A family's function returns
// nullopt for an instruction that is not its own; everything nobody claims is elementwise (bindElementwise).
//
// A binder that finds a fault reports it with error() and returns true (handled); false means "unsupported".
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_BIND_BINDER_H
#define TILEIRAS_EMULATOR_MACHINE_BIND_BINDER_H

#include "tileiras/Emulator/Machine/Exec/Isa.h"
#include "tileiras/Emulator/Machine/Program.h"
#include "tileiras/Emulator/Machine/RegisterAllocation.h"
#include "tileiras/Emulator/PTX/ControlFlow.h"
#include "tileiras/Emulator/PTX/Diagnostic.h"
#include "tileiras/Emulator/PTX/Verifier.h"

#include <map>
#include <optional>

namespace tileiras::emu {

struct TmaAddress;
struct TmaAux;

/// Bytes per lane of a register of type `t`.
unsigned rowBytes(Type t);
/// The state space an instruction names.
Space spaceOf(const Instruction &inst);
/// The scope it names: 0 none, 1 cta, 2 cluster, 3 gpu, 4 sys (MemoryOrder).
uint8_t scopeOf(const Instruction &inst);

/// Constant rows of the whole module.
class ConstantRows {
public:
  Row get(uint64_t value, unsigned bytes);
  std::vector<uint8_t> storage;

private:
  std::map<std::pair<unsigned, uint64_t>, Row> rows;
};

/// Compiles one function.
class Binder {
public:
  Binder(Program &program, FunctionCode &code, const ControlFlow &cf, ConstantRows &constants,
         std::vector<Diagnostic> &errors)
      : program(program), code(code), fn(*code.ast), cf(cf), constants(constants), errors(errors), isa(currentIsa()),
        regs(code.regs) {}

  void run();

private:
  /// True: done, or a fault was reported. False: no handler. None: not of this family.
  using Bound = std::optional<bool>;
  using Family = Bound (Binder::*)(const Instruction &, Inst &);
  void compile(const Instruction &inst);
  bool bind(const Instruction &inst, Inst &i);

  // Families.
  Bound bindArithmetic(const Instruction &inst, Inst &i);
  Bound bindElementwise(const Instruction &inst, Inst &i);
  Bound bindVideo(const Instruction &inst, Inst &i);
  Bound bindTexture(const Instruction &inst, Inst &i);
  bool textureRows(const Operand &op, unsigned count, Type type, bool destination, Row *rows, uint8_t *bytes = nullptr);
  Bound bindData(const Instruction &inst, Inst &i);
  bool bindMov(const Instruction &inst, Inst &i);
  bool bindConvert(const Instruction &inst, Inst &i);
  Bound bindMemory(const Instruction &inst, Inst &i);
  bool bindLoadStore(const Instruction &inst, Inst &i);
  bool bindAtomic(const Instruction &inst, Inst &i);
  Bound bindWarp(const Instruction &inst, Inst &i);
  Bound bindBarrier(const Instruction &inst, Inst &i);
  void bindFence(const Instruction &inst, Inst &i);
  Bound bindMbarrier(const Instruction &inst, Inst &i);
  Bound bindAsyncCopy(const Instruction &inst, Inst &i);
  bool bindCpAsync(const Instruction &inst, Inst &i);
  Bound bindTma(const Instruction &inst, Inst &i);
  bool bindBulk(const Instruction &inst, Inst &i);
  bool bindTensorCopy(const Instruction &inst, Inst &i);
  bool bindTensormapReplace(const Instruction &inst, Inst &i);
  bool bindStoreAsync(const Instruction &inst, Inst &i);
  TmaAux &newTmaAux(Inst &i);
  bool tmaAddress(const Instruction &inst, const Operand &op, Space space, TmaAddress &out);
  bool tmaSource(const Operand &op, Type type, Row &row);
  bool tmaVector(const Operand &op, unsigned count, Type type, Row *rows, const char *what);
  Bound bindLaunchControl(const Instruction &inst, Inst &i);
  Bound bindMatrix(const Instruction &inst, Inst &i);
  bool bindMma(const Instruction &inst, Inst &i);
  Bound bindTcgen05(const Instruction &inst, Inst &i);
  bool bindTensorLoadStore(const Instruction &inst, Inst &i, TensorAux &x);
  bool bindTensorMma(const Instruction &inst, Inst &i, TensorAux &x);
  bool tensorAddress(const Operand &op, TensorAux::Address &address);
  Bound bindWgmma(const Instruction &inst, Inst &i);
  bool bindWgmmaMma(const Instruction &inst, Inst &i);
  /// Emits checks before an instruction that touches registers of asynchronous instructions.
  void bindTouches(const Instruction &inst, const Inst &i);
  bool bindWmmaAccess(const Instruction &inst, Inst &i);
  bool bindWmma(const Instruction &inst, Inst &i);
  /// The rows of a matrix fragment of `count` registers of `bits` bits; reports what does not fit.
  bool fragment(const Instruction &inst, const Operand &op, unsigned count, unsigned bits, bool isDestination,
                std::vector<Row> &rows);
  /// "m16n8k16" among the words.
  void matrixShape(const Instruction &inst, MatrixAux &x);
  Bound bindControl(const Instruction &inst, Inst &i);
  bool bindCall(const Instruction &inst, Inst &i);

  /// For what the plain targets lack; false after an error that names `what`.
  bool specificTarget(const Instruction &inst, const char *what) {
    const std::string &target = program.ast->target;
    return target.back() == 'a' || target.back() == 'f' ||
           error(inst.loc,
                 std::string(what) +
                     " needs an architecture- or family-specific target such as sm_90a, the module's target is " +
                     target);
  }
  /// Reports a fault; always false.
  bool error(Loc loc, std::string message) {
    errors.push_back({program.ast->fileName, loc.line, loc.column, std::move(message)});
    return false;
  }

  // Code.
  void emit(Inst inst) {
    inst.source = current;
    code.code.push_back(inst);
  }
  void emitPlain(Handler h) {
    Inst inst;
    inst.fn = h;
    emit(inst);
  }
  /// Emits `i` with handler `h`; false if there is none.
  bool finish(Inst &i, Handler h);

  // Operands.
  /// A row for a value that only the next instruction reads.
  Row newRow(unsigned bytes);
  unsigned regBits(const Operand &op) const { return 8 * rowBytes(fn.registers[op.reg].type); }
  /// Row with the value of a source operand, `bytes` wide. May emit an instruction that computes it.
  Row source(const Operand &op, Type want, unsigned bytes);
  Row source(const Operand &op, Type want) { return source(op, want, rowBytes(want)); }
  Row destination(const Operand &op) const { return op.kind == Operand::Reg ? regs[op.reg] : SinkRow; }
  uint32_t predDestination(const Operand &op) const { return op.kind == Operand::Reg ? regs[op.reg] : PredSink; }
  /// Predicate number of a source operand; `flip` tells whether it is negated.
  uint32_t predSource(const Operand &op, bool &flip);
  /// `d` or `d|p`: the predicate goes to imm (0: none); flags bit 3 tells whether d is wanted.
  void pairDestination(const Operand &op, Inst &i);
  /// Fills d, a, b, c, e from operands in the order of the table row.
  void plainOperands(const Instruction &inst, Inst &i);
  void booleanCombination(const Instruction &inst, Inst &i);
  /// Address operand to MemAux, i.a and i.imm.
  void address(const Instruction &inst, const Operand &mem, Inst &i, MemAux &aux);

  // Variables.
  /// .local and function-scope .param variables live in the thread's local memory.
  static bool inFrame(const Variable &v);
  static bool isFormal(const Variable &v);
  void checkDefined(const Operand &op);

  /// Copies between actual and formal parameters. `toCallee`: arguments, else results.
  bool copies(const Instruction &inst, const std::vector<Operand> &actual, const Function &callee, bool toCallee,
              std::vector<CallAux::Copy> &out);
  uint32_t blockOf(int32_t label) const { return cf.blockOfLabel[size_t(label)]; }

  Program &program;
  FunctionCode &code;
  const Function &fn;
  const ControlFlow &cf;
  ConstantRows &constants;
  std::vector<Diagnostic> &errors;
  const IsaTable &isa;
  const std::vector<uint32_t> &regs; ///< row, or predicate number
  std::map<unsigned, std::vector<Row>> temporaries;
  std::map<unsigned, unsigned> usedTemporaries;
  uint32_t current = 0;                            ///< index of the instruction being bound
  std::vector<std::pair<size_t, uint32_t>> fixups; ///< instruction, target block
  std::vector<BranchAux *> tables;
  uint8_t tensorGroup = 0; ///< .cta_group of the function's tcgen05 instructions
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_BIND_BINDER_H
