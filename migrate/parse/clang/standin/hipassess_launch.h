// What clang calls for kernel<<<...>>>() in a pass over device code; CUDA's headers have it no more.
#pragma once
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);
