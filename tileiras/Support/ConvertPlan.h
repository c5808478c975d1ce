//===- ConvertPlan.h - How a tile gets from one layout to another -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tile is distributed over the threads by layout A; the next operation wants it by layout B.
// Somebody holds each element: the question is which thread, which register, and the cheapest way
// to get it. This file answers with pure mathematics, no instruction is created here; lowerings
// turn a plan into code, and unit tests run plans on arrays.
//
// For each bit of B's (register, lane, warp) the planner looks for a source as close as possible:
// in the same thread, else in the same warp, else in the same CTA. As everything is linear, what
// holds for the single bits holds for all points:
//
//   NoOp          every register is where it should be
//   SameThread    registers are renamed (a register may be used several times, or not at all)
//   IntraWarp     values move between lanes, warp shuffles do it
//   SharedMemory  values move between warps, or shuffles would cost more
//
// ## Shuffles
//
// In one shfl.idx every lane offers one register and fetches from one lane. If lane l needs
// register s of lane t, then all lanes that fetch from t in that round must want the same s. The
// simple choice, "round r delivers everybody's register r", fails in a transposition (lane l wants
// register l of lane r: lane r would have to offer 32 registers at once). So in round j lane l
// fetches not its register j but register `j xor D(l)`, with a linear D such that in each round
// different lanes fetch from different lanes, or from the same lane the same register. D exists
// where a subspace complementary to two given ones exists, which is nearly always; where not, the
// plan goes through shared memory.
//
// ## Shared memory without bank conflicts and without padding
//
// A shared memory layout is a basis of the tile's coordinate space: basis vector i is what offset
// bit i means. The low bits up to 128 bytes select bank and byte, the higher ones ("segments")
// select among the words of one bank. One wavefront of an access touches the words  A = span(vector
// bits, the lanes served together),  and is free of conflicts exactly if no difference of two of
// them lies in the span of the segment vectors. So: choose segment vectors whose span meets neither
// A of the store nor A of the load. Both have at most 7 bits, and a common complement of two
// subspaces always exists: for a vector a in the first only and b in the second only take a xor b,
// and complete by what is in neither. The pairs a xor b are the XOR swizzle. The vector bits are
// taken from registers both sides have in common, or from one side if that is cheaper.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SUPPORT_CONVERTPLAN_H
#define TILEIRAS_SUPPORT_CONVERTPLAN_H

#include "tileiras/Support/LinearLayout.h"
#include <functional>

namespace tileiras {

//===----------------------------------------------------------------------===//
// Owners
//===----------------------------------------------------------------------===//

/// Bits that must be zero in the one owner of an element; flipping a redundant bit leads to a copy
/// or is compensated elsewhere.
struct OwnerMask {
  int32_t registers = 0; ///< registers with any of these bits set are not stored at all
  int32_t lane = 0;      ///< threads with any of these bits set store nothing
  int32_t warp = 0;
  int32_t block = 0;

  bool everyThread() const { return lane == 0 && warp == 0 && block == 0; }
  bool owns(int32_t reg, int32_t laneId, int32_t warpId, int32_t blockId = 0) const {
    return !(reg & registers) && !(laneId & lane) && !(warpId & warp) && !(blockId & block);
  }
  bool operator==(const OwnerMask &) const = default;
};

/// Who stores (or does the atomic) when a tile goes to memory. Every element has exactly one owner.
/// Where a register and a lane bit duplicate each other the register gives way, so as few threads
/// as possible are idle. With `withinCta` each CTA of a cluster owns a copy (as for its own shared
/// memory).
OwnerMask ownerMask(const LinearLayout &layout, bool withinCta = false);

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

/// A tile cut into 2^registerBits.size() parts of which every thread holds its share in registers of
/// its own, so that they can go through a small buffer one after the other.
struct LayoutRounds {
  /// Register r belongs to the part whose number its bits at these places spell.
  std::vector<int> registerBits;
  /// A part: the other register bits in their order, lanes, warps -> its elements, numbered.
  LinearLayout part;

  int count() const { return 1 << registerBits.size(); }
  /// The register of the whole tile for register `r` of part `round`.
  int32_t registerOf(int32_t r, int round) const;
};

/// Cuts along register bits that move one coordinate bit which nothing else moves; into fewer than
/// 2^wantedBits parts if there are not enough.
LayoutRounds splitIntoRounds(const LinearLayout &layout, int wantedBits);

/// A conversion cut into 2^n parts by n bits of the coordinate, whoever holds them: in a round the
/// threads write those of their registers that belong to the part, which may be all or none, and
/// read those that they want of it. So any tile fits into any memory; where the bits are registers on
/// both sides every thread takes part in every round, in a transposition nobody can.
struct ConvertRounds {
  uint64_t cut = 0; ///< bits of the flat coordinate that spell the number of the round
  /// Both layouts in what is left of the coordinate. Registers keep their numbers; those that only
  /// differ in the round have the same place.
  LinearLayout source, target;
  /// (register, lane, warp, block) -> number of the round.
  LinearLayout sourceRound, targetRound;

  int count() const { return int(sourceRound.shape()[0]); }
};

/// Chooses the bits for the fewest accesses; fewer than wanted only if blocks of a cluster hold the
/// others.
ConvertRounds cutIntoRounds(const LinearLayout &src, const LinearLayout &dst, int wantedBits);

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

enum class ConvertKind { NoOp, SameThread, IntraWarp, SharedMemory };
const char *toString(ConvertKind kind);

/// constant xor (the bases of the set bits of lane and warp).
struct AffineBits {
  int32_t constant = 0;
  std::vector<int32_t> lane;
  std::vector<int32_t> warp;

  int32_t eval(int32_t laneId, int32_t warpId) const;
  /// The same for all threads.
  bool isConstant() const;
  /// laneId xor constant: a butterfly shuffle; with constant 0 no shuffle at all.
  bool isLaneXor() const;
  bool isLane() const { return isLaneXor() && constant == 0; }
  /// How many different values the lanes of one warp see (a power of two).
  int32_t numValues() const;
  bool operator==(const AffineBits &) const = default;
};

/// One shfl.idx: each lane offers `sourceRegister` (a function of itself), fetches from
/// `sourceLane`, and the result is its `targetRegister`.
struct ShuffleRound {
  AffineBits sourceRegister;
  AffineBits sourceLane;
  AffineBits targetRegister;
};

/// One side of a trip through shared memory.
struct SharedAccess {
  /// (register, lane, warp, block) -> offset in elements; the offset of a point is the XOR of the
  /// parts.
  LinearLayout offset;
  /// log2 of the elements per access.
  int vectorBits = 0;
  /// The registers of each access, in the order of their offsets; the access starts at the offset
  /// of the first one and is aligned to its size. On the store side together exactly the owned
  /// registers.
  std::vector<std::vector<int32_t>> groups;
  /// Shared memory wavefronts one access takes, and how many it would take without conflicts.
  int wavefronts = 1;
  int idealWavefronts = 1;

  int numAccesses() const { return int(groups.size()); }
  int conflicts() const { return numAccesses() * (wavefronts - idealWavefronts); }
};

struct SharedPlan {
  /// offset (in elements) -> coordinates. A permutation of the tile, unless a cluster splits the
  /// tile: then of the part that CTA 0 holds.
  LinearLayout memory;
  int elementBytes = 4;
  int64_t bytes = 0;
  SharedAccess store, load;
  OwnerMask storeOwner;
  /// For each target register the register whose loaded value it takes (itself if it is in a load
  /// group).
  std::vector<int32_t> loadCopies;

  /// Issue slots and wavefronts of all accesses of one warp.
  int64_t cost() const {
    return int64_t(store.numAccesses()) * (1 + store.wavefronts) + int64_t(load.numAccesses()) * (1 + load.wavefronts);
  }
};

struct ConvertPlan {
  ConvertKind kind = ConvertKind::NoOp;
  /// SameThread: source register of each target register.
  std::vector<int32_t> registerMap;
  /// IntraWarp: rounds with equal `sourceLane` stand together, so narrow elements can share a
  /// shuffle.
  std::vector<ShuffleRound> rounds;
  /// IntraWarp: the registers delivered by the rounds are all r with copies[r] == r; the others
  /// take the value of copies[r].
  std::vector<int32_t> copies;
  /// SharedMemory.
  std::optional<SharedPlan> shared;
  /// Estimated cost in issue slots of one warp: what the choice was based on.
  int cost = 0;

  std::string summary() const;
};

struct ConvertOptions {
  int elementBits = 32; ///< below 8 an element takes a byte in memory
  int maxVectorBytes = 16;
  /// Takes the cheaper way unless told otherwise.
  bool allowShuffles = true;
  bool allowSharedMemory = true;
};

/// Plans the conversion of a tile from `src` to `dst` (register, lane, warp, block -> the same
/// shape). Nothing, and a reason in `error`, if shapes differ, `src` does not hold an element that
/// `dst` wants, an element would have to cross CTAs, or no allowed way exists.
std::optional<ConvertPlan> planConvert(const LinearLayout &src, const LinearLayout &dst,
                                       const ConvertOptions &options = {}, std::string *error = nullptr);

/// What a plan's stores and loads cost, for those who know more than their numbers.
using AccessCosts = std::function<int64_t(const SharedAccess &store, const SharedAccess &load)>;

/// The shared memory way alone, for those who need memory for other reasons. Same conditions. `vector`: what the lowest
/// bits of the offset mean (flat coordinates); chosen for the least cost if it is empty, which is that of SharedPlan
/// unless `costOf` says otherwise.
std::optional<SharedPlan> planSharedConvert(const LinearLayout &src, const LinearLayout &dst, int elementBytes,
                                            int maxVectorBytes = 16, std::string *error = nullptr,
                                            const std::vector<uint64_t> &vector = {}, const AccessCosts &costOf = {});

/// Wavefronts of one warp-wide shared access in which lane l touches 2^vectorBits elements from
/// offset `xor of laneOffsets[bits of l]`; lanes with a bit of `inactive` set do not take part. 32
/// banks of 4 bytes; accesses of 8 (16) bytes per lane are served by half (quarter) warps; equal
/// words are broadcast.
int countWavefronts(const std::vector<uint64_t> &laneOffsets, int vectorBits, int elementBytes, int32_t inactive = 0);

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_CONVERTPLAN_H
