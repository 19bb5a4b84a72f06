// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/eigenproblem.h>
#include <tessera/base/exceptions.h>
#include <tessera/cellwise/degree.h>
#include <tessera/sipg/level_tables.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <tuple>

namespace tessera
{
  namespace sipg
  {
    namespace
    {
      template <int dim>
      CellIndex
      n_padded_groups(const LevelData<dim> &level)
      {
        // Kernels look at as many cells as there are lanes, 16 at most.
        return level.n_padded_cells / level.group_size + 16;
      }

      /** Append the entries of a matrix times a factor. */
      template <typename T>
      void
      put(const DenseMatrix &A, const double factor, T *out)
      {
        for (std::size_t i = 0; i < A.n_rows(); ++i)
          for (std::size_t j = 0; j < A.n_columns(); ++j)
            out[i * A.n_columns() + j] = T(factor * A(i, j));
      }

      template <int dim>
      double
      volume(const LevelData<dim> &level)
      {
        double product = 1.;
        for (int a = 0; a < dim; ++a)
          product *= level.cell_size[a];
        return product;
      }
    } // namespace



    template <int dim>
    LevelFlags<dim>::LevelFlags(const LevelData<dim> &level)
      : data(&level)
      , shadow_faces(n_padded_groups(level))
      , special_level_faces(n_padded_groups(level))
      , special_active_faces(n_padded_groups(level))
      , group_activity(n_padded_groups(level))
    {
      for (CellIndex c = 0; c < level.n_cells; ++c)
        {
          const CellIndex group = c / level.group_size;
          const bool is_last    = c % level.group_size == level.group_size - 1;
          if (level.active[c])
            group_activity[group] =
              std::max<std::uint8_t>(group_activity[group], 1);
          // 2 if all of the group are active.
          if (is_last)
            {
              bool all = true;
              for (CellIndex s = c + 1 - level.group_size; s <= c; ++s)
                all = all && level.active[s];
              if (all)
                group_activity[group] = 2;
            }
          for (int axis = 0; axis < dim; ++axis)
            for (int side = 0; side < 2; ++side)
              {
                const Neighbour    beyond = level.neighbour_of(c, axis, side);
                const std::uint8_t bit =
                  std::uint8_t(1u << face_number(axis, side));
                const bool is_cell   = beyond.kind == NeighbourKind::cell;
                const bool is_shadow = beyond.kind == NeighbourKind::shadow;
                const bool is_plain =
                  (is_cell || is_shadow) &&
                  level.face_weight(c, axis, side) == level.cell_coefficient(c);
                if (is_shadow)
                  shadow_faces[group] |= bit;
                if (!is_plain)
                  special_level_faces[group] |= bit;
                if (level.active[c] &&
                    (!is_plain || (is_cell && !level.active[beyond.index])))
                  special_active_faces[group] |= bit;
              }
        }
      // Cells of the padding have no neighbours.
      for (CellIndex g = level.n_groups(); g < n_padded_groups(level); ++g)
        special_level_faces[g] = special_active_faces[g] = 0xff;
    }



    template <int dim>
    LevelView
    LevelFlags<dim>::view() const
    {
      LevelView view             = {};
      view.n_cells               = data->n_cells;
      view.n_padded_cells        = data->n_padded_cells;
      view.n_shadow_cells        = data->n_shadow_cells();
      view.n_padded_shadow_cells = data->n_padded_shadow_cells;
      view.block_size            = data->block_size;
      view.group_size            = data->group_size;
      view.skeleton              = data->skeleton.data();
      view.active                = data->active.data();
      view.group_parent          = data->group_parent.data();
      view.shadow_faces          = shadow_faces.data();
      view.special_level_faces   = special_level_faces.data();
      view.special_active_faces  = special_active_faces.data();
      view.group_activity        = group_activity.data();
      view.slot_group            = data->slot_group.data();
      std::copy(data->slot_begin.begin(),
                data->slot_begin.end(),
                view.slot_begin);
      if (data->has_coefficient)
        {
          view.coefficient      = data->coefficient.data();
          view.slot_coefficient = data->slot_coefficient.data();
        }
      return view;
    }



    template <int dim>
    std::size_t
    LevelFlags<dim>::memory_consumption() const
    {
      return shadow_faces.size_in_bytes() +
             special_level_faces.size_in_bytes() +
             special_active_faces.size_in_bytes() +
             group_activity.size_in_bytes();
    }



    template <int dim, typename T>
    LevelMatrices<dim, T>::LevelMatrices(const LevelData<dim>  &level,
                                         const ElementMatrices &matrices)
      : own(dim * matrices.n * matrices.n)
      , coupling(dim * matrices.n * 2)
      , mass(matrices.n * matrices.n)
      , stiffness(dim * matrices.n * matrices.n)
      , numbers()
    {
      using End           = ElementMatrices::End;
      const int         n = matrices.n;
      const DenseMatrix A =
        matrices.inverse_mass *
        matrices.cell_matrix(End::neighbour, End::neighbour);
      const DenseMatrix C = matrices.inverse_mass * matrices.face[1][0];
      for (int a = 0; a < dim; ++a)
        {
          const double scale = 1. / (level.cell_size[a] * level.cell_size[a]);
          put(A, scale, own.data() + a * n * n);
          put(matrices.stiffness, scale, stiffness.data() + a * n * n);
          for (int i = 0; i < n; ++i)
            for (int m = 0; m < 2; ++m)
              coupling[(a * n + i) * 2 + m] =
                T(scale * C(i, matrices.degree - m));
          numbers.face_scale[a] = T(volume(level) * scale);
        }
      put(matrices.mass, 1., mass.data());
      numbers.volume = T(volume(level));
      numbers.gamma  = T(matrices.gamma);
      for (int i = 0; i < 2; ++i)
        numbers.face_derivative[i] = T(matrices.end_derivative[0][i]);
      numbers.mirror = T(-2. * (matrices.penalty.boundary_factor - 2.) *
                         matrices.gamma / matrices.end_derivative[0][1]);
    }



    template <int dim, typename T>
    MatricesView<T>
    LevelMatrices<dim, T>::view() const
    {
      MatricesView<T> view = numbers;
      view.own             = own.data();
      view.coupling        = coupling.data();
      view.mass            = mass.data();
      view.stiffness       = stiffness.data();
      return view;
    }



    template <int dim, typename T>
    LevelModes<dim, T>::LevelModes(const LevelData<dim>  &level,
                                   const ElementMatrices &matrices)
      : variant(std::size_t(level.n_padded_cells) * dim)
      , group_is_special(n_padded_groups(level))
      , eigenvalues_of_cell(cellwise::power(matrices.n, dim))
      , inverse_eigenvalues(cellwise::power(matrices.n, dim))
      , child(2 * matrices.n * matrices.n)
    {
      using End   = ElementMatrices::End;
      using Key   = std::tuple<EndKind, EndKind, double, double>;
      const int n = matrices.n;

      // The one of padding, too.
      std::map<Key, int> numbers;
      std::vector<Key>   keys;
      const auto         number_of = [&](const Key &key) {
        const auto found = numbers.emplace(key, int(keys.size()));
        if (found.second)
          keys.push_back(key);
        return found.first->second;
      };
      number_of(Key(EndKind::neighbour, EndKind::neighbour, 1., 1.));
      for (CellIndex c = 0; c < level.n_cells; ++c)
        for (int axis = 0; axis < dim; ++axis)
          {
            EndKind ends[2];
            double  weights[2] = {1., 1.};
            for (int side = 0; side < 2; ++side)
              {
                ends[side] = end_kind(level.variant[c], axis, side);
                if (ends[side] == EndKind::neighbour)
                  weights[side] = level.face_weight(c, axis, side) /
                                  level.cell_coefficient(c);
              }
            const int v =
              number_of(Key(ends[0], ends[1], weights[0], weights[1]));
            if (v > std::numeric_limits<std::uint16_t>::max())
              throw InputError(
                "The diffusion coefficient has too many different jumps between "
                "neighbouring cells: more than 65535 on level " +
                std::to_string(level.level) +
                ". Group cells of similar coefficient.");
            variant[std::size_t(c) * dim + axis] = std::uint16_t(v);
            if (v != 0)
              group_is_special[c / level.group_size] = 1;
          }

      const std::size_t n_variants = keys.size();
      to_nodes.resize(n_variants * n * n);
      to_modes.resize(n_variants * n * n);
      eigenvalues.resize(n_variants * n);
      for (std::size_t v = 0; v < n_variants; ++v)
        {
          const auto end = [](const EndKind kind) {
            return kind == EndKind::neighbour ? End::neighbour :
                   kind == EndKind::dirichlet ? End::dirichlet :
                                                End::neumann;
          };
          const Eigenpairs pairs = generalized_eigenpairs(
            matrices.cell_matrix(end(std::get<0>(keys[v])),
                                 end(std::get<1>(keys[v])),
                                 1.,
                                 std::get<2>(keys[v]),
                                 std::get<3>(keys[v])),
            matrices.mass);
          if (pairs.values.front() < -1e-10 * pairs.values.back())
            throw InputError(
              "The penalty is too small: the diagonal block of a cell has the "
              "negative eigenvalue " +
              std::to_string(pairs.values.front()) + " with penalty factor " +
              std::to_string(matrices.penalty.factor) +
              ". Use a factor of 2, which is safe for all degrees.");
          put(pairs.vectors, 1., to_nodes.data() + v * n * n);
          put(transpose(pairs.vectors) * matrices.mass,
              1.,
              to_modes.data() + v * n * n);
          for (int i = 0; i < n; ++i)
            eigenvalues[v * n + i] = T(pairs.values[i]);
        }

      for (int a = 0; a < dim; ++a)
        scale[a] = 1. / (level.cell_size[a] * level.cell_size[a]);
      // As the kernels do it in the other variants.
      for (std::size_t k = 0; k < inverse_eigenvalues.size(); ++k)
        {
          T           sum  = T(0);
          std::size_t rest = k;
          for (int a = 0; a < dim; ++a, rest /= n)
            sum += T(scale[a]) * eigenvalues[rest % n];
          eigenvalues_of_cell[k] = sum;
          inverse_eigenvalues[k] = T(1) / sum;
        }
      for (int c = 0; c < 2; ++c)
        put(matrices.child[c], 1., child.data() + c * n * n);
    }



    template <int dim, typename T>
    ModesView<T>
    LevelModes<dim, T>::view() const
    {
      ModesView<T> view        = {};
      view.to_nodes            = to_nodes.data();
      view.to_modes            = to_modes.data();
      view.eigenvalues         = eigenvalues.data();
      view.variant             = variant.data();
      view.group_is_special    = group_is_special.data();
      view.eigenvalues_of_cell = eigenvalues_of_cell.data();
      view.inverse_eigenvalues = inverse_eigenvalues.data();
      view.child               = child.data();
      for (int a = 0; a < dim; ++a)
        view.scale[a] = T(scale[a]);
      return view;
    }



    template <int dim, typename T>
    std::size_t
    LevelModes<dim, T>::memory_consumption() const
    {
      return to_nodes.size_in_bytes() + to_modes.size_in_bytes() +
             eigenvalues.size_in_bytes() + variant.size_in_bytes() +
             group_is_special.size_in_bytes() +
             eigenvalues_of_cell.size_in_bytes() +
             inverse_eigenvalues.size_in_bytes() + child.size_in_bytes();
    }



    template class LevelFlags<2>;
    template class LevelFlags<3>;
    template class LevelMatrices<2, float>;
    template class LevelMatrices<2, double>;
    template class LevelMatrices<3, float>;
    template class LevelMatrices<3, double>;
    template class LevelModes<2, float>;
    template class LevelModes<2, double>;
    template class LevelModes<3, float>;
    template class LevelModes<3, double>;
  } // namespace sipg
} // namespace tessera
