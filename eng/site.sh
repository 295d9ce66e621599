# ./site: fetches vitepress, reads the packages' documentation, makes the pages and checks them. Everything it writes is in artifacts/site.

set -e
cd "$root"

work=$root/artifacts/site
output=$work/pages base=/ repository='' check=0 serve=0
need_value() { if [ -z "${2-}" ]; then misused "$1 needs a value."; fi; }
while [ $# -gt 0 ]; do
  case $1 in
    --check) check=1; shift ;;
    --serve) serve=1; shift ;;
    --output) need_value "$@"; output=$(realpath -m "$2"); shift 2 ;;
    --base) need_value "$@"; base=/${2#/}; base=${base%/}/; shift 2 ;;
    --repository) need_value "$@"; repository=${2%/}; shift 2 ;;
    *) misused "there is no option '$1'." ;;
  esac
done

# The folder is emptied: it must be a site, empty or new.
if [ -d "$output" ] && [ -n "$(ls -A "$output")" ] && [ ! -f "$output/hashmap.json" ]; then
  echo "site: $output has files that are not a site's. What to do: name an empty or new folder with --output" >&2
  exit 2
fi

# need_program PROGRAM WHAT PACKAGE...: installs Debian's packages when the program is missing and we may. Otherwise says what to do.
need_program() {
  local program=$1 what=$2
  shift 2
  if command -v "$program" >/dev/null; then return; fi
  if ! command -v apt-get >/dev/null; then
    echo "site: $what is missing: no '$program' in PATH. What to do: install $what and open a new shell" >&2
    exit 1
  fi
  if [ "$(id -u)" != 0 ]; then
    echo "site: $what is missing: no '$program' in PATH, and installing it takes root." >&2
    echo "  What to do: sudo apt-get install --no-install-recommends $*" >&2
    exit 1
  fi
  if ! timed "Installing $*" sh -c 'apt-get update && apt-get install -y --no-install-recommends "$@"' sh "$@" || ! command -v "$program" >/dev/null; then
    echo "site: $what could not be installed. What to do: apt-get install --no-install-recommends $*" >&2
    exit 1
  fi
}

mkdir -p "$work"
need_dotnet
need_program node 'Node 18 or later' nodejs npm
need_program npm npm npm
if ! node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)'; then
  echo "site: Node $(node --version) is too old. What to do: install Node 18 or later" >&2
  exit 1
fi
if [ $check = 1 ] && ! command -v google-chrome >/dev/null; then need_program chromium Chromium chromium; fi

# Only when the lock file has changed since. Not npm ci: npm 11 refuses a lock file that leaves out optional packages of other platforms. npm install takes
# the versions of the lock file, and checks their hashes, as well.
if ! cmp -s tools/Site/package-lock.json "$work/package-lock.json.installed"; then
  cp tools/Site/{package.json,package-lock.json,.npmrc} "$work/"
  if ! timed "Fetching vitepress with npm" npm install --no-save --ignore-scripts --prefix "$work"; then
    echo "site: npm could not fetch the packages. What to do: check the network and npm's settings" >&2
    exit 1
  fi
  cp tools/Site/package-lock.json "$work/package-lock.json.installed"
fi

build "the packages and tools/ApiReference" tools/ApiReference/ApiReference.csproj
rm -rf "$work/api"
dotnet artifacts/bin/ApiReference/release/ApiReference.dll "$work/api"

node tools/Site/build.mjs "$output" "$base" "$repository"
if [ $check = 1 ]; then node tools/Site/browser.mjs "$output" "$base" "$work"; fi
if [ $serve = 1 ]; then exec node tools/Site/serve.mjs "$output" "$base" 4173; fi
