namespace Slipstream.MySql;

/// <summary>For which login a password is asked.</summary>
public sealed class MySqlProvidePasswordContext
{
    internal MySqlProvidePasswordContext(string server, int port, string userId, string database)
    {
        Server = server;
        Port = port;
        UserId = userId;
        Database = database;
    }

    /// <summary>Host name or address, or the path of a unix socket.</summary>
    public string Server { get; }

    /// <summary>TCP port.</summary>
    public int Port { get; }

    /// <summary>The connection string's user; empty when it names none.</summary>
    public string UserId { get; }

    /// <summary>Default database; empty for none.</summary>
    public string Database { get; }
}
