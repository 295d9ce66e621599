namespace Slipstream.Lab;

/// <summary>The databases that the lab can run.</summary>
public enum ServerKind
{
    MariaDb,
    MySql,
    PostgreSql,

    /// <summary>The next long-term release of MariaDB, in addition to that of the machine.</summary>
    MariaDb11,

    /// <summary>The newest release of PostgreSQL, in addition to that of the machine.</summary>
    PostgreSql18,
}

/// <summary>The names of each <see cref="ServerKind"/>.</summary>
public static class ServerKinds
{
    public static IReadOnlyList<ServerKind> All { get; } =
        [ServerKind.MariaDb, ServerKind.MariaDb11, ServerKind.MySql, ServerKind.PostgreSql, ServerKind.PostgreSql18];

    /// <summary>
    /// Returns the name on the command line and of the folder: <c>mariadb</c>, <c>mariadb11</c>, <c>mysql</c>, <c>postgresql</c>, <c>postgresql18</c>.
    /// </summary>
    public static string Word(this ServerKind kind) => kind switch
    {
        ServerKind.MariaDb => "mariadb",
        ServerKind.MariaDb11 => "mariadb11",
        ServerKind.MySql => "mysql",
        ServerKind.PostgreSql18 => "postgresql18",
        _ => "postgresql",
    };

    /// <summary>Returns the official name of the server.</summary>
    public static string DisplayName(this ServerKind kind) => kind switch
    {
        ServerKind.MariaDb => "MariaDB",
        ServerKind.MariaDb11 => "MariaDB 11.8",
        ServerKind.MySql => "MySQL",
        ServerKind.PostgreSql18 => "PostgreSQL 18",
        _ => "PostgreSQL",
    };

    /// <summary>Returns whether this is MariaDB of either release.</summary>
    public static bool IsMariaDb(this ServerKind kind) => kind is ServerKind.MariaDb or ServerKind.MariaDb11;

    /// <summary>Returns whether this is PostgreSQL of either release.</summary>
    public static bool IsPostgreSql(this ServerKind kind) => kind is ServerKind.PostgreSql or ServerKind.PostgreSql18;

    /// <summary>Returns the environment variable that names an existing server to use instead.</summary>
    public static string Variable(this ServerKind kind) => "SLIPSTREAM_" + kind.Word().ToUpperInvariant();

    /// <summary>Reads a name such as <c>mysql</c>, <c>PostgreSQL</c> or <c>pg</c>.</summary>
    public static bool TryParse(string word, out ServerKind kind)
    {
        ArgumentNullException.ThrowIfNull(word);
        switch (word.ToUpperInvariant())
        {
            case "MARIADB" or "MARIA":
                kind = ServerKind.MariaDb;
                return true;
            case "MARIADB11" or "MARIA11":
                kind = ServerKind.MariaDb11;
                return true;
            case "MYSQL":
                kind = ServerKind.MySql;
                return true;
            case "POSTGRESQL" or "POSTGRES" or "PG":
                kind = ServerKind.PostgreSql;
                return true;
            case "POSTGRESQL18" or "POSTGRES18" or "PG18":
                kind = ServerKind.PostgreSql18;
                return true;
            default:
                kind = default;
                return false;
        }
    }
}
