//===- MachineDescription.h - Numbers of one GPU ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the timing model knows of a GPU. The numbers are data: one file each in Machines/, lines of
//
//   key = value   # [tag] source
//
// with every key exactly once and a source for every number; the tags are those of docs/timing.md. All times are SM
// clocks and all rates are per SM clock unless a key says otherwise. Intervals of pipes are clocks between two warp
// instructions of one sub-core.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_TIMING_MACHINEDESCRIPTION_H
#define TILEIRAS_EMULATOR_TIMING_MACHINEDESCRIPTION_H

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tileiras::emu::timing {

// clang-format off
#define TILEIRAS_MACHINE_FIELDS(X) \
  X(sm, "compute capability, 90 for 9.0") \
  X(sms, "multiprocessors of the product") \
  X(clock_mhz, "boost clock") \
  X(clock_tensor_mhz, "clock sustained while tensor cores are busy") \
  X(clock_light_mhz, "highest clock that the chip takes while its tensor cores have little to do") \
  X(tensor_clock_exponent, "the clock rises as the share of time for which tensor cores are busy, to the power of minus this; 0: not") \
  X(tensor_power_share, "share of the tensor cores' rate at that clock that power allows; beyond it the clock falls") \
  X(max_warps, "resident warps of an SM") \
  X(max_blocks, "resident blocks of an SM") \
  X(registers, "32-bit registers of an SM") \
  X(shared_kib, "shared memory of an SM that blocks can have") \
  X(l1_kib, "L1 and shared memory together") \
  X(fma_interval, "f32 add, multiply, fma") \
  X(fma2_interval, "f32x2 fma; two fma where there is no instruction") \
  X(half_interval, "f16x2") \
  X(bf16_interval, "bf16x2") \
  X(alu_interval, "logic, shift, compare, select, integer minimum") \
  X(iadd_interval, "32-bit integer add") \
  X(imad_interval, "32-bit integer multiply(-add)") \
  X(xu_interval, "ex2, lg2, rcp, rsqrt, sin, cos, popc and slow conversions") \
  X(cvt_interval, "f32 to one f16 or bf16") \
  X(cvt_pack_interval, "two f32 to f16x2 or bf16x2; conversions from narrow floats") \
  X(fp64_interval, "f64 add, multiply, fma") \
  X(lat_alu, "dependent ALU operation") \
  X(lat_fma, "dependent fma") \
  X(lat_imad, "dependent integer multiply-add") \
  X(lat_half, "dependent f16x2 operation") \
  X(lat_setp, "predicate or select") \
  X(lat_xu, "ex2") \
  X(lat_xu_slow, "rcp, sqrt, non-ftz forms") \
  X(lat_fp64, "dependent f64 operation") \
  X(lat_shfl, "shuffle") \
  X(lat_vote, "vote") \
  X(lat_redux, "redux") \
  X(lat_shared, "load from shared memory") \
  X(lat_l1, "load that hits L1") \
  X(lat_l2, "load that hits L2, near partition") \
  X(lat_l2_far, "added on average, for lines of the far partition") \
  X(lat_dram, "load from DRAM") \
  X(exchange_bytes, "shared memory data per clock") \
  X(exchange_request_interval, "clocks per request of shared memory") \
  X(exchange_warp_interval, "clocks per request of one warp alone") \
  X(shfl_interval, "clocks of the exchange path per shuffle") \
  X(ldmatrix_rows, "rows of ldmatrix that the banks serve together: those of one matrix, or of two") \
  X(exchange_queue, "requests admitted before issue stops") \
  X(lat_mma, "mma.sync m16n8k16, f32 sums") \
  X(mma_f16_f32_flops, "mma.sync f16/bf16 with f32 sums, reachable FLOP per clock of an SM") \
  X(mma_f16_f16_flops, "mma.sync f16 with f16 sums") \
  X(mma_tf32_flops, "mma.sync tf32") \
  X(mma_fp8_flops, "mma.sync fp8, f32 sums") \
  X(mma_int8_flops, "mma.sync s8") \
  X(mma_f64_flops, "mma.sync f64") \
  X(wgmma_flops, "wgmma f16, FLOP per clock of an SM; 0: no wgmma") \
  X(wgmma_tail, "latency behind the compute of a wgmma") \
  X(tcgen05_flops, "tcgen05.mma f16, FLOP per clock of an SM; 0: no tcgen05") \
  X(tcgen05_tail_ss, "latency behind the compute, both operands in shared memory") \
  X(tcgen05_tail_ts, "the same with A in tensor memory") \
  X(tcgen05_tail_pair, "the same for a pair of blocks") \
  X(tcgen05_batch, "overhead of a batch between two commits") \
  X(tmem_bytes, "tensor memory port of a sub-core, bytes per clock") \
  X(tmem_min_interval, "shortest tcgen05.ld or st") \
  X(lat_tmem, "tcgen05.ld") \
  X(tma_issue_interval, "between two copies of an SM") \
  X(tma_bytes, "into shared memory, rows of 128 bytes; 0: no TMA") \
  X(tma_narrow_bytes, "the same with rows of 64 bytes") \
  X(tma_latency, "of a bulk copy beyond that of a load") \
  X(tma_miss_latency, "added to a bulk copy from DRAM: the slowest of its lines decides") \
  X(tma_hold, "clocks a bulk copy holds the warp that issues it") \
  X(tma_store_bytes, "out of shared memory") \
  X(tma_store_latency, "of a bulk store") \
  X(l1_bytes, "global data of an SM through L1") \
  X(l1_request_interval, "clocks per global request of an SM") \
  X(l2_sm_bytes, "between one SM and L2") \
  X(l2_bytes, "of L2 for the whole chip") \
  X(l2_mib, "size of L2") \
  X(dram_gbs, "nominal DRAM bandwidth, GB/s") \
  X(dram_best_gbs, "best measured, half of it writes, GB/s") \
  X(dram_read_gbs, "best measured, reads only, GB/s") \
  X(lat_dsmem, "load from another block's shared memory") \
  X(dsmem_bytes, "to and from other SMs of the cluster") \
  X(bar_base, "bar.sync of one warp") \
  X(bar_per_warp, "added per warp") \
  X(mbar_arrive, "mbarrier arrive") \
  X(mbar_wait, "mbarrier wait that succeeds") \
  X(mbar_wake, "added for a warp that was suspended when the phase completed") \
  X(fence_proxy, "fence.proxy.async") \
  X(membar_gl, "fence at gpu scope") \
  X(membar_write, "added to it for a warp that has written since its last one") \
  X(cluster_barrier, "barrier.cluster") \
  X(atom_latency, "atomic on L2 with result") \
  X(atom_l2_interval, "L2 clocks of the chip per atomic line") \
  X(setmaxnreg, "change of the register count") \
  X(launch_us, "from launch to the first instructions and back, microseconds") \
  X(launch_cold_us, "the same where caches are flushed before, code and parameters among what they held") \
  X(cancel_latency, "clusterlaunchcontrol.try_cancel, until the response is there") \
  X(block_start, "clocks to start a block in a freed slot")
// clang-format on

struct MachineDescription {
  std::string name; ///< "h200"
#define X(key, doc) double key = 0;
  TILEIRAS_MACHINE_FIELDS(X)
#undef X
  /// By key: "[2] RRZE, HOP1".
  std::map<std::string, std::string, std::less<>> sources;

  /// Highest rate of matrix products for elements of `bits`, FLOP per clock of an SM.
  double peakMatrixFlops(unsigned bits) const;
  double peakFmaFlops() const { return 4 * 32 * 2 / fma_interval; }
};

/// Reads a description; an error names file, line and key.
std::optional<MachineDescription> parseMachine(std::string_view text, std::string name, std::string &error);
/// One of the built-in machines ("h200"), or a file if `name` contains a '/' or ends in ".gpu".
std::optional<MachineDescription> findMachine(std::string_view name, std::string &error);
std::vector<std::string> machineNames();
/// Key and meaning of every number, for documentation and tests.
std::vector<std::pair<std::string, std::string>> machineFields();

} // namespace tileiras::emu::timing

#endif // TILEIRAS_EMULATOR_TIMING_MACHINEDESCRIPTION_H
