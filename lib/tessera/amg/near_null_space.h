// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_amg_near_null_space_h
#define tessera_amg_near_null_space_h

#include <tessera/base/aligned_vector.h>
#include <tessera/sparse/index_layout.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera
{
  namespace amg
  {
    /**
     * Vectors that a matrix maps to (almost) nothing and that coarse levels
     * therefore have to represent: the columns of B.
     *
     * Storage, host memory: values[n_owned][block_size][n_modes], for the
     * owned indices of a layout. Moved, not copied by accident: see copy().
     */
    class NearNullSpace
    {
    public:
      NearNullSpace() = default;

      /** Zeros.
       * @throws InputError unless 1 <= block_size, n_modes <=
       * sparse::max_block_size. */
      NearNullSpace(const sparse::IndexLayout &layout,
                    int                        block_size,
                    int                        n_modes);

      const sparse::IndexLayout &
      layout() const;

      int
      block_size() const;

      int
      n_modes() const;

      double *
      data();

      const double *
      data() const;

      /** The same vectors. */
      NearNullSpace
      copy() const;

      std::size_t
      memory_consumption() const;

    private:
      sparse::IndexLayout   index_layout;
      int                   size_of_block   = 1;
      int                   number_of_modes = 1;
      AlignedVector<double> values;
    };

    /** One constant for each component: for scalar problems (block size 1), and
     * systems of them. */
    NearNullSpace
    constant_modes(const sparse::IndexLayout &layout, int block_size);

    /**
     * Rigid-body displacements of nodes: in 3D three translations and three
     * rotations about the centroid of the nodes, in 2D two and one;
     * orthonormal over all nodes. Sums are exact, so that the numbering and
     * distribution of nodes do not matter. Collective.
     *
     * @param[in] coordinates [n_owned][dim], lengths in any unit: lengths are
     * divided by the size of the body.
     * @throws InputError on all ranks unless dim is 2 or 3, the number of
     * coordinates fits, and they are finite; or if all nodes are on a line (3D;
     * up to 1e-7 of its length) or in a point, where rotations are no motions.
     */
    NearNullSpace
    rigid_body_modes(const sparse::IndexLayout &layout,
                     int                        dim,
                     const std::vector<double> &coordinates);

    /**
     * Keys of nodes, see BlockAMG::initialize(), from their coordinates, which
     * are rounded to 2^-20 of the size of the body, so that rounding errors and
     * the numbering do not matter. Nodes at one place get one key. Collective.
     *
     * @param[in] coordinates [n_owned][dim]
     * @throws InputError on all ranks unless dim is 1, 2 or 3, the number of
     * coordinates fits, and they are finite.
     */
    std::vector<std::uint64_t>
    keys_of_coordinates(const sparse::IndexLayout &layout,
                        int                        dim,
                        const std::vector<double> &coordinates);

    /** Keys that are the global numbers. */
    std::vector<std::uint64_t>
    keys_of_numbers(const sparse::IndexLayout &layout);
  } // namespace amg
} // namespace tessera

#endif
