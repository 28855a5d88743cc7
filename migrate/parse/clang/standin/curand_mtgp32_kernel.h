/* Stands in for a header of cuRAND where that is not installed. The CUDA wrapper of clang includes
   it for a redeclaration of blockDim and threadIdx, with dim3 redefined around it; a parse without
   it is the same. Whoever else includes it wants the real one. */
#ifndef dim3
#include_next <curand_mtgp32_kernel.h>
#endif
