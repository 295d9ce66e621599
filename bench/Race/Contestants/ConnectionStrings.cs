using System.Data.Common;

namespace Slipstream.Race.Contestants;

/// <summary>Each provider's own words for the same thing.</summary>
internal static class ConnectionStrings
{
    private const int FirstTimeout = 15;

    /// <param name="provider">Name of the contestant; an unknown MySQL provider is spoken to as MySqlConnector is, an unknown PostgreSQL provider as Npgsql is.</param>
    /// <param name="pool">
    /// Which pool the connection comes from, 0 to 3. Written as the connection timeout, the one option every provider has and no scenario reaches: sync and
    /// async never share connections (one asynchronous operation makes a Linux socket non-blocking for life), nor do text and prepared.
    /// </param>
    public static string For(string provider, Track track, bool pooling, int pool)
    {
        var text = new DbConnectionStringBuilder();
        if (track.Dialect is Dialect.PostgreSql)
            PostgreSql(text, track, FirstTimeout + pool);
        else
            MySql(text, track, provider, FirstTimeout + pool);
        if (!pooling)
            text["Pooling"] = "false";
        return text.ConnectionString;
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
