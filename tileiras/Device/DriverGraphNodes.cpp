//===- DriverGraphNodes.cpp - Nodes of graphs, one by one -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What nodes of copies, fills, host functions and events do, their parameters, and the edges of graphs.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Arrays.h"

#include <algorithm>

using namespace tileiras::device;

namespace {

Graph *graphOf(Device &device, CUgraph handle) {
  auto found = device.graphs.find(handle);
  if (found != device.graphs.end())
    return found->second.get();
  // One that a stream is being captured into (cuStreamGetCaptureInfo tells its handle).
  for (auto &[key, stream] : device.streams)
    if (stream->capture && stream->capture->graph.get() == reinterpret_cast<Graph *>(handle))
      return stream->capture->graph.get();
  return nullptr;
}
Node *nodeOf(CUgraphNode handle) { return reinterpret_cast<Node *>(handle); }
CUgraphNode handleOf(const Node *node) { return reinterpret_cast<CUgraphNode>(const_cast<Node *>(node)); }

/// The graph that a node is in; null if there is none.
Graph *ownerOf(Device &device, const Node *node) {
  for (auto &[handle, graph] : device.graphs)
    for (auto &n : graph->nodes)
      if (n.get() == node)
        return graph.get();
  return nullptr;
}

/// The copy of a node in an executable graph.
Node *nodeIn(Device &device, CUgraphExec handle, CUgraphNode node) {
  auto found = device.execs.find(handle);
  if (found == device.execs.end())
    return nullptr;
  auto copy = found->second->nodes.find(nodeOf(node));
  return copy == found->second->nodes.end() ? nullptr : copy->second;
}

CUresult workOf(Device &device, const CUDA_MEMCPY3D &p, Work &work) {
  work = Work();
  work.type = 1;
  work.name = "copy";
  work.params = p;
  work.run = [&device, p](Stream &s) { return copyOf(device, p, s, "copy node"); };
  return CUDA_SUCCESS;
}
CUresult workOf(Device &device, const CUDA_MEMSET_NODE_PARAMS &p, Work &work) {
  if (p.elementSize != 1 && p.elementSize != 2 && p.elementSize != 4)
    return CUDA_ERROR_INVALID_VALUE;
  work = Work();
  work.type = 2;
  work.name = "fill";
  work.params = p;
  work.run = [&device, p](Stream &s) {
    for (size_t y = 0; y != std::max<size_t>(1, p.height); ++y)
      if (CUresult r = device.fill(s, p.dst + y * p.pitch, &p.value, p.elementSize, p.width, "fill node");
          r != CUDA_SUCCESS)
        return r;
    return CUDA_SUCCESS;
  };
  return CUDA_SUCCESS;
}
CUresult workOf(Device &, const CUDA_HOST_NODE_PARAMS &p, Work &work) {
  if (!p.fn)
    return CUDA_ERROR_INVALID_VALUE;
  work = Work();
  work.type = 3;
  work.name = "host function";
  work.params = p;
  work.run = [p](Stream &) {
    p.fn(p.userData);
    return CUDA_SUCCESS;
  };
  return CUDA_SUCCESS;
}

/// An event that is recorded (type 7) or waited for (type 6).
struct EventParams {
  CUevent event;
  bool record;
};
CUresult workOf(Device &device, const EventParams &p, Work &work) {
  if (!device.events.count(p.event))
    return CUDA_ERROR_INVALID_HANDLE;
  work = Work();
  work.type = p.record ? 7 : 6;
  work.name = p.record ? "event record" : "event wait";
  work.params = p;
  work.run = [&device, p](Stream &s) {
    auto event = device.events.find(p.event);
    if (event == device.events.end())
      return CUDA_ERROR_INVALID_HANDLE;
    if (p.record)
      recordEvent(device, *event->second, s);
    else if (event->second->recorded)
      device.order.wait(s.agent, event->second->clock);
    return CUDA_SUCCESS;
  };
  return CUDA_SUCCESS;
}

template <typename Params>
CUresult add(Device &device, CUgraphNode *node, CUgraph handle, const CUgraphNode *after, size_t count,
             const Params &params) {
  Graph *graph = graphOf(device, handle);
  if (!graph || !node)
    return CUDA_ERROR_INVALID_VALUE;
  Work work;
  if (CUresult r = workOf(device, params, work); r != CUDA_SUCCESS)
    return r;
  std::vector<Node *> before;
  for (size_t k = 0; after && k != count; ++k)
    before.push_back(nodeOf(after[k]));
  *node = handleOf(graph->add(std::move(work), before));
  return CUDA_SUCCESS;
}

template <typename Params> CUresult get(CUgraphNode node, Params *params) {
  const Params *kept = node ? std::any_cast<Params>(&nodeOf(node)->work.params) : nullptr;
  if (!kept || !params)
    return CUDA_ERROR_INVALID_VALUE;
  *params = *kept;
  return CUDA_SUCCESS;
}
/// Changes what a node of that kind does.
template <typename Params> CUresult set(Device &device, Node *node, const Params *params) {
  Work work;
  if (!node || !params)
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult r = workOf(device, *params, work); r != CUDA_SUCCESS)
    return r;
  if (work.type != node->work.type)
    return CUDA_ERROR_INVALID_VALUE;
  node->work = std::move(work);
  return CUDA_SUCCESS;
}

} // namespace

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

#define TILEIRAS_NODES(NAME, PARAMS, ...)                                                                              \
  TILEIRAS_API cuGraphAdd##NAME##Node(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,        \
                                      const PARAMS *params __VA_OPT__(, ) __VA_ARGS__) {                               \
    TILEIRAS_CALL();                                                                                                   \
    return call.done(params ? add(device, node, graph, after, count, *params) : CUDA_ERROR_INVALID_VALUE);             \
  }                                                                                                                    \
  TILEIRAS_API cuGraph##NAME##NodeGetParams(CUgraphNode node, PARAMS *params) {                                        \
    TILEIRAS_CALL();                                                                                                   \
    return call.done(get(node, params));                                                                               \
  }                                                                                                                    \
  TILEIRAS_API cuGraph##NAME##NodeSetParams(CUgraphNode node, const PARAMS *params) {                                  \
    TILEIRAS_CALL();                                                                                                   \
    return call.done(set(device, nodeOf(node), params));                                                               \
  }                                                                                                                    \
  TILEIRAS_API cuGraphExec##NAME##NodeSetParams(CUgraphExec exec, CUgraphNode node,                                    \
                                                const PARAMS *params __VA_OPT__(, ) __VA_ARGS__) {                     \
    TILEIRAS_CALL();                                                                                                   \
    return call.done(set(device, nodeIn(device, exec, node), params));                                                 \
  }
TILEIRAS_NODES(Memcpy, CUDA_MEMCPY3D, CUcontext)
TILEIRAS_NODES(Memset, CUDA_MEMSET_NODE_PARAMS, CUcontext)
TILEIRAS_NODES(Host, CUDA_HOST_NODE_PARAMS)
#undef TILEIRAS_NODES

TILEIRAS_API cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
                                       CUevent event) {
  TILEIRAS_CALL();
  return call.done(add(device, node, graph, after, count, EventParams{event, true}));
}
TILEIRAS_API cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
                                     CUevent event) {
  TILEIRAS_CALL();
  return call.done(add(device, node, graph, after, count, EventParams{event, false}));
}
static CUresult eventOf(CUgraphNode node, CUevent *event, bool record) {
  EventParams params;
  if (!event || get(node, &params) != CUDA_SUCCESS || params.record != record)
    return CUDA_ERROR_INVALID_VALUE;
  *event = params.event;
  return CUDA_SUCCESS;
}
static CUresult setEvent(Device &device, Node *node, CUevent event, bool record) {
  const EventParams params = {event, record};
  const EventParams *now = node ? std::any_cast<EventParams>(&node->work.params) : nullptr;
  return now && now->record == record ? set(device, node, &params) : CUDA_ERROR_INVALID_VALUE;
}
TILEIRAS_API cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event) {
  TILEIRAS_CALL();
  return call.done(eventOf(node, event, true));
}
TILEIRAS_API cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event) {
  TILEIRAS_CALL();
  return call.done(eventOf(node, event, false));
}
TILEIRAS_API cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  TILEIRAS_CALL();
  return call.done(setEvent(device, nodeOf(node), event, true));
}
TILEIRAS_API cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  TILEIRAS_CALL();
  return call.done(setEvent(device, nodeOf(node), event, false));
}
TILEIRAS_API cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  TILEIRAS_CALL();
  return call.done(setEvent(device, nodeIn(device, exec, node), event, true));
}
TILEIRAS_API cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  TILEIRAS_CALL();
  return call.done(setEvent(device, nodeIn(device, exec, node), event, false));
}

TILEIRAS_API cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph) {
  TILEIRAS_CALL();
  if (!node || !graph || !nodeOf(node)->work.child)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *graph = reinterpret_cast<CUgraph>(nodeOf(node)->work.child);
  return CUDA_SUCCESS;
}

/// Only nodes of kernels, copies and fills can be turned off.
TILEIRAS_API cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned enabled) {
  TILEIRAS_CALL();
  Node *n = nodeIn(device, exec, node);
  if (!n || n->work.type > 2)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  n->work.disabled = !enabled;
  return CUDA_SUCCESS;
}
TILEIRAS_API cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned *enabled) {
  TILEIRAS_CALL();
  Node *n = nodeIn(device, exec, node);
  if (!n || n->work.type > 2 || !enabled)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *enabled = !n->work.disabled;
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

namespace {
struct AllocParams {
  CUmemPoolProps properties;
  const void *access;
  size_t accessCount, bytes;
  CUdeviceptr address;
};
struct FreeParams {
  CUdeviceptr address;
};
} // namespace

Work tileiras::device::allocationWork(Device &device, uint64_t address, size_t bytes) {
  Work work;
  work.type = 10;
  work.name = "allocation";
  work.params = AllocParams{{}, nullptr, 0, bytes, address};
  // What was there in an earlier launch counts as unwritten.
  work.run = [&device, address](Stream &) {
    if (tileiras::emu::Allocation *a = device.memory.find(address); a && a->shadow)
      std::fill_n(a->shadow.get(), a->size, uint8_t(0));
    return CUDA_SUCCESS;
  };
  return work;
}
Work tileiras::device::freeWork(Device &device, Graph &graph, uint64_t address) {
  // Graphs and executable graphs share what ends with the last of them.
  auto payload = std::shared_ptr<void>(new uint64_t(address), [&device](void *own) {
    device.giveBack(*static_cast<uint64_t *>(own));
    delete static_cast<uint64_t *>(own);
  });
  graph.users[payload.get()] = {1, payload};
  Work work;
  work.type = 11;
  work.name = "free";
  work.params = FreeParams{address};
  return work;
}
TILEIRAS_API cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph handle, const CUgraphNode *after, size_t count,
                                    AllocParams *params) {
  TILEIRAS_CALL();
  Graph *graph = graphOf(device, handle);
  if (!graph || !node || !params)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  uint64_t address = 0;
  if (CUresult r = device.allocate(address, params->bytes); r != CUDA_SUCCESS)
    return call.done(r);
  params->address = address;
  std::vector<Node *> before;
  for (size_t k = 0; after && k != count; ++k)
    before.push_back(nodeOf(after[k]));
  Work work = allocationWork(device, address, params->bytes);
  work.params = *params;
  *node = handleOf(graph->add(std::move(work), before));
  return CUDA_SUCCESS;
}
TILEIRAS_API cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph handle, const CUgraphNode *after, size_t count,
                                   CUdeviceptr address) {
  TILEIRAS_CALL();
  Graph *graph = graphOf(device, handle);
  if (!graph || !node || !device.memory.find(address))
    return call.done(CUDA_ERROR_INVALID_VALUE);
  std::vector<Node *> before;
  for (size_t k = 0; after && k != count; ++k)
    before.push_back(nodeOf(after[k]));
  *node = handleOf(graph->add(freeWork(device, *graph, address), before));
  return CUDA_SUCCESS;
}
TILEIRAS_API cuGraphMemAllocNodeGetParams(CUgraphNode node, AllocParams *params) {
  TILEIRAS_CALL();
  return call.done(get(node, params));
}
TILEIRAS_API cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *address) {
  TILEIRAS_CALL();
  FreeParams params;
  if (CUresult r = address ? get(node, &params) : CUDA_ERROR_INVALID_VALUE; r != CUDA_SUCCESS)
    return call.done(r);
  *address = params.address;
  return CUDA_SUCCESS;
}
// Memory of graphs is the device's like any other: nothing of it is kept aside.
TILEIRAS_API cuDeviceGetGraphMemAttribute(CUdevice, int attribute, uint64_t *value) {
  TILEIRAS_CALL();
  if (!value || attribute < 0 || attribute > 3)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *value = 0;
  return CUDA_SUCCESS;
}
TILEIRAS_API cuDeviceSetGraphMemAttribute(CUdevice, int attribute, const uint64_t *value) {
  TILEIRAS_CALL();
  return call.done(value && attribute >= 0 && attribute <= 3 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}
TILEIRAS_API cuDeviceGraphMemTrim(CUdevice) {
  TILEIRAS_CALL();
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

/// Hands out a list in CUDA's way: `count` is how many there are, or how many fit.
static CUresult list(const std::vector<Node *> &from, CUgraphNode *nodes, size_t *count) {
  if (!count)
    return CUDA_ERROR_INVALID_VALUE;
  if (nodes)
    for (size_t k = 0; k != *count && k != from.size(); ++k)
      nodes[k] = handleOf(from[k]);
  *count = nodes ? std::min(*count, from.size()) : from.size();
  return CUDA_SUCCESS;
}
TILEIRAS_API cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *nodes, void *, size_t *count) {
  TILEIRAS_CALL();
  return call.done(node ? list(nodeOf(node)->after, nodes, count) : CUDA_ERROR_INVALID_VALUE);
}
TILEIRAS_API cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *nodes, void *, size_t *count) {
  TILEIRAS_CALL();
  Graph *graph = ownerOf(device, nodeOf(node));
  if (!graph)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  std::vector<Node *> found;
  for (auto &n : graph->nodes)
    if (std::count(n->after.begin(), n->after.end(), nodeOf(node)))
      found.push_back(n.get());
  return call.done(list(found, nodes, count));
}
TILEIRAS_API cuGraphGetEdges_v2(CUgraph handle, CUgraphNode *from, CUgraphNode *to, void *, size_t *count) {
  TILEIRAS_CALL();
  Graph *graph = graphOf(device, handle);
  if (!graph || !count || !from != !to)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  size_t k = 0;
  for (auto &n : graph->nodes)
    for (Node *before : n->after) {
      if (from && k < *count) {
        from[k] = handleOf(before);
        to[k] = handleOf(n.get());
      }
      ++k;
    }
  *count = from ? std::min(*count, k) : k;
  return CUDA_SUCCESS;
}
TILEIRAS_API cuGraphRemoveDependencies_v2(CUgraph handle, const CUgraphNode *from, const CUgraphNode *to, const void *,
                                          size_t count) {
  TILEIRAS_CALL();
  if (!graphOf(device, handle) || (count && (!from || !to)))
    return call.done(CUDA_ERROR_INVALID_VALUE);
  for (size_t k = 0; k != count; ++k) {
    std::vector<Node *> &after = nodeOf(to[k])->after;
    auto found = std::find(after.begin(), after.end(), nodeOf(from[k]));
    if (found == after.end())
      return call.done(CUDA_ERROR_INVALID_VALUE);
    after.erase(found);
  }
  return CUDA_SUCCESS;
}
TILEIRAS_API cuGraphDestroyNode(CUgraphNode node) {
  TILEIRAS_CALL();
  Graph *graph = ownerOf(device, nodeOf(node));
  if (!graph)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  for (auto &n : graph->nodes)
    n->after.erase(std::remove(n->after.begin(), n->after.end(), nodeOf(node)), n->after.end());
  graph->nodes.erase(std::find_if(graph->nodes.begin(), graph->nodes.end(),
                                  [&](const std::unique_ptr<Node> &n) { return n.get() == nodeOf(node); }));
  for (size_t k = 0; k != graph->nodes.size(); ++k)
    graph->nodes[k]->number = k;
  return CUDA_SUCCESS;
}
/// A clone's nodes have the numbers of those that they were made of.
TILEIRAS_API cuGraphNodeFindInClone(CUgraphNode *result, CUgraphNode node, CUgraph handle) {
  TILEIRAS_CALL();
  Graph *graph = graphOf(device, handle);
  if (!graph || !node || !result || nodeOf(node)->number >= graph->nodes.size())
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *result = handleOf(graph->nodes[nodeOf(node)->number].get());
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Executable graphs
//===----------------------------------------------------------------------===//

extern "C" CUresult cuGraphInstantiateWithFlags(CUgraphExec *, CUgraph, unsigned long long);

namespace {
struct InstantiateParams {
  uint64_t flags;
  CUstream upload;
  CUgraphNode error;
  int result; ///< 0 success, 2 a structure that is none
};
} // namespace

TILEIRAS_API cuGraphInstantiateWithParams(CUgraphExec *exec, CUgraph graph, InstantiateParams *params) {
  TILEIRAS_CALL();
  if (!params)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  params->error = nullptr;
  const CUresult r = cuGraphInstantiateWithFlags(exec, graph, params->flags);
  params->result = r == CUDA_SUCCESS ? 0 : 2;
  if (r == CUDA_SUCCESS)
    device.execs.at(*exec)->flags = params->flags;
  return call.done(r);
}
TILEIRAS_API cuGraphExecGetFlags(CUgraphExec handle, uint64_t *flags) {
  TILEIRAS_CALL();
  auto exec = device.execs.find(handle);
  if (exec == device.execs.end() || !flags)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *flags = exec->second->flags;
  return CUDA_SUCCESS;
}
TILEIRAS_API cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child) {
  TILEIRAS_CALL();
  Node *n = nodeIn(device, exec, node);
  Graph *inner = graphOf(device, child);
  if (!n || !n->work.child || !inner)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  std::unordered_map<const Node *, Node *> copies;
  Graph &owner = *device.execs.at(exec)->graph;
  owner.children.push_back(inner->clone(copies));
  n->work.child = owner.children.back().get();
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// User objects: what must live as long as graphs that use it
//===----------------------------------------------------------------------===//

namespace {
struct UserObject {
  std::shared_ptr<void> payload;
  unsigned references = 0; ///< of the program itself
};
std::unordered_map<void *, UserObject> &userObjects() {
  static auto *list = new std::unordered_map<void *, UserObject>();
  return *list;
}
} // namespace

TILEIRAS_API cuUserObjectCreate(void **object, void *pointer, CUhostFn destroy, unsigned references, unsigned) {
  TILEIRAS_CALL();
  if (!object || !destroy || !references)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  // The handle is the address of a byte of its own, so that no two objects have the same.
  UserObject made = {std::shared_ptr<void>(new char,
                                           [pointer, destroy](void *own) {
                                             destroy(pointer);
                                             delete static_cast<char *>(own);
                                           }),
                     references};
  *object = made.payload.get();
  userObjects().emplace(*object, std::move(made));
  return CUDA_SUCCESS;
}
TILEIRAS_API cuUserObjectRetain(void *object, unsigned count) {
  TILEIRAS_CALL();
  auto found = userObjects().find(object);
  if (found == userObjects().end() || !count)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  found->second.references += count;
  return CUDA_SUCCESS;
}
static CUresult releaseUser(void *object, unsigned count) {
  auto found = userObjects().find(object);
  if (found == userObjects().end() || !count || count > found->second.references)
    return CUDA_ERROR_INVALID_VALUE;
  found->second.references -= count;
  if (!found->second.references) {
    UserObject last = std::move(found->second); // its destructor runs behind the list's change
    userObjects().erase(found);
  }
  return CUDA_SUCCESS;
}
TILEIRAS_API cuUserObjectRelease(void *object, unsigned count) {
  TILEIRAS_CALL(Call::Init);
  return call.done(releaseUser(object, count));
}
/// Flag 1 moves the program's references to the graph.
TILEIRAS_API cuGraphRetainUserObject(CUgraph handle, void *object, unsigned count, unsigned flags) {
  TILEIRAS_CALL();
  Graph *graph = graphOf(device, handle);
  auto found = userObjects().find(object);
  if (!graph || found == userObjects().end() || !count || flags > 1)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  auto &[references, payload] = graph->users[object];
  references += count;
  payload = found->second.payload;
  return call.done(flags ? releaseUser(object, count) : CUDA_SUCCESS);
}
TILEIRAS_API cuGraphReleaseUserObject(CUgraph handle, void *object, unsigned count) {
  TILEIRAS_CALL(Call::Init);
  Graph *graph = graphOf(device, handle);
  if (!graph || !graph->users.count(object) || !count || count > graph->users.at(object).first)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  if (!(graph->users.at(object).first -= count))
    graph->users.erase(object);
  return CUDA_SUCCESS;
}
