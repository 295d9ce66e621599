namespace Slipstream.Lab;

/// <summary>
/// PostgreSQL 18 from Debian unstable, unpacked in the same way as MySQL (<see cref="MySqlRecipe"/>), with the extensions PostGIS and pgvector.
/// </summary>
internal sealed class PostgreSql18Recipe : PostgreSqlFamily
{
    private const string Unwrapped = "postgres.unwrapped";

    // PostGIS without the libraries of its rasters (GDAL) and of its solids (SFCGAL), which are more than 70 MB to download.
    private static readonly string[] PostGis = ["postgresql-18-postgis-3", "postgresql-18-postgis-3-scripts"];

    private static readonly string[] PostGisLibraries = ["libgeos", "libproj", "libjson-c", "libprotobuf-c", "libxml2"];

    private static readonly string[] Programs = ["lib", "postgresql", "18", "bin"];

    public override ServerKind Kind => ServerKind.PostgreSql18;

    public override void Install(LabFolder folder, CancellationToken ct)
    {
        // Debian's PostgreSQL reads the machine's time zones.
        Debian.Install(Kind, () => File.Exists("/usr/share/zoneinfo/UTC"), ["tzdata"], ct);
        if (!Directory.Exists(Root(folder)))
            Debian.UnpackFromUnstable(
                Kind, ["postgresql-18", "postgresql-18-pgvector", "pgbouncer"], PostGis, Root(folder), "about 80 MB to download, 320 MB on disk", ct, Complete,
                PostGisLibraries);
    }

    /// <summary>Returns the command that runs PgBouncer, which comes with the server because it needs nearly the same libraries.</summary>
    public static IReadOnlyList<string> PgBouncer(LabFolder folder) => Debian.Unpacked(Root(folder), "sbin", "pgbouncer");

    protected override string Server(LabFolder folder) => Path.Combine([Root(folder), "usr", .. Programs, "postgres"]);

    protected override IReadOnlyList<string> InitDb(LabFolder folder) => Debian.Unpacked(Root(folder), [.. Programs, "initdb"]);

    private static void Complete(string root)
    {
        WrapServer(root);
        // The package's script of installation, which does not run, would give the file its name.
        var extensions = Path.Combine(root, "usr", "share", "postgresql", "18", "extension");
        File.Copy(Path.Combine(extensions, "postgis-3.control"), Path.Combine(extensions, "postgis.control"));
    }

    // initdb starts the program "postgres" next to itself, so a script with that name runs the program with the unpacked loader. --argv0: postgres looks for
    // its files relative to that path.
    private static void WrapServer(string root)
    {
        var server = Path.Combine([root, "usr", .. Programs, "postgres"]);
        File.Move(server, Path.Combine(Path.GetDirectoryName(server)!, Unwrapped));
        File.WriteAllText(server,
            $"""
             #!/bin/sh
             programs=$(dirname "$0")
             libraries=$(echo "$programs"/../../../*-linux-gnu*)
             exec "$libraries"/ld-linux-*.so.* --library-path "$libraries" --argv0 "$0" "$programs/{Unwrapped}" "$@"

             """);
        File.SetUnixFileMode(server, LabFolder.Everyone);
    }

    private static string Root(LabFolder folder) => folder["packages", "postgresql18-extensions"];
}
