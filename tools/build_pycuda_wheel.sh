#!/usr/bin/env bash
# Build a wheel of PyCUDA on a machine that has CUDA's headers and a C++ compiler, but perhaps no GPU, no driver and
# no libcuda: for machines that have these and no network. Knows nothing of rise-shine.
#
# usage: build_pycuda_wheel.sh PYTHON OUT [VERSION]
#   PYTHON  the interpreter to build for: of the same minor version as on the machine that will run it
#   OUT     a folder; the wheel and those of the packages it needs come to lie there
#   CUDA_HOME (environment): the folder that has include/cuda.h; /usr/local/cuda by default
#
# PyCUDA links libcuda.so.1, which comes with the driver. An empty library of this name takes its place for the
# linker, told to keep the dependency although nothing in it is used; the symbols are found when PyCUDA is imported.
set -euo pipefail

if [[ $# -lt 2 ]]; then
  sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//'
  exit 2
fi
python=$(command -v "$1")
out=$(mkdir -p "$2" && cd "$2" && pwd)
version=${3:+==$3}
cuda=${CUDA_HOME:-/usr/local/cuda}
[[ -f $cuda/include/cuda.h ]] || { echo "error: expected $cuda/include/cuda.h: set CUDA_HOME" >&2; exit 1; }
command -v g++ >/dev/null || { echo "error: expected g++ on PATH, found none" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv "$work/venv"
pip=("$work/venv/bin/python" -m pip --disable-pip-version-check -q)
"${pip[@]}" install setuptools wheel numpy
"${pip[@]}" download --no-deps --no-binary pycuda --no-build-isolation -d "$work" "pycuda$version"
mkdir "$work/source" "$work/stub"
tar -xf "$work"/pycuda-*.tar.gz -C "$work/source" --strip-components=1
echo | gcc -shared -fPIC -x c - -Wl,-soname,libcuda.so.1 -o "$work/stub/libcuda.so"

cd "$work/source"
"$work/venv/bin/python" configure.py --cuda-root="$cuda" --cuda-inc-dir="$cuda/include" \
  --no-cuda-enable-curand --cudadrv-lib-dir="$work/stub"
export LDFLAGS="-Wl,--no-as-needed"
"${pip[@]}" wheel --no-build-isolation --no-deps -w "$out" .
# What PyCUDA needs and what these need; numpy is rise-shine's own.
"${pip[@]}" wheel --no-deps -w "$out" pytools mako platformdirs siphash24 markupsafe typing-extensions
ls -1 "$out"
