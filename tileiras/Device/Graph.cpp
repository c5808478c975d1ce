//===- Graph.cpp - Graphs of work -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Device.h"

using namespace tileiras::device;

Node *Graph::add(Work work, std::vector<Node *> after) {
  auto node = std::make_unique<Node>();
  node->work = std::move(work);
  node->after = std::move(after);
  node->number = nodes.size();
  nodes.push_back(std::move(node));
  return nodes.back().get();
}

std::vector<Node *> Graph::order() const {
  std::unordered_map<const Node *, size_t> missing;
  std::unordered_map<const Node *, std::vector<Node *>> next;
  std::vector<Node *> ready;
  for (auto &n : nodes) {
    missing[n.get()] = n->after.size();
    for (Node *before : n->after)
      next[before].push_back(n.get());
    if (n->after.empty())
      ready.push_back(n.get());
  }
  for (size_t k = 0; k != ready.size(); ++k)
    for (Node *n : next[ready[k]])
      if (--missing[n] == 0)
        ready.push_back(n);
  return ready;
}

std::unique_ptr<Graph> Graph::clone(std::unordered_map<const Node *, Node *> &copies) const {
  auto graph = std::make_unique<Graph>();
  graph->users = users;
  for (auto &n : nodes) {
    copies[n.get()] = graph->add(n->work, {});
    if (n->work.child) {
      std::unordered_map<const Node *, Node *> inner;
      graph->children.push_back(n->work.child->clone(inner));
      graph->nodes.back()->work.child = graph->children.back().get();
      copies.insert(inner.begin(), inner.end());
    }
  }
  for (auto &n : nodes)
    for (Node *before : n->after)
      copies[n.get()]->after.push_back(copies.at(before));
  return graph;
}
