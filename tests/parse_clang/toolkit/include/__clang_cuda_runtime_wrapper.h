// A stand-in for clang's header of this name, found before it: CUDA's words and a few
// declarations, so that the parser's tests need no CUDA headers.
#ifndef TEST_TOOLKIT_WRAPPER
#define TEST_TOOLKIT_WRAPPER

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...) __attribute__((cluster_dims(__VA_ARGS__)))
#define __maxnreg__(n) __attribute__((maxnreg(n)))
#define __grid_constant__ __attribute__((grid_constant))
#define __noinline__ __attribute__((noinline))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __CUDACC__ 1

#include "cuda_runtime.h"

// threadIdx and its kind, as clang has them: properties that call a function.
#include "__clang_cuda_builtin_vars.h"

#endif
