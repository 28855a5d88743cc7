// A vector on the device, in an inline namespace as Thrust has it.
#ifndef TEST_TOOLKIT_THRUST_DEVICE_VECTOR
#define TEST_TOOLKIT_THRUST_DEVICE_VECTOR

namespace thrust {
inline namespace THRUST_200802_SM_800_NS {

template <typename T>
struct device_ptr {
  T *pointer;
};
template <typename T>
class device_vector {
 public:
  typedef device_ptr<T> iterator;
  explicit device_vector(size_t count = 0);
  iterator begin();
  iterator end();
  T *data();
  size_t size() const;
};
template <typename T>
T *raw_pointer_cast(T *pointer);

}  // namespace THRUST_200802_SM_800_NS
}  // namespace thrust

#endif
