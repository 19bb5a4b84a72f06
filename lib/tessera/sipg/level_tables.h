// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_level_tables_h
#define tessera_sipg_level_tables_h

#include <tessera/base/aligned_vector.h>
#include <tessera/sipg/element_matrices.h>
#include <tessera/sipg/level_data.h>
#include <tessera/sipg/level_view.h>

#include <cstddef>

namespace tessera
{
  namespace sipg
  {
    /**
     * The part of the tables of kernels on a level that has no precision: where
     * something else than a plain neighbour is beyond a face.
     *
     * Memory: three bytes a group of siblings.
     */
    template <int dim>
    class LevelFlags
    {
    public:
      /** @param[in] level is referred to. */
      explicit LevelFlags(const LevelData<dim> &level);

      LevelView
      view() const;

      std::size_t
      memory_consumption() const;

    private:
      const LevelData<dim>       *data;
      AlignedVector<std::uint8_t> shadow_faces;
      AlignedVector<std::uint8_t> special_level_faces;
      AlignedVector<std::uint8_t> special_active_faces;
      AlignedVector<std::uint8_t> group_activity;
    };

    /** The matrices of OwnSide and of VolumeTerm on a level, rounded to T. */
    template <int dim, typename T>
    class LevelMatrices
    {
    public:
      LevelMatrices(const LevelData<dim>  &level,
                    const ElementMatrices &matrices);

      MatricesView<T>
      view() const;

    private:
      AlignedVector<T> own;
      AlignedVector<T> coupling;
      AlignedVector<T> mass;
      AlignedVector<T> stiffness;
      MatricesView<T>  numbers;
    };

    /**
     * The eigenvectors of the diagonal blocks of a level, rounded to T.
     *
     * With $K_b = k \tilde K_b$ where $\tilde K_b$ has coefficient 1 and face
     * weights $\kappa_F/k$, there is one variant for each pair of ends and
     * weights that occurs on the level: four without Neumann faces and with one
     * coefficient.
     *
     * Memory: two bytes a cell and axis, and the variants.
     *
     * @throws InputError if there are more than 65535 variants, or a diagonal
     * block is not positive definite: the penalty is too small.
     */
    template <int dim, typename T>
    class LevelModes
    {
    public:
      LevelModes(const LevelData<dim> &level, const ElementMatrices &matrices);

      ModesView<T>
      view() const;

      std::size_t
      memory_consumption() const;

    private:
      AlignedVector<T>             to_nodes;
      AlignedVector<T>             to_modes;
      AlignedVector<T>             eigenvalues;
      AlignedVector<std::uint16_t> variant;
      AlignedVector<std::uint8_t>  group_is_special;
      AlignedVector<T>             eigenvalues_of_cell;
      AlignedVector<T>             inverse_eigenvalues;
      AlignedVector<T>             child;
      double                       scale[3];
    };
  } // namespace sipg
} // namespace tessera

#endif
