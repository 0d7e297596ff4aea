# Sourced by app/run and tests/run: packages, configuring, building. Bash, set -euo pipefail.

# One entry a package; "a|b" takes the first that this system knows.
packages_engine=(
    g++ cmake ninja-build ccache
    'libboost1.81-dev|libboost1.83-dev|libboost-dev'
    'libboost-json1.81-dev|libboost-json1.83-dev|libboost-json-dev'
)
packages_window=(
    qt6-base-dev qt6-charts-dev 'qt6-svg-dev|libqt6svg6-dev'
    libqt6opengl6-dev libgl-dev libcli11-dev
    fonts-inter fonts-jetbrains-mono
)
packages_tests=(libgtest-dev libbenchmark-dev)
packages_real_window=(xvfb xdotool imagemagick)
packages_clang=(clang-16)

say() { printf 'tlbscope: %s\n' "$*" >&2; }
die() {
    say "$*"
    exit 1
}

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# Prints those of its arguments that are not installed.
missing_packages() {
    local entry name found
    # The usual case, everything there, costs one dpkg-query.
    local -a plain=()
    for entry in "$@"; do [[ $entry == *'|'* ]] || plain+=("$entry"); done
    local known
    known=" $(dpkg-query -W -f '${db:Status-Status} ${Package} ' "${plain[@]}" 2>/dev/null || true)"
    for entry in "$@"; do
        found=
        if [[ $entry == *'|'* ]]; then
            for name in ${entry//|/ }; do installed "$name" && found=1 && break; done
        elif [[ $known == *" installed $entry "* ]]; then
            found=1
        fi
        [ -n "$found" ] || printf '%s\n' "$entry"
    done
}

# Picks the alternative that apt can install.
choose_package() {
    local name
    for name in ${1//|/ }; do
        if [ -n "$(apt-cache madison "$name" 2>/dev/null)" ]; then
            printf '%s\n' "$name"
            return
        fi
    done
    printf '%s\n' "${1%%|*}"
}

# install_packages PACKAGE…: nothing when all are there; otherwise apt-get, with sudo for a user.
install_packages() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        # Not Debian: whoever has the tools may have installed them in another way.
        [ "${TLBSCOPE_NO_PACKAGES:-}" = 1 ] && return
        say "this system has no apt-get. Install what these Debian packages hold:"
        say "  ${*//|*/}"
        die "then start again with TLBSCOPE_NO_PACKAGES=1"
    fi
    local -a missing=() sudo=()
    mapfile -t missing < <(missing_packages "$@")
    [ "${#missing[@]}" -gt 0 ] || return 0
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || die "these packages are missing and sudo is not there: ${missing[*]}"
        sudo=(sudo)
    fi
    say "installing: ${missing[*]}"
    "${sudo[@]}" apt-get update -q >&2 || say "apt-get update failed; trying with the lists there are"
    local -a names=()
    local entry
    for entry in "${missing[@]}"; do names+=("$(choose_package "$entry")"); done
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends "${names[@]}" >&2 ||
        die "apt-get could not install: ${names[*]}"
}

# configure FOLDER CMAKE-ARGUMENT…: only when the arguments differ from the last time.
configure() {
    local folder=$1
    shift
    local wanted
    wanted=$(printf '%s\n' "$@")
    if [ -f "$folder/build.ninja" ] && [ "$(cat "$folder/.arguments" 2>/dev/null)" = "$wanted" ]; then
        return
    fi
    local -a launcher=()
    if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
    mkdir -p "$folder"
    rm -f "$folder/.arguments"
    cmake -S "$root" -B "$folder" -G Ninja "${launcher[@]}" "$@" >"$folder/configure.log" 2>&1 || {
        cat "$folder/configure.log" >&2
        die "configuring failed; the log is $folder/configure.log"
    }
    printf '%s\n' "$wanted" >"$folder/.arguments"
}

# build FOLDER TARGET…: quiet when there is nothing to do.
build() {
    local folder=$1
    shift
    local log=$folder/build.log
    if [ -t 2 ]; then
        ninja -C "$folder" "$@" >&2 || die "building failed"
    else
        ninja -C "$folder" "$@" >"$log" 2>&1 || {
            grep -vE '^\[[0-9]+/[0-9]+\]' "$log" | tail -n 200 >&2
            die "building failed; the log is $log"
        }
    fi
}
