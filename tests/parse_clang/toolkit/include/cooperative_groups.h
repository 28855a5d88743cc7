// The groups of threads that the parser's tests use.
#ifndef TEST_TOOLKIT_COOPERATIVE_GROUPS
#define TEST_TOOLKIT_COOPERATIVE_GROUPS

namespace cooperative_groups {
inline namespace __v1 {

class thread_group {
 public:
  __device__ void sync() const;
  __device__ unsigned long long size() const;
  __device__ unsigned long long thread_rank() const;
};
class thread_block : public thread_group {
 public:
  __device__ static void sync();
  __device__ static unsigned int thread_rank();
  __device__ static unsigned int size();
  __device__ static dim3 group_index();
  __device__ static dim3 thread_index();
};
class grid_group : public thread_group {
 public:
  __device__ void sync() const;
  __device__ unsigned long long thread_rank() const;
  __device__ bool is_valid() const;
};
class coalesced_group : public thread_group {
 public:
  __device__ unsigned int thread_rank() const;
  __device__ unsigned int ballot(int predicate) const;
};

// CUDA's tiles take most of their methods from bases with names of their own, too.
template <unsigned int Size>
class __tile_base : public thread_group {
 public:
  __device__ int any(int predicate) const;
  __device__ int all(int predicate) const;
};
template <unsigned int Size, typename Parent = void>
class thread_block_tile : public __tile_base<Size> {
 public:
  __device__ void sync() const;
  __device__ unsigned long long thread_rank() const;
  __device__ unsigned long long meta_group_rank() const;
  __device__ static constexpr unsigned int num_threads() { return Size; }
  __device__ unsigned int ballot(int predicate) const;
  template <typename T>
  __device__ T shfl(T value, int lane) const;
  template <typename T>
  __device__ T shfl_down(T value, unsigned int delta) const;
  template <typename T>
  __device__ T shfl_xor(T value, unsigned int lanes) const;
};

__device__ thread_block this_thread_block();
__device__ grid_group this_grid();
__device__ coalesced_group coalesced_threads();
__device__ thread_group tiled_partition(const thread_group &parent, unsigned int size);
template <unsigned int Size, typename Parent>
__device__ thread_block_tile<Size, Parent> tiled_partition(const Parent &parent);
template <typename Group>
__device__ void sync(const Group &group);

}  // namespace __v1
}  // namespace cooperative_groups

#endif
