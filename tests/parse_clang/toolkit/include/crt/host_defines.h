// CUDA has its words here; the parser's tests have them in the wrapper. A toolkit without is none.
#include "../__clang_cuda_runtime_wrapper.h"
