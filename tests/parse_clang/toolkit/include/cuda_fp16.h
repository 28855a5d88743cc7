// The 16-bit floating type that the parser's tests use.
#ifndef TEST_TOOLKIT_CUDA_FP16
#define TEST_TOOLKIT_CUDA_FP16

struct __half {
  __half() = default;
  __host__ __device__ __half(float value);
  __host__ __device__ operator float() const;

 private:
  unsigned short bits;
};
typedef __half half;
struct __align__(4) __half2 {
  half x, y;
};
typedef __half2 half2;

__host__ __device__ __half __float2half(float value);
__host__ __device__ float __half2float(__half value);
__device__ __half __hadd(__half a, __half b);
__device__ __half2 __hfma2(__half2 a, __half2 b, __half2 c);

#endif
