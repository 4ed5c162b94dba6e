// See shared_ptr_base.h; for libstdc++ 13 and newer.
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/basic_string.h>
#pragma pop_macro("__noinline__")
