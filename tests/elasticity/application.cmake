# SPDX-License-Identifier: LGPL-2.1-or-later
# elasticity as users run it: results, errors, warnings, files.
macro(case name)
  tessera_add_command_test(${name} TARGET elasticity ${ARGN})
endmacro()
find_program(_python python3)
set(_here ${CMAKE_CURRENT_SOURCE_DIR})

macro(checked_case name)
  tessera_add_record_test(${name} TARGET elasticity ARGUMENTS ${ARGN})
endmacro()

set(_quiet --set "Output/Write VTU=false")
set(_beam case.prm ${_quiet} --set Mesh/Cells=2)
set(_tiny case.prm ${_quiet} --set Mesh/Cells=1 --set Degree=1)

# --- The beam, against figures of an independent program ---------------------
checked_case(beam_2 ${_beam} --set "Solver/Number of solves=3")
checked_case(beam_4 case.prm ${_quiet} --set "Solver/Number of solves=2")
checked_case(beam_force ${_here}/force.prm ${_quiet})
checked_case(beam_torque ${_here}/torque.prm ${_quiet})
# Plane strain: 3750 from bending with E/(1 - nu^2), 30 from shear.
checked_case(beam_2d ${_beam} --set Dimension=2)
checked_case(beam_q1 case.prm ${_quiet} --set Degree=1)

# --- The same answer by other ways -------------------------------------------
foreach(_preconditioner "trilinos ml" jacobi direct)
  string(REPLACE " " "_" _name "preconditioner_${_preconditioner}")
  checked_case(${_name} ${_beam} --set "Solver/Preconditioner=${_preconditioner}" --set "Solver/Maximum iterations=5000"
    --set "Solver/Number of solves=2")
endforeach()
checked_case(amg_options ${_beam} --set "Block AMG/Prolongator filter=0" --set "Block AMG/Level precision=double"
  --set "Block AMG/Aggregation order=natural" --set "Block AMG/Product algorithm=two-pass")

# --- Other bodies, with exact answers ----------------------------------------
checked_case(stretched ${_here}/stretched.prm ${_quiet} --set "Block AMG/Strength measure=couplings"
  --set "Block AMG/Strength threshold=0.3" --set "Block AMG/Threshold scale=1")
# A cube stretched to twice its length: lateral stretch 0.8277 from
# P_22 = mu (s - 1/s) + lambda ln(2 s^2) / s = 0.
checked_case(uniaxial_neo_hookean ${_here}/uniaxial.prm ${_quiet})
checked_case(uniaxial_halvings ${_here}/uniaxial.prm ${_quiet}
  --set "Nonlinear/Load steps=1" --set "Nonlinear/Maximum iterations=4" --set "Solver/Preconditioner=direct")
# A beam bent by half of its length.
set(_bent ${PROJECT_SOURCE_DIR}/parameter_files/elasticity/neo_hookean.prm ${_quiet} --set Mesh/Cells=1 --set "Nonlinear/Load steps=4")
checked_case(neo_hookean_steps ${_bent})
checked_case(neo_hookean_direct ${_bent} --set Solver/Preconditioner=direct)
# A hinge, for which no linear system can be solved: there is nothing to record.
case(no_solve STATUS 2 INPUT "" REMOVE results-case ARGUMENTS ${_here}/hinge.prm ${_quiet} --results results-case --set Model=neo-hookean
  STDOUT "Not converged: the load could be applied up to the factor 0 only" FILES results-case/convergence.csv
  FILE_MATCHES "results-case/run.json=\"solves\": ..,")
# Compressed by its own size: no step is small enough.
case(inverted STATUS 2 INPUT "" REMOVE results-case ARGUMENTS ${_here}/uniaxial.prm ${_quiet}
  --results results-case --set "Boundary conditions/1/Value=-1" --set "Nonlinear/Load steps=1" --set "Nonlinear/Maximum step halvings=2"
  STDOUT "FAILED: .*Not converged: the load could be applied up to the factor 0[.][0-9]* only"
  FILE_MATCHES "results-case/run.json=\"status\": \"not converged\"")
# Hanging nodes, body force: a column under its own weight.
checked_case(column_2d ${_here}/column.prm ${_quiet})

# --- Bodies without supports -------------------------------------------------
set(_floating ${_here}/floating.prm ${_quiet} --results results-case)
checked_case(floating ${_floating})
case(floating_warning STATUS 0 INPUT "" ARGUMENTS ${_floating}
  ONCE "warning: the boundary conditions leave the body 6 rigid motions; the displacement is that without rigid part")
case(floating_unbalanced STATUS 1 INPUT "" ARGUMENTS ${_here}/unbalanced.prm ${_quiet} --results results-case
  STDERR "error: the boundary conditions leave the body 6 rigid motions, and the load is not in equilibrium with respect to them: its resultants are the force .1 [-0-9e.]+ [-0-9e.]+. and the moment")
case(floating_refused STATUS 1 INPUT "" ARGUMENTS ${_floating} --set "Solver/Singular matrix=refuse" STDERR "error: .*(kernel|singular|rigid)")
foreach(_preconditioner jacobi direct)
  case(floating_${_preconditioner} STATUS 1 INPUT "" ARGUMENTS ${_floating} --set Solver/Preconditioner=${_preconditioner}
    STDERR "leave the body 6 rigid motions, which 'Solver/Preconditioner = ${_preconditioner}' cannot do with")
endforeach()
case(floating_neo_hookean STATUS 1 INPUT "" ARGUMENTS ${_floating} --set Model=neo-hookean
  STDERR "leave the body 6 rigid motions. 'Model = neo-hookean' needs supports")

# Parts that are not connected: cells with nodes of their own in the same place.
set(_two ${_here}/two_parts.prm ${_quiet} --results results-case)
foreach(_preconditioner "block amg" "trilinos ml" jacobi direct)
  string(REPLACE " " "_" _name "loose_part_${_preconditioner}")
  case(${_name} STATUS 1 INPUT "" ARGUMENTS ${_two} --set "Solver/Preconditioner=${_preconditioner}"
    STDERR "error: the body has 2 parts that are not connected, and the boundary conditions leave 6 rigid motions to the one about the point .0.5 0.5 1.5., of 8 nodes")
endforeach()
case(loose_part_neo_hookean STATUS 1 INPUT "" ARGUMENTS ${_two} --set Model=neo-hookean STDERR "6 rigid motions to the one about")
case(supported_parts STATUS 0 INPUT "" ARGUMENTS ${_two} --set "Boundary conditions/2/Type=clamped" --set "Boundary conditions/2/Value=")
# A hinge between two parts is no rigid motion of either: the iteration ends with
# a displacement that is made of rounding errors.
case(hinge STATUS 2 INPUT "" ARGUMENTS ${_here}/hinge.prm ${_quiet} --results results-case
  STDERR "error: The linear solver has converged, but the displacement does not solve the equations: .*singular to working precision")
case(hinge_in_equilibrium STATUS 0 INPUT "" ARGUMENTS ${_here}/two_parts.prm ${_quiet} --results results-case
  --set Mesh/File=${_here}/meshes/hinge.msh --set Mesh/Refinements=1 --set Degree=2)
# So small that all of the coarse level is a rigid motion.
checked_case(floating_cells ${_here}/floating_cube.prm ${_quiet} --set Mesh/Cells=2)

# --- Few nodes that are free -------------------------------------------------
set(_enclosed ${_here}/enclosed.prm ${_quiet} --results results-case)
case(one_free_node STATUS 0 INPUT "" ARGUMENTS ${_enclosed} STDOUT "reaction at boundary id 5")
case(free_nodes_on_a_line STATUS 0 INPUT "" ARGUMENTS ${_enclosed} --set "Mesh/Cells=3, 1, 1" STDOUT "reaction at boundary id 5")

# --- The same bits again -----------------------------------------------------
if(_python)
  add_test(NAME elasticity/same_bits
    COMMAND ${_python} ${CMAKE_CURRENT_SOURCE_DIR}/same_bits.py $<TARGET_FILE:elasticity>
      --set Mesh/Cells=1 --set "Solver/Number of solves=2" --set "Output/Write VTU=false")
  tessera_finish_test(elasticity/same_bits LABELS elasticity)
endif()

# --- The solver stops --------------------------------------------------------
case(not_converged STATUS 2 INPUT "" REMOVE results-case ARGUMENTS case.prm --set Mesh/Cells=1 --set "Solver/Maximum iterations=3"
  STDOUT "3 iterations, NOT CONVERGED" FILES results-case/solution.pvd results-case/convergence.csv results-case/log.txt
  FILE_MATCHES "results-case/solution_0000.pvtu=not_converged")
case(several_processes STATUS 1 INPUT "" ONLY_MPIRUN MPIRUN 2 ARGUMENTS ${_tiny}
  ONCE "elasticity: error: elasticity runs as one process; it was started as 2[.]")

# --- Parameters --------------------------------------------------------------
case(misspelt STATUS 1 ARGUMENTS case.prm INPUT "subsection Mesh\n  set Cell = 3\nend\n"
  STDERR "case.prm:2: unknown parameter 'Cell' in section 'Mesh'. did you mean 'Cells'")
case(poisson_half STATUS 1 INPUT "" ARGUMENTS ${_tiny} --set "Materials/0/Poisson's ratio=0.5"
  STDERR "--set: Materials/0/Poisson's ratio = 0.5: it must be above -1 and below 1/2, where a material is incompressible")
case(poisson_minus_one STATUS 1 INPUT "" ARGUMENTS ${_tiny} --set "Materials/0/Poisson's ratio=-1" STDERR "it must be above -1")
case(poisson_warning STATUS 0 INPUT "" ARGUMENTS ${_tiny} --set "Materials/0/Poisson's ratio=0.46"
  STDOUT "warning: --set: Materials/0/Poisson's ratio = 0.46: above 0.45")
case(poisson_no_warning STATUS 0 INPUT "" ARGUMENTS ${_tiny} --set "Materials/0/Poisson's ratio=0.45" NOWHERE "warning")
case(young_zero STATUS 1 INPUT "" ARGUMENTS ${_tiny} --set "Materials/0/Young's modulus=0" STDERR "expected a number > 0")
case(beam_cells STATUS 1 INPUT "" ARGUMENTS ${_tiny} --set "Mesh/Cells=1, 2, 3" STDERR "a beam takes one number k")
case(box_inside_out STATUS 1 INPUT "" ARGUMENTS ${_tiny} --set "Mesh/Type=hyper rectangle" --set "Mesh/Upper corner=1, -1, 1"
  STDERR "in direction 1 the box reaches from 0 to -1")
case(too_many_unknowns STATUS 1 INPUT "" ARGUMENTS ${_tiny} --set Mesh/Cells=10000 STDERR "degrees of freedom; at most")
case(value_of_free STATUS 1 INPUT "" ARGUMENTS ${_tiny} --set "Boundary conditions/1/Value=1"
  STDERR "Boundary conditions/1/Value = 1: only the types displacement and traction take a value")
case(value_of_other_length STATUS 1 INPUT "" ARGUMENTS ${_tiny} --set "Boundary conditions/1/Type=traction" --set "Boundary conditions/1/Value=1"
  STDERR "found 1 expression; give 3, one a component")
case(value_of_components STATUS 1 INPUT "" ARGUMENTS ${_tiny} --set "Boundary conditions/1/Type=displacement" --set "Boundary conditions/1/Value=1"
  --set "Boundary conditions/1/Components=x, z" STDERR "found 1 expression; give 2, one for each of the 'Components'")
case(components_unknown STATUS 1 INPUT "" ARGUMENTS ${_tiny} --set "Boundary conditions/1/Type=displacement" --set "Boundary conditions/1/Value=1"
  --set "Boundary conditions/1/Components=w" STDERR "'w' is no component; they are x, y and z")
case(components_of_clamp STATUS 1 INPUT "" ARGUMENTS ${_tiny} --set "Boundary conditions/1/Type=clamped"
  --set "Boundary conditions/1/Components=x" STDERR "only 'Type = displacement' has components")
case(body_force_length STATUS 1 INPUT "" ARGUMENTS ${_tiny} --set "Body force=1" STDERR "found 1 expression; give 3")
case(expression STATUS 1 INPUT "" ARGUMENTS --validate ${_here}/bad_expression.prm STDERR "Body force = .* is not an expression")
case(nan_in_force STATUS 1 INPUT "" ARGUMENTS ${_here}/not_finite.prm ${_quiet} --results results-case STDERR "Body force = .* evaluates to nan at")
case(nan_in_displacement STATUS 1 INPUT "" ARGUMENTS ${_tiny} --set "Boundary conditions/1/Type=displacement"
  --set "Boundary conditions/1/Components=z" --set "Boundary conditions/1/Value=log(y)" STDERR "Boundary conditions/1/Value = .* evaluates to ")
case(probe_text STATUS 1 INPUT "" ARGUMENTS ${_tiny} --set "Output/Probes=1, 2" STDERR "'1, 2' is not a point; write 3 numbers")
case(probe_outside STATUS 1 INPUT "" ARGUMENTS ${_tiny} --set "Output/Probes=11, 0, 0" STDERR "error: .*11")
case(solves_of_neo_hookean STATUS 1 INPUT "" ARGUMENTS ${_tiny} --set Model=neo-hookean --set "Solver/Number of solves=2"
  STDERR "Solver/Number of solves = 2: with 'Model = neo-hookean' each Newton step is a solve")
case(without_effect STATUS 0 INPUT "" ARGUMENTS ${_tiny} --set "Nonlinear/Load steps=3"
  ONCE "warning: --set: Nonlinear/Load steps has no effect on 'Model = linear'")
case(help STATUS 0 ARGUMENTS --help STDOUT "elasticity my.prm --set" NOWHERE "mpirun")
case(printed_parameters STATUS 0 ARGUMENTS --print-parameters OUTPUT printed.prm)
case(defaults_are_silent STATUS 0 INPUT "" ARGUMENTS ${_tiny} --set "Mesh/Lower corner=0" --set "Nonlinear/Load steps=1"
  --set "Block AMG/Fused order=natural" NOWHERE "warning")

# --- Ids ---------------------------------------------------------------------
set(_box case.prm ${_quiet} --set "Mesh/Type=hyper rectangle" --set Mesh/Cells=1 --set Degree=1)
case(id_without_entry STATUS 1 INPUT "" ARGUMENTS ${_box} --set "Boundary conditions/0/Type=clamped"
  STDERR "error: the mesh has 1 face with the boundary id 1, for which there is no section 'Boundary conditions/1'; the ids of the mesh are 0, 1, 2, 3, 4, 5")
case(entry_without_faces STATUS 1 INPUT "" ARGUMENTS ${_tiny} --set "Boundary conditions/7/Type=free"
  STDERR "section 'Boundary conditions/7': the mesh has no faces with this boundary id; its ids are 0, 1, 2, 3, 4, 5")
case(negative_id STATUS 1 ARGUMENTS case.prm INPUT "subsection Boundary conditions\n  subsection -1\n    set Type = free\n  end\nend\n"
  STDERR "case.prm:2: '-1' cannot be a section of 'Boundary conditions'")
case(negative_material STATUS 1 ARGUMENTS case.prm INPUT "subsection Materials\n  subsection -1\n    set Where = x\n  end\nend\n"
  STDERR "case.prm:2: '-1' cannot be a section of 'Materials'")
case(material_without_cells STATUS 1 INPUT "" ARGUMENTS ${_tiny} --set "Materials/0/Poisson's ratio=0.2" --set "Materials/3/Poisson's ratio=0.2"
  STDERR "section 'Materials/3': the mesh has no cells with this material id; its ids are 0")
case(material_without_entry STATUS 1 INPUT "" ARGUMENTS ${_tiny} --set "Materials/3/Poisson's ratio=0.2"
  STDERR "the mesh has 10 cells with the material id 0, for which there is no section 'Materials/0'")
case(table STATUS 0 INPUT "" ARGUMENTS ${_tiny}
  STDOUT "boundary id   faces        area  condition\n          0       1           1  clamped\n          1       1           1  traction: 0; -6[*]z; 1 [+] 6[*]y\n          2      10          10  free\n.*material id   cells      volume  properties\n          0      10          10  E = 1, nu = 0.25\n")
set(_conflict --set "Boundary conditions/5/Type=displacement" --set "Boundary conditions/5/Components=x"
  --set "Boundary conditions/5/Value=0.1" --set "Output/Probes=0, 0.5, 0.5")
checked_case(conflict ${_tiny} ${_conflict})
case(conflict_warning STATUS 0 INPUT "" ARGUMENTS ${_tiny} ${_conflict}
  STDOUT "warning: boundary ids 0 .clamped. and 5 .displacement. give different displacements at nodes that they share .2 components.; there, that of 5, the larger id, holds")
case(no_conflict STATUS 0 INPUT "" ARGUMENTS ${_tiny} --set "Boundary conditions/5/Type=symmetry" NOWHERE "warning")

# --- Mesh files --------------------------------------------------------------
set(_meshes ${_here}/meshes)
set(_file case.prm ${_quiet} --set Mesh/Type=file)
case(file_unnamed STATUS 1 INPUT "" ARGUMENTS ${_file} STDERR "'Mesh/Type = file' needs the name of a file")
case(file_missing STATUS 1 INPUT "" ARGUMENTS --validate ${_file} --set Mesh/File=nowhere.msh STDERR "Mesh/File = nowhere.msh: there is no such file")
case(file_is_directory STATUS 1 INPUT "" ARGUMENTS ${_file} --set Mesh/File=. STDERR "this is not a file")
case(file_empty STATUS 1 INPUT "" ARGUMENTS ${_file} --set "Mesh/File=${_meshes}/empty.msh" STDERR "the file is empty")
case(file_extension STATUS 1 INPUT "" ARGUMENTS ${_file} --set Mesh/File=${_here}/column.prm STDERR "column.prm: the extension does not say in which format the mesh is; known are .msh, ")
case(file_of_other_format STATUS 1 INPUT "" ARGUMENTS ${_file} --set "Mesh/File=${_meshes}/text.msh" STDERR "error: mesh file '.*text.msh': it cannot be read. deal.II says: ")
case(file_truncated STATUS 1 INPUT "" ARGUMENTS ${_file} --set "Mesh/File=${_meshes}/truncated.msh"
  STDERR "error: mesh file '.*truncated.msh': the section .Elements does not end; the file is truncated")
case(file_of_tetrahedra STATUS 1 INPUT "" ARGUMENTS ${_file} --set "Mesh/File=${_meshes}/tetrahedron.msh"
  STDERR "error: mesh file '.*': it has tetrahedra; only hexahedra are possible. Let the mesh generator recombine them")
case(file_of_triangles STATUS 1 INPUT "" ARGUMENTS ${_file} --set "Mesh/File=${_meshes}/triangle.msh" --set Dimension=2
  STDERR "error: mesh file '.*': it has triangles; only quadrilaterals are possible")
case(file_of_2d STATUS 1 INPUT "" ARGUMENTS ${_file} --set "Mesh/File=${PROJECT_SOURCE_DIR}/parameter_files/elasticity/cook.msh"
  STDERR "error: mesh file '.*': the mesh has the dimension 2; set 'Dimension = 2'")
case(file_of_3d STATUS 1 INPUT "" ARGUMENTS ${_file} --set Dimension=2 --set "Mesh/File=${PROJECT_SOURCE_DIR}/parameter_files/elasticity/bracket.msh"
  STDERR "error: mesh file '.*': the mesh has the dimension 3; set 'Dimension = 3'")
case(file_distorted STATUS 1 INPUT "" ARGUMENTS ${_file} --set Dimension=2 --set "Mesh/File=${_meshes}/distorted.msh" STDERR "error: mesh file '.*': 1 cell is distorted so far")
case(symmetry_inclined STATUS 1 INPUT "" ARGUMENTS ${PROJECT_SOURCE_DIR}/parameter_files/elasticity/plane_strain_2d.prm ${_quiet}
  --set Mesh/Refinements=1 --set "Boundary conditions/0/Type=symmetry" --results results-case
  STDERR "error: boundary id 0 .symmetry.: a face at .* has the normal .*Planes of symmetry must be normal to x, y or z")

# --- The parameter files that come with the suite ----------------------------
set(_of_beam_8 --set Mesh/Cells=1)
set(_of_beam_16 --set Mesh/Cells=1)
set(_of_neo_hookean --set Mesh/Cells=1 --set "Nonlinear/Load steps=2")
set(_of_adaptive --set Mesh/Refinements=1 --set "Mesh/Adaptive cycles=1")
set(_of_plane_strain_2d --set Mesh/Refinements=3)
tessera_add_shipped_tests(elasticity)
