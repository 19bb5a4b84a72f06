// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/boundary_table.h"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_nothing.h>
#include <deal.II/fe/fe_values.h>

#include <iomanip>
#include <map>
#include <sstream>

#include "common/text_of_numbers.h"

namespace tessera::elasticity
{
  using namespace dealii;
  using apps::short_number;

  namespace
  {
    struct Part
    {
      std::uint64_t number = 0; ///< of faces or cells
      double        size   = 0; ///< length, area or volume
    };

    using Parts = std::map<unsigned int, Part>;



    std::string
    list_ids(const Parts &parts)
    {
      std::string text;
      for (const auto &part : parts)
        text += (text.empty() ? "" : ", ") + std::to_string(part.first);
      return text;
    }



    /** Ids of the mesh and of the sections must be the same. */
    template <typename Section>
    void
    check_ids(const Parts                           &parts,
              const std::map<unsigned int, Section> &sections,
              const std::string                     &family,
              const std::string                     &kind,
              const std::string                     &piece)
    {
      for (const auto &[id, part] : parts)
        if (sections.count(id) == 0)
          throw InputError("the mesh has " + apps::counted(part.number, piece) +
                           " with the " + kind + " id " + std::to_string(id) +
                           ", for which there is no "
                           "section '" +
                           family + "/" + std::to_string(id) +
                           "'; the ids of the mesh are " + list_ids(parts));
      for (const auto &entry : sections)
        if (parts.count(entry.first) == 0)
          throw InputError("section '" + family + "/" +
                           std::to_string(entry.first) + "': the mesh has no " +
                           piece + "s with this " + kind + " id; its ids are " +
                           list_ids(parts));
    }



    template <int dim>
    Parts
    count_faces(const Mapping<dim>       &mapping,
                const Triangulation<dim> &triangulation)
    {
      const FE_Nothing<dim> fe;
      FEFaceValues<dim>     values(mapping,
                               fe,
                               QGauss<dim - 1>(2),
                               update_JxW_values);
      Parts                 parts;
      for (const auto &cell : triangulation.active_cell_iterators())
        for (const unsigned int f : cell->face_indices())
          if (cell->at_boundary(f))
            {
              Part &part = parts[cell->face(f)->boundary_id()];
              ++part.number;
              values.reinit(cell, f);
              for (const double weight : values.get_JxW_values())
                part.size += weight;
            }
      return parts;
    }



    template <int dim>
    Parts
    count_cells(const Mapping<dim>       &mapping,
                const Triangulation<dim> &triangulation)
    {
      const FE_Nothing<dim> fe;
      FEValues<dim> values(mapping, fe, QGauss<dim>(2), update_JxW_values);
      Parts         parts;
      for (const auto &cell : triangulation.active_cell_iterators())
        {
          Part &part = parts[cell->material_id()];
          ++part.number;
          values.reinit(cell);
          for (const double weight : values.get_JxW_values())
            part.size += weight;
        }
      return parts;
    }



    std::string
    in_words(const BoundaryParameters &condition)
    {
      std::string text = name(condition.type);
      if (!condition.components.empty())
        text += " of " + condition.components;
      if (!condition.value.empty())
        text += ": " + condition.value;
      return text;
    }
  } // namespace



  std::string
  name(const BoundaryType type)
  {
    switch (type)
      {
        case BoundaryType::clamped:
          return "clamped";
        case BoundaryType::displacement:
          return "displacement";
        case BoundaryType::symmetry:
          return "symmetry";
        case BoundaryType::traction:
          return "traction";
        case BoundaryType::free:
          return "free";
      }
    return {};
  }



  template <int dim>
  std::string
  table_of_ids(const Parameters         &parameters,
               const Mapping<dim>       &mapping,
               const Triangulation<dim> &triangulation)
  {
    const Parts faces = count_faces(mapping, triangulation);
    const Parts cells = count_cells(mapping, triangulation);
    check_ids(faces,
              parameters.boundary_conditions,
              "Boundary conditions",
              "boundary",
              "face");
    check_ids(cells, parameters.materials, "Materials", "material", "cell");

    std::ostringstream text;
    text << "boundary id   faces" << std::setw(12)
         << (dim == 2 ? "length" : "area") << "  condition\n";
    for (const auto &[id, part] : faces)
      text << std::setw(11) << id << std::setw(8) << part.number
           << std::setw(12) << short_number(part.size, 6) << "  "
           << in_words(parameters.boundary_conditions.at(id)) << '\n';
    text << "material id   cells" << std::setw(12)
         << (dim == 2 ? "area" : "volume") << "  properties\n";
    for (const auto &[id, part] : cells)
      {
        const MaterialParameters &material = parameters.materials.at(id);
        text << std::setw(11) << id << std::setw(8) << part.number
             << std::setw(12) << short_number(part.size, 6)
             << "  E = " << short_number(material.youngs_modulus, 6)
             << ", nu = " << short_number(material.poissons_ratio, 6)
             << (material.where.empty() ? "" : ", where " + material.where)
             << '\n';
      }
    return text.str();
  }



  template std::string
  table_of_ids(const Parameters &,
               const Mapping<2> &,
               const Triangulation<2> &);
  template std::string
  table_of_ids(const Parameters &,
               const Mapping<3> &,
               const Triangulation<3> &);
} // namespace tessera::elasticity
