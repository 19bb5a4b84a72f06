# SPDX-License-Identifier: LGPL-2.1-or-later
# Remove the recorded results of tests whose parameter file is newer, so that
# they run again. Arguments: SOURCE and BINARY, the folders of the tests.
file(GLOB _prms ${SOURCE}/*.prm)
foreach(_prm ${_prms})
  get_filename_component(_name ${_prm} NAME_WE)
  foreach(_build debug release)
    file(GLOB_RECURSE _outputs
      ${BINARY}/${_name}.${_build}/output ${BINARY}/${_name}.${_build}/failing_output)
    foreach(_output ${_outputs})
      if(${_prm} IS_NEWER_THAN ${_output})
        get_filename_component(_folder ${_output} DIRECTORY)
        file(REMOVE ${_folder}/output ${_folder}/diff ${_folder}/failing_output)
      endif()
    endforeach()
  endforeach()
endforeach()
