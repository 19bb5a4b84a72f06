// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/mesh.h"

#include <deal.II/base/geometry_info.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_in.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "common/error_protocol.h"
#include "common/text_of_numbers.h"

namespace tessera::elasticity
{
  using namespace dealii;

  namespace
  {
    /** Extensions that say for sure what a file is, and in which deal.II reads
     * quadrilaterals and hexahedra. */
    const std::vector<std::string> extensions =
      {"msh", "vtk", "vtu", "inp", "ucd", "unv", "exo", "e", "exd", "mphtxt"};



    std::string
    extension(const std::string &file)
    {
      std::string text = std::filesystem::path(file).extension().string();
      return text.empty() ? text : text.substr(1);
    }



    /** The name of a shape that elements of ours do not have; empty: they
     * do. */
    std::string
    foreign_shape(const ReferenceCell &cell)
    {
      if (cell.is_hyper_cube())
        return {};
      if (cell == ReferenceCells::Triangle)
        return "triangles";
      if (cell == ReferenceCells::Tetrahedron)
        return "tetrahedra";
      if (cell == ReferenceCells::Wedge)
        return "wedges";
      if (cell == ReferenceCells::Pyramid)
        return "pyramids";
      return cell.to_string();
    }



    std::string
    in_lower_case(std::string text)
    {
      for (char &c : text)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      return text;
    }



    /** The section of a Gmsh file that does not end; empty: all do. deal.II's
     * reader may crash where one does not (9.4). */
    std::string
    section_without_end(const std::string &file)
    {
      std::ifstream stream(file);
      std::string   section, word;
      while (stream >> word)
        if (word[0] != '$')
          continue;
        else if (section.empty())
          section = word.substr(1);
        // $Nodes ... $EndNodes; in the oldest format $NOD ... $ENDNOD.
        else if (in_lower_case(word) == "$end" + in_lower_case(section))
          section.clear();
      return section;
    }



    template <int dim>
    void
    read(const std::string &file, Triangulation<dim> &triangulation)
    {
      GridIn<dim> grid_in;
      grid_in.attach_triangulation(triangulation);
      grid_in.read(file);
    }



    /** Whether a file is a mesh in another number of dimensions. */
    template <int dim>
    bool
    has_dimension(const std::string &file)
    {
      try
        {
          Triangulation<dim> triangulation;
          read(file, triangulation);
          return triangulation.n_active_cells() > 0;
        }
      catch (...)
        {
          return false;
        }
    }



    /** What deal.II says of the exception that is being handled, in one line.
     */
    std::string
    reason()
    {
      std::string       text  = apps::describe_current_exception().message;
      const std::string start = "Additional information:";
      if (const auto at = text.find(start); at != std::string::npos)
        text.erase(0, at + start.size());
      text = text.substr(0, text.find("--------"));
      std::string line;
      for (const char c : text)
        if (!std::isspace(static_cast<unsigned char>(c)))
          line += c;
        else if (!line.empty() && line.back() != ' ')
          line += ' ';
      while (!line.empty() && (line.back() == ' ' || line.back() == '.'))
        line.pop_back();
      return line;
    }



    /** Cells whose map from the reference cell is not invertible at a vertex.
     * deal.II's own check, of the class Triangulation, crashes for simplices
     * (9.4). */
    template <int dim>
    unsigned int
    n_distorted_cells(const Triangulation<dim> &triangulation)
    {
      constexpr unsigned int n_vertices = GeometryInfo<dim>::vertices_per_cell;
      unsigned int           n          = 0;
      for (const auto &cell : triangulation.active_cell_iterators())
        {
          Point<dim>     vertices[n_vertices];
          Tensor<0, dim> determinants[n_vertices];
          for (unsigned int v = 0; v < n_vertices; ++v)
            vertices[v] = cell->vertex(v);
          GeometryInfo<dim>::alternating_form_at_vertices(vertices,
                                                          determinants);
          const double bound = 1e-9 * std::pow(cell->diameter(), dim);
          n += std::any_of(determinants,
                           determinants + n_vertices,
                           [&](const double d) { return !(d > bound); });
        }
      return n;
    }



    template <int dim>
    void
    read_mesh_file(const std::string &file, Triangulation<dim> &triangulation)
    {
      const std::string place = "mesh file '" + file + "': ";
      if (extension(file) == "msh")
        if (const std::string section = section_without_end(file);
            !section.empty())
          throw InputError(place + "the section $" + section +
                           " does not end; the file is truncated, or not "
                           "written by Gmsh as text");
      std::string problem;
      try
        {
          read(file, triangulation);
        }
      catch (...)
        {
          problem = reason();
        }
      if (!problem.empty() || triangulation.n_active_cells() == 0)
        {
          constexpr int other = (dim == 2 ? 3 : 2);
          if (has_dimension<other>(file))
            throw InputError(place + "the mesh has the dimension " +
                             std::to_string(other) + "; set 'Dimension = " +
                             std::to_string(other) + "', or give another mesh");
          throw InputError(
            place +
            (problem.empty() ? "it has no cells" :
                               "it cannot be read. deal.II says: " + problem) +
            ". It must be a mesh of " +
            (dim == 2 ? "quadrilaterals" : "hexahedra") + " in the format of " +
            "its extension ." + extension(file));
        }
      for (const ReferenceCell &cell : triangulation.get_reference_cells())
        if (const std::string shape = foreign_shape(cell); !shape.empty())
          throw InputError(
            place + "it has " + shape + "; only " +
            (dim == 2 ? "quadrilaterals" : "hexahedra") +
            " are possible. Let the mesh generator recombine them (Gmsh: "
            "'Recombine Surface', and 'Mesh.SubdivisionAlgorithm = " +
            (dim == 2 ? "1" : "2") + "')");
      if (const unsigned int n = n_distorted_cells(triangulation); n > 0)
        throw InputError(place + apps::counted(n, "cell") +
                         (n == 1 ? " is" : " are") +
                         " distorted so far that the determinant of the map "
                         "from a cube is not positive at a corner; repair the "
                         "mesh");
    }
  } // namespace



  void
  check_mesh_file(const std::string &file)
  {
    namespace fs = std::filesystem;
    std::error_code code;
    if (!fs::exists(file, code))
      throw InputError("there is no such file");
    if (!fs::is_regular_file(file, code))
      throw InputError("this is not a file");
    if (!std::ifstream(file))
      throw InputError("the file cannot be read; check its permissions");
    if (fs::file_size(file, code) == 0)
      throw InputError("the file is empty");
    if (std::count(extensions.begin(), extensions.end(), extension(file)) == 0)
      {
        std::string known;
        for (const std::string &name : extensions)
          known += (known.empty() ? "." : ", .") + name;
        throw InputError("the extension does not say in which format the mesh "
                         "is; known are " +
                         known);
      }
  }



  template <int dim>
  void
  make_mesh(const Parameters       &parameters,
            const ProblemData<dim> &problem,
            Triangulation<dim>     &triangulation)
  {
    if (parameters.mesh_type == MeshType::file)
      read_mesh_file(parameters.mesh_file, triangulation);
    else
      {
        Point<dim> lower, upper;
        for (unsigned int d = 0; d < dim; ++d)
          {
            lower[d] = parameters.lower_corner[d];
            upper[d] = parameters.upper_corner[d];
          }
        GridGenerator::subdivided_hyper_rectangle(
          triangulation, parameters.cells, lower, upper, /* colorize = */ true);
        // Colors are also given to cells, by their octants.
        for (const auto &cell : triangulation.active_cell_iterators())
          cell->set_material_id(0);
      }
    triangulation.refine_global(parameters.n_refinements);

    for (const auto &cell : triangulation.active_cell_iterators())
      for (const auto &[id, where] : problem.regions_of_materials())
        if (where->value(cell->center()) > 0.)
          cell->set_material_id(id);
  }



  template void
  make_mesh(const Parameters &, const ProblemData<2> &, Triangulation<2> &);
  template void
  make_mesh(const Parameters &, const ProblemData<3> &, Triangulation<3> &);
} // namespace tessera::elasticity
