//===- Costs.h - What each PTX instruction costs ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For one program and one machine: the basic blocks in the order in which an assembler would put their instructions
// (list scheduling by critical path over a window), and for each instruction its issue slots, pipe and latency. What
// depends on addresses or on other warps is not here; the engine takes it from the trace.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_TIMING_COSTS_H
#define TILEIRAS_EMULATOR_TIMING_COSTS_H

#include "tileiras/Emulator/Machine/Program.h"
#include "tileiras/Emulator/Timing/MachineDescription.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tileiras::emu::timing {

/// Pipes of a sub-core. Units of the whole SM are servers of the engine.
enum class Pipe : uint8_t { None, Fma, Heavy, Alu, Xu, Fp64, Mma, Tmem, Count };
constexpr unsigned NumPipes = unsigned(Pipe::Count);
const char *pipeName(Pipe p);

/// Why a warp does not issue. The producers of a value come first.
enum class Stall : uint8_t {
  None,
  Fixed,    ///< result of an arithmetic instruction
  Xu,       ///< result of a special function
  Exchange, ///< shared memory, shuffles
  Global,   ///< L1, L2, DRAM
  Matrix,   ///< result of mma.sync
  TensorMemory,
  Barrier,
  ClusterBarrier,
  Mbarrier,      ///< a phase that threads complete
  CopyArrival,   ///< a phase that waits for bulk copies
  TensorArrival, ///< a phase that waits for tcgen05 products
  Wgmma,         ///< wgmma.wait_group
  Copies,        ///< cp.async and bulk groups
  Fence,
  Sleep,       ///< nanosleep
  PipeBusy,    ///< the pipe of the next instruction is taken
  MemoryQueue, ///< shared or global requests are not admitted
  NotSelected, ///< another warp of the sub-core issues
  Branch,
  Count
};
constexpr unsigned NumStalls = unsigned(Stall::Count);
const char *stallName(Stall s);

struct OpCost {
  uint32_t source = 0; ///< instruction of the function
  uint16_t slots = 1;  ///< issue slots; 0: folded into its users
  Pipe pipe = Pipe::None;
  Stall produces = Stall::Fixed; ///< for who waits for its result
  bool dynamic = false;          ///< the trace may have events for it
  bool branch = false;
  float busy = 0;                                       ///< clocks of the pipe
  float latency = 0;                                    ///< until its results can be used
  float exchange = 0;                                   ///< clocks of the shared memory path, addresses apart
  float localLoads = 0, localStores = 0;                ///< bytes of local memory a thread moves, spills included
  bool spills = false;                                  ///< that are the assembler's, and nothing here waits for them
  uint32_t readsBegin = 0, readsEnd = 0, writesEnd = 0; ///< in BlockCosts::registers; writes begin where reads end
};

struct BlockCosts {
  uint32_t function = 0;
  uint32_t begin = 0, end = 0;     ///< instructions in PTX order
  std::vector<OpCost> ops;         ///< in scheduled order
  std::vector<uint32_t> registers; ///< numbers in the function
  std::vector<uint32_t> position;  ///< of instruction begin + i in `ops`
  /// Words that the assembler loads from shared memory at a time where the program loads one: 1, 2 or 4, by instruction
  /// begin + i. Empty: all of them one.
  std::vector<uint8_t> sharedWidth;
};

/// Machine instructions of a line of the PTX text; those of them that move local memory, and how many bytes of a
/// thread.
struct MachineCount {
  uint32_t instructions = 0, local = 0, localLoads = 0, localStores = 0;
};
/// By line, as the assembler's line table gives them (Toolkit.h). Empty: unknown.
using MachineCounts = std::map<uint32_t, MachineCount>;

class Costs {
public:
  Costs(const Program &program, const MachineDescription &machine, const MachineCounts &counts = {});
  const MachineDescription &machine;
  const Program &program;
  std::vector<BlockCosts> blocks; ///< by number, as in Program::blocks
  /// Instructions without a model, by opcode, with a reason. They cost one issue slot.
  std::map<std::string, std::string> unmodelled;

private:
  OpCost costOf(const Function &fn, const Instruction &inst);
  void schedule(const Function &fn, BlockCosts &block);
  void correct(const Function &fn, BlockCosts &block, const MachineCounts &counts);
};

/// FLOP (or integer operations) of one matrix instruction of a warp or warpgroup: 2 * m * n * k.
double matrixFlops(const Instruction &inst);

} // namespace tileiras::emu::timing

#endif // TILEIRAS_EMULATOR_TIMING_COSTS_H
