// The driver's names that the parser's tests use.
#ifndef TEST_TOOLKIT_CUDA
#define TEST_TOOLKIT_CUDA

#define CUDA_VERSION 12090
#define CUDAAPI

typedef enum cudaError_enum { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1 } CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;

typedef struct CUdevprop_st {
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int sharedMemPerBlock;
  int SIMDWidth;
  int clockRate;
} CUdevprop;
typedef struct CUctxCreateParams_st {
  int numExecAffinityParams;
} CUctxCreateParams;

#define cuCtxCreate cuCtxCreate_v4
#define cuMemAlloc cuMemAlloc_v2
#define cuMemFree cuMemFree_v2

extern "C" {
CUresult cuInit(unsigned int flags);
CUresult cuDeviceGet(CUdevice *device, int ordinal);
CUresult cuDeviceGetProperties(CUdevprop *prop, CUdevice dev);
CUresult cuCtxCreate(CUcontext *context, CUctxCreateParams *params, unsigned int flags,
                     CUdevice dev);
CUresult cuMemAlloc(CUdeviceptr *pointer, unsigned long size);
CUresult cuMemFree(CUdeviceptr pointer);
CUresult cuModuleLoad(CUmodule *module, const char *name);
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
                        unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                        CUstream stream, void **parameters, void **extra);
}

#endif
