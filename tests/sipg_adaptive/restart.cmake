# SPDX-License-Identifier: LGPL-2.1-or-later
# Studies that are interrupted and go on: restart.py.
find_program(TESSERA_PYTHON python3)
if(TESSERA_PYTHON)
  foreach(_test same_directory other_directory damaged other_parameters not_converged at_once killed)
    add_test(NAME sipg_adaptive/restart_${_test}
      COMMAND ${TESSERA_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/restart.py $<TARGET_FILE:sipg_adaptive>
        ${CMAKE_CURRENT_SOURCE_DIR}/restart.prm ${_test})
    tessera_finish_test(sipg_adaptive/restart_${_test} LABELS sipg_adaptive)
  endforeach()
endif()
