// What the headers of the C++ standard declare is also in cuda::std.
#pragma once
namespace std {}
namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda
