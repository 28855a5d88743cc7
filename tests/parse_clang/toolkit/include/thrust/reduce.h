// Reduction, as Thrust declares it.
#ifndef TEST_TOOLKIT_THRUST_REDUCE
#define TEST_TOOLKIT_THRUST_REDUCE

namespace thrust {
inline namespace THRUST_200802_SM_800_NS {

template <typename Iterator, typename T>
T reduce(Iterator first, Iterator last, T start);

}  // namespace THRUST_200802_SM_800_NS
}  // namespace thrust

#endif
