// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_check_h
#define tessera_tests_check_h

// Checks for self-checking tests that run where there is only a compiler. A
// failed check prints its place and values and lets the test go on;
// check::result() is the exit status of main().

#include <cmath>
#include <cstdio>
#include <iostream>
#include <string>

namespace check
{
  inline int &
  n_checks()
  {
    static int n = 0;
    return n;
  }

  inline int &
  n_failures()
  {
    static int n = 0;
    return n;
  }

  inline void
  record(const bool ok, const char *what, const char *file, const int line)
  {
    ++n_checks();
    if (!ok)
      {
        ++n_failures();
        std::cerr << file << ':' << line << ": failed: " << what << std::endl;
      }
  }

  template <typename A, typename B>
  void
  equal(const A    &a,
        const B    &b,
        const char *what,
        const char *file,
        const int   line)
  {
    record(a == b, what, file, line);
    if (!(a == b))
      std::cerr << "  found " << a << ", expected " << b << std::endl;
  }

  /** |a - b| <= tolerance * max(1, |b|); false for NaN. */
  inline void
  close_to(const double a,
           const double b,
           const double tolerance,
           const char  *what,
           const char  *file,
           const int    line)
  {
    const bool ok = std::abs(a - b) <= tolerance * std::fmax(1., std::abs(b));
    record(ok, what, file, line);
    if (!ok)
      std::cerr << "  found " << a << ", expected " << b << ", difference "
                << a - b << std::endl;
  }

  /** Call a function that must throw an E; return the message. */
  template <typename E, typename F>
  std::string
  throws(F &&f, const char *what, const char *file, const int line)
  {
    try
      {
        f();
      }
    catch (const E &e)
      {
        record(true, what, file, line);
        return e.what();
      }
    record(false, what, file, line);
    return {};
  }

  /** Print the closing line; a test without a check has failed. */
  inline int
  result()
  {
    std::cout << n_checks() - n_failures() << " passed, " << n_failures()
              << " failed" << std::endl;
    return (n_failures() == 0 && n_checks() > 0) ? 0 : 1;
  }
} // namespace check

#define CHECK(condition) \
  check::record((condition), #condition, __FILE__, __LINE__)
#define CHECK_EQUAL(a, b) \
  check::equal((a), (b), #a " == " #b, __FILE__, __LINE__)
#define CHECK_NEAR(a, b, tolerance) \
  check::close_to((a), (b), (tolerance), #a " ~ " #b, __FILE__, __LINE__)
#define CHECK_THROWS(E, expression)             \
  check::throws<E>([&] { (void)(expression); }, \
                   #expression " throws " #E,   \
                   __FILE__,                    \
                   __LINE__)

#endif
