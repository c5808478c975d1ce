//===- DriverGraph.cpp - Graphs and capture ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Device.h"

#include <algorithm>
#include <cstring>
#include <utility>

using namespace tileiras::device;

static Graph *graphOf(Device &device, CUgraph handle) {
  auto found = device.graphs.find(handle);
  return found == device.graphs.end() ? nullptr : found->second.get();
}
static GraphExec *execOf(Device &device, CUgraphExec handle) {
  auto found = device.execs.find(handle);
  return found == device.execs.end() ? nullptr : found->second.get();
}
static Node *nodeOf(CUgraphNode handle) { return reinterpret_cast<Node *>(handle); }
static CUgraphNode handleOf(Node *node) { return reinterpret_cast<CUgraphNode>(node); }
static std::vector<Node *> nodesOf(const CUgraphNode *list, size_t count) {
  std::vector<Node *> nodes;
  for (size_t k = 0; list && k != count; ++k)
    nodes.push_back(nodeOf(list[k]));
  return nodes;
}

#define TILEIRAS_GRAPH(handle)                                                                                         \
  Graph *graph = graphOf(device, handle);                                                                              \
  if (!graph)                                                                                                          \
  return call.done(CUDA_ERROR_INVALID_VALUE)

//===----------------------------------------------------------------------===//
// Capture
//===----------------------------------------------------------------------===//

TILEIRAS_API cuStreamBeginCapture_v2(CUstream handle, int mode) {
  TILEIRAS_CALL();
  Stream *stream = device.stream(handle);
  if (!stream || mode < 0 || mode > 2)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  if (stream == device.legacy() && handle != PerThreadStream)
    return call.done(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  if (stream->capture)
    return call.done(CUDA_ERROR_ILLEGAL_STATE);
  static unsigned long long count = 0;
  stream->capture = std::make_shared<Capture>();
  stream->capture->graph = std::make_unique<Graph>();
  stream->capture->id = ++count;
  stream->origin = true;
  stream->front.clear();
  return CUDA_SUCCESS;
}

TILEIRAS_API cuStreamEndCapture(CUstream handle, CUgraph *result) {
  TILEIRAS_CALL();
  Stream *stream = device.stream(handle);
  if (!stream || !result)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *result = nullptr;
  if (!stream->capture)
    return call.done(CUDA_ERROR_ILLEGAL_STATE);
  if (!stream->origin)
    return call.done(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
  auto capture = stream->capture;
  // Streams that have joined must have come back: what they did last must precede the end.
  bool joined = true;
  std::unordered_map<Node *, bool> before;
  std::vector<Node *> todo = stream->front;
  while (!todo.empty()) {
    Node *n = todo.back();
    todo.pop_back();
    if (!std::exchange(before[n], true))
      todo.insert(todo.end(), n->after.begin(), n->after.end());
  }
  for (auto &[key, other] : device.streams)
    if (other->capture == capture) {
      for (Node *n : other->front)
        joined &= other.get() == stream || before[n];
      other->capture = nullptr;
      other->front.clear();
    }
  stream->capture = nullptr;
  stream->origin = false;
  stream->front.clear();
  std::unique_ptr<Graph> graph = std::move(capture->graph);
  if (capture->invalid)
    return call.done(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  if (!joined)
    return call.done(CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
  *result = reinterpret_cast<CUgraph>(graph.get());
  device.graphs.emplace(graph.get(), std::move(graph));
  return CUDA_SUCCESS;
}

TILEIRAS_API cuStreamIsCapturing(CUstream handle, int *status) {
  TILEIRAS_CALL();
  Stream *stream = device.stream(handle);
  if (!stream || !status)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *status = !stream->capture ? 0 : stream->capture->invalid ? 2 : 1;
  return CUDA_SUCCESS;
}

TILEIRAS_API cuStreamGetCaptureInfo_v2(CUstream handle, int *status, unsigned long long *id, CUgraph *graph,
                                       const CUgraphNode **dependencies, size_t *count) {
  TILEIRAS_CALL();
  Stream *stream = device.stream(handle);
  if (!stream || !status)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *status = !stream->capture ? 0 : stream->capture->invalid ? 2 : 1;
  if (!stream->capture)
    return CUDA_SUCCESS;
  if (id)
    *id = stream->capture->id;
  if (graph)
    *graph = reinterpret_cast<CUgraph>(stream->capture->graph.get());
  if (dependencies)
    *dependencies = reinterpret_cast<const CUgraphNode *>(stream->front.data());
  if (count)
    *count = stream->front.size();
  return CUDA_SUCCESS;
}
TILEIRAS_API cuStreamGetCaptureInfo_v3(CUstream handle, int *status, unsigned long long *id, CUgraph *graph,
                                       const CUgraphNode **dependencies, const void **edges, size_t *count) {
  if (edges)
    *edges = nullptr;
  return cuStreamGetCaptureInfo_v2(handle, status, id, graph, dependencies, count);
}
TILEIRAS_API cuThreadExchangeStreamCaptureMode(int *mode) {
  thread_local int current = 0;
  if (!mode)
    return CUDA_ERROR_INVALID_VALUE;
  std::swap(*mode, current);
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Graphs by hand
//===----------------------------------------------------------------------===//

TILEIRAS_API cuGraphCreate(CUgraph *handle, unsigned) {
  TILEIRAS_CALL();
  if (!handle)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  auto graph = std::make_unique<Graph>();
  *handle = reinterpret_cast<CUgraph>(graph.get());
  device.graphs.emplace(graph.get(), std::move(graph));
  return CUDA_SUCCESS;
}
TILEIRAS_API cuGraphDestroy(CUgraph handle) {
  TILEIRAS_CALL(Call::Init);
  return call.done(device.graphs.erase(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}
TILEIRAS_API cuGraphClone(CUgraph *copy, CUgraph handle) {
  TILEIRAS_CALL();
  TILEIRAS_GRAPH(handle);
  std::unordered_map<const Node *, Node *> nodes;
  auto cloned = graph->clone(nodes);
  *copy = reinterpret_cast<CUgraph>(cloned.get());
  device.graphs.emplace(cloned.get(), std::move(cloned));
  return CUDA_SUCCESS;
}

/// Fills what a launch needs from the parameters of a kernel node.
static CUresult kernelOf(Device &device, const CUDA_KERNEL_NODE_PARAMS &p, Work &work) {
  void *function = p.func ? static_cast<void *>(p.func) : static_cast<void *>(p.kern);
  if (!device.functions.count(function))
    return CUDA_ERROR_INVALID_HANDLE;
  work.type = 0;
  work.kernel.function = static_cast<Function *>(function);
  work.kernel.grid = {p.gridDimX, p.gridDimY, p.gridDimZ};
  work.kernel.block = {p.blockDimX, p.blockDimY, p.blockDimZ};
  work.kernel.cluster = work.kernel.function->cluster;
  work.kernel.shared = p.sharedMemBytes;
  work.name = work.kernel.function->info->name;
  std::vector<uint8_t> packed; // the arguments may be the node's own, as GetParams gave them away
  if (!packArguments(*work.kernel.function, p.kernelParams, p.extra, packed))
    return CUDA_ERROR_INVALID_VALUE;
  work.kernel.params = std::move(packed);
  return CUDA_SUCCESS;
}

TILEIRAS_API cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph handle, const CUgraphNode *after, size_t count,
                                     const CUDA_KERNEL_NODE_PARAMS *params) {
  TILEIRAS_CALL();
  TILEIRAS_GRAPH(handle);
  Work work;
  if (!node || !params)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  if (CUresult r = kernelOf(device, *params, work); r != CUDA_SUCCESS)
    return call.done(r);
  *node = handleOf(graph->add(std::move(work), nodesOf(after, count)));
  return CUDA_SUCCESS;
}
TILEIRAS_API cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params) {
  TILEIRAS_CALL();
  KernelCall &k = nodeOf(node)->work.kernel;
  if (!k.function || !params)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  k.arguments.clear();
  for (const tileiras::emu::KernelParam &p : k.function->info->params)
    k.arguments.push_back(k.params.data() + p.offset);
  *params = {reinterpret_cast<CUfunction>(k.function),
             k.grid.x,
             k.grid.y,
             k.grid.z,
             k.block.x,
             k.block.y,
             k.block.z,
             k.shared,
             k.arguments.data(),
             nullptr,
             nullptr,
             nullptr};
  return CUDA_SUCCESS;
}
TILEIRAS_API cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params) {
  TILEIRAS_CALL();
  return call.done(params ? kernelOf(device, *params, nodeOf(node)->work) : CUDA_ERROR_INVALID_VALUE);
}

TILEIRAS_API cuGraphAddEmptyNode(CUgraphNode *node, CUgraph handle, const CUgraphNode *after, size_t count) {
  TILEIRAS_CALL();
  TILEIRAS_GRAPH(handle);
  *node = handleOf(graph->add(Work(), nodesOf(after, count)));
  return CUDA_SUCCESS;
}
TILEIRAS_API cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph handle, const CUgraphNode *after, size_t count,
                                      CUgraph child) {
  TILEIRAS_CALL();
  TILEIRAS_GRAPH(handle);
  Graph *inner = graphOf(device, child);
  if (!inner)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  std::unordered_map<const Node *, Node *> copies;
  graph->children.push_back(inner->clone(copies));
  Work work;
  work.type = 4;
  work.child = graph->children.back().get();
  *node = handleOf(graph->add(std::move(work), nodesOf(after, count)));
  return CUDA_SUCCESS;
}
TILEIRAS_API cuGraphAddDependencies_v2(CUgraph handle, const CUgraphNode *from, const CUgraphNode *to, const void *,
                                       size_t count) {
  TILEIRAS_CALL();
  TILEIRAS_GRAPH(handle);
  for (size_t k = 0; k != count; ++k)
    nodeOf(to[k])->after.push_back(nodeOf(from[k]));
  return CUDA_SUCCESS;
}

TILEIRAS_API cuGraphGetNodes(CUgraph handle, CUgraphNode *list, size_t *count) {
  TILEIRAS_CALL();
  TILEIRAS_GRAPH(handle);
  if (!count)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  if (list) {
    *count = std::min(*count, graph->nodes.size());
    for (size_t k = 0; k != *count; ++k)
      list[k] = handleOf(graph->nodes[k].get());
  } else {
    *count = graph->nodes.size();
  }
  return CUDA_SUCCESS;
}
TILEIRAS_API cuGraphGetRootNodes(CUgraph handle, CUgraphNode *list, size_t *count) {
  TILEIRAS_CALL();
  TILEIRAS_GRAPH(handle);
  size_t found = 0;
  for (auto &n : graph->nodes)
    if (n->after.empty()) {
      if (list && found < *count)
        list[found] = handleOf(n.get());
      ++found;
    }
  *count = found;
  return CUDA_SUCCESS;
}
TILEIRAS_API cuGraphNodeGetType(CUgraphNode node, int *type) {
  TILEIRAS_CALL();
  *type = nodeOf(node)->work.type;
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

TILEIRAS_API cuGraphInstantiateWithFlags(CUgraphExec *handle, CUgraph graphHandle, unsigned long long) {
  TILEIRAS_CALL();
  TILEIRAS_GRAPH(graphHandle);
  if (!handle || graph->order().size() != graph->nodes.size())
    return call.done(CUDA_ERROR_INVALID_VALUE);
  auto exec = std::make_unique<GraphExec>();
  exec->graph = graph->clone(exec->nodes);
  *handle = reinterpret_cast<CUgraphExec>(exec.get());
  device.execs.emplace(exec.get(), std::move(exec));
  return CUDA_SUCCESS;
}
TILEIRAS_API cuGraphExecDestroy(CUgraphExec handle) {
  TILEIRAS_CALL(Call::Init);
  return call.done(device.execs.erase(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}
TILEIRAS_API cuGraphUpload(CUgraphExec, CUstream) {
  TILEIRAS_CALL();
  return CUDA_SUCCESS;
}
TILEIRAS_API cuGraphLaunch(CUgraphExec handle, CUstream streamHandle) {
  TILEIRAS_CALL();
  GraphExec *exec = execOf(device, handle);
  Stream *stream = device.stream(streamHandle);
  if (!exec || !stream)
    return call.done(CUDA_ERROR_INVALID_HANDLE);
  if (stream->capture)
    return call.done(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  for (Node *node : exec->graph->order())
    if (CUresult r = device.perform(*stream, node->work); r != CUDA_SUCCESS)
      return call.done(r);
  return CUDA_SUCCESS;
}
TILEIRAS_API cuGraphExecKernelNodeSetParams_v2(CUgraphExec handle, CUgraphNode node,
                                               const CUDA_KERNEL_NODE_PARAMS *params) {
  TILEIRAS_CALL();
  GraphExec *exec = execOf(device, handle);
  if (!exec || !params || !exec->nodes.count(nodeOf(node)))
    return call.done(CUDA_ERROR_INVALID_VALUE);
  return call.done(kernelOf(device, *params, exec->nodes.at(nodeOf(node))->work));
}
TILEIRAS_API cuGraphExecUpdate_v2(CUgraphExec handle, CUgraph graphHandle, CUgraphExecUpdateResultInfo *info) {
  TILEIRAS_CALL();
  TILEIRAS_GRAPH(graphHandle);
  GraphExec *exec = execOf(device, handle);
  if (!exec)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  auto fail = [&](int why, Node *node) {
    if (info)
      *info = {why, handleOf(node), nullptr};
    return call.done(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  };
  auto &now = exec->graph->nodes, &next = graph->nodes;
  if (now.size() != next.size())
    return fail(2, nullptr); // CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED
  for (size_t k = 0; k != now.size(); ++k) {
    if (now[k]->work.type != next[k]->work.type)
      return fail(3, next[k].get()); // NODE_TYPE_CHANGED
    if (now[k]->after.size() != next[k]->after.size())
      return fail(2, next[k].get());
    for (size_t a = 0; a != now[k]->after.size(); ++a)
      if (now[k]->after[a]->number != next[k]->after[a]->number)
        return fail(2, next[k].get());
  }
  std::unordered_map<const Node *, Node *> nodes;
  auto copy = graph->clone(nodes);
  for (size_t k = 0; k != now.size(); ++k)
    now[k]->work = std::move(copy->nodes[k]->work);
  for (auto &child : copy->children)
    exec->graph->children.push_back(std::move(child));
  if (info)
    *info = {0, nullptr, nullptr};
  return CUDA_SUCCESS;
}
