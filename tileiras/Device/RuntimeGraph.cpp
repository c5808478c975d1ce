//===- RuntimeGraph.cpp - Graphs of the runtime API -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Runtime.h"

using namespace tileiras::device::runtime;

// These take structures that the runtime hands on as they are.
extern "C" {
CUresult cuGraphInstantiateWithParams(CUgraphExec *, CUgraph, void *);
CUresult cuGraphAddMemAllocNode(CUgraphNode *, CUgraph, const CUgraphNode *, size_t, void *);
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode, void *);
}

#define TILEIRAS_FORWARD(NAME, PARAMETERS, ...)                                                                        \
  TILEIRAS_RUNTIME NAME PARAMETERS {                                                                                   \
    TILEIRAS_READY;                                                                                                    \
    TILEIRAS_RETURN(__VA_ARGS__);                                                                                      \
  }
// clang-format off
TILEIRAS_FORWARD(cudaStreamBeginCapture, (cudaStream_t s, int mode), cuStreamBeginCapture_v2(s, mode))
TILEIRAS_FORWARD(cudaStreamEndCapture, (cudaStream_t s, CUgraph *g), cuStreamEndCapture(s, g))
TILEIRAS_FORWARD(cudaStreamIsCapturing, (cudaStream_t s, int *status), cuStreamIsCapturing(s, status))
TILEIRAS_FORWARD(cudaStreamGetCaptureInfo, (cudaStream_t s, int *status, unsigned long long *id, CUgraph *g, const CUgraphNode **d, const void **edges, size_t *n), cuStreamGetCaptureInfo_v3(s, status, id, g, d, edges, n))
TILEIRAS_FORWARD(cudaThreadExchangeStreamCaptureMode, (int *mode), cuThreadExchangeStreamCaptureMode(mode))
TILEIRAS_FORWARD(cudaGraphCreate, (CUgraph *g, unsigned flags), cuGraphCreate(g, flags))
TILEIRAS_FORWARD(cudaGraphDestroy, (CUgraph g), cuGraphDestroy(g))
TILEIRAS_FORWARD(cudaGraphClone, (CUgraph *copy, CUgraph g), cuGraphClone(copy, g))
TILEIRAS_FORWARD(cudaGraphAddEmptyNode, (CUgraphNode *n, CUgraph g, const CUgraphNode *d, size_t c), cuGraphAddEmptyNode(n, g, d, c))
TILEIRAS_FORWARD(cudaGraphAddHostNode, (CUgraphNode *n, CUgraph g, const CUgraphNode *d, size_t c, const CUDA_HOST_NODE_PARAMS *p), cuGraphAddHostNode(n, g, d, c, p))
TILEIRAS_FORWARD(cudaGraphAddChildGraphNode, (CUgraphNode *n, CUgraph g, const CUgraphNode *d, size_t c, CUgraph child), cuGraphAddChildGraphNode(n, g, d, c, child))
TILEIRAS_FORWARD(cudaGraphAddDependencies, (CUgraph g, const CUgraphNode *from, const CUgraphNode *to, const void *edges, size_t n), cuGraphAddDependencies_v2(g, from, to, edges, n))
TILEIRAS_FORWARD(cudaGraphGetNodes, (CUgraph g, CUgraphNode *list, size_t *n), cuGraphGetNodes(g, list, n))
TILEIRAS_FORWARD(cudaGraphGetRootNodes, (CUgraph g, CUgraphNode *list, size_t *n), cuGraphGetRootNodes(g, list, n))
TILEIRAS_FORWARD(cudaGraphNodeGetType, (CUgraphNode n, int *type), cuGraphNodeGetType(n, type))
TILEIRAS_FORWARD(cudaGraphInstantiate, (CUgraphExec *e, CUgraph g, unsigned long long flags), cuGraphInstantiateWithFlags(e, g, flags))
TILEIRAS_FORWARD(cudaGraphInstantiateWithFlags, (CUgraphExec *e, CUgraph g, unsigned long long flags), cuGraphInstantiateWithFlags(e, g, flags))
TILEIRAS_FORWARD(cudaGraphExecDestroy, (CUgraphExec e), cuGraphExecDestroy(e))
TILEIRAS_FORWARD(cudaGraphUpload, (CUgraphExec e, cudaStream_t s), cuGraphUpload(e, s))
TILEIRAS_FORWARD(cudaGraphLaunch, (CUgraphExec e, cudaStream_t s), cuGraphLaunch(e, s))
TILEIRAS_FORWARD(cudaGraphExecUpdate, (CUgraphExec e, CUgraph g, CUgraphExecUpdateResultInfo *info), cuGraphExecUpdate_v2(e, g, info))
TILEIRAS_FORWARD(cudaGraphInstantiateWithParams, (CUgraphExec *e, CUgraph g, void *p), cuGraphInstantiateWithParams(e, g, p))
TILEIRAS_FORWARD(cudaGraphAddMemAllocNode, (CUgraphNode *n, CUgraph g, const CUgraphNode *d, size_t c, void *p), cuGraphAddMemAllocNode(n, g, d, c, p))
TILEIRAS_FORWARD(cudaGraphAddMemFreeNode, (CUgraphNode *n, CUgraph g, const CUgraphNode *d, size_t c, void *p), cuGraphAddMemFreeNode(n, g, d, c, addressOf(p)))
TILEIRAS_FORWARD(cudaGraphMemAllocNodeGetParams, (CUgraphNode n, void *p), cuGraphMemAllocNodeGetParams(n, p))
TILEIRAS_FORWARD(cudaGraphMemFreeNodeGetParams, (CUgraphNode n, CUdeviceptr *p), cuGraphMemFreeNodeGetParams(n, p))
TILEIRAS_FORWARD(cudaDeviceGetGraphMemAttribute, (int d, int a, uint64_t *v), cuDeviceGetGraphMemAttribute(d, a, v))
TILEIRAS_FORWARD(cudaDeviceSetGraphMemAttribute, (int d, int a, const uint64_t *v), cuDeviceSetGraphMemAttribute(d, a, v))
TILEIRAS_FORWARD(cudaDeviceGraphMemTrim, (int d), cuDeviceGraphMemTrim(d))
TILEIRAS_FORWARD(cudaUserObjectCreate, (void **o, void *p, CUhostFn destroy, unsigned count, unsigned flags), cuUserObjectCreate(o, p, destroy, count, flags))
TILEIRAS_FORWARD(cudaUserObjectRetain, (void *o, unsigned count), cuUserObjectRetain(o, count))
TILEIRAS_FORWARD(cudaUserObjectRelease, (void *o, unsigned count), cuUserObjectRelease(o, count))
TILEIRAS_FORWARD(cudaGraphRetainUserObject, (CUgraph g, void *o, unsigned count, unsigned flags), cuGraphRetainUserObject(g, o, count, flags))
TILEIRAS_FORWARD(cudaGraphReleaseUserObject, (CUgraph g, void *o, unsigned count), cuGraphReleaseUserObject(g, o, count))
TILEIRAS_FORWARD(cudaGraphExecGetFlags, (CUgraphExec e, unsigned long long *flags), cuGraphExecGetFlags(e, reinterpret_cast<uint64_t *>(flags)))
TILEIRAS_FORWARD(cudaGraphGetEdges, (CUgraph g, CUgraphNode *from, CUgraphNode *to, void *edges, size_t *n), cuGraphGetEdges_v2(g, from, to, edges, n))
TILEIRAS_FORWARD(cudaGraphNodeGetDependencies, (CUgraphNode n, CUgraphNode *list, void *edges, size_t *count), cuGraphNodeGetDependencies_v2(n, list, edges, count))
TILEIRAS_FORWARD(cudaGraphNodeGetDependentNodes, (CUgraphNode n, CUgraphNode *list, void *edges, size_t *count), cuGraphNodeGetDependentNodes_v2(n, list, edges, count))
TILEIRAS_FORWARD(cudaGraphRemoveDependencies, (CUgraph g, const CUgraphNode *from, const CUgraphNode *to, const void *edges, size_t n), cuGraphRemoveDependencies_v2(g, from, to, edges, n))
TILEIRAS_FORWARD(cudaGraphDestroyNode, (CUgraphNode n), cuGraphDestroyNode(n))
TILEIRAS_FORWARD(cudaGraphNodeFindInClone, (CUgraphNode *n, CUgraphNode o, CUgraph g), cuGraphNodeFindInClone(n, o, g))
TILEIRAS_FORWARD(cudaGraphNodeSetEnabled, (CUgraphExec e, CUgraphNode n, unsigned on), cuGraphNodeSetEnabled(e, n, on))
TILEIRAS_FORWARD(cudaGraphNodeGetEnabled, (CUgraphExec e, CUgraphNode n, unsigned *on), cuGraphNodeGetEnabled(e, n, on))
TILEIRAS_FORWARD(cudaGraphChildGraphNodeGetGraph, (CUgraphNode n, CUgraph *g), cuGraphChildGraphNodeGetGraph(n, g))
TILEIRAS_FORWARD(cudaGraphExecChildGraphNodeSetParams, (CUgraphExec e, CUgraphNode n, CUgraph g), cuGraphExecChildGraphNodeSetParams(e, n, g))
TILEIRAS_FORWARD(cudaGraphHostNodeGetParams, (CUgraphNode n, CUDA_HOST_NODE_PARAMS *p), cuGraphHostNodeGetParams(n, p))
TILEIRAS_FORWARD(cudaGraphHostNodeSetParams, (CUgraphNode n, const CUDA_HOST_NODE_PARAMS *p), cuGraphHostNodeSetParams(n, p))
TILEIRAS_FORWARD(cudaGraphExecHostNodeSetParams, (CUgraphExec e, CUgraphNode n, const CUDA_HOST_NODE_PARAMS *p), cuGraphExecHostNodeSetParams(e, n, p))
TILEIRAS_FORWARD(cudaGraphAddEventRecordNode, (CUgraphNode *n, CUgraph g, const CUgraphNode *d, size_t c, CUevent e), cuGraphAddEventRecordNode(n, g, d, c, e))
TILEIRAS_FORWARD(cudaGraphAddEventWaitNode, (CUgraphNode *n, CUgraph g, const CUgraphNode *d, size_t c, CUevent e), cuGraphAddEventWaitNode(n, g, d, c, e))
TILEIRAS_FORWARD(cudaGraphEventRecordNodeGetEvent, (CUgraphNode n, CUevent *e), cuGraphEventRecordNodeGetEvent(n, e))
TILEIRAS_FORWARD(cudaGraphEventWaitNodeGetEvent, (CUgraphNode n, CUevent *e), cuGraphEventWaitNodeGetEvent(n, e))
TILEIRAS_FORWARD(cudaGraphEventRecordNodeSetEvent, (CUgraphNode n, CUevent e), cuGraphEventRecordNodeSetEvent(n, e))
TILEIRAS_FORWARD(cudaGraphEventWaitNodeSetEvent, (CUgraphNode n, CUevent e), cuGraphEventWaitNodeSetEvent(n, e))
TILEIRAS_FORWARD(cudaGraphExecEventRecordNodeSetEvent, (CUgraphExec x, CUgraphNode n, CUevent e), cuGraphExecEventRecordNodeSetEvent(x, n, e))
TILEIRAS_FORWARD(cudaGraphExecEventWaitNodeSetEvent, (CUgraphExec x, CUgraphNode n, CUevent e), cuGraphExecEventWaitNodeSetEvent(x, n, e))
// clang-format on

static CUDA_KERNEL_NODE_PARAMS driverParams(const cudaKernelNodeParams &p, cudaError_t &error) {
  return {kernelOf(p.func, error), p.gridDim.x,    p.gridDim.y, p.gridDim.z, p.blockDim.x, p.blockDim.y, p.blockDim.z,
          p.sharedMemBytes,        p.kernelParams, p.extra,     nullptr,     nullptr};
}
TILEIRAS_RUNTIME cudaGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
                                        const cudaKernelNodeParams *params) {
  TILEIRAS_READY;
  cudaError_t error;
  CUDA_KERNEL_NODE_PARAMS p = driverParams(*params, error);
  TILEIRAS_RETURN(p.func ? cudaError_t(cuGraphAddKernelNode_v2(node, graph, after, count, &p)) : error);
}
TILEIRAS_RUNTIME cudaGraphKernelNodeSetParams(CUgraphNode node, const cudaKernelNodeParams *params) {
  TILEIRAS_READY;
  cudaError_t error;
  CUDA_KERNEL_NODE_PARAMS p = driverParams(*params, error);
  TILEIRAS_RETURN(p.func ? cudaError_t(cuGraphKernelNodeSetParams_v2(node, &p)) : error);
}
TILEIRAS_RUNTIME cudaGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                  const cudaKernelNodeParams *params) {
  TILEIRAS_READY;
  cudaError_t error;
  CUDA_KERNEL_NODE_PARAMS p = driverParams(*params, error);
  TILEIRAS_RETURN(p.func ? cudaError_t(cuGraphExecKernelNodeSetParams_v2(exec, node, &p)) : error);
}
/// The host stub of the kernel would be right; cudaGetFuncBySymbol takes handles as well.
TILEIRAS_RUNTIME cudaGraphKernelNodeGetParams(CUgraphNode node, cudaKernelNodeParams *params) {
  TILEIRAS_READY;
  CUDA_KERNEL_NODE_PARAMS p;
  if (CUresult r = params ? cuGraphKernelNodeGetParams_v2(node, &p) : CUDA_ERROR_INVALID_VALUE; r != CUDA_SUCCESS)
    TILEIRAS_RETURN(r);
  *params = {p.func,
             {p.gridDimX, p.gridDimY, p.gridDimZ},
             {p.blockDimX, p.blockDimY, p.blockDimZ},
             p.sharedMemBytes,
             p.kernelParams,
             p.extra};
  return Success;
}

static CUDA_MEMSET_NODE_PARAMS driverParams(const cudaMemsetParams &p) {
  return {addressOf(p.dst), p.pitch, p.value, p.elementSize, p.width, p.height};
}
TILEIRAS_RUNTIME cudaGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
                                        const cudaMemsetParams *p) {
  TILEIRAS_READY;
  if (!p)
    TILEIRAS_RETURN(InvalidValue);
  const CUDA_MEMSET_NODE_PARAMS d = driverParams(*p);
  TILEIRAS_RETURN(cuGraphAddMemsetNode(node, graph, after, count, &d, nullptr));
}
TILEIRAS_RUNTIME cudaGraphMemsetNodeSetParams(CUgraphNode node, const cudaMemsetParams *p) {
  TILEIRAS_READY;
  if (!p)
    TILEIRAS_RETURN(InvalidValue);
  const CUDA_MEMSET_NODE_PARAMS d = driverParams(*p);
  TILEIRAS_RETURN(cuGraphMemsetNodeSetParams(node, &d));
}
TILEIRAS_RUNTIME cudaGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node, const cudaMemsetParams *p) {
  TILEIRAS_READY;
  if (!p)
    TILEIRAS_RETURN(InvalidValue);
  const CUDA_MEMSET_NODE_PARAMS d = driverParams(*p);
  TILEIRAS_RETURN(cuGraphExecMemsetNodeSetParams(exec, node, &d, nullptr));
}
TILEIRAS_RUNTIME cudaGraphMemsetNodeGetParams(CUgraphNode node, cudaMemsetParams *p) {
  TILEIRAS_READY;
  CUDA_MEMSET_NODE_PARAMS d;
  if (CUresult r = p ? cuGraphMemsetNodeGetParams(node, &d) : CUDA_ERROR_INVALID_VALUE; r != CUDA_SUCCESS)
    TILEIRAS_RETURN(r);
  *p = {reinterpret_cast<void *>(d.dst), d.pitch, d.value, d.elementSize, d.width, d.height};
  return Success;
}

//===----------------------------------------------------------------------===//
// Copies: of boxes, and in a row
//===----------------------------------------------------------------------===//

static CUDA_MEMCPY3D inARow(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  CUDA_MEMCPY3D c = {};
  c.srcMemoryType = c.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  c.dstDevice = to;
  c.srcDevice = from;
  c.srcPitch = c.dstPitch = c.WidthInBytes = bytes;
  c.Height = c.Depth = 1;
  return c;
}
/// The same with a variable of the program at one end; an error if it is too small.
static cudaError_t ofSymbol(const void *symbol, size_t offset, const void *other, size_t bytes, bool toSymbol,
                            CUDA_MEMCPY3D &c) {
  CUdeviceptr address = 0;
  size_t size = 0;
  if (cudaError_t e = variableOf(symbol, address, size))
    return e;
  if (offset > size || bytes > size - offset)
    return InvalidValue;
  c = toSymbol ? inARow(address + offset, addressOf(other), bytes) : inARow(addressOf(other), address + offset, bytes);
  return Success;
}

// Each way to say what is copied, for a new node, a node, and a node of an executable graph.
#define TILEIRAS_COPY_NODES(SUFFIX, PREPARE, ...)                                                                      \
  TILEIRAS_RUNTIME cudaGraphAddMemcpyNode##SUFFIX(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,          \
                                                  size_t count, __VA_ARGS__) {                                         \
    TILEIRAS_READY;                                                                                                    \
    CUDA_MEMCPY3D c;                                                                                                   \
    if (cudaError_t e = PREPARE)                                                                                       \
      TILEIRAS_RETURN(e);                                                                                              \
    TILEIRAS_RETURN(cuGraphAddMemcpyNode(node, graph, after, count, &c, nullptr));                                     \
  }                                                                                                                    \
  TILEIRAS_RUNTIME cudaGraphMemcpyNodeSetParams##SUFFIX(CUgraphNode node, __VA_ARGS__) {                               \
    TILEIRAS_READY;                                                                                                    \
    CUDA_MEMCPY3D c;                                                                                                   \
    if (cudaError_t e = PREPARE)                                                                                       \
      TILEIRAS_RETURN(e);                                                                                              \
    TILEIRAS_RETURN(cuGraphMemcpyNodeSetParams(node, &c));                                                             \
  }                                                                                                                    \
  TILEIRAS_RUNTIME cudaGraphExecMemcpyNodeSetParams##SUFFIX(CUgraphExec exec, CUgraphNode node, __VA_ARGS__) {         \
    TILEIRAS_READY;                                                                                                    \
    CUDA_MEMCPY3D c;                                                                                                   \
    if (cudaError_t e = PREPARE)                                                                                       \
      TILEIRAS_RETURN(e);                                                                                              \
    TILEIRAS_RETURN(cuGraphExecMemcpyNodeSetParams(exec, node, &c, nullptr));                                          \
  }
TILEIRAS_COPY_NODES(, p ? driverCopy(*p, c) : InvalidValue, const cudaMemcpy3DParms *p)
TILEIRAS_COPY_NODES(1D, (c = inARow(addressOf(to), addressOf(from), bytes), Success), void *to, const void *from,
                    size_t bytes, int)
TILEIRAS_COPY_NODES(ToSymbol, ofSymbol(symbol, offset, from, bytes, true, c), const void *symbol, const void *from,
                    size_t bytes, size_t offset, int)
TILEIRAS_COPY_NODES(FromSymbol, ofSymbol(symbol, offset, to, bytes, false, c), void *to, const void *symbol,
                    size_t bytes, size_t offset, int)
#undef TILEIRAS_COPY_NODES
