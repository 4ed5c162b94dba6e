// Thrust sorts and reduces by key: single-pass scans whose blocks wait for one another, run by several workers.
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

#include <cstdio>
#include <vector>

int main() {
  const int n = 20000, kinds = 37;
  std::vector<int> keys(n), values(n), sums(kinds);
  for (int i = 0; i < n; ++i) {
    keys[i] = static_cast<int>(i * 7919ll % kinds);
    values[i] = i % 1000;
    sums[keys[i]] += values[i];
  }
  thrust::device_vector<int> k(keys.begin(), keys.end()), v(values.begin(), values.end()), found(n), total(n);
  thrust::sort_by_key(k.begin(), k.end(), v.begin());
  const auto end = thrust::reduce_by_key(k.begin(), k.end(), v.begin(), found.begin(), total.begin());
  bool right = end.first - found.begin() == kinds;
  for (int i = 0; right && i < kinds; ++i) right = found[i] == i && total[i] == sums[i];
  std::printf("%s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
