// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_device_memory_h
#define tessera_base_device_memory_h

#include <tessera/base/device/stream.h>
#include <tessera/base/exceptions.h>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace tessera
{
  namespace device
  {
    namespace internal
    {
      void *
      allocate_array(bool        on_device,
                     std::size_t n_values,
                     std::size_t bytes_per_value);

      void
      free_array(bool on_device, void *memory) noexcept;

      /** Copy, and count the bytes between host and device. */
      void
      copy_counted(void         *to,
                   const void   *from,
                   std::size_t   n_bytes,
                   CopyDirection direction,
                   const Stream &stream);

      /** A fixed number of values, on the device or in pinned host memory. */
      template <typename T, bool on_device>
      class Array
      {
        static_assert(std::is_trivially_copyable<T>::value,
                      "Values move between host and device as bytes.");

      public:
        Array() = default;

        explicit Array(const std::size_t n_values)
          : memory(
              static_cast<T *>(allocate_array(on_device, n_values, sizeof(T))))
          , n(n_values)
        {}

        Array(Array &&other) noexcept
          : memory(std::exchange(other.memory, nullptr))
          , n(std::exchange(other.n, 0))
        {}

        Array &
        operator=(Array &&other) noexcept
        {
          std::swap(memory, other.memory);
          std::swap(n, other.n);
          return *this;
        }

        ~Array()
        {
          free_array(on_device, memory);
        }

        /** The first value; null if there is none. */
        T *
        data()
        {
          return memory;
        }

        const T *
        data() const
        {
          return memory;
        }

        std::size_t
        size() const
        {
          return n;
        }

        bool
        empty() const
        {
          return n == 0;
        }

      private:
        T          *memory = nullptr;
        std::size_t n      = 0;
      };
    } // namespace internal

    /**
     * An array in pinned host memory, values[size()]: what copies that run
     * beside the host need on its side. Dear to allocate; not initialized.
     *
     * @throws DeviceError where there is no device, or no memory.
     */
    template <typename T>
    class PinnedMemory : public internal::Array<T, false>
    {
    public:
      using internal::Array<T, false>::Array;

      T &
      operator[](const std::size_t i)
      {
        return this->data()[i];
      }

      const T &
      operator[](const std::size_t i) const
      {
        return this->data()[i];
      }
    };

    /**
     * An array in device memory, values[size()], aligned to 256 bytes, that
     * is not initialized. Moves, does not copy.
     *
     * Copies to and from the host are counted in Counters::process() as
     * `host_to_device_bytes` and `device_to_host_bytes`, in the phase that is
     * open on the host (CounterPhase); so a test can see that no large array
     * crosses in a recurring phase. Copies within the device are not counted.
     *
     * Copies are given to a stream. The functions `..._async` return at once if
     * the host memory is pinned (PinnedMemory); it must not be changed or read
     * before the stream has been synchronized. The others wait for the stream.
     *
     * @throws DeviceError from the constructor: with the bytes requested and
     * free where there is not enough memory, or where there is no device.
     */
    template <typename T>
    class Memory : public internal::Array<T, true>
    {
    public:
      using internal::Array<T, true>::Array;

      /** A copy of n_values values of the host. */
      Memory(const T          *host_values,
             const std::size_t n_values,
             const Stream     &stream)
        : internal::Array<T, true>(n_values)
      {
        copy_from_host(host_values, stream);
      }

      /** Fill the array from size() values of the host. */
      void
      copy_from_host(const T *host_values, const Stream &stream)
      {
        copy_from_host_async(host_values, stream);
        stream.synchronize();
      }

      /** Write the array to size() values of the host. */
      void
      copy_to_host(T *host_values, const Stream &stream) const
      {
        copy_to_host_async(host_values, stream);
        stream.synchronize();
      }

      void
      copy_from_host_async(const T *host_values, const Stream &stream)
      {
        copy_from_host_async(host_values, 0, this->size(), stream);
      }

      void
      copy_to_host_async(T *host_values, const Stream &stream) const
      {
        copy_to_host_async(host_values, 0, this->size(), stream);
      }

      /** Fill the values [first, first + n_values). */
      void
      copy_from_host_async(const T          *host_values,
                           const std::size_t first,
                           const std::size_t n_values,
                           const Stream     &stream)
      {
        TESSERA_ASSERT(first + n_values <= this->size(), "out of range");
        internal::copy_counted(this->data() + first,
                               host_values,
                               n_values * sizeof(T),
                               CopyDirection::host_to_device,
                               stream);
      }

      /** Write the values [first, first + n_values) to the host. */
      void
      copy_to_host_async(T                *host_values,
                         const std::size_t first,
                         const std::size_t n_values,
                         const Stream     &stream) const
      {
        TESSERA_ASSERT(first + n_values <= this->size(), "out of range");
        internal::copy_counted(host_values,
                               this->data() + first,
                               n_values * sizeof(T),
                               CopyDirection::device_to_host,
                               stream);
      }

      /** Fill the array from another one of the same size. */
      void
      copy_from_device_async(const Memory &other, const Stream &stream)
      {
        TESSERA_ASSERT(other.size() == this->size(), "sizes differ");
        internal::copy_counted(this->data(),
                               other.data(),
                               this->size() * sizeof(T),
                               CopyDirection::device_to_device,
                               stream);
      }

      /** Set every byte of the array: 0 makes zeros, 0xff makes NaNs. */
      void
      fill_bytes_async(const unsigned char value, const Stream &stream)
      {
        if (!this->empty())
          backend::fill_bytes(this->data(),
                              value,
                              this->size() * sizeof(T),
                              stream.handle());
      }
    };
  } // namespace device
} // namespace tessera

#endif
