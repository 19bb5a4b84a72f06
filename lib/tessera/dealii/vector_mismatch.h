// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_dealii_vector_mismatch_h
#define tessera_dealii_vector_mismatch_h

#include <tessera/base/execution.h>
#include <tessera/dealii/device_vector.h>

#include <deal.II/base/index_set.h>

#include <sstream>
#include <string>

namespace tessera::dealii_adapters
{
  /** Whether a vector is where an operator works: that of the host is. @{ */
  template <typename VectorType>
  bool
  is_on_queue(const VectorType &, const execution::HostQueue &)
  {
    return true;
  }

  template <typename Number>
  bool
  is_on_queue(const DeviceVector<Number> &v, const device::Stream &queue)
  {
    return &v.stream() == &queue;
  }
  /** @} */



  /**
   * What keeps vectors from being an argument and its image, in words; empty if
   * nothing does. Local.
   * @param[in] name Of the operator.
   * @param[in] owned The locally owned degrees of freedom of its DoFHandler.
   */
  template <typename VectorType, typename Queue>
  std::string
  vector_mismatch(const std::string      &name,
                  const VectorType       &dst,
                  const VectorType       &src,
                  const dealii::IndexSet &owned,
                  const Queue            &queue)
  {
    if (&dst == &src)
      return name +
             " cannot overwrite its argument: dst and src have to be different "
             "vectors.";
    for (const VectorType *const v :
         {&src, static_cast<const VectorType *>(&dst)})
      {
        const std::string which = v == &src ? "The source" : "The destination";
        if (v->size() != owned.size() || v->locally_owned_elements() != owned)
          {
            std::ostringstream text;
            text << which << " vector has " << v->size() << " entries, "
                 << v->locally_owned_elements().n_elements()
                 << " of them on this rank; the DoFHandler that " << name
                 << " was initialized with has " << owned.size() << ", "
                 << owned.n_elements()
                 << " of them on this rank. Make vectors of the locally owned "
                    "degrees of freedom, and call initialize() again when they "
                    "have changed.";
            return text.str();
          }
        if (!is_on_queue(*v, queue))
          return which + " vector is on another stream than the one that " +
                 name + " was constructed with. Give both the same.";
      }
    return {};
  }
} // namespace tessera::dealii_adapters

#endif
