// Compiled once for each precompiled header that others reuse (pch.h, tiles_pch.h).
