using Slipstream.Lab;

namespace Slipstream.Race;

/// <summary>The dialect of a server: the protocol and the SQL that a scenario must choose between.</summary>
internal enum Dialect { MySql, PostgreSql }

internal enum Mode { Sync, Async }

/// <summary>Seed: the settings of the 2017 benchmark that MySqlConnector's pull request 245 used. Default: each provider's settings without options.</summary>
internal enum Settings { Seed, Default }

/// <summary>One server of the race, with the race's login and the current settings.</summary>
internal sealed record Track(ServerKind Server, string ServerVersion, string Host, int Port, string User, string Password, string Database, Settings Settings)
{
    /// <summary>The server's process id on this machine; 0 if it is unknown.</summary>
    public int ServerProcess { get; init; }

    public Dialect Dialect => Server.IsPostgreSql() ? Dialect.PostgreSql : Dialect.MySql;

    /// <summary>The server's name in options and race.json.</summary>
    public string ServerName => NameOf(Server);

    public static string NameOf(ServerKind server) => server switch
    {
        ServerKind.MariaDb => "mariadb",
        ServerKind.MariaDb11 => "mariadb11",
        ServerKind.MySql => "mysql",
        ServerKind.PostgreSql18 => "postgresql18",
        _ => "postgresql",
    };
}
