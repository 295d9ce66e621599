using System.Text.RegularExpressions;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.Tool.Migrate;

/// <summary>What namespaces and types of other drivers are called in Slipstream.</summary>
internal static partial class Names
{
    public const string MySql = "Slipstream.MySql";
    public const string PostgreSql = "Slipstream.PostgreSql";

    private const string NpgsqlNames = "NpgsqlNames.cs";

    /// <summary>Gets the new name of each namespace that code imports. A null means that there is none.</summary>
    public static IReadOnlyDictionary<string, string?> Namespaces { get; } = new Dictionary<string, string?>
    {
        ["MySqlConnector"] = MySql,
        ["MySqlConnector.Authentication"] = MySql + ".Authentication",
        ["MySqlConnector.Authentication.Ed25519"] = null,
        ["MySqlConnector.Logging"] = null,
        ["MySql.Data"] = MySql,
        ["MySql.Data.MySqlClient"] = MySql,
        ["MySql.Data.Types"] = MySql,
        ["Npgsql"] = PostgreSql,
        ["Npgsql.NameTranslation"] = PostgreSql,
        ["Npgsql.PostgresTypes"] = PostgreSql,
        ["Npgsql.Schema"] = PostgreSql,
        ["Npgsql.TypeMapping"] = PostgreSql,
        ["NpgsqlTypes"] = PostgreSql,
        ["Npgsql.Replication"] = PostgreSql + ".Replication",
        ["Npgsql.Replication.PgOutput"] = PostgreSql + ".Replication.PgOutput",
        ["Npgsql.Replication.PgOutput.Messages"] = PostgreSql + ".Replication.PgOutput.Messages",
        ["Npgsql.Replication.TestDecoding"] = PostgreSql + ".Replication.TestDecoding",
    };

    /// <summary>Gets the new name of each type of Npgsql: the list that the package Slipstream.PostgreSql contains, and the generic types.</summary>
    public static IReadOnlyDictionary<string, string> NpgsqlTypes { get; } = ReadTypes();

    /// <summary>Gets the types of Npgsql without a counterpart that docs/migrating.md does not list: they are about its own logs and metrics.</summary>
    public static IReadOnlySet<string> LeftOutOfNpgsql { get; } = new HashSet<string>
    {
        "NpgsqlEventId", "NpgsqlMetricsOptions",
    };

    /// <summary>Gets the new names of members and arguments that contain Npgsql's name.</summary>
    public static IReadOnlyDictionary<string, string> NpgsqlMembers { get; } = new Dictionary<string, string>
    {
        ["NpgsqlDbType"] = "PgDbType",
        ["NpgsqlValue"] = "PgValue",
    };

    /// <summary>Gets the new names of Connector/NET's types.</summary>
    public static IReadOnlyDictionary<string, string> MySqlDataTypes { get; } = new Dictionary<string, string>
    {
        ["MySqlClientFactory"] = "MySqlConnectorFactory",
    };

    /// <summary>Gets the names of the public types of Slipstream's drivers.</summary>
    public static IReadOnlySet<string> SlipstreamTypes { get; } =
        typeof(MySqlConnection).Assembly.GetExportedTypes().Concat(typeof(PgConnection).Assembly.GetExportedTypes())
            .Select(static type => type.Name.Split('`')[0]).ToHashSet();

    /// <summary>Returns which driver a namespace belongs to.</summary>
    public static Drivers DriverOf(string space) => space.Split('.') switch
    {
        ["MySqlConnector", ..] => Drivers.MySqlConnector,
        ["MySql", "Data", ..] or ["MySqlX", ..] => Drivers.MySqlData,
        ["Npgsql", "EntityFrameworkCore", ..] => Drivers.None,
        ["Npgsql", ..] or ["NpgsqlTypes", ..] => Drivers.Npgsql,
        ["Slipstream", "MySql", ..] => Drivers.SlipstreamMySql,
        ["Slipstream", "PostgreSql", ..] => Drivers.SlipstreamPostgreSql,
        ["Pomelo", "EntityFrameworkCore", "MySql", ..] => Drivers.Pomelo,
        _ => Drivers.None,
    };

    /// <summary>Returns the name that a type of a driver has in Slipstream.</summary>
    public static string TypeOf(Drivers driver, string name) => driver switch
    {
        Drivers.Npgsql => NpgsqlTypes.GetValueOrDefault(name, name),
        Drivers.MySqlData => MySqlDataTypes.GetValueOrDefault(name, name),
        _ => name,
    };

    private static Dictionary<string, string> ReadTypes()
    {
        using var stream = typeof(Names).Assembly.GetManifestResourceStream(NpgsqlNames)!;
        using var reader = new StreamReader(stream);
        var names = Alias().Matches(reader.ReadToEnd()).ToDictionary(static alias => alias.Groups[1].Value, static alias => alias.Groups[2].Value);
        // Aliases cannot name generic types; NpgsqlParameter<T> has the name of the type that is not generic. Two others are obsolete in Npgsql only.
        foreach (var name in (string[])["Range", "LargeObjectManager", "LargeObjectStream"])
            names.TryAdd("Npgsql" + name, "Pg" + name);
        return names;
    }

    [GeneratedRegex(@"^global using (\w+) = [\w.]+\.(\w+);", RegexOptions.Multiline)]
    private static partial Regex Alias();
}
