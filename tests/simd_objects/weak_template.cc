// SPDX-License-Identifier: LGPL-2.1-or-later
// Planted fault: a template outside the namespace of the set, instantiated for
// a type that all sets have.
namespace planted
{
  template <typename T>
  T
  sum(const T *a, const int n)
  {
    T s = 0;
    for (int i = 0; i < n; ++i)
      s += a[i];
    return s;
  }

  template float
  sum<float>(const float *, int);
} // namespace planted
