// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture and surface objects against a reference on the host: filters, address modes, formats, shapes, levels.
#include "check.h"
#include <cmath>
#include <cstring>
#include <cuda_fp16.h>

// The reference: an image that goes on for ever in both directions.
static int indexOf(int mode, int i, int n) {
  if (mode == cudaAddressModeWrap)
    return ((i % n) + n) % n;
  if (mode == cudaAddressModeMirror) {
    int m = ((i % (2 * n)) + 2 * n) % (2 * n);
    return m < n ? m : 2 * n - 1 - m;
  }
  if (mode == cudaAddressModeClamp)
    return i < 0 ? 0 : i >= n ? n - 1 : i;
  return i < 0 || i >= n ? -1 : i;
}
struct Image {
  int width, height;
  std::vector<float> texels;
  float border;
  float at(int mode, int x, int y) const {
    x = indexOf(mode, x, width), y = indexOf(mode, y, height);
    return x < 0 || y < 0 ? border : texels[y * width + x];
  }
  float sample(int mode, bool normalized, bool linear, float x, float y) const {
    if (!normalized && mode != cudaAddressModeBorder)
      mode = cudaAddressModeClamp;
    // Programming Guide, Texture Fetching: x is replaced by frac(x), or by 1 - frac(x) where floor(x) is odd.
    if (normalized && mode == cudaAddressModeMirror)
      for (float *p : {&x, &y})
        *p = int(std::floor(*p)) & 1 ? 1 - (*p - std::floor(*p)) : *p - std::floor(*p);
    if (normalized)
      x *= width, y *= height;
    if (!linear)
      return at(mode, int(std::floor(x)), int(std::floor(y)));
    x -= 0.5f, y -= 0.5f;
    int i = int(std::floor(x)), j = int(std::floor(y));
    float a = std::round((x - i) * 256) / 256, b = std::round((y - j) * 256) / 256;
    return (1 - a) * (1 - b) * at(mode, i, j) + a * (1 - b) * at(mode, i + 1, j) + (1 - a) * b * at(mode, i, j + 1) +
           a * b * at(mode, i + 1, j + 1);
  }
};

__global__ void sample2D(cudaTextureObject_t t, const float2 *where, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = tex2D<float>(t, where[i].x, where[i].y);
}

static bool close(float a, float b) { return std::fabs(a - b) <= 1e-5f * (1 + std::fabs(b)); }

static cudaTextureDesc sampler(int mode, bool normalized, bool linear, bool asFloat) {
  cudaTextureDesc d = {};
  for (int k = 0; k != 3; ++k)
    d.addressMode[k] = cudaTextureAddressMode(mode);
  d.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  d.readMode = asFloat ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  d.normalizedCoords = normalized;
  d.borderColor[0] = 0.25f;
  return d;
}
static cudaTextureObject_t textureOf(cudaArray_t array, const cudaTextureDesc &d) {
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  cudaTextureObject_t t = 0;
  CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
  return t;
}
static cudaSurfaceObject_t surfaceOf(cudaArray_t array) {
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  cudaSurfaceObject_t s = 0;
  CHECK(cudaCreateSurfaceObject(&s, &r));
  return s;
}

static void modes() {
  const int w = 16, h = 8, n = 1000;
  std::vector<float2> where(n);
  for (int k = 0; k != n; ++k) // multiples of 1/8 texel: weights are exact
    where[k] = {(k % 97 - 40) / 8.f, (k % 61 - 20) / 8.f};
  float2 *places;
  float *out;
  CHECK(cudaMalloc(&places, n * sizeof(float2)));
  CHECK(cudaMalloc(&out, n * 4));
  std::vector<float> got(n);
  for (int format = 0; format != 4; ++format) { // f32, u8 and s16 as floats, f16
    Image image = {w, h, std::vector<float>(w * h), 0.25f};
    std::vector<unsigned char> bytes(w * h * 4);
    int size = format == 0 ? 4 : format == 1 ? 1 : 2;
    for (int k = 0; k != w * h; ++k) {
      int v = k * 37 % 251;
      unsigned char u = (unsigned char)v;
      short s = short(v * 257 - 32768 + v);
      __half f = __float2half(v / 8.f);
      float g = v * 0.75f;
      image.texels[k] = format == 0 ? g : format == 1 ? u / 255.f : format == 2 ? std::fmax(s / 32767.f, -1.f) : __half2float(f);
      std::memcpy(&bytes[k * size], format == 0 ? (void *)&g : format == 1 ? (void *)&u : format == 2 ? (void *)&s : (void *)&f, size);
    }
    cudaChannelFormatDesc desc = format == 0   ? cudaCreateChannelDesc<float>()
                                 : format == 1 ? cudaCreateChannelDesc<unsigned char>()
                                 : format == 2 ? cudaCreateChannelDesc<short>()
                                               : cudaCreateChannelDescHalf();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &desc, w, h));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, bytes.data(), w * size, w * size, h, cudaMemcpyHostToDevice));
    for (int mode = 0; mode != 4; ++mode)
      for (int normalized = 0; normalized != 2; ++normalized)
        for (int linear = 0; linear != 2; ++linear) {
          std::vector<float2> scaled = where;
          if (normalized)
            for (float2 &p : scaled)
              p.x /= w, p.y /= h;
          CHECK(cudaMemcpy(places, scaled.data(), n * sizeof(float2), cudaMemcpyHostToDevice));
          cudaTextureObject_t t = textureOf(array, sampler(mode, normalized, linear, format == 1 || format == 2));
          sample2D<<<8, 128>>>(t, places, out, n);
          CHECK(cudaMemcpy(got.data(), out, n * 4, cudaMemcpyDeviceToHost));
          CHECK(cudaDestroyTextureObject(t));
          for (int k = 0; k != n; ++k) {
            float want = image.sample(mode, normalized, linear, scaled[k].x, scaled[k].y);
            if (!close(got[k], want)) {
              std::printf("format %d mode %d normalized %d linear %d at (%g, %g): %g, not %g\n", format, mode, normalized,
                          linear, scaled[k].x, scaled[k].y, got[k], want);
              std::exit(3);
            }
          }
        }
    if (format == 0) {
      // Weights have 8 fraction bits.
      float2 fine[3] = {{0.501f, 0.5f}, {0.5035f, 0.5f}, {1.4985f, 0.5f}};
      CHECK(cudaMemcpy(places, fine, sizeof fine, cudaMemcpyHostToDevice));
      cudaTextureObject_t t = textureOf(array, sampler(cudaAddressModeClamp, false, true, false));
      sample2D<<<1, 32>>>(t, places, out, 3);
      CHECK(cudaMemcpy(got.data(), out, 12, cudaMemcpyDeviceToHost));
      EXPECT(close(got[0], image.texels[0]));
      EXPECT(close(got[1], image.texels[0] + (image.texels[1] - image.texels[0]) / 256));
      EXPECT(close(got[2], image.texels[1]));
      CHECK(cudaDestroyTextureObject(t));
      cudaChannelFormatDesc d;
      cudaExtent e;
      unsigned flags;
      CHECK(cudaArrayGetInfo(&d, &e, &flags, array));
      EXPECT(d.x == 32 && d.y == 0 && d.f == cudaChannelFormatKindFloat && e.width == w && e.height == h && !e.depth && !flags);
    }
    CHECK(cudaFreeArray(array));
  }
  // Integers cannot be filtered.
  cudaArray_t array;
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
  CHECK(cudaMallocArray(&array, &desc, 4, 4));
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  cudaTextureDesc s = sampler(cudaAddressModeClamp, false, true, false);
  cudaTextureObject_t t;
  EXPECT(cudaCreateTextureObject(&t, &r, &s, nullptr) == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(places));
  CHECK(cudaFree(out));
}

__global__ void readBuffer(cudaTextureObject_t t, int4 *out) { out[threadIdx.x] = tex1Dfetch<int4>(t, int(threadIdx.x) - 4); }

static void buffers() {
  int4 host[24], *memory, *out, got[32];
  for (int k = 0; k != 24; ++k)
    host[k] = {k, -k, 100 + k, 7};
  CHECK(cudaMalloc(&memory, sizeof host));
  CHECK(cudaMalloc(&out, sizeof got));
  CHECK(cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice));
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = memory;
  r.res.linear.desc = cudaCreateChannelDesc<int4>();
  r.res.linear.sizeInBytes = sizeof host;
  cudaTextureDesc d = {};
  cudaTextureObject_t t;
  CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
  readBuffer<<<1, 32>>>(t, out);
  CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  for (int k = 0; k != 32; ++k) {
    int4 want = k < 4 || k >= 28 ? int4{0, 0, 0, 0} : host[k - 4];
    EXPECT(got[k].x == want.x && got[k].y == want.y && got[k].z == want.z && got[k].w == want.w);
  }
  cudaResourceDesc back;
  CHECK(cudaGetTextureObjectResourceDesc(&back, t));
  EXPECT(back.res.linear.devPtr == memory);
  CHECK(cudaDestroyTextureObject(t));
  // Rows with a pitch.
  float *pitched;
  size_t pitch;
  CHECK(cudaMallocPitch(&pitched, &pitch, 10 * 4, 6));
  float rows[60], value[4];
  for (int k = 0; k != 60; ++k)
    rows[k] = k;
  CHECK(cudaMemcpy2D(pitched, pitch, rows, 40, 40, 6, cudaMemcpyHostToDevice));
  r = {};
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D = {pitched, cudaCreateChannelDesc<float>(), 10, 6, pitch};
  cudaTextureDesc s = sampler(cudaAddressModeClamp, false, true, false);
  CHECK(cudaCreateTextureObject(&t, &r, &s, nullptr));
  float2 fine[4] = {{3.5f, 2.5f}, {4.f, 2.5f}, {4.f, 3.f}, {-9.f, 99.f}}, *places;
  CHECK(cudaMalloc(&places, sizeof fine));
  CHECK(cudaMemcpy(places, fine, sizeof fine, cudaMemcpyHostToDevice));
  sample2D<<<1, 32>>>(t, places, reinterpret_cast<float *>(out), 4);
  CHECK(cudaMemcpy(value, out, sizeof value, cudaMemcpyDeviceToHost));
  EXPECT(value[0] == 23 && value[1] == 23.5f && value[2] == 28.5f && value[3] == 50);
  CHECK(cudaDestroyTextureObject(t));
  for (void *p : {(void *)memory, (void *)out, (void *)pitched, (void *)places})
    CHECK(cudaFree(p));
}

struct Shapes {
  cudaTextureObject_t solid, layers, rows, cube, levels, gathered;
};
__global__ void readShapes(Shapes s, float *out) {
  int i = threadIdx.x;
  out[i] = tex3D<float>(s.solid, i * 0.25f, 1.5f, 2.f);
  out[32 + i] = tex2DLayered<float>(s.layers, i % 4 + 0.5f, i / 4 % 4 + 0.5f, i % 3);
  out[64 + i] = tex1DLayered<float>(s.rows, i % 8 + 0.5f, i % 5);
  float v = i < 16 ? 1.f : -1.f;
  out[96 + i] = i % 3 == 0   ? texCubemap<float>(s.cube, v, 0.25f, 0.25f)
                : i % 3 == 1 ? texCubemap<float>(s.cube, 0.25f, v, -0.25f)
                             : texCubemap<float>(s.cube, -0.25f, 0.25f, v);
  out[128 + i] = tex2DLod<float>(s.levels, 0.5f, 0.5f, i / 8.f);
  out[160 + i] = tex2DGrad<float>(s.levels, 0.5f, 0.5f, make_float2(i < 16 ? 0.25f : 1 / 64.f, 0), make_float2(0, 0));
  float4 g = tex2Dgather<float4>(s.gathered, i % 3 + 1.f, i / 3 % 3 + 1.f, i & 1);
  out[192 + 4 * i] = g.x, out[193 + 4 * i] = g.y, out[194 + 4 * i] = g.z, out[195 + 4 * i] = g.w;
}

static cudaArray_t filled(cudaExtent extent, unsigned flags, std::vector<float> &texels, int channels = 1) {
  cudaArray_t array;
  cudaChannelFormatDesc d = channels == 1 ? cudaCreateChannelDesc<float>() : cudaCreateChannelDesc<float2>();
  CHECK(cudaMalloc3DArray(&array, &d, extent, flags));
  size_t rows = extent.height ? extent.height : 1, slices = extent.depth ? extent.depth : 1;
  texels.resize(extent.width * rows * slices * channels);
  for (size_t k = 0; k != texels.size(); ++k)
    texels[k] = float(k * 29 % 113) - 50;
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(texels.data(), extent.width * 4 * channels, extent.width, rows);
  p.dstArray = array;
  p.extent = {extent.width, rows, slices};
  p.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&p));
  return array;
}

static void shapes() {
  std::vector<float> solid, layers, rows, cube, gathered;
  cudaArray_t a = filled({8, 4, 4}, 0, solid), b = filled({4, 4, 3}, cudaArrayLayered, layers),
              c = filled({8, 0, 5}, cudaArrayLayered, rows), d = filled({2, 2, 6}, cudaArrayCubemap, cube),
              e = filled({4, 4, 0}, cudaArrayTextureGather, gathered, 2);
  cudaMipmappedArray_t mipmapped;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocMipmappedArray(&mipmapped, &format, {16, 16, 0}, 5));
  for (unsigned k = 0; k != 5; ++k) {
    cudaArray_t level;
    CHECK(cudaGetMipmappedArrayLevel(&level, mipmapped, k));
    std::vector<float> flat((16 >> k) * (16 >> k), 10.f * k);
    CHECK(cudaMemcpy2DToArray(level, 0, 0, flat.data(), (16 >> k) * 4, (16 >> k) * 4, 16 >> k, cudaMemcpyHostToDevice));
  }
  Shapes s;
  s.solid = textureOf(a, sampler(cudaAddressModeClamp, false, true, false));
  s.layers = textureOf(b, sampler(cudaAddressModeClamp, false, false, false));
  s.rows = textureOf(c, sampler(cudaAddressModeClamp, false, false, false));
  s.cube = textureOf(d, sampler(cudaAddressModeClamp, true, false, false));
  s.gathered = textureOf(e, sampler(cudaAddressModeClamp, false, false, false));
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeMipmappedArray;
  r.res.mipmap.mipmap = mipmapped;
  cudaTextureDesc t = sampler(cudaAddressModeClamp, true, true, false);
  t.mipmapFilterMode = cudaFilterModeLinear;
  t.maxMipmapLevelClamp = 3.5f;
  CHECK(cudaCreateTextureObject(&s.levels, &r, &t, nullptr));
  float *out;
  std::vector<float> got(320);
  CHECK(cudaMalloc(&out, 320 * 4));
  readShapes<<<1, 32>>>(s, out);
  CHECK(cudaMemcpy(got.data(), out, 320 * 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i != 32; ++i) {
    float x = i * 0.25f - 0.5f;
    int j = int(std::floor(x));
    auto at = [&](int u, int v, int z) { return solid[z * 32 + v * 8 + indexOf(cudaAddressModeClamp, u, 8)]; };
    float want = 0.5f * ((1 - (x - j)) * (at(j, 1, 1) + at(j, 1, 2)) + (x - j) * (at(j + 1, 1, 1) + at(j + 1, 1, 2)));
    EXPECT(close(got[i], want));
    EXPECT(got[32 + i] == layers[i % 3 * 16 + i / 4 % 4 * 4 + i % 4]);
    EXPECT(got[64 + i] == rows[i % 5 * 8 + i % 8]);
    // x, y, z faces; the places by the table of the Programming Guide.
    bool negative = i >= 16;
    int face = i % 3 * 2 + negative, u = 0, v = 0;
    if (i % 3 == 0)
      u = negative ? 1 : 0, v = 0; // s = -z or z, t = -y
    else if (i % 3 == 1)
      u = 1, v = negative ? 1 : 0; // s = x, t = z or -z
    else
      u = negative ? 1 : 0, v = 0; // s = x or -x, t = -y
    EXPECT(got[96 + i] == cube[face * 4 + v * 2 + u]);
    EXPECT(close(got[128 + i], 10 * std::fmin(i / 8.f, 3.5f)));
    EXPECT(close(got[160 + i], i < 16 ? 20 : 0)); // four texels a pixel: level 2; a quarter: level 0
    // Counterclockwise from the lower left.
    int gx = i % 3, gy = i / 3 % 3, channel = i & 1;
    auto texel = [&](int p, int q) { return gathered[(q * 4 + p) * 2 + channel]; };
    EXPECT(got[192 + 4 * i] == texel(gx, gy + 1) && got[193 + 4 * i] == texel(gx + 1, gy + 1) &&
           got[194 + 4 * i] == texel(gx + 1, gy) && got[195 + 4 * i] == texel(gx, gy));
  }
  for (cudaTextureObject_t o : {s.solid, s.layers, s.rows, s.cube, s.levels, s.gathered})
    CHECK(cudaDestroyTextureObject(o));
  for (cudaArray_t o : {a, b, c, d, e})
    CHECK(cudaFreeArray(o));
  CHECK(cudaFreeMipmappedArray(mipmapped));
  CHECK(cudaFree(out));
}

__global__ void writeSurface(cudaSurfaceObject_t s, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
#ifdef BUG_SURFACE
  w += 1;
#endif
  if (x < w)
    surf2Dwrite(make_uchar4(x, y, x ^ y, 255), s, 4 * x, y); // SURFACE
}
__global__ void readSurface(cudaSurfaceObject_t s, cudaTextureObject_t t, float *out, int w, int h) {
  int x = threadIdx.x, y = blockIdx.x;
  if (x < w) {
    uchar4 a = surf2Dread<uchar4>(s, 4 * x, y);
    uchar4 zero = surf2Dread<uchar4>(s, 4 * (x + w), y, cudaBoundaryModeZero);
    uchar4 last = surf2Dread<uchar4>(s, 4 * (x + w), y, cudaBoundaryModeClamp);
    float4 f = tex2D<float4>(t, x + 0.5f, y + 0.5f);
    out[y * w + x] = a.x + 100 * a.z + 10000 * zero.w + 1000000 * last.x + (f.w == 1.f && f.x == x / 255.f ? 0.5f : 0.f);
  }
}
__global__ void mixed(cudaSurfaceObject_t s, cudaTextureObject_t t, float *out, int w) {
  int x = threadIdx.x;
  surf2Dwrite(make_uchar4(x, 1, 2, 3), s, 4 * x, 0);
#ifndef BUG_TEXTURE_RACE
  return;
#endif
  out[x] = tex2D<float4>(t, (x + 1) % w + 0.5f, 0.5f).x; // TEXTURE_RACE
}

static void surfaces() {
  const int w = 64, h = 4;
  cudaArray_t array;
  cudaChannelFormatDesc d = cudaCreateChannelDesc<uchar4>();
  CHECK(cudaMallocArray(&array, &d, w, h, cudaArraySurfaceLoadStore));
  cudaSurfaceObject_t s = surfaceOf(array);
  cudaTextureObject_t t = textureOf(array, sampler(cudaAddressModeClamp, false, false, true));
  float *out;
  std::vector<float> got(w * h);
  CHECK(cudaMalloc(&out, w * h * 4));
  writeSurface<<<dim3(3, h), 32>>>(s, w, h);
  readSurface<<<h, 64>>>(s, t, out, w, h);
  CHECK(cudaMemcpy(got.data(), out, w * h * 4, cudaMemcpyDeviceToHost));
  for (int y = 0; y != h; ++y)
    for (int x = 0; x != w; ++x)
      EXPECT(got[y * w + x] == float(x + 100 * (x ^ y) + 1000000 * 63 + 0.5f));
  mixed<<<1, w>>>(s, t, out, w);
  CHECK(cudaDeviceSynchronize());
  std::vector<uchar4> back(w * h);
  CHECK(cudaMemcpy2DFromArray(back.data(), w * 4, array, 0, 0, w * 4, h, cudaMemcpyDeviceToHost));
  EXPECT(back[5].x == 5 && back[5].y == 1 && back[w + 5].y == 1 && back[w + 5].z == (5 ^ 1));
  CHECK(cudaDestroySurfaceObject(s));
#ifdef BUG_TEXTURE_FREED
  CHECK(cudaFreeArray(array));
  readSurface<<<h, 64>>>(0, t, out, 0, h);
  float2 *places;
  CHECK(cudaMalloc(&places, 8));
  CHECK(cudaMemset(places, 0, 8));
  sample2D<<<1, 32>>>(t, places, out, 1);
  CHECK(cudaDeviceSynchronize());
#endif
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(out));
}

int main() {
  modes();
  buffers();
  shapes();
  surfaces();
  std::printf("good\n");
}
