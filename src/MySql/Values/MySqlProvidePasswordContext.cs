namespace Slipstream.MySql;

/// <summary>Describes the login for which a callback provides a password.</summary>
public sealed class MySqlProvidePasswordContext
{
    internal MySqlProvidePasswordContext(string server, int port, string userId, string database)
    {
        Server = server;
        Port = port;
        UserId = userId;
        Database = database;
    }

    /// <summary>Gets the host name or address, or the path of a Unix domain socket.</summary>
    public string Server { get; }

    /// <summary>Gets the TCP port.</summary>
    public int Port { get; }

    /// <summary>Gets the connection string's user; empty if it has none.</summary>
    public string UserId { get; }

    /// <summary>Gets the default database; empty if there is none.</summary>
    public string Database { get; }
}
