//===- Trace.cpp - Timelines for Perfetto and Chrome tracing ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Trace.h"

#include "tileiras/Emulator/Machine/Cta.h"

#include <algorithm>
#include <map>

using namespace tileiras::emu;

namespace {

/// Track number of an asynchronous unit's first lane of events; several operations of one unit at the same time get
/// tracks of their own, so that they do not cover each other.
constexpr uint64_t UnitTrack = 1000, TracksPerUnit = 100;

class TraceObserver : public Observer {
public:
  explicit TraceObserver(TraceRecorder &recorder) : recorder(recorder) {}
  ~TraceObserver() override { flush(); }

  void clusterBegin(Cluster &c) override {
    flush(); // a cluster that ended with a fault
    cluster = &c;
    warps.clear();
    operations.clear();
    phaseTimes.clear();
    queueEnd.clear();
    barrierTimes.clear();
    openPhase.clear();
    done.clear();
    clusterTime = 0;
    tracks.clear();
    names.clear();
    events.clear();
    for (auto &cta : c.ctas)
      for (uint32_t i = 0; i != cta->warpCount; ++i) {
        WarpTime &t = warps[cta->warps[i].get()];
        t.wanted = recorder.wants(cta->linear);
        if (t.wanted)
          names.push_back({cta->linear, i, "warp " + std::to_string(i)});
      }
  }
  void clusterEnd(Cluster &) override { flush(); }
  void turn(Warp &w, uint64_t, uint64_t) override { timeOf(w); }

  void barrierArrive(Warp &w, const Inst &inst, uint32_t number, bool wait) override {
    WarpTime &t = timeOf(w);
    uint64_t &latest = barrierTimes[{w.cta, number}];
    latest = std::max(latest, t.now);
    if (wait) {
      closeRun(w, t);
      t.waiting = "barrier " + std::to_string(number);
      t.waitLine = lineOf(w, inst);
    }
  }
  void barrierRelease(Cta &cta, uint32_t number) override {
    uint64_t at = barrierTimes[{&cta, number}];
    barrierTimes.erase({&cta, number});
    for (uint32_t index : cta.barriers[number].waiting)
      resume(*cta.warps[index], at, "barrier");
  }
  void clusterArrive(Warp &w, const Inst &, uint32_t, bool) override {
    clusterTime = std::max(clusterTime, timeOf(w).now);
  }
  void clusterWait(Warp &w, const Inst &inst, uint32_t, bool) override {
    WarpTime &t = timeOf(w);
    closeRun(w, t);
    t.waiting = "barrier.cluster";
    t.waitLine = lineOf(w, inst);
    resume(w, clusterTime, "barrier");
  }

  void mbarrierArrive(Warp &w, const Inst &, uint32_t, Mbarrier &b, uint32_t, int64_t, MemoryOrder) override {
    uint64_t &latest = openPhase[key(b)];
    latest = std::max(latest, timeOf(w).now);
  }
  void mbarrierAsyncArrive(AsyncOp &op, Mbarrier &b, uint32_t, int64_t) override {
    uint64_t &latest = openPhase[key(b)];
    latest = std::max(latest, endOf(op));
  }
  void mbarrierPhase(Mbarrier &b) override {
    phaseTimes[{key(b), b.phase}] = openPhase[key(b)];
    openPhase[key(b)] = 0;
  }
  void mbarrierAcquire(Warp &w, const Inst &inst, uint32_t, Mbarrier &b, uint64_t phase, MemoryOrder) override {
    auto it = phaseTimes.find({key(b), phase});
    WarpTime &t = timeOf(w);
    if (it == phaseTimes.end() || it->second <= t.now)
      return;
    closeRun(w, t);
    char text[64];
    std::snprintf(text, sizeof text, "mbarrier 0x%llx phase %llu",
                  static_cast<unsigned long long>(b.address & 0xffffff), static_cast<unsigned long long>(phase));
    t.waiting = text;
    t.waitLine = lineOf(w, inst);
    resume(w, it->second, "mbarrier");
  }

  void asyncIssue(AsyncOp &op) override {
    Operation &o = operations[&op];
    o.issue = timeOf(*op.warp).now;
  }
  void asyncDone(AsyncOp &op) override {
    endOf(op);
    auto it = operations.find(&op);
    Operation o = it->second;
    operations.erase(it);
    done[op.id] = o.end;
    if (!recorder.wants(op.cta->linear))
      return;
    // The first track of the unit that is free at that time.
    std::vector<uint64_t> &ends = tracks[{op.cta->linear, uint64_t(op.unit)}];
    size_t n = 0;
    while (n != ends.size() && ends[n] > o.begin)
      ++n;
    if (n == TracksPerUnit)
      return;
    uint64_t track = UnitTrack + uint64_t(op.unit) * TracksPerUnit + n;
    if (n == ends.size()) {
      ends.push_back(0);
      names.push_back(
          {op.cta->linear, track, std::string(asyncUnitName(op.unit)) + (n ? " " + std::to_string(n) : "")});
    }
    ends[n] = o.end;
    const Instruction &inst = op.function->body[op.inst->source];
    emit({op.cta->linear, track, o.begin, o.end - o.begin,
          std::string(inst.text.substr(0, inst.text.find_first_of(" \t"))), asyncUnitName(op.unit), inst.loc.line,
          "issued by warp " + std::to_string(op.warp->index) + " at " + std::to_string(o.issue) +
              (op.bytes ? ", " + std::to_string(op.bytes) + (isMatrix(op) ? " products" : " bytes") : "")});
  }
  void asyncWaited(AsyncOp &op, Warp &w, const Inst &inst, uint32_t, bool) override {
    auto it = done.find(op.id);
    uint64_t end = it != done.end() ? it->second : operations.count(&op) ? endOf(op) : 0;
    WarpTime &t = timeOf(w);
    if (end <= t.now)
      return;
    closeRun(w, t);
    t.waiting = std::string(asyncUnitName(op.unit)) + " group";
    t.waitLine = lineOf(w, inst);
    resume(w, end, "group");
  }

private:
  void flush() {
    for (auto &[warp, t] : warps)
      closeRun(*warp, t);
    warps.clear();
    recorder.add(std::move(events), std::move(names));
    events.clear();
    names.clear();
  }
  struct WarpTime {
    uint64_t now = 0, runBegin = 0, executed = 0;
    bool wanted = false;
    std::string waiting;
    uint32_t waitLine = 0;
  };
  struct Operation {
    uint64_t issue = 0, begin = 0, end = 0;
  };

  static uint64_t key(const Mbarrier &b) { return b.address; }
  static bool isMatrix(const AsyncOp &op) { return op.unit == AsyncUnit::Wgmma || op.unit == AsyncUnit::Tcgen05; }
  static uint32_t lineOf(Warp &w, const Inst &inst) { return w.frame->fn->ast->body[inst.source].loc.line; }

  WarpTime &timeOf(Warp &w) {
    WarpTime &t = warps[&w];
    if (w.executed > t.executed) {
      t.now += w.executed - t.executed;
      t.executed = w.executed;
    }
    return t;
  }
  /// When the operation is over; decides it at the first call.
  uint64_t endOf(AsyncOp &op) {
    Operation &o = operations[&op];
    if (o.end)
      return o.end;
    if (isMatrix(op)) {
      uint64_t &unitEnd = queueEnd[{op.cta, uint64_t(op.unit)}];
      o.begin = std::max(o.issue, unitEnd);
      o.end = unitEnd = o.begin + 1 + op.bytes / TraceRecorder::MultiplyPerTick;
    } else {
      o.begin = o.issue;
      o.end = o.begin + 1 + TraceRecorder::CopyLatency + op.bytes / TraceRecorder::CopyBytesPerTick;
    }
    return o.end;
  }
  void closeRun(Warp &w, WarpTime &t) {
    timeOf(w);
    if (t.wanted && t.now > t.runBegin)
      emit({w.cta->linear, w.index, t.runBegin, t.now - t.runBegin, "run", "warp", 0, ""});
    t.runBegin = t.now;
  }
  void resume(Warp &w, uint64_t at, const char *category) {
    WarpTime &t = warps[&w];
    if (at > t.now) {
      if (t.wanted)
        emit({w.cta->linear, w.index, t.now, at - t.now, "wait for " + t.waiting, category, t.waitLine, ""});
      t.now = at;
    }
    t.runBegin = t.now;
  }
  void emit(TraceRecorder::Event e) {
    if (!recorder.full())
      events.push_back(std::move(e));
  }

  TraceRecorder &recorder;
  Cluster *cluster = nullptr;
  std::map<Warp *, WarpTime> warps;
  std::map<AsyncOp *, Operation> operations;
  std::map<uint64_t, uint64_t> done; ///< id -> end
  std::map<uint64_t, uint64_t> openPhase;
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> phaseTimes;
  std::map<std::pair<Cta *, uint64_t>, uint64_t> queueEnd;
  std::map<std::pair<Cta *, uint32_t>, uint64_t> barrierTimes;
  std::map<std::pair<uint64_t, uint64_t>, std::vector<uint64_t>> tracks;
  uint64_t clusterTime = 0;
  std::vector<TraceRecorder::Event> events;
  std::vector<TraceRecorder::TrackName> names;
};

std::string quoted(const std::string &text) {
  std::string s = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      s += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      s += ' ';
    else
      s += c;
  }
  return s + "\"";
}

} // namespace

std::function<std::unique_ptr<Observer>()> TraceRecorder::factory() {
  return [this] { return std::make_unique<TraceObserver>(*this); };
}

void TraceRecorder::add(std::vector<Event> &&batch, std::vector<TrackName> &&tracks) {
  std::lock_guard<std::mutex> lock(mutex);
  for (Event &e : batch)
    if (events.size() < maxEvents)
      events.push_back(std::move(e));
  count.store(events.size(), std::memory_order_relaxed);
  for (TrackName &n : tracks)
    names.push_back(std::move(n));
}

std::string TraceRecorder::json() const {
  std::lock_guard<std::mutex> lock(mutex);
  std::string s = "{\"displayTimeUnit\": \"ns\",\n\"traceEvents\": [\n";
  auto number = [](uint64_t v) { return std::to_string(v); };
  bool first = true;
  auto begin = [&] {
    if (!first)
      s += ",\n";
    first = false;
  };
  std::vector<uint64_t> processes;
  for (const TrackName &n : names) {
    if (std::find(processes.begin(), processes.end(), n.process) == processes.end()) {
      processes.push_back(n.process);
      begin();
      s += "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": " + number(n.process) +
           ", \"args\": {\"name\": \"block " + number(n.process) + "\"}}";
    }
    begin();
    s += "{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": " + number(n.process) + ", \"tid\": " + number(n.track) +
         ", \"args\": {\"name\": " + quoted(n.name) + "}}";
    begin();
    s += "{\"ph\": \"M\", \"name\": \"thread_sort_index\", \"pid\": " + number(n.process) +
         ", \"tid\": " + number(n.track) + ", \"args\": {\"sort_index\": " + number(n.track) + "}}";
  }
  for (const Event &e : events) {
    begin();
    s += "{\"ph\": \"X\", \"name\": " + quoted(e.name) + ", \"cat\": " + quoted(e.category) +
         ", \"pid\": " + number(e.process) + ", \"tid\": " + number(e.track) + ", \"ts\": " + number(e.begin) +
         ", \"dur\": " + number(e.duration) + ", \"args\": {";
    if (e.line)
      s += "\"PTX line\": " + number(e.line) + (e.detail.empty() ? "" : ", ");
    if (!e.detail.empty())
      s += "\"detail\": " + quoted(e.detail);
    s += "}}";
  }
  return s + "\n]}\n";
}
