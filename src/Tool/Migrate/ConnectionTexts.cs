using System.Data.Common;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Tool.Connections;

namespace Slipstream.Tool.Migrate;

/// <summary>Finds options of connection strings that Slipstream refuses, or understands in another way. It never prints a value.</summary>
internal static class ConnectionTexts
{
    private const string Rule = "connection-string";

    // driver | options, without spaces and in lower case; "=value" if only that value differs | first cell of the row
    private const string Table = """
        MySqlConnector | usecompression compress=true | `Use Compression`
        MySqlConnector | pipelining | `Pipelining`
        MySqlConnector | tlsversion | `TLS Version`
        MySqlConnector | serverredirectionmode | `Server Redirection Mode`
        MySqlConnector | dnscheckinterval | `DNS Check Interval`
        MySqlConnector | nobackslashescapes | `No Backslash Escapes`
        MySqlConnector | connectionprotocol=pipe protocol=pipe | `Connection Protocol=Pipe` where there are no named pipes
        MySqlConnector | certificatestorelocation certificatethumbprint | client certificates from a store
        MySqlConnector | minimumpoolsize minpoolsize | `Minimum Pool Size`
        MySqlConnector | allowloadlocalinfile=true | LOAD DATA LOCAL in a command's text, with `Allow Load Local Infile=true`
        MySqlConnector | sslmode=verifyca | an expired certificate with `SSL Mode=VerifyCA`
        MySqlConnector | cancellationtimeout=0 | `Cancellation Timeout=0`
        MySqlConnector | server=, host=, datasource=, | several servers
        MySqlData | sslmode=disabled sslmode=none | `Ssl Mode=Disabled`
        Npgsql | multiplexing=true | `Multiplexing`
        Npgsql | maxautoprepare autoprepareminusages | `Max Auto Prepare`, `Auto Prepare Min Usages`
        Npgsql | sslmode=allow | `SSL Mode=Allow`
        Npgsql | keepalive | `Keepalive`
        Npgsql | targetsessionattributes | `Target Session Attributes` with one host
        Npgsql | sslnegotiation=direct | `SSL Negotiation=Direct`
        Npgsql | clientencoding encoding | an encoding other than UTF8
        Npgsql | gssencryptionmode=require | `GSS Encryption Mode=Require`
        Npgsql | connectionpruninginterval | `Connection Pruning Interval` longer than `Connection Idle Lifetime`
        Npgsql | includerealm | `Username` empty with Kerberos
        Npgsql | host=, server=, | several hosts
        """;

    /// <summary>Gets the rows of the page that this class may print.</summary>
    public static IReadOnlyList<(Drivers Driver, string Option, string Subject)> Differences { get; } =
    [
        .. from line in Table.Split('\n')
           let cells = line.Split(" | ")
           from option in cells[1].Split(' ')
           select (Enum.Parse<Drivers>(cells[0]), option, cells[2]),
    ];

    /// <summary>Adds findings if a text is a connection string.</summary>
    /// <param name="changes">The file with the text.</param>
    /// <param name="offset">Where it is.</param>
    /// <param name="text">The text.</param>
    /// <param name="drivers">The drivers that may use it.</param>
    public static void Check(FileChanges changes, int offset, string text, Drivers drivers)
    {
        if (ConnectionText.Parse(text) is not { } options)
            return;
        var provider = (drivers & Drivers.MySql) == 0 && (drivers & Drivers.PostgreSql) != 0 ? Provider.PostgreSql
            : (drivers & Drivers.PostgreSql) == 0 && (drivers & Drivers.MySql) != 0 ? Provider.MySql
            : ConnectionText.Guess(options);
        if (provider is not { } one)
            return;
        if (Refusal(one, options) is { } refusal)
            changes.Add(offset, FindingKind.Manual, Rule, refusal, "options.md");
        var from = one == Provider.PostgreSql ? Drivers.Npgsql : Drivers.MySqlConnector;
        // A file that was migrated has a string that was looked at.
        if ((drivers & (Drivers.MySqlConnector | Drivers.MySqlData | Drivers.Npgsql | Drivers.Pomelo)) == 0)
            return;
        foreach (var (driver, option, subject) in Differences)
        {
            var isMySqlData = driver == Drivers.MySqlData && one == Provider.MySql && drivers.HasFlag(Drivers.MySqlData);
            if ((driver != from && !isMySqlData) || !Has(options, option))
                continue;
            var row = GuidePage.Row(driver, subject);
            changes.Add(offset, FindingKind.Review, Rule, row.Text, row.Page);
        }

        if (one == Provider.MySql && drivers.HasFlag(Drivers.MySqlData) && !options.Any(static pair => Plain(pair.Key) == "connectionreset"))
        {
            var row = GuidePage.Row(Drivers.MySqlData, "`Connection Reset`");
            changes.Add(offset, FindingKind.Review, Rule, row.Text, row.Page);
        }
    }

    private static bool Has(IReadOnlyDictionary<string, string> options, string wanted)
    {
        var equals = wanted.IndexOf('=', StringComparison.Ordinal);
        var (name, value) = equals < 0 ? (wanted, null) : (wanted[..equals], wanted[(equals + 1)..]);
        return options.Any(pair => Plain(pair.Key) == name && value switch
        {
            null => true,
            "," => pair.Value.Contains(',', StringComparison.Ordinal),
            _ => Plain(pair.Value) == value,
        });
    }

    private static string Plain(string text) => string.Concat(text.Where(char.IsLetterOrDigit)).ToLowerInvariant();

    /// <summary>Returns why the driver refuses the options; null if it accepts them. Nothing connects, and files need not exist here.</summary>
    private static string? Refusal(Provider provider, IReadOnlyDictionary<string, string> options)
    {
        DbConnectionStringBuilder builder = provider == Provider.MySql ? new MySqlConnectionStringBuilder() : new PgConnectionStringBuilder();
        try
        {
            foreach (var (name, value) in options)
            {
                // Placeholders get their values later.
                if (ConnectionText.IsFile(name) || value.Contains("${", StringComparison.Ordinal) || value.Contains("#{", StringComparison.Ordinal))
                    continue;
                // A message may contain the value, so it is not that of a secret.
                builder[name] = ConnectionText.IsSecret(name) ? "secret" : value;
            }

            // What no option alone shows: an unsupported feature, or options that contradict each other.
            using DbDataSource source = provider == Provider.MySql
                ? new MySqlDataSourceBuilder(builder.ConnectionString).Build()
                : new PgDataSourceBuilder(builder.ConnectionString).Build();
            return null;
        }
        catch (Exception exception) when (IsRefusal(exception))
        {
            return exception.Message.ReplaceLineEndings(" ");
        }
    }

    private static bool IsRefusal(Exception exception) =>
        exception is ArgumentException or NotSupportedException or FormatException or InvalidOperationException or DbException;
}
