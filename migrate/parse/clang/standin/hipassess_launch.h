// What CUDA's compiler has before the first line of a file, and clang does not.
#pragma once

// Its crt/common_functions.h brings these: many a program prints without asking for it.
#ifdef __CLANG_CUDA_RUNTIME_WRAPPER_H__
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <new>
#include <utility>
#endif

// What clang calls for kernel<<<...>>>() in a pass over device code; CUDA's headers have it no more.
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);
