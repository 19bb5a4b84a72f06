// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/communication.h>
#include <tessera/base/device/device.h>
#include <tessera/base/exceptions.h>

#include <unistd.h>

#include <vector>

namespace tessera
{
  namespace device
  {
    namespace
    {
      DeviceQuery
      query_devices()
      {
        DeviceQuery query;
        query.n_devices = backend::n_devices(query.why_none);
        if (query.available())
          try
            {
              query.properties = backend::device_properties(0);
            }
          catch (const DeviceError &error)
            {
              query.n_devices = 0;
              query.why_none  = error.what();
            }
        return query;
      }



      std::string
      host_name()
      {
        char name[256] = {};
        ::gethostname(name, sizeof(name) - 1);
        return name;
      }
    } // namespace



    std::string
    DeviceQuery::description() const
    {
      if (!available())
        return "none (" + why_none + ")";
      return properties.name + " (compute capability " +
             std::to_string(properties.major) + "." +
             std::to_string(properties.minor) + ", " +
             std::to_string(properties.memory_bytes >> 30) +
             " GiB, driver for CUDA " + properties.driver + ", " +
             std::to_string(n_devices) +
             (n_devices == 1 ? " device)" : " devices)");
    }



    const DeviceQuery &
    available_device()
    {
      static const DeviceQuery query = query_devices();
      return query;
    }



    std::string
    toolkit_description()
    {
      return backend::toolkit();
    }



    int
    choose_device(const Communicator &communicator)
    {
      const std::vector<std::string> names =
        communicator.all_gather(host_name());
      unsigned int local_rank = 0;
      for (unsigned int rank = 0; rank < communicator.rank(); ++rank)
        if (names[rank] == names[communicator.rank()])
          ++local_rank;

      int device = 0;
      communicator.collectively([&] {
        const DeviceQuery &query = available_device();
        if (!query.available())
          throw DeviceError("no device can be used: " + query.why_none);
        device = int(local_rank % (unsigned int)query.n_devices);
        backend::set_device(device);
      });
      return device;
    }
  } // namespace device
} // namespace tessera
