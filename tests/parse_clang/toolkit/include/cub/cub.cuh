// The parts of CUB that the parser's tests use, in an inline namespace as CUB has them.
#ifndef TEST_TOOLKIT_CUB
#define TEST_TOOLKIT_CUB

namespace cub {
inline namespace CUB_200802_SM_800_NS {

struct Sum {
  template <typename T>
  __host__ __device__ T operator()(const T &a, const T &b) const {
    return a + b;
  }
};
template <typename T, int Threads>
class BlockReduce {
 public:
  struct TempStorage {
    T partial[(Threads + 31) / 32];
  };
  __device__ BlockReduce(TempStorage &storage);
  __device__ T Sum(T value);
  template <typename Op>
  __device__ T Reduce(T value, Op op);
};
template <typename T, int Threads = 32>
class WarpReduce {
 public:
  struct TempStorage {
    T value;
  };
  __device__ WarpReduce(TempStorage &storage);
  __device__ T Sum(T value);
};
struct DeviceReduce {
  template <typename In, typename Out>
  static cudaError_t Sum(void *storage, size_t &bytes, In in, Out out, int count,
                         cudaStream_t stream = 0);
};
struct DeviceRadixSort {
  template <typename Key>
  static cudaError_t SortKeys(void *storage, size_t &bytes, const Key *in, Key *out, int count,
                              int begin = 0, int end = sizeof(Key) * 8, cudaStream_t stream = 0);
};

}  // namespace CUB_200802_SM_800_NS
}  // namespace cub

#endif
