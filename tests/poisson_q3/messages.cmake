# SPDX-License-Identifier: LGPL-2.1-or-later
# Errors, warnings and files of poisson_q3, as users meet them. What all
# applications have in common is in tests/command_line.
macro(case name)
  tessera_add_command_test(${name} TARGET poisson_q3 ${ARGN})
endmacro()

# A problem that takes no time; arguments of a case come behind and override.
set(_small case.prm --set Dimension=2 --set Mesh/Cycles=1)

# --- Parameters -------------------------------------------------------------
case(misspelt STATUS 1 MPIRUN 2 ARGUMENTS case.prm INPUT "subsection Mesh\n  set Refinement = 3\nend\n"
  ONCE "poisson_q3: error: case.prm:2: unknown parameter 'Refinement' in section 'Mesh'. did you mean 'Refinements'.\n"
  ABSENT results-case)
case(out_of_range STATUS 1 MPIRUN 2 ARGUMENTS case.prm INPUT "set Degree = 8\n"
  ONCE "case.prm:1: parameter 'Degree' outside of all sections: found '8', expected an integer from 1 to 7\n")
case(unbalanced STATUS 1 ARGUMENTS case.prm INPUT "subsection Mesh\n  set Cycles = 3\n"
  STDERR "case.prm:1: subsection 'Mesh' begins here and is not closed by 'end'")
case(missing_file STATUS 1 MPIRUN 4 ARGUMENTS nowhere.prm
  ONCE "poisson_q3: error: nowhere.prm: no such file\n")
case(no_such_dimension STATUS 1 ARGUMENTS ${_small} --set Dimension=4 INPUT "" STDERR "an integer from 2 to 3")
case(cuda STATUS 3 MPIRUN 2 ARGUMENTS ${_small} --set Backend=cuda --set "Solver/Preconditioner=patch multigrid" INPUT "" ONCE "error: Backend = cuda: [^\n]*use auto or host")
# Also where there is a device.
set_property(TEST poisson_q3/cuda poisson_q3/cuda.mpirun=2 APPEND PROPERTY ENVIRONMENT CUDA_VISIBLE_DEVICES=-1)
case(corner_of_other_dimension STATUS 1 ARGUMENTS ${_small} INPUT "subsection Mesh\n  set Lower corner = 0, 0, 0\nend\n"
  STDERR "case.prm:2: Mesh/Lower corner = 0, 0, 0: found 3 numbers; give one for all directions, or 2")
case(box_inside_out STATUS 1 ARGUMENTS ${_small} --set "Mesh/Lower corner=0,2" INPUT ""
  STDERR "in direction 1 the box reaches from 2 to 1")
case(box_not_resolved STATUS 1 ARGUMENTS ${_small} --set "Mesh/Lower corner=1e15" --set "Mesh/Upper corner=1000000000000001" INPUT ""
  STDERR "in direction 0 the cells of the last cycle are 0.25 wide at coordinates up to 1e.15")
case(box_too_large STATUS 1 ARGUMENTS ${_small} --set "Mesh/Lower corner=-1e308" --set "Mesh/Upper corner=1e308" INPUT ""
  STDERR "in direction 0 the cells of the last cycle are inf wide")
case(too_many_unknowns STATUS 1 ARGUMENTS case.prm --set Mesh/Refinements=12 INPUT ""
  STDERR "Mesh/Refinements = 12: the last of 3 cycles would have .* degrees of freedom; this deal.II counts to")
case(no_such_boundary STATUS 1 MPIRUN 2 ARGUMENTS ${_small}
  INPUT "subsection Boundary conditions\n  subsection 4\n    set Type = neumann\n  end\nend\n"
  ONCE "case.prm:3: .*ids 0 to 3 in 2D; there is no id 4")
case(negative_boundary STATUS 1 ARGUMENTS ${_small}
  INPUT "subsection Boundary conditions\n  subsection -1\n    set Type = neumann\n  end\nend\n"
  STDERR "case.prm:2: '-1' cannot be a section of 'Boundary conditions'. expected <id>: an integer >= 0")
case(all_neumann STATUS 1 ARGUMENTS ${_small} --set "Boundary conditions/0/Type=neumann"
  --set "Boundary conditions/1/Type=neumann" --set "Boundary conditions/2/Type=neumann"
  --set "Boundary conditions/3/Type=neumann" INPUT "" STDERR "undetermined up to a constant")
case(boundary_type STATUS 1 ARGUMENTS ${_small} --set "Boundary conditions/0/Type=robin" INPUT ""
  STDERR "found 'robin', expected one of: dirichlet, neumann")
case(without_effect STATUS 0 MPIRUN 2 ARGUMENTS ${_small} --set "Solver/Colour order=even first" INPUT ""
  ONCE "warning: --set: Solver/Colour order has no effect on chebyshev multigrid"
  FILE_MATCHES "results-case/run.json=has no effect")
case(without_effect_default STATUS 0 ARGUMENTS ${_small} --set "Solver/Colour order=odd first"
  --set "Solver/Fixed iterations=1" --set "Solver/Tolerance=1e-9" INPUT "" NOWHERE "has no effect")

# --- Expressions ------------------------------------------------------------
case(expression_syntax STATUS 1 MPIRUN 2 ARGUMENTS ${_small} --set "Problem/Right hand side=sin(x" INPUT ""
  ONCE "error: --set: Problem/Right hand side = \"sin.x\" is not an expression in x, y and pi: Missing parenthesis\n"
  NOWHERE "Formula" ABSENT results-case)
case(expression_place STATUS 1 ARGUMENTS ${_small}
  INPUT "subsection Boundary conditions\n  subsection 1\n    set Value = 1+\n  end\nend\n"
  STDERR "error: case.prm:3: Boundary conditions/1/Value = \"1.\" is not an expression in x, y and pi: ")
case(expression_variable STATUS 1 ARGUMENTS ${_small} --set "Problem/Exact solution=x*z" INPUT ""
  STDERR "Problem/Exact solution = \"x.z\" is not an expression in x, y and pi: .*\"z\"")
case(expression_validated STATUS 1 ARGUMENTS --validate ${_small} --set "Boundary conditions/1/Value=1+" INPUT ""
  STDERR "Boundary conditions/1/Value = \"1.\" is not an expression")
case(right_hand_side_nan STATUS 1 MPIRUN 2 4 ARGUMENTS ${_small} --set "Problem/Right hand side=log(x-0.3)" INPUT ""
  ONCE "error: Problem/Right hand side = \"log.x-0.3.\" evaluates to nan at ."
  FILE_MATCHES "results-case/run.json=\"status\": \"error\",\n *\"message\": \"Problem/Right hand side")
case(exact_solution_infinite STATUS 1 MPIRUN 2 ARGUMENTS ${_small} --set "Problem/Exact solution=1/(x-x)"
  --set "Problem/Boundary values=0" INPUT "" ONCE "Problem/Exact solution = .* evaluates to inf at")
case(dirichlet_nan STATUS 1 MPIRUN 2 ARGUMENTS ${_small} --set "Boundary conditions/3/Value=sqrt(x-0.5)" INPUT ""
  ONCE "error: Boundary conditions/3/Value = .* evaluates to nan at")
case(neumann_nan STATUS 1 MPIRUN 2 ARGUMENTS ${_small} --set "Boundary conditions/3/Value=sqrt(x-0.5)"
  --set "Boundary conditions/3/Type=neumann" INPUT "" ONCE "error: Boundary conditions/3/Value = .* evaluates to nan at")

# --- The solver -------------------------------------------------------------
case(not_converged STATUS 2 MPIRUN 2 ARGUMENTS case.prm --set "Solver/Maximum iterations=2"
  --set Mesh/Cycles=2 --set Degree=1 INPUT "" REMOVE results-case
  STDOUT "2 iterations, NOT CONVERGED" FILES results-case/solution.pvd results-case/solution_0001.pvtu
  results-case/convergence.csv results-case/convergence.tex results-case/log.txt
  FILE_MATCHES "results-case/run.json=\"status\": \"not converged\"")
case(not_converged_field STATUS 2 ARGUMENTS ${_small} --set "Solver/Maximum iterations=1" INPUT "" REMOVE results-case
  FILE_MATCHES "results-case/solution_0000.pvtu=solution_not_converged")
case(not_converged_table STATUS 2 ARGUMENTS ${_small} --set "Solver/Maximum iterations=1" INPUT "" REMOVE results-case
  FILE_MATCHES "results-case/convergence.csv=,NO,")
# Cell volumes of 1e-29, whose squares float cannot represent, and residuals
# that it cannot, either.
case(tiny_box STATUS 0 MPIRUN 2 ARGUMENTS ${_small} --set Dimension=3 --set "Mesh/Upper corner=1e-8" INPUT ""
  STDOUT "[56] iterations in" NOWHERE "NOT CONVERGED")
case(huge_box STATUS 0 ARGUMENTS ${_small} --set Dimension=3 --set "Mesh/Upper corner=1e8"
  --set "Problem/Right hand side=1" INPUT "" STDOUT "[56] iterations in")
case(small_data STATUS 0 MPIRUN 2 ARGUMENTS ${_small} --set "Problem/Right hand side=1e-36" INPUT ""
  STDOUT "[56] iterations in" NOWHERE "NOT CONVERGED")
case(zero_right_hand_side STATUS 0 MPIRUN 2 ARGUMENTS ${_small} --set "Problem/Right hand side=0" INPUT ""
  STDOUT "0 iterations in" NOWHERE "nan|inf[^o]")

# --- Patch multigrid --------------------------------------------------------
set(_patch ${_small} --set "Solver/Preconditioner=patch multigrid")
case(patch STATUS 0 ARGUMENTS ${_patch} INPUT "" REMOVE results-case
  STDOUT "Conjugate gradients with vertex-patch multigrid, levels in float, to a residual of 1e-09 .duality pairing.\nPost-smoothing reverse, colours odd first, residuals rebalanced\n.*[4-6] iterations in .* on 2 levels, residual reduced by"
  FILE_MATCHES "results-case/run.json=\"n_levels\": 2,.*\"residual_measure\": \"duality pairing\".*\"eta_history\":.*\"multigrid_memory_bytes\": [1-9]")
case(patch_options STATUS 0 ARGUMENTS ${_patch} --set Solver/Iteration=stationary --set "Solver/Colour order=even first"
  --set "Solver/Level precision=double" --set "Solver/Rebalance every=0" INPUT "" NOWHERE "warning"
  STDOUT "Stationary iteration with vertex-patch multigrid, levels in double, .*\nPost-smoothing forward, colours even first, residuals never rebalanced\n")
case(patch_ranks STATUS 0 MPIRUN 2 4 ONLY_MPIRUN ARGUMENTS ${_patch} --set "Solver/Minimum cells per rank=4" INPUT ""
  REMOVE results-case NOWHERE "warning"
  STDOUT "[4-6] iterations in .* on 2 levels with a partition efficiency of 0.[0-9]+, residual reduced by"
  FILE_MATCHES "results-case/run.json=\"n_levels\": 2,\n *\"partition_efficiency\": 0.[0-9]")
case(patch_min_cells STATUS 1 ARGUMENTS ${_patch} --set "Solver/Minimum cells per rank=0" INPUT ""
  STDERR "parameter 'Minimum cells per rank' in section 'Solver': found '0', expected an integer >= 1" ABSENT results-case)
case(min_cells_chebyshev STATUS 0 ARGUMENTS ${_small} --set "Solver/Minimum cells per rank=4" INPUT ""
  ONCE "warning: --set: Solver/Minimum cells per rank has no effect on chebyshev multigrid")
case(patch_forward_cg STATUS 1 ARGUMENTS ${_patch}
  INPUT "subsection Solver\n  set Post-smoothing order = forward\nend\n"
  STDERR "case.prm:2: Solver/Post-smoothing order = forward: conjugate gradients need a symmetric cycle, .*use 'automatic' or 'reverse', or 'Solver/Iteration = stationary'"
  ABSENT results-case)
case(forward_cg_chebyshev STATUS 0 ARGUMENTS ${_small} --set "Solver/Post-smoothing order=forward" INPUT ""
  ONCE "warning: --set: Solver/Post-smoothing order has no effect on chebyshev multigrid")
case(patch_one_cell STATUS 1 MPIRUN 2 ARGUMENTS ${_patch} --set Mesh/Refinements=0 --set "Mesh/Coarse cells=3,1" INPUT ""
  ONCE "Mesh/Coarse cells = 3,1: the mesh of the first cycle has one cell in direction 1, .*at least one refinement .'Mesh/Refinements'."
  ABSENT results-case)
case(patch_coarsest_too_large STATUS 1 MPIRUN 2 ARGUMENTS ${_patch} --set "Mesh/Coarse cells=201,2" INPUT ""
  ONCE "error: The coarsest level has 201 cells of degree 3 in direction x: .* choose numbers of cells that can be halved more often"
  FILE_MATCHES "results-case/run.json=\"status\": \"error\"")
case(patch_dirichlet_nan STATUS 1 MPIRUN 2 ARGUMENTS ${_patch} --set "Boundary conditions/3/Value=sqrt(x-0.5)" INPUT ""
  ONCE "error: Boundary conditions/3/Value = .* evaluates to nan at")
case(patch_right_hand_side_nan STATUS 1 MPIRUN 2 ARGUMENTS ${_patch} --set "Problem/Right hand side=log(x-0.3)" INPUT ""
  ONCE "error: Problem/Right hand side = .* evaluates to nan at")
case(patch_not_converged STATUS 2 MPIRUN 2 ARGUMENTS ${_patch} --set "Solver/Maximum iterations=2" INPUT ""
  STDOUT "2 iterations, NOT CONVERGED.*Not converged: a solver reached its maximum number of iterations")
case(patch_stagnates STATUS 2 MPIRUN 2 ARGUMENTS ${_patch} --set Solver/Iteration=stationary --set "Solver/Rebalance every=0"
  INPUT "" REMOVE results-case
  STDOUT "warning: --set: Solver/Rebalance every = 0: with float levels, .*iterations, NOT CONVERGED.*Not converged: in cycle 0 the residual stagnates at [1-9][.0-9]*e-08 times its first value since iteration [0-9]+. set 'Solver/Rebalance every = 1' or 'Solver/Level precision = double'"
  FILE_MATCHES "results-case/run.json=\"status\": \"not converged\",\n *\"message\": \"in cycle 0 the residual stagnates at")
case(patch_cg_without_rebalancing STATUS 0 ARGUMENTS ${_patch} --set "Solver/Rebalance every=0" --set Solver/Tolerance=1e-5
  INPUT "" ONCE "warning: --set: Solver/Rebalance every = 0: with float levels, the residual of the conjugate gradient method stagnates .*; 3 is often enough")
case(patch_cg_rare_rebalancing STATUS 0 ARGUMENTS ${_patch} --set "Solver/Rebalance every=3" INPUT "" NOWHERE "warning")
case(patch_stagnates_at_round_off STATUS 2 ARGUMENTS ${_patch} --set Solver/Iteration=stationary --set Degree=7
  --set Mesh/Refinements=4 --set Solver/Tolerance=1e-15 INPUT "" REMOVE results-case
  STDOUT "iterations, NOT CONVERGED.*Not converged: in cycle 0 the residual stagnates at [1-9][.0-9]*e-1[45] times its first value since iteration [0-9]+. that is what the precision allows, use a larger 'Solver/Tolerance'"
  FILE_MATCHES "results-case/run.json=\"status\": \"not converged\",\n *\"message\": \"in cycle 0 the residual stagnates at")
case(patch_one_iteration STATUS 0 ARGUMENTS ${_patch} --set Solver/Iteration=stationary --set "Solver/Fixed iterations=1" INPUT ""
  STDOUT "1 iteration in .* on 2 levels, residual not known\n")
case(patch_zero STATUS 0 MPIRUN 2 ARGUMENTS ${_patch} --set "Problem/Right hand side=0" INPUT ""
  STDOUT "0 iterations in .*residual zero" NOWHERE "nan|inf[^o]")
case(patch_tiny_box STATUS 0 MPIRUN 2 ARGUMENTS ${_patch} --set Dimension=3 --set "Mesh/Upper corner=1e-8" INPUT ""
  STDOUT "[4-6] iterations in" NOWHERE "NOT CONVERGED")
case(patch_huge_box STATUS 0 ARGUMENTS ${_patch} --set Dimension=3 --set "Mesh/Upper corner=1e8"
  --set "Problem/Right hand side=1" INPUT "" STDOUT "[4-6] iterations in")
case(patch_small_data STATUS 0 MPIRUN 2 ARGUMENTS ${_patch} --set "Problem/Right hand side=1e-36" INPUT ""
  STDOUT "[4-6] iterations in" NOWHERE "NOT CONVERGED")

# --- Files ------------------------------------------------------------------
case(results_unwritable STATUS 1 MPIRUN 2 ARGUMENTS ${_small} --results /proc/tessera INPUT ""
  ONCE "poisson_q3: error: .*/proc/tessera" NOWHERE "Cycle 0")
case(results_is_a_file STATUS 1 MPIRUN 2 ARGUMENTS ${_small} --results case.prm INPUT ""
  ONCE "poisson_q3: error: .*case.prm" NOWHERE "Cycle 0")
case(files STATUS 0 MPIRUN 2 ARGUMENTS ${_small} --results there/and/here INPUT "" REMOVE there
  FILES there/and/here/run.json there/and/here/log.txt there/and/here/parameters.prm
  there/and/here/convergence.csv there/and/here/convergence.tex there/and/here/solution.pvd
  FILE_MATCHES "there/and/here/solution_0000.pvtu=partition.*error|error.*partition")
case(table STATUS 0 ARGUMENTS ${_small} INPUT "" REMOVE results-case
  FILE_MATCHES "results-case/convergence.csv=^cycle,cells,dofs,iterations,fractional,contraction,converged,L2,L2 rate,H1,H1 rate,seconds,MDoF/s\n0,16,169,")
# Something in the place of a file stands for a full disk.
foreach(_file solution_0000.pvtu solution.pvd)
  case(unwritable_${_file} STATUS 1 MPIRUN 2 ARGUMENTS ${_small} INPUT "" REMOVE results-case OLD results-case/${_file}/x
    ONCE "poisson_q3: error: 'results-case/${_file}' cannot be written"
    FILE_MATCHES "results-case/run.json=\"status\": \"error\"")
endforeach()
case(no_vtu STATUS 0 ARGUMENTS ${_small} --set "Output/Write VTU=false" INPUT "" REMOVE results-case
  FILES results-case/run.json ABSENT results-case/solution.pvd)
case(high_order STATUS 0 MPIRUN 2 ARGUMENTS ${_small} --set "Output/High order=true" INPUT "" REMOVE results-case
  FILES results-case/solution.pvd)

# --- The parameter files that come with the suite ---------------------------
# Each runs, and where it says what to expect, that is what comes out.
find_program(_python python3)
file(GLOB _prms ${PROJECT_SOURCE_DIR}/parameter_files/poisson_q3/*.prm)
foreach(_prm ${_prms})
  get_filename_component(_name ${_prm} NAME_WE)
  case(shipped_${_name} STATUS 0 ARGUMENTS ${_prm} REMOVE results-${_name} STDOUT "cycle cells"
    FILES results-${_name}/run.json results-${_name}/convergence.csv results-${_name}/solution.pvd)
  get_filename_component(_folder ${_prm} DIRECTORY)
  if(_python AND EXISTS ${_folder}/${_name}.expected.json)
    set_tests_properties(poisson_q3/shipped_${_name} PROPERTIES FIXTURES_SETUP shipped_${_name})
    add_test(NAME poisson_q3/expected_${_name}
      COMMAND ${_python} ${PROJECT_SOURCE_DIR}/scripts/demo_summary.py ${_folder}/${_name}.expected.json
        ${CMAKE_CURRENT_BINARY_DIR}/poisson_q3_shipped_${_name}.run/results-${_name})
    tessera_finish_test(poisson_q3/expected_${_name} LABELS poisson_q3)
    set_property(TEST poisson_q3/expected_${_name} APPEND PROPERTY FIXTURES_REQUIRED shipped_${_name})
  endif()
endforeach()

# --- On the emulated device -------------------------------------------------
macro(device_case name)
  tessera_add_command_test(${name} TARGET emulated_poisson_q3 LABELS device ${ARGN})
endmacro()
set(_tiny ${_small} --set Mesh/Refinements=1 --set "Output/Write VTU=false"
  --set "Solver/Preconditioner=patch multigrid")

device_case(device_auto STATUS 0 ARGUMENTS ${_tiny} INPUT "" STDOUT "1 process, back end cuda\n"
  FILE_MATCHES "results-case/run.json=\"why_host\": \"\"")
device_case(device_host STATUS 0 ARGUMENTS ${_tiny} --set Backend=host INPUT "" STDOUT "back end host\n")
device_case(device_degree STATUS 1 MPIRUN 2 ARGUMENTS ${_tiny} --set Backend=cuda --set Degree=5 INPUT ""
  ONCE "error: --set: Backend = cuda: Degree = 5, where devices take degrees 1 to 3. use auto or host\n" ABSENT results-case)
# Known without a device.
case(validate_device_degree STATUS 1 ARGUMENTS --validate case.prm INPUT "set Degree = 5\nset Backend = cuda\nsubsection Solver\n set Preconditioner = patch multigrid\nend\n"
  STDERR "error: case.prm:2: Backend = cuda: Degree = 5, where devices take degrees 1 to 3. use auto or host\n" NOWHERE "valid\n")
device_case(device_auto_degree STATUS 0 ARGUMENTS ${_tiny} --set Degree=5 INPUT ""
  STDOUT "back end host [(]Degree = 5, where devices take degrees 1 to 3[)]\n")
device_case(device_chebyshev STATUS 1 ARGUMENTS ${_tiny} --set Backend=cuda
  --set "Solver/Preconditioner=chebyshev multigrid" INPUT ""
  STDERR "error: --set: Backend = cuda: Solver/Preconditioner = chebyshev multigrid, where devices take patch multigrid. use auto or host\n")
