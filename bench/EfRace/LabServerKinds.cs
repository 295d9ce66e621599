using Slipstream.Lab;

namespace Slipstream.EfRace;

/// <summary>The names of servers on the command line.</summary>
internal static class LabServerKinds
{
    public static ServerKind Of(string name) => name switch
    {
        "mariadb" => ServerKind.MariaDb,
        "mariadb11" => ServerKind.MariaDb11,
        _ => ServerKind.MySql,
    };

    public static string NameOf(ServerKind kind) => kind switch
    {
        ServerKind.MariaDb => "mariadb",
        ServerKind.MariaDb11 => "mariadb11",
        ServerKind.MySql => "mysql",
        _ => "postgresql",
    };
}
