using System.Data.Common;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Contestants;

/// <summary>The connection strings, in each provider's own option names.</summary>
internal static class ConnectionStrings
{
    /// <summary>The number of pools that a contestant may have: sync and async, text and prepared.</summary>
    public const int PoolsEach = 4;

    private const string Loopback = "127.0.0.1";
    private const string LoopbackName = "localhost";
    private const int FirstTimeout = 15;

    /// <param name="provider">
    /// The contestant's name. An unknown MySQL provider gets the options of MySqlConnector, an unknown PostgreSQL provider those of Npgsql.
    /// </param>
    /// <param name="pool">
    /// The pool of the connection. It is written as the connection timeout, the only option that every provider has and no scenario reaches. Sync and async
    /// never share connections, because one asynchronous operation makes a Linux socket non-blocking for life; nor do text and prepared.
    /// </param>
    /// <param name="options">Further options in connection-string form, which override all others.</param>
    public static string For(string provider, Track track, Scenario scenario, int pool, string options)
    {
        // The runtime caches TLS sessions by host name, never by address.
        if (scenario.Tls is Tls.Resumed && track.Host == Loopback)
            track = track with { Host = LoopbackName };
        var text = new DbConnectionStringBuilder();
        if (track.Dialect is Dialect.PostgreSql)
            PostgreSql(text, track, FirstTimeout + pool);
        else
            MySql(text, track, provider, FirstTimeout + pool);
        if (!scenario.Pooling)
            text["Pooling"] = "false";
        if (scenario.Tls is not Tls.AsSettings)
            text[track.Dialect is Dialect.PostgreSql ? "SSL Mode" : "SslMode"] = track.Dialect is Dialect.PostgreSql ? "Require" : "Required";
        if (track.Dialect is Dialect.MySql)
            Add(text, scenario.MySqlOptions);
        if (provider.StartsWith(Contestant.SlipstreamName, StringComparison.Ordinal)
            && (scenario.SlipstreamOptionsOnly is null || scenario.SlipstreamOptionsOnly == track.Dialect))
            Add(text, scenario.SlipstreamOptions);
        Add(text, options);
        return text.ConnectionString;
    }

    private static void Add(DbConnectionStringBuilder text, string options)
    {
        foreach (KeyValuePair<string, object> option in new DbConnectionStringBuilder { ConnectionString = options })
            text[option.Key] = option.Value;
    }

    private static void MySql(DbConnectionStringBuilder text, Track track, string provider, int timeout)
    {
        text["Server"] = track.Host;
        text["Port"] = track.Port;
        text["User Id"] = track.User;
        text["Password"] = track.Password;
        text["Database"] = track.Database;
        text["Connection Timeout"] = timeout;
        if (track.Settings is Settings.Default)
            return;

        // Without TLS, MySQL's default authentication needs the server's key.
        text["AllowPublicKeyRetrieval"] = "true";
        text["SslMode"] = provider == PeerLoader.ConnectorNet ? "Disabled" : "None";
        text["ConnectionReset"] = "false";
        text["DefaultCommandTimeout"] = "0";
        text["AutoEnlist"] = "false";
        text["UseAffectedRows"] = "true";
    }

    private static void PostgreSql(DbConnectionStringBuilder text, Track track, int timeout)
    {
        text["Host"] = track.Host;
        text["Port"] = track.Port;
        text["Username"] = track.User;
        text["Password"] = track.Password;
        text["Database"] = track.Database;
        text["Timeout"] = timeout;
        if (track.Settings is Settings.Default)
            return;

        text["SSL Mode"] = "Disable";
        text["No Reset On Close"] = "true";
        text["Command Timeout"] = "0";
        text["Enlist"] = "false";
    }
}
