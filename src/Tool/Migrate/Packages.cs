namespace Slipstream.Tool.Migrate;

/// <summary>What happens to a reference to a package.</summary>
/// <param name="Driver">The driver that the package belongs to.</param>
/// <param name="Target">The package in its place; null if the reference is removed, or stays.</param>
/// <param name="Advice">What the user must do, also after the reference was replaced; null if nothing.</param>
/// <param name="Docs">The page that explains it.</param>
/// <param name="Kind">Automatic if the reference is replaced or removed.</param>
internal sealed record PackageChange(Drivers Driver, string? Target, string? Advice, string Docs, FindingKind Kind = FindingKind.Automatic);

/// <summary>The packages of other drivers, and of libraries that use them.</summary>
internal static class Packages
{
    public const string MySql = "Slipstream.MySql";
    public const string PostgreSql = "Slipstream.PostgreSql";

    /// <summary>The first version of EF Core that Slipstream's provider needs.</summary>
    public const string EntityFrameworkCore = "10.0.14";

    private const string Page = "migrating.md#";
    private const string FromMySqlConnector = Page + "from-mysqlconnector";
    private const string FromNpgsql = Page + "from-npgsql";
    private const string Libraries = "orms.md#libraries-that-use-mysqlconnector";
    private const string Aliases = Page + "npgsql-names";

    private static readonly Dictionary<string, PackageChange> Known = new(StringComparer.OrdinalIgnoreCase)
    {
        ["MySqlConnector"] = new(Drivers.MySqlConnector, MySql, null, FromMySqlConnector),
        ["MySqlConnector.DependencyInjection"] = new(Drivers.MySqlConnector, MySql, null, Page + "hosting"),
        ["MySqlConnector.Authentication.Ed25519"] = new(Drivers.MySqlConnector, null, null, Page + "authentication-and-tls"),
        ["MySql.Data"] = new(Drivers.MySqlData, MySql, null, Page + "from-mysqldata-connectornet"),
        ["Npgsql"] = new(Drivers.Npgsql, PostgreSql, null, FromNpgsql),
        ["Npgsql.DependencyInjection"] = new(Drivers.Npgsql, PostgreSql, null, Page + "npgsql-connections-and-pools"),
        ["Npgsql.OpenTelemetry"] = new(Drivers.Npgsql, PostgreSql + ".Extensions", null, Page + "npgsql-bulk-copy-schema-telemetry-and-logging"),
        ["Npgsql.NodaTime"] = new(Drivers.Npgsql, PostgreSql + ".NodaTime", null, "plugins.md"),
        ["Npgsql.NetTopologySuite"] = new(Drivers.Npgsql, PostgreSql + ".NetTopologySuite", null, "plugins.md"),
        ["Npgsql.GeoJSON"] = Manual(Drivers.Npgsql, "Slipstream has no plug-in for GeoJSON: convert in the program.", "plugins.md#geojson-and-jsonnet"),
        ["Npgsql.Json.NET"] = Manual(Drivers.Npgsql, "Slipstream has no plug-in for Json.NET: use System.Text.Json, or convert.",
            "plugins.md#geojson-and-jsonnet"),
        ["Pomelo.EntityFrameworkCore.MySql"] = new(Drivers.Pomelo, MySql + ".EntityFrameworkCore", null, "efcore.md#coming-from-pomelos-provider"),
        ["Pomelo.EntityFrameworkCore.MySql.NetTopologySuite"] =
            new(Drivers.Pomelo, MySql + ".EntityFrameworkCore.NetTopologySuite", null, "efcore.md#spatial-types"),
        ["Aspire.Pomelo.EntityFrameworkCore.MySql"] = new(
            Drivers.Pomelo, MySql + ".EntityFrameworkCore.Hosting",
            "Rename the section Aspire:Pomelo:EntityFrameworkCore:MySql of the configuration to Aspire:Slipstream:MySql:EntityFrameworkCore.",
            "efcore.md#hosts-and-aspire"),
        ["Npgsql.EntityFrameworkCore.PostgreSQL"] = Manual(
            Drivers.None, "This provider of EF Core is compiled against Npgsql: keep Npgsql for the contexts that use it.", Aliases, FindingKind.Review),
        ["MySql.EntityFrameworkCore"] = Manual(
            Drivers.None, "This provider of EF Core brings MySql.Data: replace it with Slipstream.MySql.EntityFrameworkCore (UseMySql in place of UseMySQL).",
            "efcore.md"),
        ["MySql.Data.EntityFrameworkCore"] = Manual(
            Drivers.None, "This provider of EF Core brings MySql.Data: replace it with Slipstream.MySql.EntityFrameworkCore (UseMySql in place of UseMySQL).",
            "efcore.md"),
        ["AspNetCore.HealthChecks.MySql"] = Manual(
            Drivers.None, "This health check uses MySqlConnector: replace it with Slipstream.MySql.Extensions and AddSlipstreamMySql().", Page + "hosting"),
        ["AspNetCore.HealthChecks.NpgSql"] = Manual(
            Drivers.None, "This health check uses Npgsql: replace it with Slipstream.PostgreSql.Extensions and AddSlipstreamPostgreSql().",
            "dependency-injection.md"),
        ["Pgvector"] = new(Drivers.None, null, "For Slipstream, add Slipstream.PostgreSql.Pgvector, which brings this package.", "plugins.md",
            FindingKind.Review),
    };

    // Libraries that load MySqlConnector or Npgsql by name, or are compiled against it.
    private static readonly string[] MySqlLibraries =
        ["linq2db", "FluentMigrator.Runner.MySql", "Hangfire.MySqlStorage", "Serilog.Sinks.MySQL", "dbup-mysql", "RepoDb.MySqlConnector"];

    private static readonly string[] NpgsqlLibraries =
        ["Marten", "Weasel.Postgresql", "Hangfire.PostgreSql", "FluentMigrator.Runner.Postgres", "dbup-postgresql", "Serilog.Sinks.PostgreSQL"];

    /// <summary>Returns what happens to a reference; null if the package has nothing to do with a driver.</summary>
    public static PackageChange? Of(string package)
    {
        if (Known.TryGetValue(package, out var change))
            return change;
        if (package.StartsWith("MySqlConnector.Logging.", StringComparison.OrdinalIgnoreCase))
            return new PackageChange(Drivers.MySqlConnector, null, null, Page + "telemetry-and-logging");
        if (package.StartsWith("Pomelo.EntityFrameworkCore.MySql.", StringComparison.OrdinalIgnoreCase))
            return Manual(Drivers.None, "This package has no counterpart.", Page + "from-pomelos-provider-of-ef-core");
        if (MySqlLibraries.Contains(package, StringComparer.OrdinalIgnoreCase))
            return Manual(
                Drivers.None, "This library uses MySqlConnector: it runs on Slipstream with the package Slipstream.Compat.MySqlConnector.", Libraries,
                FindingKind.Review);
        return NpgsqlLibraries.Contains(package, StringComparer.OrdinalIgnoreCase)
            ? Manual(Drivers.None, "This library is compiled against Npgsql: keep Npgsql for it.", Aliases, FindingKind.Review)
            : null;
    }

    /// <summary>Returns whether a package is compiled against Npgsql, and brings it into the projects that refer to it.</summary>
    public static bool BringsNpgsql(string package) =>
        package.StartsWith("Npgsql.EntityFrameworkCore.PostgreSQL", StringComparison.OrdinalIgnoreCase)
        || NpgsqlLibraries.Contains(package, StringComparer.OrdinalIgnoreCase);

    /// <summary>Returns whether a package has the versions of EF Core: its own packages, and those of .NET for it, such as ASP.NET Core Identity's.</summary>
    public static bool FollowsEntityFrameworkCore(string package) =>
        package.StartsWith("Microsoft.EntityFrameworkCore", StringComparison.OrdinalIgnoreCase)
        || (package.StartsWith("Microsoft.", StringComparison.OrdinalIgnoreCase)
            && package.EndsWith(".EntityFrameworkCore", StringComparison.OrdinalIgnoreCase));

    private static PackageChange Manual(Drivers driver, string advice, string docs, FindingKind kind = FindingKind.Manual) =>
        new(driver, null, advice, docs, kind);
}
