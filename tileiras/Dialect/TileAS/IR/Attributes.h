//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The discardable attributes of nv_tileas: names, where they stand, what they say.
// (Those that reach LLVM IR: tileiras/Support/LoweringFacts.h.)
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_ATTRIBUTES_H
#define TILEIRAS_DIALECT_TILEAS_IR_ATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace mlir::nv_tileas {

// On kernels.

/// Unit: the blocks of its cluster share the work (tileas-slice-tiles). Without it the first block does everything.
inline constexpr llvm::StringLiteral kDividedClusterAttr = "nv_tileas.divided_cluster";
/// Two i64: so many blocks divide the tile blocks, and so many for each multiprocessor of the GPU if that is fewer (0:
/// however many it has). The others have nothing to do (tileas-dynamic-persistent). A third one: clusters divide the
/// tile blocks, so many blocks in each, and the first one counts clusters.
inline constexpr llvm::StringLiteral kStayingBlocksAttr = "nv_tileas.staying_blocks";
/// i64: so many blocks are expected to share a multiprocessor, and rings take no more of shared memory than leaves them
/// room (tileas-choose-warps). Without it as many as fill the register file with eight warps.
inline constexpr llvm::StringLiteral kSharingBlocksAttr = "nv_tileas.sharing_blocks";
/// Unit: its tiles are whole though they are estimated to exceed the register file: who assembles the kernel looks if
/// something is spilled, and compiles it in slices then (tileas-slice-tiles, `tight`).
inline constexpr llvm::StringLiteral kTightAttr = "nv_tileas.tight";
/// i64: bytes of shared memory that alloc_tensor operations take (tileas-optimize-alloc-tensor).
inline constexpr llvm::StringLiteral kSharedBytesAttr = "nv_tileas.shared_bytes";

/// Two i64: the columns of tensor memory that the kernel takes, and the offset in its shared memory of 16 bytes, for
/// their address and for the mbarrier at which products arrive (tileas-optimize-alloc-tensor).
inline constexpr llvm::StringLiteral kTensorMemoryAttr = "nv_tileas.tensor_memory";

/// Symbol, on kernels during convert-nv-tileas-to-llvm: the global that is their shared memory.
inline constexpr llvm::StringLiteral kSmemSymbolAttr = "nv_tileas.global_smem";

/// Unit, likewise: it stores halves of bytes, which threads share (Conversion/TileASToLLVM/NibbleMemory.h).
inline constexpr llvm::StringLiteral kStoresHalvesAttr = "nv_tileas.stores_halves";

/// i32, on kernels: how many of their tensor maps are parameters, which the host makes, and how many they make
/// themselves (tileas-separate-host-tma).
inline constexpr llvm::StringLiteral kNumHostTmasAttr = "nv_tileas.num-host-tmas",
                                     kNumDeviceTmasAttr = "nv_tileas.num-device-tmas";
/// Unit, on the module of the functions that make them, and on these.
inline constexpr llvm::StringLiteral kHostCodeAttr = "nv_tileas.host-code";

// On operations.

/// i32, on make_tiled_tma_desc: which of the kernel's tensor maps from the host it stands for.
inline constexpr llvm::StringLiteral kHostTmaAttr = "nv_tileas.host-tma";

/// i64, likewise: byte offset of the operation's scratch memory (nv_tileas.with_scratch).
inline constexpr llvm::StringLiteral kScratchOffsetAttr = "nv_tileas.scratch_offset";

/// Unit, on memory operations during convert-nv-tileas-to-llvm: all threads must meet before it (MemoryOrder.cpp).
inline constexpr llvm::StringLiteral kBarrierBeforeAttr = "nv_tileas.barrier_before";

/// Unit, on copies: each thread reads from shared memory what it wrote itself (tileas-optimize-alloc-tensor).
inline constexpr llvm::StringLiteral kNoRawBarrierAttr = "nv_tileas.no_raw_barrier";
/// Unit, on create_pipeline: it is filled one stage less ahead than it has stages, so that the product that reads the
/// stage of the round before may be under way while the next one is filled (tileas-materialize-async).
inline constexpr llvm::StringLiteral kSpareStageAttr = "nv_tileas.spare_stage";
/// Unit, on copies into shared memory and waits for asynchronous ones: matrix units or bulk copies, which reach memory
/// through the async proxy, read the tile. Who writes it says so with a proxy fence before the threads meet (PTX ISA,
/// "Async proxy").
inline constexpr llvm::StringLiteral kAsyncProxyAttr = "nv_tileas.async_proxy";
/// Unit, on copies: the root of a copy between registers that moves element by element
/// (tileas-materialize-convert-layout).
inline constexpr llvm::StringLiteral kRootRegToRegCopyAttr = "nv_tileas.root_reg_to_reg_copy_op";

/// A copy atom, on copies into shared memory: what writes the tile (MatrixStore.h):
///
///     nv_tileas.copy %x, %tile {nv_tileas.store_atom = #nv_tileas.stsm<matrices = 4>} : ...
inline constexpr llvm::StringLiteral kStoreAtomAttr = "nv_tileas.store_atom";
/// i64, on nv_tileas.dot: the first of the columns that its scales take (tileas-optimize-alloc-tensor).
inline constexpr llvm::StringLiteral kScaleColumnsAttr = "nv_tileas.scale_columns";
/// Units, on async.wait: what its tokens are of.
inline constexpr llvm::StringLiteral kWaitsForLoadsAttr = "nv_tileas.waits_for_loads",
                                     kWaitsForStoresAttr = "nv_tileas.waits_for_stores";
/// Unit, on async.wait for tensor stores: until the tiles have been read, not until global memory has been written.
inline constexpr llvm::StringLiteral kSourceReadAttr = "nv_tileas.source_read";
/// Unit, on make_tiled_tma_desc: wanted only if loops of the kernel are filled by TMA, too (tileas-stage-stores).
inline constexpr llvm::StringLiteral kWithLoadsAttr = "nv_tileas.with_loads";
/// Three i32, on async.tiled_tma_store in an agent of a team: a dimension, a bit of its coordinates, and the value that
/// it has in the boxes that this agent copies.
inline constexpr llvm::StringLiteral kTeamPartAttr = "nv_tileas.team_part";
/// Unit, on tensor loads and the producer_writes around them: one thread only runs the code (convert-pipeline-to-nvvm).
inline constexpr llvm::StringLiteral kElectedAttr = "nv_tileas.elected";
/// Powers of two, one for each dimension, on comparisons of integers: in every aligned block of so many elements the
/// result is the same (tileas-assign-load-store-layouts). One of a block's elements is compared.
inline constexpr llvm::StringLiteral kEqualBlocksAttr = "nv_tileas.equal_blocks";

// On loops.

/// Unit, on the loop over the tile blocks of a persistent kernel (tileas-dynamic-persistent).
inline constexpr llvm::StringLiteral kPersistentAttr = "nv_tileas.persistent";
/// Unit, on such a loop that counts tile blocks as long as agents are made of it: where it can be, a block takes over
/// tile blocks that have not started, instead of those of its share (tileas-take-over-blocks).
inline constexpr llvm::StringLiteral kTakesOverAttr = "nv_tileas.takes_over";
/// i32 each, on operations of a scheduled loop: when they run (tileas-materialize-schedule).
inline constexpr llvm::StringLiteral kStageAttr = "nv_tile.aws.stage", kOrderAttr = "nv_tile.aws.order";

// On operations of pipelines.

/// Unit, on create_pipeline: its agents run the same loops, so that when the loops of the one that consumes are behind
/// it all stages that have been filled have been read. What it allocates then may have their bytes. Where two agents
/// consume, on nvvm.barrier: both meet there when their loops are behind them.
inline constexpr llvm::StringLiteral kDrainedAttr = "nv_tileas.drained";

/// Unit, on nv_tileas.dot in a consumer_read: nobody waits for the product here; the release of the stage is
/// kByProductsAttr. Before it the threads have met since they last touched its operands and sums.
inline constexpr llvm::StringLiteral kUnderWayAttr = "nv_tileas.under_way";

/// Unit, on consumer_release, all of a ring or none: the stage is released when the products are done that were issued
/// before, one arrival by tcgen05.commit. On producer_commit likewise: the stage is full then.
inline constexpr llvm::StringLiteral kByProductsAttr = "nv_tileas.by_products";

/// Array of i32, on agent_switch, an entry for each agent: 1 if one thread of its warp runs all of it.
inline constexpr llvm::StringLiteral kSingleThreadAttr = "nv_tileas.single_thread";

/// Array of i32, on agent_switch, an entry for each agent: the number that its first warp has in layouts. Agents whose
/// entries continue those of the one before form a team: they run the same code on the same tiles, each the part of
/// its own warps. [0, 4, 0]: two agents of four warps divide tiles of eight, the third one is alone.
inline constexpr llvm::StringLiteral kTeamAttr = "nv_tileas.team";

/// Array of two i32, on a loop whose products two warpgroups issue in turns: the named barriers of the first one's turn
/// and of the second one's. tileas-take-turns puts them where the products stand.
inline constexpr llvm::StringLiteral kTurnsAttr = "nv_tileas.turns";

/// Array of two i32, on the loop over tile blocks of each of two agents that compute, of which one has every other tile
/// block: the named barriers of the first one's turn and of the second one's (AlternateTiles.h). tileas-take-turns puts
/// them around what waits for the ring's stages.
inline constexpr llvm::StringLiteral kTileTurnsAttr = "nv_tileas.tile_turns";

/// Unit, on create_pipeline: of its consumers, which are of one size, one reads and releases each filling of a stage.
/// They say by inc_iter which fillings are theirs, and have turns: nobody waits for a filling before the one before it
/// in the same stage is known to be there, as waits know phases by their parity.
inline constexpr llvm::StringLiteral kInTurnAttr = "nv_tileas.in_turn";

/// i64, during convert-pipeline-to-nvvm: the number of the operation's pipeline.
inline constexpr llvm::StringLiteral kPipelineNumberAttr = "nv_tileas.pipeline_number";
/// Unit, on a producer_commit, likewise: cp.async fills the stage, no thread stores into it.
inline constexpr llvm::StringLiteral kFilledByCopiesAttr = "nv_tileas.filled_by_copies";
/// Unit, on producer_commit: what threads copied went through their registers (a view that rounds its tiles).
inline constexpr llvm::StringLiteral kFilledThroughRegistersAttr = "nv_tileas.filled_through_registers";
/// Unit, on a producer_acquire, likewise: the stage is not filled.
inline constexpr llvm::StringLiteral kNotFilledAttr = "nv_tileas.not_filled";
/// Unit, on a producer_write, likewise: it fills a stage for the first time.
inline constexpr llvm::StringLiteral kFirstRoundAttr = "nv_tileas.first_round";
/// i32, on a producer_commit behind a loop of lagging arrivals (ElectedProducer.h): so many fillings ago was the stage
/// that it is for.
inline constexpr llvm::StringLiteral kLastArrivalAttr = "nv_tileas.last_arrival";
/// Unit, on inc_iter: the result is at the same stage, one round later.
inline constexpr llvm::StringLiteral kWholeRoundAttr = "nv_tileas.whole_round";
/// i32, on ub.poison of a token that a loop begins with: the stages of the ring. The loop goes on with tokens of the
/// stages from 0 on, so this one may stand for the stage before.
inline constexpr llvm::StringLiteral kBeforeFirstAttr = "nv_tileas.before_first_of";

// On what the blocks of a cluster do together (Cluster.h).

/// Unit, on nvvm.cluster.arrive and nvvm.cluster.wait: the blocks meet there because all of them have to have loaded
/// something, and for nothing that another one has written. (tileas-slice-tiles)
inline constexpr llvm::StringLiteral kAfterLoadsAttr = "nv_tileas.after_loads";
/// "backward" or "forward", on convert_layout: where it moves (tileas-plan-cta).
inline constexpr llvm::StringLiteral kDirectionAttr = "plancta.direction";
/// i32, a power of two, on async.tiled_tma_load: so many blocks, all of the cluster, copy a part of the tile each, to
/// all of them. They run the operation with the same coordinates. (tileas-multicast-loads)
inline constexpr llvm::StringLiteral kMulticastAttr = "nv_tileas.multicast";
/// i32 on create_pipeline: tensor copies, or products, of so many blocks fill its stages. Each stage is released to all
/// of them. All threads of all blocks make the ring, and use it as often.
inline constexpr llvm::StringLiteral kClusterRingAttr = "nv_tileas.cluster_ring";

/// Unit, on kernels, on create_pipeline and on async.tiled_tma_load: products are those of a pair of blocks
/// (tcgen05.mma, .cta_group::2). The even block issues them and waits for full stages of both; each block has its rows
/// of A and of the sums, and half of B's columns (a basis of `block` in its layout); tensor copies of both complete on
/// the even block's mbarriers. (tileas-plan-cta)
inline constexpr llvm::StringLiteral kCtaPairAttr = "nv_tileas.cta_pair";

// On operations of LLVM and NVVM at the beginning of a kernel or an agent, during convert-nv-tileas-to-llvm.

/// Unit: the first column of the kernel's tensor memory; the phase of the mbarrier at which products arrive.
inline constexpr llvm::StringLiteral kTensorMemoryBaseAttr = "nv_tileas.tensor_memory_base",
                                     kTensorMemoryPhaseAttr = "nv_tileas.tensor_memory_phase";
/// Unit: whether this thread issues products.
inline constexpr llvm::StringLiteral kIssuerAttr = "nv_tileas.issuer";
/// Unit: the number of the warp, in a uniform register.
inline constexpr llvm::StringLiteral kUniformWarpAttr = "nv_tileas.uniform_warp";
/// i64s, on make_tiled_tma_desc, likewise: where the warp that finds the tensor map leaves its address (in shared
/// memory); its number in its run, operations between which nothing happens; and how many there are.
inline constexpr llvm::StringLiteral kSlotAttr = "nv_tileas.slot";

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_ATTRIBUTES_H
