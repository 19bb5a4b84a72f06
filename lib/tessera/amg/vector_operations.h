// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_amg_vector_operations_h
#define tessera_amg_vector_operations_h

#include <tessera/sparse/block_vector.h>

namespace tessera
{
  namespace amg
  {
    /** @name Owned values of vectors of one size
     * Sums are in a fixed order. Sizes are those of the first argument and not
     * checked.
     * @{
     */

    /** $x^T y$. Collective. */
    double
    inner_product(const sparse::BlockVector<double> &x,
                  const sparse::BlockVector<double> &y);

    /** $\|x\|_\infty$; NaN is passed over. Collective. */
    double
    largest_magnitude(const sparse::BlockVector<double> &x);

    /** The power of two that is not above a magnitude and above half of it; 1
     * for 0 and for what is not finite. Local. */
    double
    power_of_two_below(double magnitude);

    /** $\|x\|_2$, also where squares are beyond the range of double.
     * Collective. */
    double
    norm(const sparse::BlockVector<double> &x);

    /** $y \leftarrow y + \alpha x$. Local. */
    template <typename Number>
    void
    add(Number                             alpha,
        const sparse::BlockVector<Number> &x,
        sparse::BlockVector<Number>       &y);

    /** $y \leftarrow x + \beta y$. Local. */
    void
    scale_and_add(const sparse::BlockVector<double> &x,
                  double                             beta,
                  sparse::BlockVector<double>       &y);

    /** $y \leftarrow x$. Local. */
    void
    copy_values(const sparse::BlockVector<double> &x,
                sparse::BlockVector<double>       &y);
    /** @} */
  } // namespace amg
} // namespace tessera

#endif
