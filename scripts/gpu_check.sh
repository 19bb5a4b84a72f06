#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Check and measure the kernels of a method on the GPU of this machine, which
# needs a compiler, CMake and the CUDA toolkit alone; doc/developer/gpu-check.md
# explains what is done and how long it takes.
usage="Usage: scripts/gpu_check.sh patch|amg|sipg [options]

Build the kernels of a method in build-gpu/ (or in the directory named by
TESSERA_BUILD_DIR), run their tests on the device, compute-sanitizer on these,
benchmarks, hardware counters. Results: results-gpu-METHOD/.

  --results FOLDER  write there
  --tests REGEX     of the tests, only those whose name matches
  --cells N         cells of the largest benchmarks of kernels
  --levels A-B      solve on 2^A to 2^B cells a direction (default 4-8)
  --no-build        everything is built
  --emulated        rehearse all this on the emulated device of the tests, with
                    tiny benchmarks: no GPU is needed, and no time is measured
  --help            print this

Exit status: 0 all is well, 1 wrong use or a failure, 3 no device answered."
set -u
fail() { # exit status, message
  echo "gpu_check: $2" >&2
  exit "$1"
}

command="scripts/gpu_check.sh${*:+ $*}"
method=
results=
tests=.
cells=
levels=
build_first=true
variant=cuda
small=() # arguments of the benchmarks
while [ $# -gt 0 ]; do
  case "$1" in
    --help) echo "$usage"; exit 0 ;;
    --results | --tests | --cells | --levels)
      [ $# -ge 2 ] || fail 1 "option $1 needs a value; see --help."
      case "$1" in
        --results) results=$2 ;;
        --tests) tests=$2 ;;
        --cells) cells=$2 ;;
        --levels) levels=$2 ;;
      esac
      shift ;;
    --no-build) build_first=false ;;
    --emulated) variant=emulated ;;
    -*) fail 1 "there is no option '$1'; see --help." ;;
    *)
      [ -z "$method" ] || fail 1 "one method at a time: '$method' or '$1'?"
      method=$1 ;;
  esac
  shift
done
case "$method" in
  patch) folders="base|device_emulation|device_kernels|cellwise|patch" ;;
  amg | sipg) fail 1 "the method '$method' has no kernels for a device yet; there are: patch." ;;
  "") echo "$usage" >&2; exit 1 ;;
  *) fail 1 "there is no method '$method'; allowed are patch, amg, sipg." ;;
esac

# Relative to where the command was given.
: "${results:=$(cd "$(dirname "$0")/.." && pwd)/results-gpu-$method}"
mkdir -p "$results" && results=$(cd "$results" && pwd) || fail 1 "the folder '$results' cannot be written."
cd "$(dirname "$0")/.." || exit 1
build=${TESSERA_BUILD_DIR:-build-gpu}

cuda_bin=/usr/local/cuda/bin
tool() { # the path of a program of the toolkit, or nothing
  command -v "$1" || { [ -x "$cuda_bin/$1" ] && echo "$cuda_bin/$1"; }
}

SECONDS=0
stage() { printf '\n== %s (at %d s)\n' "$1" "$SECONDS"; }

# --- Build --------------------------------------------------------------------
if $build_first; then
  command -v cmake >/dev/null || fail 1 "cmake was not found; install CMake 3.18 or newer."
  options=(-DTESSERA_WITH_DEAL_II=OFF -DTESSERA_WITH_MPI=OFF -DTESSERA_WITH_JSON=OFF -DCMAKE_BUILD_TYPE=Release)
  if [ $variant = cuda ]; then
    [ -n "$(tool nvcc)" ] || fail 1 "nvcc was not found in the path or in $cuda_bin; install the CUDA toolkit (12 or newer)."
    options+=(-DTESSERA_WITH_CUDA=ON)
    # For the device that is there alone: half of the time.
    capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1)
    case "$capability" in
      [0-9]*.[0-9]) options+=("-DCMAKE_CUDA_ARCHITECTURES=${capability/./}") ;;
    esac
  fi
  if [ ! -e "$build/CMakeCache.txt" ] && command -v ninja >/dev/null; then
    options+=(-G Ninja)
  fi
  target=gpu_check_$method
  [ $variant = cuda ] || target+=_emulated
  stage "Build in $build"
  cmake -S . -B "$build" "${options[@]}" >"$results/build.log" 2>&1 &&
    cmake --build "$build" --target "$target" --parallel "$(nproc)" >>"$results/build.log" 2>&1 || {
    tail -n 30 "$results/build.log" >&2
    fail 1 "the build failed; all of its output is in $results/build.log."
  }
  echo "built in $SECONDS s"
fi
after_build=$SECONDS
# What is left of the minutes after the build, or as many seconds at most.
at_most() {
  local left=$((after_build + 120 - SECONDS))
  [ $left -gt "$1" ] && left=$1
  [ $left -gt 1 ] && echo $left || echo 1
}

benchmark=$build/tests/benchmarks/gpu_$method
run='\.cuda$'
programs="test_*_cuda"
if [ $variant = emulated ]; then
  benchmark+=_emulated
  run='\.forward$'
  programs="test_*_plain"
  : "${cells:=512}" "${levels:=2-3}"
  small+=(--repeats 1 --warm-ups 1)
fi
[ -x "$benchmark" ] || fail 1 "$benchmark was not built; run without --no-build, where CUDA is."

# --- Device -------------------------------------------------------------------
stage "Device"
"$benchmark" --query
status=$?
[ $status -eq 3 ] && fail 3 "everything is built, but there is no device to run it on: nothing was tested or measured."
[ $status -eq 0 ] || fail 1 "$benchmark --query ended with status $status."
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1)
echo "driver: ${driver:-unknown}"
failures=()

# --- Tests --------------------------------------------------------------------
stage "Tests of kernels against the host"
# What they need is built: not the fixture that builds everything.
(cd "$build" && timeout "$(at_most 60)" ctest --output-on-failure --no-tests=error -FA built --timeout 50 \
  -R "^($folders)/.*($tests).*$run") >"$results/tests.log" 2>&1 || failures+=("tests (tests.log)")
grep -E "^ *[0-9]+/[0-9]+ Test|tests passed|No tests|\*\*\*" "$results/tests.log"
grep -q "Skipped" "$results/tests.log" && failures+=("tests that were skipped (tests.log)")

# --- Benchmarks ---------------------------------------------------------------
stage "Benchmarks"
[ -n "$cells" ] && small+=(--cells "$cells")
[ -n "$levels" ] && small+=(--levels "$levels")
# It leaves out what there is no time for, and may take longer for what is begun.
limit=$(at_most 90)
[ $variant = emulated ] && limit=600
# Where files were copied without their history.
revision=${TESSERA_GIT_REVISION:-$(git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null)}
small+=(--seconds $((limit > 30 ? limit - 15 : limit)))
timeout "$limit" "$benchmark" "${small[@]}" --json "$results/gpu_$method.json" --driver "${driver:-unknown}" \
  --revision "${revision:-unknown}" --command "$command" \
  2>&1 | tee "$results/benchmarks.log" | sed '/^Table/,$d'
status=${PIPESTATUS[0]}
[ "$status" -eq 0 ] || failures+=("benchmarks, status $status (benchmarks.log)")
[ "$status" -eq 124 ] && echo "no more time; $results/gpu_$method.json has the sections that were completed"

# --- Sanitizer ----------------------------------------------------------------
stage "compute-sanitizer"
sanitizer=$(tool compute-sanitizer)
log=$results/sanitizer.log
: >"$log"
if [ -z "$sanitizer" ]; then
  echo "left out: compute-sanitizer was not found"
else
  # Half of what is left; the rest is for the counters.
  end=$((SECONDS + $(at_most 80) / 2))
  for check in memcheck racecheck synccheck; do
    options=(--tool $check --error-exitcode 86)
    # Tests provoke errors of the runtime, and handle them.
    [ $check = memcheck ] && options+=(--report-api-errors no)
    for program in $(cd "$build/tests" && find . -path "./*/$programs" -type f | grep -E "/($folders)/.*($tests)" | sort); do
      [ $SECONDS -lt $end ] || { echo "$check $program: left out, no time"; continue; }
      echo "=== $check $program" >>"$log"
      (cd "$build/tests" && timeout 20 "$sanitizer" "${options[@]}" "$program") >"$log.one" 2>&1
      status=$?
      cat "$log.one" >>"$log"
      if [ $status -eq 124 ]; then
        echo "$check $program: left out, takes more than 20 s"
      elif ! grep -q "SUMMARY" "$log.one"; then
        # Some virtual machines do not let it in.
        echo "left out: compute-sanitizer does not run on this machine:"
        grep -m 3 . "$log.one" | sed 's/^/  /'
        break 2
      elif [ $status -ne 0 ]; then
        echo "$check $program: COMPLAINTS"
        failures+=("$check $program (sanitizer.log)")
      else
        echo "$check $program: ok"
      fi
    done
  done
  rm -f "$log.one"
fi

# --- Counters -----------------------------------------------------------------
stage "Hardware counters"
ncu=$(tool ncu)
if [ -z "$ncu" ]; then
  echo "left out: ncu was not found"
else
  wanted=(
    gpu__time_duration.sum
    launch__registers_per_thread
    sm__throughput.avg.pct_of_peak_sustained_elapsed          # the busiest pipeline
    sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active
    dram__throughput.avg.pct_of_peak_sustained_elapsed
    dram__bytes_read.sum
    dram__bytes_write.sum
    l1tex__throughput.avg.pct_of_peak_sustained_active        # cache, shared memory, spills
    l1tex__data_pipe_lsu_wavefronts_mem_shared.sum
    l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum
    smsp__warp_issue_stalled_mio_throttle_per_warp_active.pct
    smsp__sass_thread_inst_executed_op_ffma_pred_on.sum       # instructions of a thread
    smsp__sass_thread_inst_executed_op_fadd_pred_on.sum
    smsp__sass_thread_inst_executed_op_fmul_pred_on.sum
    smsp__inst_executed_op_local_ld.sum                       # spills
    smsp__inst_executed_op_local_st.sum)
  # Those that this device has: one unknown name, and nothing is measured.
  known=$("$ncu" --query-metrics 2>/dev/null | awk '{print $1}')
  metrics=
  for metric in "${wanted[@]}"; do
    if [ -z "$known" ] || [ "${metric#launch__}" != "$metric" ] || grep -qx "${metric%%.*}" <<<"$known"; then
      metrics+=${metrics:+,}$metric
    fi
  done
  sections=table4,table6,table7,table8,table9 # single kernels
  timeout "$(at_most 60)" "$ncu" --csv --page raw --metrics "$metrics" --target-processes all \
    "$benchmark" --sections "$sections" --cells "${cells:-1048576}" --repeats 1 --warm-ups 1 \
    >"$results/counters.csv" 2>&1
  status=$?
  if grep -q ERR_NVGPUCTRPERM "$results/counters.csv"; then
    echo "left out: this machine does not let users read counters (ERR_NVGPUCTRPERM)"
  elif [ $status -eq 124 ]; then
    echo "no more time; $results/counters.csv is not complete"
  elif [ $status -ne 0 ]; then
    echo "left out: ncu ended with status $status:"
    grep -m 3 -E "==ERROR==|rror" "$results/counters.csv" | sed 's/^/  /'
  else
    echo "in $results/counters.csv"
  fi
fi

# --- Results ------------------------------------------------------------------
stage "Results in $results"
sed -n '/^Table/,$p' "$results/benchmarks.log"
echo
if [ ${#failures[@]} -gt 0 ]; then
  printf 'gpu_check: failed: %s\n' "${failures[@]}" >&2
  exit 1
fi
echo "gpu_check: all is well"
