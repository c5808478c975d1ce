// Compiled once; every MLIR-facing library reuses the precompiled pch.h.
