#!/usr/bin/env bash
# The README's tests as other machines would run them, by hand:  tests/machines.sh [SETTING ...]
#
#   Haswell SkylakeX Nehalem   OpenBLAS's kernels for these processors, NumPy without what they do not have
#   threads                    two BLAS threads (the others: one)
#   lowest                     the lowest versions that requirements.txt allows, in build/lowest
#   colab                      the versions of Google Colab, in build/colab, with the Python of the others
#
# Without a name all of them, one after the other. It uses the README's .venv, or the python named by $PYTHON.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-.venv/bin/python}
[ -x "$(command -v "$python")" ] || { echo "no $python: run the README's test command first"; exit 1; }
tests=$(sed -n '/<!-- test command -->/,/<!-- end -->/p' README.md | grep -o -- '-m pytest .*')

# What NumPy must not use: its dispatched features that a processor lacks. Their names change with NumPy, and a wrong
# one is ignored without a word, so they are asked for. Says "no: …" if this machine itself lacks what is needed.
lacking() {
  "$python" - "$1" <<'PYTHON'
import sys
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

needs = {"Haswell": {"AVX2", "FMA3"}, "SkylakeX": {"AVX512_SKX"}, "Nehalem": {"SSE42"}}[sys.argv[1]]
if missing := sorted(name for name in needs if not __cpu_features__.get(name)):
    sys.exit(print(f"no: this processor cannot run {sys.argv[1]}, it has no {', '.join(missing)}"))
has = [name for name in __cpu_dispatch__ if __cpu_features__[name]]
new = [name for name in has if "AVX512" in name or name == "X86_V4"]
print(*{"Haswell": new, "SkylakeX": [], "Nehalem": has}[sys.argv[1]])
PYTHON
}

# What is loaded is what was asked for: an unknown OPENBLAS_CORETYPE gives the default ("Zen" gives Haswell's here).
loaded() {
  "$python" - "$@" <<'PYTHON'
import os, sys
import scipy.linalg
from numpy._core._multiarray_umath import __cpu_features__
from threadpoolctl import threadpool_info

off = os.environ.get("NPY_DISABLE_CPU_FEATURES", "").split()
assert not any(__cpu_features__[name] for name in off), f"NumPy still uses one of {off}"
blas = [info for info in threadpool_info() if info["internal_api"] == "openblas"]
assert len(blas) == 2, f"NumPy and SciPy have one OpenBLAS each, but {len(blas)} are loaded"
for info in blas:
    found = info["architecture"], str(info["num_threads"])
    print("OpenBLAS", info["version"], *found)
    assert all(asked in ("any", got) for asked, got in zip(sys.argv[1:], found)), f"asked for {sys.argv[1:]}"
print("NumPy without", *off or ["nothing"])
PYTHON
}

# Colab's versions in August 2026, but for ipywidgets: there it is 7.7.1, and the course brings its own. NumPy, SciPy
# and pandas are those of the time of this Matplotlib and this scikit-learn.
COLAB="matplotlib==3.10.0 scikit-learn==1.6.1 ipywidgets==8.1.9 numpy==2.0.2 scipy==1.16.3 pandas==2.2.2"

# An environment of its own:  environment NAME ARGUMENTS OF uv pip install
environment() {
  "$python" -m venv "build/$1"
  python=build/$1/bin/python
  "$python" -m pip install --quiet uv
  "build/$1/bin/uv" pip install --quiet --python "$python" -r requirements.txt "${@:2}"
}

# The lowest versions, each seen to be the bound itself.
lowest() {
  environment lowest --resolution lowest-direct
  "$python" - <<'PYTHON'
from importlib.metadata import version
from packaging.requirements import Requirement
from packaging.version import Version

for line in map(str.strip, open("requirements.txt")):
    if line and line[0] not in "#-":
        needed = Requirement(line)
        [bound] = [part.version for part in needed.specifier if part.operator == ">="]
        print(needed.name, installed := version(needed.name))
        assert Version(installed) == Version(bound), f"{needed.name} {bound} was asked for"
PYTHON
}

run() {
  case $1 in
    lowest)
      lowest
      export OPENBLAS_NUM_THREADS=1
      ;;
    colab)
      environment colab $COLAB
      export OPENBLAS_NUM_THREADS=1
      ;;
    threads)
      export OPENBLAS_NUM_THREADS=2
      loaded any 2
      ;;
    Haswell | SkylakeX | Nehalem)
      off=$(lacking "$1")
      case $off in no:*) echo "$off"; return ;; esac
      export OPENBLAS_NUM_THREADS=1 OPENBLAS_CORETYPE=$1 NPY_DISABLE_CPU_FEATURES=$off
      loaded "$1" 1
      ;;
    *)
      echo "there is no setting $1"
      return 1
      ;;
  esac
  "$python" $tests
}

[ $# -gt 0 ] || set -- Haswell SkylakeX Nehalem threads lowest colab
failed=()
for setting in "$@"; do
  echo "== $setting"
  set +e
  (set -e; run "$setting")
  [ $? -eq 0 ] || failed+=("$setting")
  set -e
done
[ ${#failed[@]} -eq 0 ] || { echo "== failed: ${failed[*]}"; exit 1; }
