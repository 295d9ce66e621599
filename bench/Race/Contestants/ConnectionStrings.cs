using System.Data.Common;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Contestants;

/// <summary>Each provider's own words for the same thing.</summary>
internal static class ConnectionStrings
{
    /// <summary>How many pools a contestant may have: sync and async, text and prepared.</summary>
    public const int PoolsEach = 4;

    private const string Loopback = "127.0.0.1";
    private const string LoopbackName = "localhost";
    private const int FirstTimeout = 15;

    /// <param name="provider">Name of the contestant; an unknown MySQL provider is spoken to as MySqlConnector is, an unknown PostgreSQL provider as Npgsql is.</param>
    /// <param name="pool">
    /// Which pool the connection comes from. Written as the connection timeout, the one option every provider has and no scenario reaches: sync and
    /// async never share connections (one asynchronous operation makes a Linux socket non-blocking for life), nor do text and prepared.
    /// </param>
    /// <param name="options">Further options in connection-string form, which win over all others.</param>
    public static string For(string provider, Track track, Scenario scenario, int pool, string options)
    {
        // The runtime remembers TLS sessions by the host's name and never by its address.
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
        if (provider.StartsWith(Contestant.SlipstreamName, StringComparison.Ordinal))
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

        // MySQL's own default authentication needs the server's key where there is no TLS.
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
