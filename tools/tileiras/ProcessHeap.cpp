//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The heap of `tileiras`, a process that compiles one kernel and ends. It makes a
// million small blocks, most of them short-lived, and gives nothing back to the
// system: blocks of one size come from a list of their own, in a range of
// addresses that tells them from others, so that neither a header nor a lock nor
// any joining of neighbours is needed. What is larger goes to the C library.
//
// Every thread has lists of its own. A block that another thread frees goes to the
// lists of that one, which is all the same: sizes belong to addresses.
//
//===----------------------------------------------------------------------===//

#include <cstddef>
#include <features.h>

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer) &&                       \
    !__has_feature(memory_sanitizer) && !__has_feature(thread_sanitizer)

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <malloc.h>
#include <sys/mman.h>

extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);
}

namespace {

constexpr size_t kArenaBytes = size_t(1) << 30;
constexpr size_t kSpanBytes = 16 << 10; ///< of blocks of one size
constexpr size_t kChunkBytes = 2 << 20; ///< asked of the system at once
constexpr size_t kLargest = 1 << 20;
constexpr unsigned kFineClasses = 32; ///< multiples of 16 bytes; above, four classes to each power of two
constexpr unsigned kClasses = kFineClasses + 1 + (20 - 9) * 4;
/// Addresses in whose arena no block lies: before the first block, and where the system gave none.
constexpr uintptr_t kNotMade = ~uintptr_t(0) - kArenaBytes, kNoArena = kNotMade - 1;

struct Block {
  Block *next;
};

/// All zero before any constructor has run, since constructors allocate.
struct Lists {
  Block *free[kClasses];
  char *fresh[kClasses], *end[kClasses];
};
thread_local Lists lists __attribute__((tls_model("local-exec")));

std::atomic<uintptr_t> arena{kNotMade};
std::atomic<size_t> used;
unsigned char classOfSpan[kArenaBytes / kSpanBytes];

inline unsigned classOf(size_t size) {
  if (size <= kFineClasses * 16)
    return size ? (size + 15) / 16 : 1;
  unsigned log = 63 - __builtin_clzll(size - 1); // 9 for 513 .. 1024
  return kFineClasses + 1 + (log - 9) * 4 + (((size - 1) >> (log - 2)) & 3);
}

inline size_t bytesOf(unsigned index) {
  if (index <= kFineClasses)
    return index * 16;
  unsigned step = index - kFineClasses - 1;
  return size_t(5 + step % 4) << (7 + step / 4);
}

inline bool ours(const void *p) {
  return reinterpret_cast<uintptr_t>(p) - arena.load(std::memory_order_relaxed) < kArenaBytes;
}

uintptr_t makeArena() {
  void *range = ::mmap(nullptr, kArenaBytes + kChunkBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  uintptr_t begin = kNoArena, none = kNotMade;
  if (range != MAP_FAILED)
    begin = (reinterpret_cast<uintptr_t>(range) + kChunkBytes - 1) & ~(kChunkBytes - 1);
  ::madvise(reinterpret_cast<void *>(begin), kArenaBytes, MADV_HUGEPAGE);
  // Another thread may have been faster; its range is taken, and the addresses of ours are never touched.
  return arena.compare_exchange_strong(none, begin) ? begin : none;
}

/// A block of a new span; null where there is none left.
__attribute__((noinline)) void *allocateFresh(unsigned index) {
  size_t bytes = bytesOf(index);
  Lists &mine = lists;
  if (size_t(mine.end[index] - mine.fresh[index]) < bytes) {
    int error = errno;
    uintptr_t begin = arena.load(std::memory_order_relaxed);
    if (begin == kNotMade)
      begin = makeArena();
    if (begin == kNoArena)
      return nullptr;
    size_t span = std::max(kSpanBytes, (bytes + kSpanBytes - 1) & ~(kSpanBytes - 1));
    size_t at = used.fetch_add(span, std::memory_order_relaxed);
    if (at + span > kArenaBytes) {
      used.store(kArenaBytes, std::memory_order_relaxed);
      return nullptr;
    }
    errno = error;
    classOfSpan[at / kSpanBytes] = index;
    mine.fresh[index] = reinterpret_cast<char *>(begin + at);
    mine.end[index] = mine.fresh[index] + span;
  }
  char *block = mine.fresh[index];
  mine.fresh[index] += bytes;
  return block;
}

inline void *allocateSmall(size_t size) {
  unsigned index = classOf(size);
  Block *&list = lists.free[index];
  if (Block *block = list) {
    list = block->next;
    return block;
  }
  return allocateFresh(index);
}

inline size_t bytesOfOurs(void *p) {
  return bytesOf(classOfSpan[(reinterpret_cast<uintptr_t>(p) - arena.load(std::memory_order_relaxed)) / kSpanBytes]);
}

} // namespace

extern "C" {

__attribute__((visibility("default"))) void *malloc(size_t size) {
  if (__builtin_expect(size <= kLargest, 1))
    if (void *block = allocateSmall(size))
      return block;
  return __libc_malloc(size);
}

__attribute__((visibility("default"))) void free(void *p) {
  if (!p)
    return;
  if (!ours(p))
    return __libc_free(p);
  unsigned index = classOfSpan[(reinterpret_cast<uintptr_t>(p) - arena.load(std::memory_order_relaxed)) / kSpanBytes];
  auto *block = static_cast<Block *>(p);
  Block *&list = lists.free[index];
  block->next = list;
  list = block;
}

__attribute__((visibility("default"))) void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (!__builtin_mul_overflow(count, size, &bytes) && bytes <= kLargest)
    if (void *block = allocateSmall(bytes))
      return std::memset(block, 0, bytes);
  return __libc_calloc(count, size);
}

__attribute__((visibility("default"))) void *realloc(void *p, size_t size) {
  if (!p)
    return malloc(size);
  if (!ours(p))
    return __libc_realloc(p, size);
  size_t before = bytesOfOurs(p);
  if (size && size <= before)
    return p;
  void *moved = size ? malloc(size) : nullptr;
  if (moved)
    std::memcpy(moved, p, before);
  if (moved || !size)
    free(p);
  return moved;
}

/// Blocks of ours are aligned to 16 bytes, as the C library's.
__attribute__((visibility("default"))) void *memalign(size_t alignment, size_t size) {
  return alignment <= 16 ? malloc(size) : __libc_memalign(alignment, size);
}
__attribute__((visibility("default"))) void *aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

__attribute__((visibility("default"))) int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)))
    return EINVAL;
  int error = errno;
  void *block = memalign(alignment, size);
  errno = error;
  if (!block)
    return ENOMEM;
  *result = block;
  return 0;
}

} // extern "C"

#endif
