// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/base/memory.h>

#include <sys/resource.h>
#ifdef __linux__
#  include <sys/mman.h>
#endif

#include <algorithm>
#include <atomic>
#include <fstream>
#include <limits>
#include <new>
#include <string>

namespace tessera
{
  namespace
  {
    std::atomic<std::uint64_t> n_allocated{0};
    std::atomic<std::uint64_t> n_peak{0};

    constexpr std::size_t huge_page = 2 << 20;

    /** Arrays of many huge pages begin at one. */
    constexpr std::size_t
    alignment_of(const std::size_t n_bytes)
    {
      return n_bytes >= 2 * huge_page ? huge_page : memory_alignment;
    }

    /**
     * Ask for huge pages where an array has whole ones: every group of cells of
     * a sweep is on pages of its own, whose addresses have to be translated.
     * That the system has none is no error.
     */
    void
    prefer_huge_pages(void *memory, const std::size_t n_bytes)
    {
#ifdef MADV_HUGEPAGE
      if (alignment_of(n_bytes) == huge_page)
        (void)::madvise(memory, n_bytes / huge_page * huge_page, MADV_HUGEPAGE);
#else
      (void)memory;
      (void)n_bytes;
#endif
    }

    /** The value of a line "name:  123 kB" of a file in /proc, in bytes. */
    std::uint64_t
    proc_entry(const char *file, const std::string &name)
    {
      std::ifstream in(file);
      for (std::string line; std::getline(in, line);)
        if (line.compare(0, name.size(), name) == 0)
          return 1024 * std::strtoull(line.c_str() + name.size(), nullptr, 10);
      return 0;
    }

    bool
    read_number(const std::string &file, std::uint64_t &number)
    {
      std::ifstream in(file);
      return static_cast<bool>(in >> number); // fails for "max"
    }

    /** What the control group (version 2, or 1) of the process has left. */
    std::uint64_t
    available_in_control_group()
    {
      const std::string directory = "/sys/fs/cgroup/";
      for (const auto &[limit_file, usage_file] :
           {std::pair<const char *, const char *>("memory.max",
                                                  "memory.current"),
            std::pair<const char *, const char *>(
              "memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes")})
        {
          std::uint64_t limit, usage;
          if (read_number(directory + limit_file, limit) &&
              read_number(directory + usage_file, usage))
            return limit - std::min(limit, usage);
        }
      return std::numeric_limits<std::uint64_t>::max();
    }
  } // namespace

  void *
  allocate_aligned(const std::size_t n_bytes)
  {
    if (n_bytes == 0)
      return nullptr;
    void *const memory =
      ::        operator new (n_bytes,
                      std::align_val_t{alignment_of(n_bytes)},
                      std::nothrow);
    if (memory == nullptr)
      throw DeviceError(
        "Out of memory on the host: " + std::to_string(n_bytes) +
        " bytes were requested, about " +
        std::to_string(available_memory_bytes()) +
        " are available, and this process holds " +
        std::to_string(allocated_bytes()) +
        " in large arrays. Use a smaller problem or more processes on more "
        "machines.");
    prefer_huge_pages(memory, n_bytes);

    const std::uint64_t now =
      n_allocated.fetch_add(n_bytes, std::memory_order_relaxed) + n_bytes;
    std::uint64_t peak = n_peak.load(std::memory_order_relaxed);
    while (peak < now &&
           !n_peak.compare_exchange_weak(peak, now, std::memory_order_relaxed))
      {}
    return memory;
  }

  void
  free_aligned(void *memory, const std::size_t n_bytes) noexcept
  {
    if (memory == nullptr)
      return;
    ::operator delete (memory, std::align_val_t{alignment_of(n_bytes)});
    n_allocated.fetch_sub(n_bytes, std::memory_order_relaxed);
  }

  std::uint64_t
  allocated_bytes() noexcept
  {
    return n_allocated.load(std::memory_order_relaxed);
  }

  std::uint64_t
  peak_allocated_bytes() noexcept
  {
    return n_peak.load(std::memory_order_relaxed);
  }

  void
  reset_peak_allocated_bytes() noexcept
  {
    n_peak.store(allocated_bytes(), std::memory_order_relaxed);
  }

  std::uint64_t
  resident_bytes()
  {
    return proc_entry("/proc/self/status", "VmRSS:");
  }

  std::uint64_t
  peak_resident_bytes()
  {
    const std::uint64_t peak = proc_entry("/proc/self/status", "VmHWM:");
    if (peak > 0)
      return peak;

    struct rusage usage;
    if (::getrusage(RUSAGE_SELF, &usage) != 0)
      return 0;
#ifdef __APPLE__
    return static_cast<std::uint64_t>(usage.ru_maxrss);
#else
    return 1024 * static_cast<std::uint64_t>(usage.ru_maxrss);
#endif
  }

  std::uint64_t
  available_memory_bytes()
  {
    return std::min(proc_entry("/proc/meminfo", "MemAvailable:"),
                    available_in_control_group());
  }
} // namespace tessera
