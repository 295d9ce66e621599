namespace Slipstream.Lab;

/// <summary>The databases the lab can run.</summary>
public enum ServerKind
{
    MariaDb,
    MySql,
    PostgreSql,
}

/// <summary>The words a person uses for a <see cref="ServerKind"/>.</summary>
public static class ServerKinds
{
    public static IReadOnlyList<ServerKind> All { get; } = [ServerKind.MariaDb, ServerKind.MySql, ServerKind.PostgreSql];

    /// <summary>The word of the command line and of the folder: <c>mariadb</c>, <c>mysql</c>, <c>postgresql</c>.</summary>
    public static string Word(this ServerKind kind) => kind switch
    {
        ServerKind.MariaDb => "mariadb",
        ServerKind.MySql => "mysql",
        _ => "postgresql",
    };

    /// <summary>The name as its makers write it.</summary>
    public static string DisplayName(this ServerKind kind) => kind switch
    {
        ServerKind.MariaDb => "MariaDB",
        ServerKind.MySql => "MySQL",
        _ => "PostgreSQL",
    };

    /// <summary>The environment variable that names an existing server to use instead.</summary>
    public static string Variable(this ServerKind kind) => "SLIPSTREAM_" + kind.Word().ToUpperInvariant();

    /// <summary>Reads a word such as <c>mysql</c>, <c>PostgreSQL</c> or <c>pg</c>.</summary>
    public static bool TryParse(string word, out ServerKind kind)
    {
        ArgumentNullException.ThrowIfNull(word);
        switch (word.ToUpperInvariant())
        {
            case "MARIADB" or "MARIA":
                kind = ServerKind.MariaDb;
                return true;
            case "MYSQL":
                kind = ServerKind.MySql;
                return true;
            case "POSTGRESQL" or "POSTGRES" or "PG":
                kind = ServerKind.PostgreSql;
                return true;
            default:
                kind = default;
                return false;
        }
    }
}
