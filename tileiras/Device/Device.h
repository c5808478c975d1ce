//===- Device.h - The device that programs find -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What is behind the handles of the driver API. One device, one memory, one lock: calls of several host threads take
// turns, and a kernel spreads its blocks over host threads of its own.
//
// Work is done when it is submitted, so the order of a stream is kept, and the order between streams is one that the
// program allows. Whether it was the only one the program allows is another question, which StreamOrder answers: it
// knows which work is ordered by streams, events and waits of the host, and reports two pieces of work that touch the
// same bytes without.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_DEVICE_DEVICE_H
#define TILEIRAS_DEVICE_DEVICE_H

#include "tileiras/Device/Abi.h"
#include "tileiras/Device/LaunchTimes.h"
#include "tileiras/Device/StreamOrder.h"
#include "tileiras/Emulator/Check/LineCoverage.h"
#include "tileiras/Emulator/Machine/Launch.h"

#include <any>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tileiras::device {

struct Module;

/// A kernel of a module: CUfunction and CUkernel alike.
struct Function {
  Module *module = nullptr;
  const emu::KernelInfo *info = nullptr;
  int dynamicShared = 48 * 1024; ///< what launches may ask for
  int carveout = -1, clusterPolicy = 0;
  bool nonPortableCluster = false;
  emu::Dim3 cluster; ///< required by attribute
};

/// CUmodule and CUlibrary alike.
struct Module {
  std::unique_ptr<emu::Module> code;
  std::string ptx; ///< kept for TILEIRAS_TIME
  std::vector<std::unique_ptr<Function>> functions;
  /// Constant memory: it is the module's, and an allocation for the host's copies.
  std::unordered_map<std::string, uint64_t> constants, managed;
  Function *find(const std::string &name) const;
};

struct Context {
  unsigned flags = 0;
  bool primary = false;
};

struct Graph;
struct Node;

/// Capture of streams into a graph.
struct Capture {
  std::unique_ptr<Graph> graph;
  unsigned long long id = 0;
  bool invalid = false;
};

struct Stream {
  unsigned flags = 0; ///< 1: does not wait for the legacy stream
  int priority = 0;
  unsigned long long id = 0;
  uint32_t agent = 0; ///< in StreamOrder
  std::shared_ptr<Capture> capture;
  bool origin = false;                            ///< the capture began here
  std::vector<Node *> front;                      ///< what the next captured node depends on
  std::map<int, std::array<char, 64>> attributes; ///< by number; they are about speed
};

struct Event {
  unsigned flags = 0;
  bool recorded = false;
  double milliseconds = 0;
  StreamClock clock;
  std::shared_ptr<Capture> capture; ///< recorded in a stream that is being captured
  std::vector<Node *> front;
};

/// A launch with its arguments.
struct KernelCall {
  Function *function = nullptr;
  emu::Dim3 grid, block, cluster;
  uint32_t shared = 0;
  bool cooperative = false;
  std::vector<uint8_t> params;
  std::vector<void *> arguments; ///< in `params`; what was given to a program that asked a node for them
};

/// Something a stream does. `run` is called with the lock held, by whoever submits it.
struct Work {
  int type = 5;     ///< CUgraphNodeType
  std::string name; ///< for reports and logs
  std::function<CUresult(Stream &)> run;
  KernelCall kernel; ///< of kernel nodes; `run` is not used then
  Graph *child = nullptr;
  std::any params;       ///< of nodes of copies, fills, host functions and events, as programs gave them
  bool disabled = false; ///< cuGraphNodeSetEnabled
};

struct Node {
  Work work;
  std::vector<Node *> after;
  size_t number = 0;
};

struct Graph {
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<std::unique_ptr<Graph>> children;
  /// User objects, by handle, with the references that the graph has; the payload's end calls the program's destructor.
  std::map<const void *, std::pair<unsigned, std::shared_ptr<void>>> users;
  Node *add(Work work, std::vector<Node *> after);
  /// Nodes in an order in which they may run; shorter than `nodes` if they wait for each other.
  std::vector<Node *> order() const;
  std::unique_ptr<Graph> clone(std::unordered_map<const Node *, Node *> &copies) const;
};

struct GraphExec {
  std::unique_ptr<Graph> graph;
  std::unordered_map<const Node *, Node *> nodes; ///< of the graph it was made from
  uint64_t flags = 0;
};

struct HostRange {
  size_t bytes = 0;
  uint64_t device = 0;
  unsigned flags = 0;
  enum Kind { Registered, Pinned, Managed } kind = Registered;
};

/// Counters for the summary.
struct Totals {
  uint64_t kernels = 0, blocks = 0, instructions = 0, copies = 0, reports = 0, suppressed = 0;
  double seconds = 0;
};

class Device {
public:
  static Device &get();

  std::recursive_mutex mutex;
  bool initialised = false;
  emu::Memory memory;
  StreamOrder order;
  Totals totals;
  emu::LineCoverage coverage; ///< if TILEIRAS_COVERAGE asks for it
  LaunchTimes times;          ///< if TILEIRAS_TIME asks for them
  double predicted = 0;       ///< milliseconds of all launches so far: what events tell then

  // Errors. A fault of a kernel surfaces at the next call that waits for it, and stays.
  CUresult sticky = CUDA_SUCCESS, pending = CUDA_SUCCESS;
  CUresult surface();

  // Objects, by handle.
  std::unordered_set<Context *> contexts;
  Context *primary = nullptr;
  unsigned primaryUses = 0, primaryFlags = 0;
  std::unordered_map<void *, std::unique_ptr<Module>> modules;
  std::unordered_set<void *> functions;
  std::unordered_map<void *, std::unique_ptr<Stream>> streams;
  std::unordered_map<void *, std::unique_ptr<Event>> events;
  std::unordered_map<void *, std::unique_ptr<Graph>> graphs;
  std::unordered_map<void *, std::unique_ptr<GraphExec>> execs;
  std::map<uintptr_t, HostRange> host; ///< host memory that kernels reach, by address
  uint64_t limits[8] = {1024, 1 << 20, 8 << 20, 2, 2048, 128, 0, 0};

  /// The stream of a handle (null and 1: the legacy stream, 2: the thread's own, which is the same here); null for one
  /// that does not exist.
  Stream *stream(CUstream handle);
  Stream *legacy() { return legacyStream.get(); }

  Module *load(const void *image, size_t size, CUresult &error, std::string *log = nullptr);
  void unload(Module *module);

  /// Does the work, or adds it to the graph that the stream is captured into.
  CUresult submit(Stream &stream, Work work);
  CUresult perform(Stream &stream, Work &work);
  CUresult launch(Stream &stream, const KernelCall &call);
  /// Everything is done; faults surface.
  CUresult synchronize(Stream *stream = nullptr);

  // Memory (MemoryModel.cpp). An address is a device's if an allocation has it, else the host's.
  CUresult allocate(uint64_t &address, size_t bytes);
  CUresult allocateHost(void *&pointer, size_t bytes, HostRange::Kind kind, unsigned flags);
  CUresult registerHost(void *pointer, size_t bytes, unsigned flags);
  CUresult release(uint64_t address);
  bool giveBack(uint64_t address); ///< without waiting
  CUresult releaseHost(void *pointer, HostRange::Kind kind);
  HostRange *hostRange(uintptr_t address, uintptr_t &base);
  /// `bytes` at an address that may be the host's; null with a message for a device's that it does not have.
  uint8_t *reach(uint64_t address, size_t bytes, bool write, const char *what);
  CUresult copy(Stream &stream, uint64_t to, uint64_t from, size_t bytes, const char *what);
  CUresult fill(Stream &stream, uint64_t to, const void *pattern, unsigned size, size_t count, const char *what);
  struct Box {
    uint64_t address;
    size_t pitch, slice; ///< bytes from row to row, from slice to slice
  };
  CUresult copyBox(Stream &stream, Box to, Box from, size_t width, size_t height, size_t depth, const char *what);

  /// Says what is wrong, with the program's own calls in mind.
  void complain(const std::string &message);
  /// The same for a report that no kernel made: it is counted, and begins with "error: [kind]".
  void complain(const char *kind, const std::string &message);
  void report(const emu::LaunchResult &result);
  void finish(); ///< the summary

private:
  Device();
  std::unique_ptr<Stream> legacyStream;
  uint64_t used = 0;   ///< bytes of allocate() that have not been given back
  uint64_t mapped = 0; ///< where host memory of ours is put
  uint64_t traces = 0;
};

/// Records an event in a stream, now.
void recordEvent(Device &device, Event &event, Stream &stream);
/// The calling thread's contexts, the current one last.
std::vector<Context *> &contextStack();
double now(); ///< milliseconds

/// One call of the API: takes the lock, writes the log.
class Call {
public:
  enum Needs {
    Nothing, ///< works before cuInit
    Init,
    Work ///< reports an error that has happened before
  };
  explicit Call(const char *name, Needs needs = Work);
  ~Call();
  /// May the call go on? If not, `result` says why.
  explicit operator bool() const { return result == CUDA_SUCCESS; }
  CUresult done(CUresult r) { return result = r; }
  CUresult result = CUDA_SUCCESS;

private:
  const char *name;
  std::lock_guard<std::recursive_mutex> lock;
};

/// The argument buffer of a kernel from an array of pointers or from `extra`; false if neither fits.
bool packArguments(const Function &function, void **arguments, void **extra, std::vector<uint8_t> &packed);
emu::Dim3 clusterOf(const CUlaunchConfig &config, bool &cooperative);
/// Blocks of `threads` threads that an SM holds.
int blocksPerMultiprocessor(const Function &function, int threads, size_t dynamicShared);
/// Value of a CUdevice_attribute; false if there is none of that number.
bool deviceAttribute(int attribute, int &value);
const char *deviceName();
size_t deviceMemory();
const char *resultName(int result);
const char *resultText(int result);

} // namespace tileiras::device

#define TILEIRAS_API extern "C" __attribute__((visibility("default"))) CUresult
/// Begins an exported function.
#define TILEIRAS_CALL(...)                                                                                             \
  tileiras::device::Call call(__func__ __VA_OPT__(, ) __VA_ARGS__);                                                    \
  if (!call)                                                                                                           \
    return call.result;                                                                                                \
  tileiras::device::Device &device = tileiras::device::Device::get();                                                  \
  (void)device

#endif // TILEIRAS_DEVICE_DEVICE_H
