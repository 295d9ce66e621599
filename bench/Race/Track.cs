using Slipstream.Lab;

namespace Slipstream.Race;

/// <summary>How a command reaches the server: the words of the protocol and of SQL that a scenario must choose between.</summary>
internal enum Dialect { MySql, PostgreSql }

internal enum Mode { Sync, Async }

/// <summary>Seed: the settings of the 2017 benchmark that MySqlConnector's pull request 245 used. Default: whatever the provider does when told nothing.</summary>
internal enum Settings { Seed, Default }

/// <summary>One server to race on, with the login the race uses and the settings in force.</summary>
internal sealed record Track(ServerKind Server, string ServerVersion, string Host, int Port, string User, string Password, string Database, Settings Settings)
{
    /// <summary>The server's process on this machine; 0 when it is not known.</summary>
    public int ServerProcess { get; init; }

    public Dialect Dialect => Server is ServerKind.PostgreSql ? Dialect.PostgreSql : Dialect.MySql;

    /// <summary>The server's name as options and race.json spell it.</summary>
    public string ServerName => NameOf(Server);

    public static string NameOf(ServerKind server) => server switch
    {
        ServerKind.MariaDb => "mariadb",
        ServerKind.MariaDb11 => "mariadb11",
        ServerKind.MySql => "mysql",
        _ => "postgresql",
    };
}
