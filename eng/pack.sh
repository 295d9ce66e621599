# ./pack: audits what the packages use, packs them, and writes a bill of materials for each.

set -e
cd "$root"

output=$root/artifacts/packages repository='' site='' require_audit=0
need_value() { if [ -z "${2-}" ]; then misused "$1 needs a value."; fi; }
while [ $# -gt 0 ]; do
  case $1 in
    --output) need_value "$@"; output=$2; shift 2 ;;
    --repository) need_value "$@"; repository=$2; shift 2 ;;
    --site) need_value "$@"; site=${2%/}/; shift 2 ;;
    --require-audit) require_audit=1; shift ;;
    *) misused "there is no option '$1'." ;;
  esac
done
need_dotnet
# The time inside the packages is the commit's: a package says nothing of when and where it was made.
if [ -z "${SOURCE_DATE_EPOCH-}" ] && ! SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null); then
  echo "pack: this is not a git working copy with a commit, whose time the packages would have." >&2
  echo "  What to do: clone the repository, or set SOURCE_DATE_EPOCH to the time of the release in seconds since 1970" >&2
  exit 1
fi
export SOURCE_DATE_EPOCH
[ -z "$(git status --porcelain 2>/dev/null)" ] || echo "pack: note: the working copy has changes that are not committed; the packages name the commit without them." >&2

work=$root/artifacts/pack
properties=(-c Release --nologo -v quiet -nodeReuse:false "-p:ArtifactsPath=$work" -p:ContinuousIntegrationBuild=true)
[ -n "$repository" ] && properties+=("-p:RepositoryUrl=$repository")
[ -n "$site" ] && properties+=("-p:DocumentationAddress=$site")

projects=(src/Core src/MySql src/MySql.Caching src/MySql.EntityFrameworkCore src/MySql.EntityFrameworkCore.Hosting
  src/MySql.EntityFrameworkCore.NetTopologySuite src/MySql.Extensions src/Compat.MySqlConnector src/PostgreSql src/PostgreSql.Caching src/PostgreSql.Extensions
  src/PostgreSql.NetTopologySuite src/PostgreSql.NodaTime src/PostgreSql.Pgvector src/Tool)
rm -rf "$work/fresh"
mkdir -p "$work/fresh" "$output"

# One solution of them: each project is evaluated and built once, not once for each that refers to it.
packages=$work/packages.slnx
{
  echo '<Solution>'
  for project in "${projects[@]}"; do echo "  <Project Path=\"$root/$(echo "$project"/*.csproj)\" />"; done
  echo '</Solution>'
} >"$packages"

# audit LOG: what NuGet says of what the projects use. NU1901 to NU1904: a package is known to be vulnerable. NU1900, NU1905: the list was not available.
audit() {
  if ! dotnet restore "$packages" --nologo -v quiet -nodeReuse:false --force "-p:ArtifactsPath=$work" -p:NuGetAudit=true -p:NuGetAuditMode=all -p:NuGetAuditLevel=low \
    '-p:WarningsNotAsErrors=NU1900%3BNU1905' >"$1" 2>&1; then
    cat "$1"
    echo "pack: a package that a driver uses is known to be vulnerable, or could not be restored; the messages above say which."
    return 1
  fi
  if grep -q 'NU1900\|NU1905' "$1"; then touch "$1.unknown"; fi
}

log=$work/audit.log
rm -f "$log.unknown"
timed "Looking for known vulnerabilities in what the packages use" audit "$log"
if [ -e "$log.unknown" ]; then
  echo "pack: the source of packages gave no list of known vulnerabilities: nothing was audited." >&2
  [ $require_audit = 1 ] && exit 1
fi

if ! timed "Packing ${#projects[@]} projects" dotnet pack "$packages" "${properties[@]}" -p:ShouldUnsetParentConfigurationAndPlatform=false -o "$work/fresh"; then
  echo "pack: a project could not be packed; the messages above say why." >&2
  exit 1
fi

timed "Building the program that writes the bills of materials" dotnet build tools/Sbom/Sbom.csproj "${properties[@]}"
for project in "${projects[@]}"; do
  id=$(basename "$project"/*.csproj .csproj)
  dotnet "$work/bin/Sbom/release/Slipstream.Sbom.dll" "$work/obj/$id/project.assets.json" "$work/fresh" "$SOURCE_DATE_EPOCH"
done

# Only now: a run that fails leaves the packages of the last one as they were.
cp "$work"/fresh/* "$output/"
(cd "$work/fresh" && sha256sum ./* | sed 's: \./: :') | tee "$output/SHA256SUMS"
if grep -q '"documents"' "$work"/obj/*/release/*.sourcelink.json 2>/dev/null; then :; else
  echo "pack: note: without SourceLink: 'origin' is not on the web; --repository says where the sources are published." >&2
fi
echo "The packages are in $output"
