// Where an algorithm runs, as Thrust declares it: in an inner namespace.
#ifndef TEST_TOOLKIT_THRUST_EXECUTION_POLICY
#define TEST_TOOLKIT_THRUST_EXECUTION_POLICY

namespace thrust {
inline namespace THRUST_200802_SM_800_NS {

namespace cuda_cub {
struct par_t {};
static const par_t par;
}  // namespace cuda_cub
namespace cuda {
using cuda_cub::par;
}  // namespace cuda

}  // namespace THRUST_200802_SM_800_NS
}  // namespace thrust

#endif
