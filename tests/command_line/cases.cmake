# SPDX-License-Identifier: LGPL-2.1-or-later
# What users meet on the command line and in parameter files. A start of MPI and
# deal.II takes half a second, so that similar messages share a run; and a case
# runs on two ranks, too, where its way to the message is one of its own. There,
# what each rank prints would not be found ONCE.

# --- Options ---------------------------------------------------------------
case(no_argument STATUS 1 MPIRUN 2
  STDERR "usage: test_application" ONCE "usage: test_application")
case(help STATUS 0 MPIRUN 2 ARGUMENTS --help
  STDOUT "adds numbers.*--validate FILE.*examples:.*exit status:.*3  no usable device"
  ONCE "usage: test_application")
case(version STATUS 0 ARGUMENTS --version
  STDOUT "git revision.*MPI .*CUDA .*device .*SIMD .*bits.*deal.II  *9.*VectorizedArray<double>" ONCE "git revision")
case(print_parameters STATUS 0 ARGUMENTS --print-parameters
  STDOUT "# Allowed: an integer from 1 to 4.\nset Degree = 2\n.*# +subsection 1" ONCE "set Degree = 2")
case(option_unknown STATUS 1 ARGUMENTS --valdiate x.prm
  ONCE "test_application: error: unknown option '--valdiate'. did you mean '--validate'.\n")
case(option_unknown_far STATUS 1 ARGUMENTS --frobnicate
  STDERR "unknown option '--frobnicate'; see 'test_application --help'")
case(option_without_operand STATUS 1 ARGUMENTS --results
  STDERR "option '--results' needs an operand: --results DIR")
case(option_followed_by_option STATUS 1 ARGUMENTS case.prm --set --results d
  STDERR "option '--set' needs an operand")
case(option_with_needless_operand STATUS 1 ARGUMENTS --version=3
  STDERR "option '--version' takes no operand, found '--version=3'")
case(two_files STATUS 1 ARGUMENTS a.prm b.prm
  STDERR "found two parameter files, 'a.prm' and 'b.prm'; expected one")
case(no_file STATUS 1 ARGUMENTS --results d
  STDERR "no parameter file is given")
case(options_before_and_behind STATUS 0 ARGUMENTS --set Degree=3 case.prm --results=there --set "Solver / Tolerance = 0.5"
  INPUT "set Degree = 4\n" REMOVE there STDOUT "sum 3.4.*tolerance 0.5"
  FILES there/run.json there/log.txt there/parameters.prm)
case(end_of_options STATUS 1 ARGUMENTS -- --help STDERR "--help: no such file")

# --- Files -----------------------------------------------------------------
case(file_missing STATUS 1 MPIRUN 2 ARGUMENTS nowhere.prm
  ONCE "test_application: error: nowhere.prm: no such file\n" ABSENT nowhere.prm results-nowhere)
case(file_is_directory STATUS 1 ARGUMENTS . STDERR "error: .: this is a directory")
case(file_unreadable STATUS 1 ARGUMENTS /proc/self/mem STDERR "/proc/self/mem: the file cannot be")
case(file_empty STATUS 0 MPIRUN 2 ARGUMENTS case.prm REMOVE results-case
  STDOUT "sum 2.4333" ONCE "sum 2.4333" FILES results-case/run.json results-case/log.txt
  FILE_MATCHES "results-case/run.json=\"status\": \"success\"")
case(file_dos STATUS 0 ARGUMENTS case.prm INPUT "\r\nset Degree = 4\r\nsubsection Solver\r\n set Tolerance = 0.25\r\nend\r\n"
  STDOUT "sum 4.4333.*tolerance 0.25")
string(ASCII 239 187 191 _byte_order_mark)
case(file_with_byte_order_mark STATUS 0 ARGUMENTS case.prm INPUT "${_byte_order_mark}set Degree = 4\n" STDOUT "sum 4.4333")
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/stdin.prm "set Degree = 4\n")
case(stdin STATUS 0 MPIRUN 2 ARGUMENTS - STDIN ${CMAKE_CURRENT_BINARY_DIR}/stdin.prm REMOVE results-stdin
  STDOUT "sum 4.4333" FILES results-stdin/run.json)
case(stdin_error STATUS 1 ARGUMENTS --validate - --set Degree=1 --set Label=x --set Degre=1
  STDIN ${CMAKE_CURRENT_BINARY_DIR}/stdin.prm STDERR "error: --set: unknown parameter 'Degre'")
case(output_lost STATUS 1 ARGUMENTS --print-parameters OUTPUT /dev/full
  ONCE "test_application: error: the output could not be written completely. is the disk full")
case(validate STATUS 0 ARGUMENTS --validate case.prm INPUT "set Degree = 1\n"
  STDOUT "case.prm: valid\n" ONCE "case.prm: valid" ABSENT results-case)
case(validate_error STATUS 1 MPIRUN 2 ARGUMENTS --validate case.prm INPUT "set Degree = 9\n"
  ONCE "error: case.prm:1: parameter 'Degree' outside of all sections: found '9', expected an integer from 1 to 4\n"
  NOWHERE "valid\n")

# --- Syntax ----------------------------------------------------------------
case(syntax STATUS 1 ARGUMENTS case.prm
  INPUT "
set Degree 3
Degree = 3
subsecton Solver
end
include none.prm
include case.prm
subsection Mesh
  subsection Grading
  end
subsection Solver
end
"
  ONCE "error: case.prm:2: found 'set Degree 3', expected 'set NAME = VALUE'
case.prm:3: found 'Degree = 3', expected [^\n]*. is 'set' missing in front of it.
case.prm:4: [^\n]*. did you mean 'subsection'.
case.prm:5: 'end' without a 'subsection' that it could close
case.prm:6: cannot include 'none.prm': no such file
case.prm:7: 'case.prm' is included while it is being read[^\n]*
case.prm:8: subsection 'Mesh' begins here and is not closed by 'end'
$")
case(syntax_upper_case STATUS 0 ARGUMENTS case.prm INPUT "SUBSECTION Solver\nSET Tolerance = 0.25\nEND\n"
  STDOUT "tolerance 0.25")
case(syntax_continuation STATUS 0 ARGUMENTS case.prm INPUT "set Label = one \\\n   two # three\n"
  STDOUT "label 'one two'")

# Looked for beside the including file; errors name the included one.
set(_parts ${CMAKE_CURRENT_BINARY_DIR}/parts)
file(WRITE ${_parts}/good.prm "include inner/better.prm\n")
file(WRITE ${_parts}/inner/better.prm "include best.prm\n")
file(WRITE ${_parts}/inner/best.prm "set Degree = 4\n")
file(WRITE ${_parts}/bad.prm "\nset Degre = 4\n")
case(include STATUS 0 ARGUMENTS case.prm INPUT "include ../parts/good.prm\n" STDOUT "sum 4.4333")
case(include_error STATUS 1 ARGUMENTS case.prm INPUT "include ../parts/bad.prm\n"
  STDERR "error: ../parts/bad.prm:2: unknown parameter 'Degre'")

# --- Names -----------------------------------------------------------------
case(name_misspelt STATUS 1 MPIRUN 2 ARGUMENTS case.prm INPUT "subsection Solver\n  set Tolerence = 1\nend\n"
  ONCE "error: case.prm:2: unknown parameter 'Tolerence' in section 'Solver'. did you mean 'Tolerance'.\n"
  ABSENT results-case)
case(names STATUS 1 ARGUMENTS case.prm --set Sovler/Tolerance=1
  INPUT "set Tolerance = 1
set Solver = 1
set Solver/Tolerance = 0.5
subsection Solver
  set Colour = 1
end
subsection Boundary conditions
  set Type = neumann
  subsection left
    set Type = neumann
  end
end
subsection solvers
  set Tolerance = 1
  set Method = 3
end
subsection Output
  subsection Grading
  end
end
subsection Degree
end
set Dimension = 3
set Dimension = 2
"
  ONCE "error: case.prm:1: unknown parameter 'Tolerance' outside of all sections. there is a parameter of this name in section 'Solver'
case.prm:2: [^\n]*'Solver' is a section: write 'subsection Solver'
case.prm:3: [^\n]*a name has no '/'[^\n]*
case.prm:5: unknown parameter 'Colour' in section 'Solver'. known are 'Tolerance', 'Maximum iterations', 'Method'
case.prm:8: unknown parameter 'Type' in section 'Boundary conditions'. there is a parameter of this name in section 'Boundary conditions/<id>'
case.prm:9: 'left' cannot be a section of 'Boundary conditions'. expected <id>: an integer >= 0
case.prm:13: unknown section 'solvers' at the top level. did you mean 'Solver'.
case.prm:18: unknown section 'Grading' in section 'Output'. there is a section 'Mesh/Grading'[^\n]*
case.prm:21: [^\n]*'Degree' is a parameter: write 'set Degree = VALUE'
case.prm:24: parameter 'Dimension' outside of all sections has a value already, '3' in line 23. remove one of the two lines
--set: unknown section 'Sovler' at the top level. did you mean 'Solver'.
$")

# --- Values ----------------------------------------------------------------
case(values STATUS 1 ARGUMENTS case.prm --set Solver/Method=cgs
  INPUT "set Degree =
set Dimension = 2.5
subsection Solver
  set Tolerance = 0
  set Maximum iterations = -1
end
subsection Mesh
  set Periodic = yes
  set Cells = 4, 0
  set Corner = 1, two
end
subsection Failing
  set From rank = 99999999999
end
"
  ONCE "error: case.prm:1: parameter 'Degree' outside of all sections: found '', expected an integer from 1 to 4
case.prm:2: [^\n]*found '2.5', expected an integer from 2 to 3
case.prm:4: parameter 'Tolerance' in section 'Solver': found '0', expected a number > 0 and <= 1
case.prm:5: [^\n]*found '-1', expected an integer >= 0
case.prm:8: [^\n]*found 'yes', expected true or false
case.prm:9: [^\n]*found '4, 0', expected a list of 2 to 3 integers >= 1, separated by ','
case.prm:10: [^\n]*found '1, two', expected a list of numbers, separated by ','
case.prm:13: [^\n]*found '99999999999', expected an integer >= 0
--set: [^\n]*found 'cgs', expected one of: cg, gmres, direct. did you mean 'cg'.
$")
case(set_malformed STATUS 1 ARGUMENTS case.prm --set Degree ONCE "--set: found 'Degree', expected \"Section/Name=value\"")
case(family STATUS 0 ARGUMENTS case.prm --set "Boundary conditions/07/Value=x*y=3"
  INPUT "subsection Boundary conditions\n subsection 3\n  set Type = neumann\n end\nend\n"
  STDOUT "2 conditions" FILE_MATCHES "results-case/run.json=\"3\": {[^}]*\"neumann\"[^}]*},[^}]*\"7\": {[^}]*\"x.y=3\"")
case(check_of_application STATUS 1 MPIRUN 2 ARGUMENTS case.prm INPUT "subsection Solver\n set Tolerance = 0.5\n set Method = direct\nend\n"
  ONCE "error: case.prm:2: Solver/Tolerance = 0.5: the direct method has no tolerance" ABSENT results-case)
case(device_missing STATUS 3 MPIRUN 2 ARGUMENTS case.prm --set Backend=cuda
  ONCE "error: Backend = cuda: [^\n]+. use auto or host" ABSENT results-case)
# Also where there is a device.
set_property(TEST command_line/device_missing command_line/device_missing.mpirun=2
  APPEND PROPERTY ENVIRONMENT CUDA_VISIBLE_DEVICES=-1)

# --- Results directory -----------------------------------------------------
case(results_created STATUS 0 MPIRUN 2 ARGUMENTS case.prm INPUT "set Results directory = a/b/c\n" REMOVE a FILES a/b/c/run.json
  FILE_MATCHES "a/b/c/run.json=\"device\": \"[^\"]*[(][^\"]+[)]\"")
case(results_option_first STATUS 0 ARGUMENTS case.prm --results d INPUT "set Results directory = e\n" REMOVE d e FILES d/run.json ABSENT e)
case(results_in_place_of_file STATUS 1 MPIRUN 2 ARGUMENTS case.prm --results case.prm
  ONCE "results directory 'case.prm': a file of this name is in its place. choose another" NOWHERE "sum ")
case(results_below_file STATUS 1 ARGUMENTS case.prm --results case.prm/d STDERR "results directory 'case.prm/d': it cannot be created" NOWHERE "sum ")
case(results_unwritable STATUS 1 ARGUMENTS case.prm --results /proc STDERR "results directory '/proc': files cannot be written" NOWHERE "sum ")

# --- Errors of the run -----------------------------------------------------
# <how> <status> <status in run.json> <message>
function(failing how status text message)
  string(REPLACE " " "_" _name ${how})
  case(failing_${_name} STATUS ${status} ARGUMENTS case.prm --set "Failing/How=${how}"
    ONCE "test_application: error: ${message}\n" NOWHERE "Stacktrace|----------------------------------------------------\n\n|terminate called"
    REMOVE results-case FILE_MATCHES "results-case/run.json=\"status\": \"${text}\",\n *\"message\": \"${message}\"")
endfunction()
failing(input 1 error "the mesh has a hole[,;] close it" MPIRUN 2)
failing(breakdown 2 "not converged" "the residual is NaN in step 3")
failing(device 3 error "the device is on fire")
failing(memory 3 error "out of memory on the host[^\n]*" MPIRUN 2)
failing(deal.II 1 error "a cell has no neighbour" MPIRUN 2)
failing("deal.II memory" 3 error "out of memory on the host[^\n]*")
failing("deal.II convergence" 2 "not converged" "a linear or nonlinear solver did not converge: after 7 steps the residual is 0.25")
failing(standard 1 error "index 5 of 4")
failing(unknown 1 error "an exception of unknown type")
case(not_converged STATUS 2 MPIRUN 2 ARGUMENTS case.prm --set Failing/How=convergence
  STDOUT "Not converged: .*Results are in 'results-case'" NOWHERE "test_application: error"
  REMOVE results-case FILE_MATCHES "results-case/run.json=\"status\": \"not converged\"")

# A record of an earlier run would be taken for that of this one.
case(failing_killed STATUS error ARGUMENTS case.prm --set Failing/How=killed OLD results-case/run.json
  REMOVE results-case FILES results-case/parameters.prm ABSENT results-case/run.json)

# Some ranks fail, and the others arrive at their end, or wait for them.
if(TESSERA_WITH_MPI)
  foreach(_wait false true)
    tessera_add_command_test(failing_on_some_ranks_${_wait} TARGET test_application ONLY_MPIRUN STATUS 3 MPIRUN 3
      ARGUMENTS case.prm --set Failing/How=device --set "Failing/From rank=1" --set "Failing/Others wait=${_wait}"
      ONCE "test_application: error: on rank [12]: the device is on fire"
      REMOVE results-case FILE_MATCHES "results-case/run.json=\"message\": \"on rank 1: the device is on fire\"")
  endforeach()
endif()
