#pragma once
// Names that Thrust and CUB had before version 3.

#ifdef __CUDACC__
namespace thrust {

template <class Argument, class Result>
struct unary_function {
  typedef Argument argument_type;
  typedef Result result_type;
};

template <class First, class Second, class Result>
struct binary_function {
  typedef First first_argument_type;
  typedef Second second_argument_type;
  typedef Result result_type;
};

template <class T>
struct identity {
  __host__ __device__ const T& operator()(const T& x) const { return x; }
};

template <class Predicate>
struct unary_negate {
  Predicate predicate;
  __host__ __device__ explicit unary_negate(Predicate p) : predicate(p) {}
  template <class T>
  __host__ __device__ bool operator()(const T& x) const {
    return !predicate(x);
  }
};
template <class Predicate>
__host__ __device__ unary_negate<Predicate> not1(const Predicate& p) {
  return unary_negate<Predicate>(p);
}

template <class Predicate>
struct binary_negate {
  Predicate predicate;
  __host__ __device__ explicit binary_negate(Predicate p) : predicate(p) {}
  template <class A, class B>
  __host__ __device__ bool operator()(const A& a, const B& b) const {
    return !predicate(a, b);
  }
};
template <class Predicate>
__host__ __device__ binary_negate<Predicate> not2(const Predicate& p) {
  return binary_negate<Predicate>(p);
}

}  // namespace thrust

namespace cub {

struct Sum {
  template <class A, class B>
  __host__ __device__ auto operator()(const A& a, const B& b) const -> decltype(a + b) {
    return a + b;
  }
};
struct Difference {
  template <class A, class B>
  __host__ __device__ auto operator()(const A& a, const B& b) const -> decltype(a - b) {
    return a - b;
  }
};
struct Max {
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};
struct Min {
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};
struct Equality {
  template <class A, class B>
  __host__ __device__ bool operator()(const A& a, const B& b) const {
    return a == b;
  }
};
struct Inequality {
  template <class A, class B>
  __host__ __device__ bool operator()(const A& a, const B& b) const {
    return a != b;
  }
};

}  // namespace cub
#endif
