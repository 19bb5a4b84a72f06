// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_exceptions_h
#define tessera_base_exceptions_h

#include <stdexcept>
#include <string>

namespace tessera
{
  /**
   * Exit status of every executable of the suite.
   *
   * The numbers are a public interface: scripts rely on them.
   */
  enum class ExitStatus : int
  {
    success       = 0, ///< the run did what was asked for
    error         = 1, ///< wrong use or wrong input
    not_converged = 2, ///< a solver stopped before its tolerance was reached
    device        = 3  ///< no usable device, or out of memory
  };

  /**
   * Base class of everything this suite throws on account of its surroundings:
   * the user's input, mesh, environment, or device.
   *
   * The message is one that a user can act upon. It says what is wrong, what
   * was found, what is allowed, and what to do. It is printed as it is, once,
   * by rank 0, and followed by the end of the program with exit_status().
   *
   * Exceptions of this type are either thrown on all ranks of a communicator
   * or handled within the rank; see Communicator::all_ok(),
   * throw_collectively() and collectively() for the means to agree on an error
   * that only some ranks have seen. A violated internal
   * assumption is not an exception of this type but a failed
   * TESSERA_ASSERT().
   */
  class Exception : public std::runtime_error
  {
  public:
    Exception(const ExitStatus exit_status, const std::string &message)
      : std::runtime_error(message)
      , status(exit_status)
    {}

    /** The status with which an executable ends on this exception. */
    ExitStatus
    exit_status() const noexcept
    {
      return status;
    }

  private:
    ExitStatus status;
  };

  /** Wrong use: parameters, files, meshes, coefficients, boundary conditions.
   */
  class InputError : public Exception
  {
  public:
    explicit InputError(const std::string &message)
      : Exception(ExitStatus::error, message)
    {}
  };

  /**
   * A solver broke down: NaN or infinity in a residual, an operator or
   * preconditioner that is not positive definite, a singular coarse matrix.
   *
   * Reaching the maximum number of iterations is not an exception; it is
   * reported as a result, because the run goes on to write its output.
   */
  class SolverBreakdown : public Exception
  {
  public:
    explicit SolverBreakdown(const std::string &message)
      : Exception(ExitStatus::not_converged, message)
    {}
  };

  /** No usable device, or not enough memory on the host or the device. */
  class DeviceError : public Exception
  {
  public:
    explicit DeviceError(const std::string &message)
      : Exception(ExitStatus::device, message)
    {}
  };

  namespace internal
  {
    /** Print the violated condition and its place, then abort. */
    [[noreturn]] void
    assertion_failed(const char *condition,
                     const char *message,
                     const char *file,
                     int         line) noexcept;
  } // namespace internal
} // namespace tessera

/**
 * Check an assumption of this library in debug builds; a violation is our bug.
 * Expands to nothing where NDEBUG is defined. On a device a violation ends the
 * kernel, and the next synchronization with it throws.
 */
#if defined(__CUDA_ARCH__)
#  include <cassert>
#  define TESSERA_ASSERT(condition, message) assert((condition) && message)
#elif !defined(NDEBUG)
#  define TESSERA_ASSERT(condition, message)                \
    do                                                      \
      {                                                     \
        if (!(condition))                                   \
          ::tessera::internal::assertion_failed(#condition, \
                                                message,    \
                                                __FILE__,   \
                                                __LINE__);  \
    } while (false)
#else
#  define TESSERA_ASSERT(condition, message) \
    do                                       \
      {                                      \
    } while (false)
#endif

#endif
