//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where gperftools' allocator gets its memory: from ranges for which the system is asked to use pages of 2 MiB. A
// product takes some 30 MiB in its life, which are 2,500 page faults with pages of 4 KiB, and as many entries of the
// processor's address cache. Where the system has no large pages, or is told never to use them, nothing changes.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gperftools/malloc_extension.h>
#include <new>
#include <sys/mman.h>

namespace {

constexpr size_t kPage = 4096, kHugePage = size_t(2) << 20, kRange = size_t(64) << 20;

size_t roundUp(size_t number, size_t multiple) { return (number + multiple - 1) / multiple * multiple; }

class HugePages final : public SysAllocator {
public:
  /// `size` bytes at a multiple of `alignment`, which are never given back; null if there are none. gperftools holds
  /// its lock.
  void *Alloc(size_t size, size_t *actualSize, size_t alignment) override {
    size = roundUp(size, kPage);
    alignment = std::max(alignment, kPage);
    if (size > SIZE_MAX / 2 || alignment > SIZE_MAX / 4)
      return nullptr;
    if (roundUp(next, alignment) + size > end && !startRange(size + alignment))
      return nullptr;
    size_t start = roundUp(next, alignment);
    next = start + size;
    if (actualSize)
      *actualSize = size;
    return reinterpret_cast<void *>(start);
  }

private:
  /// Addresses only: a page is there when it is written for the first time.
  bool startRange(size_t least) {
    // The second one, where addresses are short (ulimit -v).
    for (size_t size : {roundUp(std::max(least, kRange), kHugePage), roundUp(least, kPage)}) {
      void *range = mmap(nullptr, size + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                         /*fd=*/-1, /*offset=*/0);
      if (range == MAP_FAILED)
        continue;
      next = roundUp(reinterpret_cast<size_t>(range), kHugePage);
      end = next + size;
      madvise(reinterpret_cast<void *>(next), size, MADV_HUGEPAGE); // a wish
      return true;
    }
    return false;
  }

  size_t next = 0, end = 0;
};

alignas(HugePages) char storage[sizeof(HugePages)];

} // namespace

/// gperftools asks for this before it allocates anything (a weak symbol of its own, which has no header).
SysAllocator *tc_get_sysalloc_override(SysAllocator *) { return new (storage) HugePages; }
