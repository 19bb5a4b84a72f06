// SPDX-License-Identifier: LGPL-2.1-or-later
// AlignedVector and the accounting of memory.
#include <tessera/base/aligned_vector.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <type_traits>

#include "check.h"

using namespace tessera;

static_assert(!std::is_copy_constructible<AlignedVector<int>>::value, "");
static_assert(!std::is_copy_assignable<AlignedVector<int>>::value, "");
static_assert(std::is_nothrow_move_constructible<AlignedVector<int>>::value,
              "");

template <typename T>
bool
is_aligned(const AlignedVector<T> &v)
{
  return reinterpret_cast<std::uintptr_t>(v.data()) % 64 == 0;
}

void
test_vector()
{
  for (const std::size_t n : {1, 7, 64, 1000})
    {
      AlignedVector<double> v(n);
      CHECK(is_aligned(v));
      CHECK(is_aligned(AlignedVector<char>(n)));
      CHECK_EQUAL(v.size(), n);
      CHECK_EQUAL(v.size_in_bytes(), 8 * n);
      CHECK_EQUAL(std::accumulate(v.begin(), v.end(), 0.), 0.);
    }

  AlignedVector<int> v(10, 3);
  std::iota(v.begin(), v.end(), 0);
  v.resize(15);
  CHECK_EQUAL(v.size(), 15u);
  for (int i = 0; i < 15; ++i)
    CHECK_EQUAL(v[static_cast<std::size_t>(i)], i < 10 ? i : 0);
  v.resize(4);
  CHECK_EQUAL(v.size(), 4u);
  CHECK_EQUAL(v[3], 3);

  AlignedVector<int> copy = v.copy();
  CHECK(copy.data() != v.data());
  CHECK(std::equal(v.begin(), v.end(), copy.begin(), copy.end()));
  copy[0] = 17;
  CHECK_EQUAL(v[0], 0);
  int *const address = copy.data();
  copy.copy_from(v); // equal sizes keep the memory
  CHECK(copy.data() == address);
  CHECK_EQUAL(copy[0], 0);
  copy.copy_from(copy);
  CHECK_EQUAL(copy.size(), 4u);

  AlignedVector<int> moved = std::move(copy);
  CHECK(moved.data() == address);
  CHECK(copy.empty() && copy.data() == nullptr);
  moved = std::move(v);
  CHECK_EQUAL(moved[3], 3);
  CHECK(v.empty());
  AlignedVector<int> &self = moved;
  moved                    = std::move(self);
  CHECK_EQUAL(moved.size(), 4u);

  moved.resize_without_initialization(100);
  CHECK_EQUAL(moved.size(), 100u);
  CHECK(is_aligned(moved));
#ifndef NDEBUG
  AlignedVector<double> undefined;
  undefined.resize_without_initialization(5);
  for (const double x : undefined)
    CHECK(std::isnan(x));
#endif
  moved.clear();
  CHECK(moved.empty());
  AlignedVector<int> empty(0);
  CHECK(empty.begin() == empty.end());
  CHECK(empty.copy().empty());
}

void
test_accounting()
{
  const std::uint64_t before = allocated_bytes();
  reset_peak_allocated_bytes();
  {
    AlignedVector<double> a(1000);
    CHECK_EQUAL(allocated_bytes(), before + 8000);
    {
      AlignedVector<char> b(500);
      CHECK_EQUAL(allocated_bytes(), before + 8500);
    }
    a.resize_without_initialization(100); // frees first
    AlignedVector<double> b = std::move(a);
    CHECK_EQUAL(allocated_bytes(), before + 800);
    CHECK_EQUAL(peak_allocated_bytes(), before + 8500);
    b.resize(200); // holds both for a while
    CHECK_EQUAL(allocated_bytes(), before + 1600);
    reset_peak_allocated_bytes();
    CHECK_EQUAL(peak_allocated_bytes(), before + 1600);
    b.resize(100);
    CHECK_EQUAL(peak_allocated_bytes(), before + 2400);
  }
  CHECK_EQUAL(allocated_bytes(), before);

  // Written memory shows up in the resident set.
  const std::size_t   n               = 32 << 20;
  const std::uint64_t before_resident = resident_bytes();
  AlignedVector<char> large(n, 1);
  CHECK(large[n - 1] == 1);
  CHECK(peak_resident_bytes() >= n);
  if (before_resident > 0) // the system tells
    {
      CHECK(resident_bytes() + (1 << 20) >= before_resident + n);
      CHECK(peak_resident_bytes() + (1 << 20) >= resident_bytes());
      CHECK(available_memory_bytes() > 0);
    }
}

void
test_failure()
{
  const std::uint64_t before = allocated_bytes();
  // Beyond any address space.
  const std::string message =
    CHECK_THROWS(DeviceError, allocate_aligned(std::size_t(1) << 62));
  CHECK(message.find(std::to_string(std::size_t(1) << 62)) !=
        std::string::npos);
  CHECK(message.find("available") != std::string::npos);
  // The number of bytes would overflow.
  CHECK_THROWS(DeviceError,
               AlignedVector<double>(std::numeric_limits<std::size_t>::max() /
                                     4));
  AlignedVector<double> v(10, 1.);
  CHECK_THROWS(DeviceError, v.resize(std::size_t(1) << 58));
  CHECK_EQUAL(v.size(), 10u); // as before
  CHECK_EQUAL(v[9], 1.);
  CHECK_THROWS(DeviceError,
               v.resize_without_initialization(std::size_t(1) << 58));
  CHECK(v.empty());
  CHECK_EQUAL(allocated_bytes(), before);
  CHECK(allocate_aligned(0) == nullptr);
  free_aligned(nullptr, 0);
}

int
main()
{
  test_vector();
  test_accounting();
  test_failure();
  return check::result();
}
