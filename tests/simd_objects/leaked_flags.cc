// SPDX-License-Identifier: LGPL-2.1-or-later
// Clean, but compiled with flags that its name does not promise.
namespace planted
{
  namespace generic
  {
    void
    kernel(float *a, const float *b)
    {
      for (int i = 0; i < 1024; ++i)
        a[i] += b[i];
    }
  } // namespace generic
} // namespace planted
