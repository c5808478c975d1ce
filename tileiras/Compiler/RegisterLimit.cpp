//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/RegisterLimit.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/Residency.h"
#include "tileiras/Support/TargetTable.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace mlir;

namespace tileiras {

/// A limit below three quarters of what ptxas took is out of reach: what it leaves out then costs more than a block
/// brings (docs/performance.md has the numbers).
static constexpr unsigned kReachNumerator = 3, kReachDenominator = 4;
/// With so many warps at a time the model sees no gain from more of them that outlasts odd numbers of blocks: three for
/// each scheduler keep the tensor cores busy; a fourth has its use where exponentials stand between products.
static constexpr unsigned kEnoughWarps = 12, kEnoughWithExponentials = 16;
/// Who takes more than that is asked whether it needs them: three quarters of what a thread can have.
static constexpr unsigned kMany = 192;
/// Code may become longer by a tenth for a block, and not for nothing.
static constexpr unsigned kLonger = 10;

/// The number at the beginning of `text`, after blanks; 0 if there is none.
static unsigned leadingNumber(StringRef text) {
  unsigned number = 0;
  text = text.ltrim();
  text.take_while(llvm::isDigit).getAsInteger(10, number);
  return number;
}

/// Product of "128, 1, 1".
static unsigned extent(StringRef text) {
  unsigned product = 1;
  while (!text.empty()) {
    StringRef number;
    std::tie(number, text) = text.split(',');
    product *= leadingNumber(number);
  }
  return product;
}

std::vector<PtxKernel> findPtxKernels(StringRef ptx) {
  std::vector<PtxKernel> found;
  bool inHeader = false;
  for (size_t at = 0; at < ptx.size();) {
    size_t end = std::min(ptx.find('\n', at), ptx.size());
    StringRef line = ptx.slice(at, end), text = line.ltrim();
    size_t start = at;
    at = end + 1;
    // As LLVM prints it: a directive a line, the brace alone.
    StringRef entry = text;
    entry.consume_front(".visible ") || entry.consume_front(".weak ");
    if (entry.consume_front(".entry ")) {
      found.emplace_back();
      found.back().name = entry.take_until([](char c) { return c == '(' || llvm::isSpace(c); }).str();
      inHeader = true;
      continue;
    }
    if (found.empty())
      continue;
    PtxKernel &kernel = found.back();
    if (inHeader) {
      StringRef rest = text;
      if (rest.consume_front(".reqntid") || rest.consume_front(".maxntid")) {
        kernel.threads = extent(rest);
      } else if (rest.consume_front(".minnctapersm")) {
        kernel.blocks = leadingNumber(rest);
        kernel.blocksAt = start;
        kernel.blocksLength = at - start;
      } else if (rest.starts_with(".maxnreg")) {
        kernel.limited = true;
      } else if (rest.starts_with("{")) {
        kernel.directives = start;
        inHeader = false;
      }
      continue;
    }
    kernel.movesRegisters |= text.contains("setmaxnreg.");
    kernel.staysResident |= text.contains("%nsmid");
    kernel.exponentials |= text.contains("ex2.approx");
    kernel.bySync |= text.contains("mma.sync");
    kernel.byWgmma |= text.contains("wgmma.mma_async");
    kernel.multiplies |= kernel.bySync || kernel.byWgmma || text.contains("tcgen05.mma");
    if (size_t alloc = text.find("tcgen05.alloc."); alloc != StringRef::npos)
      kernel.tensorColumns += leadingNumber(text.substr(alloc).split(',').second);
  }
  return found;
}

bool mayLimitRegisters(const PtxKernel &kernel) {
  return kernel.threads && kernel.directives && kernel.multiplies && !kernel.limited && !kernel.movesRegisters &&
         !kernel.staysResident;
}

/// What a block of the kernel needs.
static BlockNeeds needsOf(const PtxKernel &kernel, const PtxasResources &resources,
                          const std::map<std::string, uint64_t> &shared) {
  BlockNeeds needs;
  needs.warps = (kernel.threads + 31) / 32;
  needs.registers = resources.registers;
  needs.sharedBytes = resources.shared;
  needs.tensorColumns = kernel.tensorColumns;
  if (auto more = shared.find(kernel.name); more != shared.end())
    needs.sharedBytes = std::max<uint64_t>(needs.sharedBytes, more->second);
  return needs;
}

RegisterTrial beginTrial(const PtxKernel &kernel, const PtxasResources &resources,
                         const std::map<std::string, uint64_t> &shared, const TargetInfo &target) {
  RegisterTrial trial;
  trial.kernel = kernel.name;
  trial.registersBefore = resources.registers;
  trial.blocksBefore = trial.blocksAfter = residentBlocks(needsOf(kernel, resources, shared), BlockRoom(target)).blocks;
  return trial;
}

std::vector<RegisterTrial> planRegisterTrials(ArrayRef<PtxKernel> kernels, ArrayRef<PtxasResources> resources,
                                              const std::map<std::string, uint64_t> &shared, const TargetInfo &target) {
  std::vector<RegisterTrial> trials;
  const BlockRoom room(target);
  for (const PtxKernel &kernel : kernels) {
    auto found = llvm::find_if(resources, [&](const PtxasResources &r) { return r.function == kernel.name; });
    if (!mayLimitRegisters(kernel) || found == resources.end() || !found->registers)
      continue;
    RegisterTrial trial = beginTrial(kernel, *found, shared, target);
    const unsigned blocks = trial.blocksBefore;
    if (!blocks)
      continue;
    BlockNeeds needs = needsOf(kernel, *found, shared);
    const unsigned limit = registersForBlocks(blocks + 1, needs.warps, room);
    needs.registers = limit;
    trial.blocksWithLess = residentBlocks(needs, room).blocks;
    if (limit && limit < found->registers && trial.blocksWithLess > blocks)
      trial.forMore = limit;
    const unsigned enough = kernel.exponentials ? kEnoughWithExponentials : kEnoughWarps;
    // Asked for more than one, and not given more than that: somebody has weighed it.
    const bool wantsMore = blocks * needs.warps < enough && (kernel.blocks <= 1 || blocks > kernel.blocks);
    const bool inReach = limit * kReachDenominator >= occupiedRegisters(found->registers) * kReachNumerator;
    if (trial.forMore && wantsMore && inReach)
      trial.limit = limit, trial.blocksAfter = trial.blocksWithLess;
    else if (!kernel.bySync || kernel.blocks != 1 || found->registers <= kMany)
      continue;
    trials.push_back(std::move(trial));
  }
  return trials;
}

void judge(RegisterTrial &trial, const PtxasResources &before, const PtxasResources &after) {
  trial.registersAfter = after.registers;
  const bool more = trial.forMore && after.registers <= trial.forMore;
  if (more)
    trial.blocksAfter = trial.blocksWithLess;
  if (after.spillStores > before.spillStores || after.spillLoads > before.spillLoads)
    trial.reason = "values would be spilled";
  else if (after.stack > before.stack)
    trial.reason = "a thread would take more of the stack";
  else if (trial.limit && after.registers > trial.limit)
    trial.reason = "ptxas does not keep to the limit";
  else if (occupiedRegisters(after.registers) >= occupiedRegisters(before.registers))
    trial.reason = "a thread would get as many registers";
  else if (!trial.codeAfter || trial.codeAfter * kLonger > trial.codeBefore * (more ? kLonger + 1 : kLonger))
    trial.reason = "the code would be longer";
  else
    trial.kept = true,
    trial.reason = more ? "nothing is spilled for one more block" : "the same is done in fewer registers";
}

std::string withRegisterLimits(StringRef ptx, ArrayRef<PtxKernel> kernels, ArrayRef<RegisterTrial> trials,
                               bool onlyKept) {
  std::string result;
  size_t done = 0;
  for (const PtxKernel &kernel : kernels) {
    auto trial = llvm::find_if(trials, [&](const RegisterTrial &t) { return t.kernel == kernel.name; });
    if (trial == trials.end() || (onlyKept && !trial->kept))
      continue;
    size_t at = kernel.blocksLength ? kernel.blocksAt : kernel.directives;
    result += ptx.slice(done, at);
    if (trial->limit)
      result += (".maxnreg " + Twine(trial->limit) + "\n").str();
    done = at + kernel.blocksLength;
  }
  result += ptx.substr(done);
  return result;
}

void remarkTrials(ModuleOp module, ArrayRef<RegisterTrial> trials) {
  llvm::StringMap<Operation *> functions;
  module->walk([&](LLVM::LLVMFuncOp function) { functions[function.getName()] = function; });
  for (const RegisterTrial &trial : trials) {
    Operation *op = functions.lookup(trial.kernel);
    if (!op)
      continue;
    auto remark = trial.kept ? remarks::passed(op, remarks::kResources, "RegisterLimit")
                             : remarks::missed(op, remarks::kResources, "RegisterLimit");
    if (!remark)
      continue;
    if (trial.limit)
      remark << remarks::figure("Limit", trial.limit);
    remark << remarks::figure("Blocks", trial.blocksAfter) << remarks::figure("BlocksWithout", trial.blocksBefore)
           << remarks::figure("RegistersWithout", trial.registersBefore)
           << remarks::figure("CodeBytesWithout", trial.codeBefore);
    if (trial.registersAfter) // nothing is known of a limit that is refused
      remark << remarks::figure("Registers", trial.registersAfter) << remarks::figure("CodeBytes", trial.codeAfter);
    remark << remarks::because(trial.reason);
  }
}

} // namespace tileiras
