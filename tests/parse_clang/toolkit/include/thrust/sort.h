// Sorting, as Thrust declares it.
#ifndef TEST_TOOLKIT_THRUST_SORT
#define TEST_TOOLKIT_THRUST_SORT

namespace thrust {
inline namespace THRUST_200802_SM_800_NS {

template <typename Iterator>
void sort(Iterator first, Iterator last);
template <typename Iterator, typename Compare>
void sort(Iterator first, Iterator last, Compare compare);

}  // namespace THRUST_200802_SM_800_NS
}  // namespace thrust

#endif
