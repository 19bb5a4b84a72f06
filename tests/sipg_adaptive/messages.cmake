# SPDX-License-Identifier: LGPL-2.1-or-later
# Errors, warnings and files of sipg_adaptive, as users meet them. What all
# applications have in common is in tests/command_line.

# Problems that take no time; arguments of a case come behind and override.
set(_small case.prm --set Dimension=2 --set Refinement/Cycles=1)
set(_marked ${_small} --set Refinement/Cycles=3 --set Refinement/Strategy=estimator)

# --- What is printed and written ---------------------------------------------
case(screen STATUS 0 INPUT "" ARGUMENTS ${_here}/corner.prm ${_quiet} --set Refinement/Cycles=2
  STDOUT "-div.k grad u. = f, k = 1, on the l shape in .-1, 1. x .-1, 1.\nDiscontinuous elements of degree 2, interior penalty with factor 2\n.*levels in float, to a residual of 1e-10.*\nRefined are cells with 50 % of the squares of the error indicators\n.*Cycle 1: 21 cells on 3 levels, 189 degrees of freedom\n  active cells of levels 0, 1, ...: 0 9 12. 12 shadow cells\n  [78] iterations in .*. that of the start value is 1/[1-9][0-9]* of that of zero\n  estimated error 0.18, error in the energy norm 0.0686.*\ncycle levels cells shadows dofs its conv +L2 +energy +estimator +eff +setup solve MDoF/s MiB\n")
case(table STATUS 0 INPUT "" ARGUMENTS ${_marked} ${_quiet} --set Refinement/Cycles=2 REMOVE results-case
  FILES results-case/convergence.tex
  FILE_MATCHES "results-case/convergence.csv=cycle,levels,cells,cells per level,shadows,dofs,its,conv,L2,L2 rate,energy,energy rate,estimator,estimator rate,eff,setup,solve,MDoF/s,MiB\n0,2,16,0.16,0,256,")
case(record STATUS 0 INPUT "" ARGUMENTS ${_small} ${_quiet} REMOVE results-case
  FILE_MATCHES "results-case/run.json=\"iterations\": 7,.*\"residual_measure\": \"duality pairing\".*\"reference_residual\":.*\"lanczos_bounds\": .\n *0.[89][0-9]*,\n *1.[0-9]*\n.*\"seconds\": .*\"setup\":.*\"solver_memory_bytes\": [1-9].*\"peak_memory_bytes\": [1-9]")
case(fields STATUS 0 INPUT "" ARGUMENTS ${_here}/two_materials.prm --results results-case REMOVE results-case
  FILES results-case/solution.pvd results-case/solution_0002.pvtu
  FILE_MATCHES "results-case/solution_0002.pvtu=\"solution\".*\"error\".*\"level\".*\"estimator\".*\"coefficient\"")
case(uniform_files STATUS 0 INPUT "" ARGUMENTS ${_marked} ${_quiet} --set "Refinement/Compare with uniform=true" REMOVE results-case
  STDOUT "Uniform meshes for comparison\nUniform mesh 0: 16 cells"
  FILES results-case/convergence_uniform.csv results-case/convergence_uniform.tex
  FILE_MATCHES "results-case/run.json=\"uniform_cycles\": ")
case(no_exact_solution STATUS 0 INPUT "" ARGUMENTS ${_small} --set "Problem/Right hand side=1" REMOVE results-case
  STDOUT "cycle levels cells shadows dofs its conv +estimator +setup" NOWHERE "L2|nan|eff"
  FILE_MATCHES "results-case/run.json=\"errors\": ..,\n *\"estimator\"")
case(zero_solution STATUS 0 INPUT "" ARGUMENTS ${_marked} ${_quiet} --set "Problem/Right hand side=0" NOWHERE "nan|inf[^o]"
  STDOUT "0 iterations in .*warning: there is no cell to refine after cycle 0: .*all indicators are zero")
case(zero_errors STATUS 0 INPUT "" ARGUMENTS ${_small} ${_quiet} --set Refinement/Cycles=2 --set "Problem/Right hand side=0"
  --set "Problem/Exact solution=0" REMOVE results-case NOWHERE "nan|inf[^o]"
  STDOUT " yes 0.000e.00 - 0.000e.00 - 0.000e.00 - 0"
  FILE_MATCHES "results-case/convergence.csv=\n1,3,64,0.0.64,0,1024,0,yes,0[.0]*e.00,-,0[.0]*e.00,-,0[.0]*e.00,-,")
# What later cycles break must not take the earlier ones along.
set(_later "1/if(abs(x-0.0022)<0.001,0,1)")
case(error_later STATUS 1 INPUT "" ARGUMENTS ${_marked} ${_quiet} --set "Problem/Right hand side=${_later}" REMOVE results-case
  STDERR "error: Problem/Right hand side = .* evaluates to inf at .0.0021"
  FILES results-case/convergence.tex results-case/run.json FILE_MATCHES "results-case/convergence.csv=\n1,3,28,0.12.16,16,448,")
case(output_impossible STATUS 1 INPUT "" ARGUMENTS ${_small} --set "Problem/Exact solution=if(x+y<1e-9, 1/x, x)" --set "Problem/Boundary values=0"
  --set "Problem/Right hand side=0" REMOVE results-case FILES results-case/convergence.csv
  STDERR "error: Problem/Exact solution = .* evaluates to inf at" FILE_MATCHES "results-case/run.json=\"cycle\": 0")
case(maximum_level STATUS 0 INPUT "" ARGUMENTS ${_marked} ${_quiet} --set "Refinement/Maximum level=1"
  ONCE "warning: there is no cell to refine after cycle 0: those with the largest indicators have 'Refinement/Maximum level'")
case(shell_outside STATUS 0 INPUT "" ARGUMENTS ${_small} ${_quiet} --set Refinement/Strategy=shell --set Refinement/Cycles=2
  --set "Refinement/Shell radius=3" ONCE "warning: there is no cell to refine after cycle 0: none below 'Refinement/Maximum level' meets the shell")
case(help STATUS 0 ARGUMENTS --help STDOUT "sipg_adaptive my.prm --set" NOWHERE "mpirun")
case(printed_parameters STATUS 0 ARGUMENTS --print-parameters OUTPUT printed.prm)
case(defaults_are_silent STATUS 0 INPUT "" ARGUMENTS ${_small} ${_quiet} --set "Refinement/Shell radius=0.3"
  --set "Refinement/Shell centre=" --set "Refinement/Maximum level=20" NOWHERE "warning")

# --- The solver --------------------------------------------------------------
case(not_converged STATUS 2 INPUT "" ARGUMENTS ${_small} --set "Solver/Maximum iterations=2" --set Refinement/Cycles=2 REMOVE results-case
  STDOUT "2 iterations, NOT CONVERGED.*Cycle 1.*2 iterations, NOT CONVERGED" FILES results-case/solution.pvd results-case/solution_0001.pvtu
  results-case/convergence.csv results-case/convergence.tex results-case/log.txt
  FILE_MATCHES "results-case/run.json=\"status\": \"not converged\"")
# One cycle is enough.
case(not_converged_once STATUS 2 INPUT "" ARGUMENTS ${_small} ${_quiet} --set Mesh/Refinements=3 --set Refinement/Cycles=2
  --set Refinement/Strategy=shell --set "Solver/Maximum iterations=7" REMOVE results-case
  STDOUT "7 iterations, NOT CONVERGED.*Cycle 1.*[456] iterations in .*Not converged:"
  FILE_MATCHES "results-case/run.json=\"status\": \"not converged\"")
case(not_converged_field STATUS 2 INPUT "" ARGUMENTS ${_small} --set "Solver/Maximum iterations=1" REMOVE results-case
  FILE_MATCHES "results-case/solution_0000.pvtu=solution_not_converged")
case(not_converged_table STATUS 2 INPUT "" ARGUMENTS ${_small} ${_quiet} --set "Solver/Maximum iterations=1" REMOVE results-case
  FILE_MATCHES "results-case/convergence.csv=,NO,")
# The coarse matrix, and, with a coarse level that is still positive definite,
# what conjugate gradients meet.
set(_advice "too small.*Here 'Discretization/Penalty factor', the weight of jumps at faces, is 0[.].*; set it to 2[.]")
case(penalty_too_small STATUS 2 INPUT "" ARGUMENTS ${_small} --set "Discretization/Penalty factor=0.1"
  STDERR "error: The matrix of the coarsest level is not positive definite .*${_advice}")
case(penalty_too_small_cg STATUS 2 INPUT "" ARGUMENTS ${_small} --set "Discretization/Penalty factor=0.5"
  STDERR "error: (p.T A p|r.T B r) is -.* in iteration .*${_advice}")
case(boundary_factor_too_small STATUS 2 INPUT "" ARGUMENTS ${_small} --set "Discretization/Boundary factor=0.01"
  STDERR "error: The matrix of the coarsest level is not positive definite .*Here 'Discretization/Boundary factor', .* is 0.01; set it to 2[.]")
case(beyond_float STATUS 2 INPUT "" ARGUMENTS ${_small} --set "Mesh/Upper corner=1e20"
  STDERR "error: r.T B r is .*nan in iteration 0 .*Here the levels are in float.*set 'Multigrid/Level precision' to double[.]")
case(beyond_float_double STATUS 0 INPUT "" ARGUMENTS ${_small} ${_quiet} --set "Mesh/Upper corner=1e20" --set "Multigrid/Level precision=double"
  --set "Problem/Right hand side=1" STDOUT "1[0-9]? iterations in|[789] iterations in")
case(several_processes STATUS 1 INPUT "" ONLY_MPIRUN MPIRUN 2 ARGUMENTS ${_small}
  ONCE "sipg_adaptive: error: sipg_adaptive runs as one process; it was started as 2[.]")
case(cuda STATUS 1 INPUT "" ARGUMENTS ${_small} --set Backend=cuda
  STDERR "error: --set: Backend = cuda: this application has no solver for a device; use auto or host")

# --- Parameters --------------------------------------------------------------
case(misspelt STATUS 1 ARGUMENTS case.prm INPUT "subsection Refinement\n  set Cycle = 3\nend\n"
  STDERR "case.prm:2: unknown parameter 'Cycle' in section 'Refinement'. did you mean 'Cycles'")
case(degree STATUS 1 INPUT "" ARGUMENTS ${_small} --set Degree=8 STDERR "found '8', expected an integer from 1 to 7")
case(box_inside_out STATUS 1 INPUT "" ARGUMENTS ${_small} --set "Mesh/Lower corner=0,2" STDERR "in direction 1 the box reaches from 2 to 1")
case(box_not_resolved STATUS 1 INPUT "" ARGUMENTS ${_small} --set Refinement/Cycles=20 --set "Mesh/Lower corner=1e8" --set "Mesh/Upper corner=100000001"
  STDERR "in direction 0 the cells of the last cycle are .* wide at coordinates up to 1e.08")
case(coarse_mesh_too_large STATUS 1 INPUT "" ARGUMENTS ${_small} --set Mesh/Coarse\ cells=20
  STDERR "Mesh/Coarse cells = 20: the coarse mesh has 400 cells and 6400 unknowns, where the direct solver on it takes up to 6144. Use fewer coarse cells and more 'Mesh/Refinements'")
case(too_many_cells STATUS 1 INPUT "" ARGUMENTS ${_small} --set Mesh/Refinements=10 --set Refinement/Cycles=10
  STDERR "Mesh/Refinements = 10: there would be .* cells; numbers of cells go up to 2e.09. Use fewer refinements")
case(odd_cells STATUS 1 INPUT "" ARGUMENTS ${_small} --set "Mesh/Domain=l shape" --set "Mesh/Coarse cells=2, 3"
  STDERR "there are 3 cells in direction 1; the domain has a corner in the middle, which takes an even number")
case(odd_cells_along STATUS 0 INPUT "" ARGUMENTS ${_small} ${_quiet} --set Dimension=3 --set "Mesh/Domain=l shape" --set "Mesh/Coarse cells=2, 2, 1"
  --set "Boundary conditions/7/Type=neumann" STDOUT "Cycle 0: 24 cells")
case(fichera_2d STATUS 1 INPUT "" ARGUMENTS ${_small} --set Mesh/Domain=fichera STDERR "Mesh/Domain = fichera: the Fichera corner is a domain in 3D; use 'l shape'")
case(stretched_cells STATUS 0 INPUT "" ARGUMENTS ${_small} ${_quiet} --set "Mesh/Coarse cells=2, 8"
  ONCE "warning: --set: the sides of the cells have the ratio 4; the solver needs more iterations")
case(no_such_boundary STATUS 1 INPUT "" ARGUMENTS ${_small} --set "Boundary conditions/4/Type=neumann"
  STDERR "the boundary of the box has the ids 0 to 3 in 2D; there is no id 4")
case(no_such_boundary_l_shape STATUS 1 INPUT "" ARGUMENTS ${_small} --set "Mesh/Domain=l shape" --set "Boundary conditions/6/Type=neumann"
  STDERR "the boundary of the l shape has the ids 0 to 5 in 2D; there is no id 6")
case(all_neumann STATUS 1 INPUT "" ARGUMENTS ${_small} --set "Boundary conditions/0/Type=neumann" --set "Boundary conditions/1/Type=neumann"
  --set "Boundary conditions/2/Type=neumann" --set "Boundary conditions/3/Type=neumann" STDERR "undetermined up to a constant")
case(block_size_3 STATUS 1 INPUT "" ARGUMENTS ${_small} --set "Multigrid/Block size=3" STDERR "Multigrid/Block size = 3: it must be a power of two")
case(centre_of_other_dimension STATUS 1 INPUT "" ARGUMENTS ${_small} --set Refinement/Strategy=shell --set "Refinement/Shell centre=0,0,0"
  STDERR "Refinement/Shell centre = 0,0,0: found 3 numbers; give one for all directions, or 2")
case(fraction STATUS 1 INPUT "" ARGUMENTS ${_small} --set Refinement/Fraction=1.5 STDERR "found '1.5', expected a number from .* to 1")
foreach(_setting "Shell radius=0.4" "Shell width=1" "Shell centre=0,0")
  string(REGEX REPLACE "[ =].*" "" _name ${_setting})
  string(REGEX MATCH "^[^=]*" _parameter ${_setting})
  string(REPLACE " " "_" _name "without_effect_${_parameter}")
  case(${_name} STATUS 0 INPUT "" ARGUMENTS ${_small} ${_quiet} --set "Refinement/${_setting}"
    ONCE "warning: --set: Refinement/${_parameter} has no effect, as 'Refinement/Strategy' is not shell")
endforeach()
case(without_effect_fraction STATUS 0 INPUT "" ARGUMENTS ${_small} ${_quiet} --set Refinement/Fraction=0.3
  ONCE "warning: --set: Refinement/Fraction has no effect, as 'Refinement/Strategy' is not estimator")
case(without_effect_uniform STATUS 0 INPUT "" ARGUMENTS ${_small} ${_quiet} --set "Refinement/Compare with uniform=true"
  ONCE "warning: --set: Refinement/Compare with uniform has no effect, as 'Refinement/Strategy' is not shell or estimator")

# --- Expressions -------------------------------------------------------------
case(expression_syntax STATUS 1 INPUT "" ARGUMENTS --validate ${_small} --set "Problem/Right hand side=sin(x"
  STDERR "error: --set: Problem/Right hand side = \"sin.x\" is not an expression in x, y and pi: Missing parenthesis")
case(coefficient_syntax STATUS 1 INPUT "" ARGUMENTS --validate ${_small} --set "Problem/Diffusion coefficient=1+" --set "Problem/Right hand side=1"
  STDERR "error: --set: Problem/Diffusion coefficient = \"1.\" is not an expression in x, y and pi")
case(coefficient_negative STATUS 1 INPUT "" ARGUMENTS ${_small} --set "Problem/Diffusion coefficient=x-0.5" --set "Problem/Right hand side=1"
  STDERR "error: Problem/Diffusion coefficient = \"x-0.5\" is -0.375 at the centre of a cell, .0.125, 0.125.. it must be positive")
case(coefficient_nan STATUS 1 INPUT "" ARGUMENTS ${_small} --set "Problem/Diffusion coefficient=log(x-0.5)" --set "Problem/Right hand side=1"
  STDERR "error: Problem/Diffusion coefficient = \"log.x-0.5.\" evaluates to nan at ")
case(coefficient_of_sines STATUS 1 INPUT "" ARGUMENTS ${_small} --set "Problem/Diffusion coefficient=2"
  STDERR "Problem/Diffusion coefficient = 2: the product of sines is the right hand side for k = 1; give 'Problem/Right hand side'")
case(gradient_short STATUS 1 INPUT "" ARGUMENTS ${_small} --set "Problem/Exact gradient=1" STDERR "found 1 expression; give 2, one a direction, separated by ';'")
case(gradient_of_nothing STATUS 1 INPUT "" ARGUMENTS ${_small} --set "Problem/Right hand side=1" --set "Problem/Exact gradient=1"
  STDERR "there is no exact solution that this could be the gradient of")
case(right_hand_side_nan STATUS 1 INPUT "" ARGUMENTS ${_small} --set "Problem/Right hand side=log(x-0.3)" REMOVE results-case
  STDERR "error: Problem/Right hand side = \"log.x-0.3.\" evaluates to nan at ."
  FILE_MATCHES "results-case/run.json=\"status\": \"error\",\n *\"message\": \"Problem/Right hand side")
case(exact_solution_infinite STATUS 1 INPUT "" ARGUMENTS ${_small} --set "Problem/Exact solution=1/(x-x)" --set "Problem/Boundary values=0"
  STDERR "Problem/Exact solution = .* evaluates to inf at")
case(dirichlet_nan STATUS 1 INPUT "" ARGUMENTS ${_small} --set "Boundary conditions/3/Value=sqrt(x-0.5)"
  STDERR "error: Boundary conditions/3/Value = .* evaluates to nan at")
case(neumann_nan STATUS 1 INPUT "" ARGUMENTS ${_small} --set "Boundary conditions/3/Value=sqrt(x-0.5)" --set "Boundary conditions/3/Type=neumann"
  STDERR "error: Boundary conditions/3/Value = .* evaluates to nan at")
