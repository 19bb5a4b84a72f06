# SPDX-License-Identifier: LGPL-2.1-or-later
# sipg_adaptive as users run it: studies and what comes out.
macro(case name)
  tessera_add_command_test(${name} TARGET sipg_adaptive ${ARGN})
endmacro()
macro(checked_case name)
  tessera_add_record_test(${name} TARGET sipg_adaptive ARGUMENTS ${ARGN})
endmacro()
set(_here ${CMAKE_CURRENT_SOURCE_DIR})

set(_quiet --set "Output/Write VTU=false")
set(_two_cycles case.prm ${_quiet} --set Refinement/Cycles=2)
set(_3d ${_two_cycles} --set "Solver/Start value=zero")
set(_2d ${_3d} --set Dimension=2 --set Mesh/Refinements=3)
set(_ring ${_2d} --set Refinement/Strategy=shell)

# --- Iterations, cells and errors of an independent program ------------------
checked_case(uniform_3d ${_3d})
checked_case(uniform_2d ${_2d})
checked_case(shell_3d ${_3d} --set Refinement/Strategy=shell --set Mesh/Refinements=2)
checked_case(shell_2d ${_ring} --set Mesh/Refinements=4 --set Refinement/Cycles=3)
foreach(_degree RANGE 1 5)
  checked_case(degree_${_degree} ${_ring} --set Refinement/Cycles=3 --set Degree=${_degree})
endforeach()
checked_case(penalty_factor ${_ring} --set "Discretization/Penalty factor=4")
checked_case(boundary_factor ${_ring} --set "Discretization/Boundary factor=1")
checked_case(smoothing_steps ${_ring} --set "Multigrid/Smoothing steps=2")
checked_case(smoothing_range ${_ring} --set "Multigrid/Smoothing range=5")
checked_case(shell_width ${_ring} --set Refinement/Cycles=3 --set "Refinement/Shell width=1")

# --- The same answer by other ways -------------------------------------------
checked_case(level_precision ${_ring} --set "Multigrid/Level precision=double")
checked_case(block_size ${_ring} --set "Multigrid/Block size=8")
checked_case(start_value ${_two_cycles} --set Dimension=2 --set Mesh/Refinements=3 --set Refinement/Strategy=shell)

# --- Domains, conditions, coefficient: solutions in the discrete space -------
checked_case(polynomial ${_here}/polynomial.prm ${_quiet})
checked_case(polynomial_3d ${_here}/polynomial_3d.prm ${_quiet})
checked_case(two_materials ${_here}/two_materials.prm ${_quiet})

# --- Where is refined --------------------------------------------------------
checked_case(shell_centre ${_ring} --set Refinement/Cycles=3 --set "Mesh/Coarse cells=1, 3"
  --set "Refinement/Shell centre=0, 0.25" --set "Refinement/Shell radius=0.5" --set "Refinement/Maximum level=4")
checked_case(corner ${_here}/corner.prm ${_quiet} --set "Refinement/Compare with uniform=true")
checked_case(contrast ${_here}/contrast.prm ${_quiet})

# --- The parameter files that come with the suite ----------------------------
set(_of_shell --set Refinement/Cycles=3)
set(_of_shell_2d --set Refinement/Cycles=5)
set(_of_uniform_3d --set Refinement/Cycles=3)
tessera_add_shipped_tests(sipg_adaptive)
