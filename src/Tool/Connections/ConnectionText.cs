using System.Data.Common;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.Tool.Connections;

/// <summary>The driver that a connection string is for.</summary>
internal enum Provider
{
    MySql,
    PostgreSql,
}

/// <summary>Reads connection strings without a driver, and guesses which driver one is for.</summary>
internal static class ConnectionText
{
    private static readonly string[] Hosts = ["server", "host", "datasource", "address", "addr", "networkaddress"];

    private static readonly string[] Others =
        ["user", "userid", "uid", "username", "database", "initialcatalog", "port", "password", "pwd", "sslmode", "pooling"];

    private static readonly string[] Files =
        ["sslca", "cacertificatefile", "sslcert", "sslcertificate", "sslkey", "certificatefile", "rootcertificate", "serverrsapublickeyfile", "passfile",
            "service"];

    /// <summary>Returns the options of a text that names a server; null if it is not a connection string.</summary>
    public static IReadOnlyDictionary<string, string>? Parse(string text)
    {
        const int Longest = 8192;
        if (text.Length is 0 or > Longest || Read(text) is not { } options)
            return null;
        var names = options.Keys.Select(Plain).ToHashSet();
        return names.Overlaps(Hosts) && names.Overlaps(Others) ? options : null;
    }

    /// <summary>Returns the options of a text; null if it has not the form of a connection string.</summary>
    public static IReadOnlyDictionary<string, string>? Read(string text)
    {
        if (!text.Contains('=', StringComparison.Ordinal))
            return null;
        try
        {
            var builder = new DbConnectionStringBuilder { ConnectionString = text };
            return builder.Keys.Cast<string>().ToDictionary(static key => key, key => builder[key]?.ToString() ?? "");
        }
        catch (ArgumentException)
        {
            return null;
        }
    }

    /// <summary>Returns the driver whose options these are; null if they may be either's.</summary>
    public static Provider? Guess(IReadOnlyDictionary<string, string> options)
    {
        if (IsSqlServer(options))
            return null;
        var isMySql = options.Keys.All(Accepts(new MySqlConnectionStringBuilder()));
        var isPostgreSql = options.Keys.All(Accepts(new PgConnectionStringBuilder()));
        if (isMySql != isPostgreSql)
            return isMySql ? Provider.MySql : Provider.PostgreSql;
        foreach (var (key, value) in options)
            switch (Plain(key), value.Trim())
            {
                case ("port", "5432") or ("port", "6432"):
                    return Provider.PostgreSql;
                case ("port", "3306") or ("port", "6033"):
                    return Provider.MySql;
            }

        var names = options.Keys.Select(Plain).ToHashSet();
        if (names.Contains("host") && names.Contains("username"))
            return Provider.PostgreSql;
        // Npgsql accepts these words, too, but its documentation and templates do not use them.
        return names.Overlaps(["server", "datasource"]) && names.Overlaps(["user", "userid", "uid"]) ? Provider.MySql : null;
    }

    // Words of SQL Server, some of which the drivers accept, too.
    private static bool IsSqlServer(IReadOnlyDictionary<string, string> options)
    {
        var names = options.Keys.Select(Plain).ToHashSet();
        return !names.Contains("port")
            && (names.Overlaps(["trustedconnection", "integratedsecurity", "encrypt", "multipleactiveresultsets", "initialcatalog"])
                || (names.Contains("trustservercertificate") && !names.Contains("host")));
    }

    public static bool IsSecret(string option) => Plain(option) is var name
        && (name.Contains("password", StringComparison.Ordinal) || name is "pwd" or "pwd1" or "pwd2"
        or "pwd3" or "openididentitytoken");

    /// <summary>Returns whether the value is the path of a file, which need not exist on this machine.</summary>
    public static bool IsFile(string option) => Files.Contains(Plain(option));

    public static string Plain(string option) => string.Concat(option.Where(char.IsLetterOrDigit)).ToLowerInvariant();

    private static Func<string, bool> Accepts(DbConnectionStringBuilder builder) => key =>
    {
        try
        {
            // Reading a keyword that does not exist throws; a value is not needed.
            _ = builder[key];
            return true;
        }
        catch (ArgumentException)
        {
            return false;
        }
    };
}
