// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/sparse/product/product_algorithm.h>

namespace tessera
{
  namespace sparse
  {
    namespace
    {
      template <typename E>
      struct Name
      {
        E           value;
        const char *name;
      };

      constexpr Name<ProductAlgorithm> algorithms[] = {
        {ProductAlgorithm::automatic, "auto"},
        {ProductAlgorithm::two_pass, "two-pass"},
        {ProductAlgorithm::fused, "fused"},
        {ProductAlgorithm::fused_ordered, "fused ordered"},
        {ProductAlgorithm::tiled, "tiled"},
        {ProductAlgorithm::schedule, "schedule"},
        {ProductAlgorithm::outer_product, "outer product"},
        {ProductAlgorithm::cached_positions, "cached positions"}};

      constexpr Name<FusedOrder> orders[] = {{FusedOrder::natural, "natural"},
                                             {FusedOrder::minimum_fine_index,
                                              "minimum fine index"},
                                             {FusedOrder::rcm, "rcm"}};

      template <typename E, std::size_t n>
      std::string
      name_of(const E value, const Name<E> (&names)[n])
      {
        for (const Name<E> &entry : names)
          if (entry.value == value)
            return entry.name;
        TESSERA_ASSERT(false, "every value has a name");
        return {};
      }

      template <typename E, std::size_t n>
      E
      value_of(const std::string &name,
               const Name<E> (&names)[n],
               const std::string &what)
      {
        std::string known;
        for (const Name<E> &entry : names)
          {
            if (name == entry.name)
              return entry.value;
            known +=
              std::string(known.empty() ? "'" : ", '") + entry.name + "'";
          }
        throw InputError("There is no " + what + " '" + name +
                         "'. Choose one of " + known + ".");
      }
    } // namespace

    std::string
    to_string(const ProductAlgorithm algorithm)
    {
      return name_of(algorithm, algorithms);
    }

    std::string
    to_string(const FusedOrder order)
    {
      return name_of(order, orders);
    }

    ProductAlgorithm
    product_algorithm_from_string(const std::string &name)
    {
      return value_of(name, algorithms, "product algorithm");
    }

    FusedOrder
    fused_order_from_string(const std::string &name)
    {
      return value_of(name, orders, "fused order");
    }
  } // namespace sparse
} // namespace tessera
