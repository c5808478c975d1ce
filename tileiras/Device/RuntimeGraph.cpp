//===- RuntimeGraph.cpp - Graphs of the runtime API -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Runtime.h"

using namespace tileiras::device::runtime;

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
TILEIRAS_RUNTIME cudaGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
                                        const cudaMemsetParams *p) {
  TILEIRAS_READY;
  const CUDA_MEMSET_NODE_PARAMS d = {addressOf(p->dst), p->pitch, p->value, p->elementSize, p->width, p->height};
  TILEIRAS_RETURN(cuGraphAddMemsetNode(node, graph, after, count, &d, nullptr));
}
TILEIRAS_RUNTIME cudaGraphAddMemcpyNode1D(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
                                          void *to, const void *from, size_t bytes, int) {
  TILEIRAS_READY;
  CUDA_MEMCPY3D c = {};
  c.srcMemoryType = c.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  c.dstDevice = addressOf(to);
  c.srcDevice = addressOf(from);
  c.srcPitch = c.dstPitch = c.WidthInBytes = bytes;
  c.Height = c.Depth = 1;
  TILEIRAS_RETURN(cuGraphAddMemcpyNode(node, graph, after, count, &c, nullptr));
}
