//===- Warp.cpp - Control flow of a warp ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Warp.h"

#include "tileiras/Emulator/Machine/Cta.h"

#include <bit>

using namespace tileiras::emu;

/// Basic blocks a fragment may run while another one of its warp is ready, before the other gets a turn, and the
/// length of that turn. Large enough never to disturb ordinary divergent loops much, small enough that a spin lock
/// between threads of one warp makes progress.
static constexpr uint32_t StarvationLimit = 20000, FairTurn = 200;

void Warp::run(uint32_t blocks) {
  slice = blocks;
  stop = false;
  do {
    const Inst *inst = pc++;
    uint32_t mask = active & (preds[inst->guard] ^ inst->guardFlip);
    if (mask) [[likely]]
      inst->fn(*this, *inst, mask);
  } while (!stop);
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

void Warp::initFrame(Frame &f, const FunctionCode &code) {
  size_t words = (code.frameBytes + 64) / 8 + (code.predicates + 1) / 2 + 8;
  f.storage.assign(words, 0);
  uintptr_t start = (reinterpret_cast<uintptr_t>(f.storage.data()) + 63) & ~uintptr_t(63);
  f.regs = reinterpret_cast<uint8_t *>(start);
  f.preds = reinterpret_cast<uint32_t *>(f.regs + code.frameBytes);
  f.preds[0] = ~0u;
  f.fn = &code;
  f.asyncRegisters.assign(code.asyncRegisters, AsyncRegister());
  f.stackTop = f.localBase + code.localBytes;
}

Frame *Warp::newFrame() {
  if (freeFrames.empty())
    freeFrames.push_back(std::make_unique<Frame>());
  frames.push_back(std::move(freeFrames.back()));
  freeFrames.pop_back();
  return frames.back().get();
}

/// `lanes` are no longer in `f`; the last one gives it back.
void Warp::leaveFrame(Frame *f, uint32_t lanes) {
  f->lanes &= ~lanes;
  if (f->lanes || f == &root)
    return;
  for (size_t i = 0; i != frames.size(); ++i)
    if (frames[i].get() == f) {
      freeFrames.push_back(std::move(frames[i]));
      frames.erase(frames.begin() + long(i));
      return;
    }
}

void Warp::addLocal(uint64_t bytes) {
  if (bytes <= localStride)
    return;
  uint64_t stride = std::max<uint64_t>((bytes + 63) & ~uint64_t(63), localStride * 2);
  std::vector<uint8_t> data(32 * stride, 0), shadow(32 * stride, 0);
  for (unsigned l = 0; l != 32; ++l)
    if (localStride) {
      std::memcpy(&data[l * stride], &local[l * localStride], localStride);
      std::memcpy(&shadow[l * stride], &localShadow[l * localStride], localStride);
    }
  local.swap(data);
  localShadow.swap(shadow);
  localStride = stride;
}

void Warp::start(Cta &owner, uint32_t number, uint32_t lanes) {
  cta = &owner;
  launch = owner.launch;
  index = number;
  initialLanes = live = lanes;
  active = lanes;
  checkInit = launch->options->checkUninitialized;
  memoryStats = launch->options->memoryStats;
  observer = owner.cluster->observer;
  base[1] = launch->program->constantRows;
  cache = AllocationCache();
  uint64_t window = uint64_t(owner.rank) << 24, first = launch->program->sharedBase;
  shared = {window + first, window + owner.shared.size(), owner.shared.data() + first,
            owner.sharedShadow.data() + first, false};
  fragments.clear();
  for (AsyncCopies &c : copies) {
    c.open.clear();
    c.groups.clear();
    c.ends.clear();
    c.issued = 0;
  }
  for (AsyncGroups &g : bulkGroups)
    g.clear();
  wgmmaGroups.clear();
  wgmmaIssued = wgmmaWaited = 0;
  wgmmaEpoch = 1;
  tensorLoads.clear();
  tensorStores.clear();
  tensorLoaded = tensorWaited = 0;
  registers = launch->registers;
  registerChanges = 0;
  wantsRegisters = false;
  while (!frames.empty()) {
    freeFrames.push_back(std::move(frames.back()));
    frames.pop_back();
  }
  if (localStride)
    std::memset(localShadow.data(), 0, localShadow.size());
  const FunctionCode &code = *launch->kernel;
  root.parent = nullptr;
  root.call = nullptr;
  root.localBase = 0;
  root.depth = 0;
  root.lanes = lanes;
  initFrame(root, code);
  addLocal(root.stackTop);
  frame = &root;
  base[0] = root.regs;
  preds = root.preds;
  pc = code.code.data();
  Fragment f;
  f.pc = pc;
  f.mask = lanes;
  f.frame = frame;
  fragments.push_back(f);
  current = 0;
  turn = starving = sticky = 0;
  executed = 0;
  std::fill(std::begin(clusterPhase), std::end(clusterPhase), 0);
  clusterOpen = 0;
  polled = false;
  state = WarpState::Ready;
}

void Warp::setThreads(uint32_t number, const Dim3 &block) {
  for (uint32_t l = 0; l != 32; ++l) {
    uint32_t t = number * 32 + l;
    tid[0][l] = t % block.x;
    tid[1][l] = t / block.x % block.y;
    tid[2][l] = t / block.x / block.y;
  }
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

void Warp::saveCurrent() {
  Fragment &f = fragments[current];
  f.pc = pc;
  f.mask = active;
  f.frame = frame;
}

void Warp::switchTo(uint32_t next) {
  current = next;
  Fragment &f = fragments[next];
  f.lastRun = ++turn;
  pc = f.pc;
  active = f.mask;
  frame = f.frame;
  base[0] = frame->regs;
  preds = frame->preds;
}

uint32_t Warp::splitOff(uint32_t lanes, const Inst *at, FragmentState fragmentState) {
  Fragment f;
  f.pc = at;
  f.mask = lanes;
  f.frame = frame;
  f.state = fragmentState;
  f.lastRun = turn;
  active &= ~lanes;
  fragments.push_back(f);
  return uint32_t(fragments.size()) - 1;
}

/// Deepest call first, then earliest in the code.
static bool earlier(const Fragment &a, const Fragment &b) {
  if (a.frame->depth != b.frame->depth)
    return a.frame->depth > b.frame->depth;
  if (a.frame->fn != b.frame->fn)
    return a.frame->fn->number < b.frame->fn->number;
  return a.pc < b.pc;
}

/// The running fragment's state has been saved.
void Warp::mergeAndChoose() {
  for (uint32_t i = 0; i < fragments.size();) {
    Fragment &f = fragments[i], &mine = fragments[current];
    if (i == current || f.state != FragmentState::Ready || f.pc != mine.pc || f.frame != mine.frame) {
      ++i;
      continue;
    }
    mine.mask |= f.mask;
    fragments.erase(fragments.begin() + i);
    if (i < current)
      --current;
  }
  uint32_t best = current, oldest = current;
  for (uint32_t i = 0; i != fragments.size(); ++i) {
    if (fragments[i].state != FragmentState::Ready)
      continue;
    if (earlier(fragments[i], fragments[best]))
      best = i;
    if (i != current && (oldest == current || fragments[i].lastRun < fragments[oldest].lastRun))
      oldest = i;
  }
  if (sticky) {
    --sticky;
    best = current;
  } else if (best != current) {
    starving = 0;
  } else if (oldest != current && ++starving > StarvationLimit) {
    starving = 0;
    sticky = FairTurn;
    best = oldest;
  }
  switchTo(best);
}

void Warp::chooseNext() {
  sticky = 0;
  uint32_t best = ~0u;
  for (uint32_t i = 0; i != fragments.size(); ++i)
    if (fragments[i].state == FragmentState::Ready && (best == ~0u || earlier(fragments[i], fragments[best])))
      best = i;
  if (best != ~0u) {
    switchTo(best);
    return;
  }
  stop = true;
  active = 0;
  if (fragments.empty()) {
    state = WarpState::Done;
    cta->warpDone(*this);
    return;
  }
  for (const Fragment &f : fragments)
    if (f.state == FragmentState::Waiting) {
      state = WarpState::Waiting;
      return;
    }
  if (!tryArriveBarrier())
    stuck();
}

void Warp::removeCurrent() {
  fragments.erase(fragments.begin() + current);
  current = 0;
  chooseNext();
}

void Warp::enterBlock(const Inst &head) {
  if (fragments.size() > 1) {
    pc = &head;
    saveCurrent();
    mergeAndChoose();
    if (pc != &head)
      return; // another fragment goes first; this head runs again later
    pc = &head + 1;
  }
  blockWarps[head.imm] += 1;
  blockThreads[head.imm] += uint32_t(std::popcount(active));
  if (observer) [[unlikely]]
    observer->blockEnter(*this, uint32_t(head.imm), active);
  executed += head.e;
  if (--slice == 0)
    stop = true;
}

/// `taken` lanes go to `target`, the others to the next instruction.
void Warp::branch(const Inst *target, uint32_t taken) {
  if (taken == active) {
    pc = target;
    return;
  }
  ++stats->divergentBranches;
  splitOff(taken, target, FragmentState::Ready);
}

void Warp::exitLanes(uint32_t lanes) {
  finishAllCopies(lanes);
  if (wgmmaIssued != wgmmaWaited && lanes == live)
    leaveWgmma(root);
  if (tensorLoaded != tensorWaited && lanes == live)
    leaveTensor(root);
  if (Observer *o = cta->cluster->observer)
    o->threadsExit(*this, lanes);
  live &= ~lanes;
  active &= ~lanes;
  for (Frame *f = frame; f;) {
    Frame *parent = f->parent;
    leaveFrame(f, lanes);
    f = parent;
  }
  // Those who wait for the exited lanes need not any more.
  for (Fragment &f : fragments)
    if (f.state == FragmentState::WarpSync)
      f.state = FragmentState::Ready;
  if (!active)
    removeCurrent();
}

void Warp::callFunction(const FunctionCode &target, const Inst &call, uint32_t mask) {
  if (mask != active) {
    uint32_t rest = active & ~mask;
    splitOff(rest, pc, FragmentState::Ready);
  }
  Frame *callee = nullptr;
  for (auto &f : frames)
    if (f->parent == frame && f->call == &call && f->fn == &target && !(f->lanes & mask))
      callee = f.get();
  if (!callee) {
    if (frame->depth > 2000) {
      fatal(ReportKind::InvalidOperation, call, uint32_t(std::countr_zero(mask)), "call stack is too deep");
      return;
    }
    callee = newFrame();
    callee->parent = frame;
    callee->call = &call;
    callee->depth = frame->depth + 1;
    callee->lanes = 0;
    callee->localBase = (frame->stackTop + 63) & ~uint64_t(63);
    initFrame(*callee, target);
    addLocal(callee->stackTop);
  }
  callee->lanes |= mask;
  frame = callee;
  base[0] = callee->regs;
  preds = callee->preds;
  pc = target.code.data();
}

void Warp::returnLanes(uint32_t lanes) {
  if (frame == &root) {
    exitLanes(lanes);
    return;
  }
  if (lanes != active)
    splitOff(active & ~lanes, pc, FragmentState::Ready);
  Frame *callee = frame;
  if (wgmmaIssued != wgmmaWaited && lanes == callee->lanes)
    leaveWgmma(*callee);
  if (tensorLoaded != tensorWaited && lanes == callee->lanes)
    leaveTensor(*callee);
  deliverResults(*this, *callee, lanes);
  pc = callee->call + 1;
  frame = callee->parent;
  base[0] = frame->regs;
  preds = frame->preds;
  leaveFrame(callee, lanes);
  if (fragments.size() > 1) {
    saveCurrent();
    mergeAndChoose();
  }
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

uint32_t Warp::converge(const Inst &inst, uint32_t mask, const uint32_t *members) {
  uint32_t first = uint32_t(std::countr_zero(mask));
  uint32_t want = members[first];
  uint32_t good = 0;
  bool uniform = true;
  for (uint32_t m = mask; m; m &= m - 1)
    uniform &= members[std::countr_zero(m)] == want;
  if (uniform && (want & live & ~mask) == 0 && (mask & ~want) == 0)
    return mask;
  for (uint32_t m = mask; m; m &= m - 1) {
    uint32_t l = uint32_t(std::countr_zero(m));
    uint32_t need = members[l];
    if (!(need >> l & 1)) {
      report(ReportKind::WarpSync, inst, l, "executing thread is not in its own membermask");
      need |= 1u << l;
    }
    need &= live;
    if (need & ~mask)
      continue;
    for (uint32_t n = need; n; n &= n - 1) {
      uint32_t other = uint32_t(std::countr_zero(n));
      if (members[other] != members[l]) {
        report(ReportKind::WarpSync, inst, l,
               "threads of one membermask give different masks: lane " + std::to_string(l) + " and lane " +
                   std::to_string(other));
        break;
      }
    }
    good |= 1u << l;
  }
  uint32_t park = mask & ~good;
  if (!park)
    return good;
  // Join those already waiting here; the union is looked at again.
  for (Fragment &f : fragments)
    if (&f != &fragments[current] && f.state == FragmentState::WarpSync && f.pc == &inst && f.frame == frame) {
      f.mask |= park;
      f.state = FragmentState::Ready;
      active &= ~park;
      if (!active)
        removeCurrent();
      return good;
    }
  splitOff(park, &inst, FragmentState::WarpSync);
  if (!active)
    removeCurrent();
  return good;
}

void Warp::parkAtBarrier(const Inst &inst, uint32_t mask, uint32_t barrier, uint32_t threads, bool aligned) {
  uint32_t i = splitOff(mask, &inst, FragmentState::Barrier);
  fragments[i].barrier = uint8_t(barrier);
  fragments[i].threads = threads;
  fragments[i].aligned = aligned;
  if (!active)
    removeCurrent();
}

void Warp::waitFor(const Inst &inst, uint32_t mask, uint64_t key) {
  uint32_t i = splitOff(mask, &inst, FragmentState::Waiting);
  fragments[i].waitKey = key;
  if (!active)
    removeCurrent();
}

void Warp::wake(uint64_t key) {
  for (Fragment &f : fragments)
    if (f.state == FragmentState::Waiting && f.waitKey == key)
      f.state = FragmentState::Ready;
  if (state != WarpState::Waiting)
    return;
  for (const Fragment &f : fragments)
    if (f.state == FragmentState::Ready) {
      state = WarpState::Ready;
      chooseNext();
      return;
    }
}

bool Warp::waitsFor(uint64_t key) const {
  for (const Fragment &f : fragments)
    if (f.state == FragmentState::Waiting && f.waitKey == key)
      return true;
  return false;
}

/// No fragment is ready: the warp arrives at a barrier if all its threads are at the same one.
bool Warp::tryArriveBarrier() {
  const Fragment &f0 = fragments[0];
  bool samePlace = true;
  for (const Fragment &f : fragments) {
    if (f.state != FragmentState::Barrier || f.barrier != f0.barrier || f.threads != f0.threads)
      return false;
    samePlace &= f.pc == f0.pc;
  }
  if (!samePlace && f0.aligned)
    for (const Fragment &f : fragments)
      if (f.pc != f0.pc) {
        report(ReportKind::Barrier, *f.pc, uint32_t(std::countr_zero(f.mask)),
               "threads of one warp wait at different .aligned barrier instructions");
        break;
      }
  state = WarpState::AtBarrier;
  barrierNumber = f0.barrier;
  cta->arrive(*this, *f0.pc, f0.barrier, f0.threads, true);
  return true;
}

void Warp::stuck() {
  const Fragment *worst = &fragments[0];
  std::string text = "threads of one warp wait for each other:";
  for (const Fragment &f : fragments) {
    char buffer[96];
    std::snprintf(buffer, sizeof buffer, " lanes 0x%08x at line %u (%s);", f.mask,
                  f.frame->fn->ast->body[f.pc->source].loc.line,
                  f.state == FragmentState::Barrier ? "barrier" : "warp synchronisation");
    text += buffer;
    if (f.state == FragmentState::WarpSync)
      worst = &f;
  }
  text.pop_back();
  frame = worst->frame;
  fatal(ReportKind::Deadlock, *worst->pc, uint32_t(std::countr_zero(worst->mask)), text);
}

void Warp::releaseBarrier(const BarrierState &barrier) {
  for (Fragment &f : fragments) {
    const Inst &inst = *f.pc;
    Op op = f.frame->fn->ast->body[inst.source].row->op;
    if (op == Op::BarRed) {
      if ((inst.flags & 3) == 0) { // popc
        uint32_t *d = reinterpret_cast<uint32_t *>(f.frame->regs + inst.d);
        for (uint32_t l = 0; l != 32; ++l)
          if (f.mask >> l & 1)
            d[l] = barrier.popc;
      } else {
        uint32_t value = (inst.flags & 3) == 1 ? barrier.reducedAnd : barrier.reducedOr;
        uint32_t &p = f.frame->preds[inst.d];
        p = (p & ~f.mask) | (value & f.mask);
      }
    }
    f.state = FragmentState::Ready;
    ++f.pc;
  }
  // Fragments that have met at one barrier are one again.
  for (size_t i = 0; i < fragments.size(); ++i)
    for (size_t j = i + 1; j < fragments.size();)
      if (fragments[j].pc == fragments[i].pc && fragments[j].frame == fragments[i].frame) {
        fragments[i].mask |= fragments[j].mask;
        fragments.erase(fragments.begin() + long(j));
      } else {
        ++j;
      }
  state = WarpState::Ready;
  chooseNext(); // `stop` stays: the scheduler decides who is first after a barrier
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

void Warp::report(ReportKind kind, const Inst &inst, uint32_t lane, std::string message, uint64_t address) {
  reportAt(*frame->fn->ast, kind, inst, lane, std::move(message), address);
}

void Warp::reportAt(const Function &function, ReportKind kind, const Inst &inst, uint32_t lane, std::string message,
                    uint64_t address) {
  if (kind == ReportKind::Idiom && !launch->options->checkIdioms)
    return;
  Report r;
  r.kind = kind;
  r.message = std::move(message);
  r.address = address;
  const ParsedModule &ast = *launch->program->ast;
  r.file = ast.fileName;
  const Instruction &where = function.body[inst.source];
  r.line = where.loc.line;
  r.column = where.loc.column;
  r.ptx = std::string(where.text);
  if (where.sourceLine) {
    auto it = ast.files.find(where.sourceFile);
    r.sourceFile = it == ast.files.end() ? "" : it->second;
    r.sourceLine = where.sourceLine;
    if (auto call = ast.files.find(where.callFile); where.callLine && call != ast.files.end()) {
      r.callFile = call->second;
      r.callLine = where.callLine;
    }
  }
  r.kernel = launch->kernel->ast->name;
  r.block = cta->id;
  r.thread = {tid[0][lane], tid[1][lane], tid[2][lane]};
  launch->addReport(std::move(r));
}

void Warp::fatal(ReportKind kind, const Inst &inst, uint32_t lane, std::string message) {
  report(kind, inst, lane, std::move(message));
  cta->failed = true;
  stop = true;
}
