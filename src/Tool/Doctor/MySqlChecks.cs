using System.Globalization;
using System.Text.RegularExpressions;
using Slipstream.MySql;

namespace Slipstream.Tool.Doctor;

/// <summary>The checks of a MySQL or MariaDB server: its version, the account, the pool's limits and statements.</summary>
internal static partial class MySqlChecks
{
    /// <summary>The versions in the tables of docs/servers.md.</summary>
    public static readonly string[] Tested = ["MySQL 9.7", "MariaDB 10.11", "MariaDB 11.8"];

    public static readonly string[] Expected = ["MySQL 8.0", "MySQL 8.4", "MariaDB 11.4"];

    private const string Pool = "connection-pooling.md#size-and-lifetime";
    private const string Methods = "authentication.md#methods-of-mysql-and-mariadb";
    private const int ShortIdle = 60;
    private const double MuchOf = 0.75;

    public static Check Server(string version, bool isMariaDb)
    {
        const string Docs = "servers.md#servers";
        var name = isMariaDb ? "MariaDB" : "MySQL";
        var numbers = Numbers().Match(version);
        var series = numbers.Success ? $"{name} {numbers.Groups[1].Value}.{numbers.Groups[2].Value}" : name;
        var text = $"{name} {version}";
        if (Forks().Match(version) is { Success: true } fork)
            return Check.Advise("server", text, $"{fork.Value} is not tested with Slipstream: run your tests with it.", Docs);
        if (Tested.Contains(series))
            return Check.Ok("server", $"{text}: tested", Docs);
        return Expected.Contains(series)
            ? Check.Ok("server", $"{text}: expected to work, not tested", Docs)
            : Check.Advise("server", text, $"This version is not tested with Slipstream ({string.Join(", ", Tested)} are): run your tests with it.", Docs);
    }

    /// <summary>Reads the account's method. The statement's answer also has a hash of the password: only the name of the method leaves this method.</summary>
    public static async Task<Check> AuthenticationAsync(Patient patient, CancellationToken cancellationToken)
    {
        var account = await patient.ScalarAsync("SELECT CURRENT_USER()", cancellationToken);
        var method = await patient.ScalarAsync("SHOW CREATE USER CURRENT_USER", cancellationToken) is { } created ? MethodOf(created) : null;
        if (method is null)
            return Check.Unknown("authentication", $"{account}: the server does not tell this account its method (SHOW CREATE USER)", Methods);
        var text = $"{account} logs in with {method}";
        return method switch
        {
            "mysql_native_password" => Check.Advise(
                "authentication", text, "It uses SHA-1, and MySQL 9 no longer has it: use caching_sha2_password (MySQL), client_ed25519 or parsec "
                    + "(MariaDB).", Methods),
            "sha256_password" => Check.Advise("authentication", text, "This method is deprecated: use caching_sha2_password.", Methods),
            "mysql_clear_password" or "dialog" => Check.Advise(
                "authentication", text, "The server receives the password itself, so the driver sends it only inside verified TLS: SSL Mode=VerifyFull.",
                    Methods),
            _ => Check.Ok("authentication", text, Methods),
        };
    }

    /// <summary>Returns the method in a CREATE USER statement; null if there is none.</summary>
    public static string? MethodOf(string createUser)
    {
        if (Plugin().Match(createUser) is { Success: true } match)
            return match.Groups[1].Value;
        // MariaDB writes its oldest method without a name.
        return createUser.Contains("IDENTIFIED BY PASSWORD", StringComparison.OrdinalIgnoreCase) ? "mysql_native_password" : null;
    }

    public static Check PoolSize(MySqlConnectionStringBuilder options, IReadOnlyDictionary<string, string> variables, IReadOnlyDictionary<string,
        string> status, int? accountLimit)
    {
        if (Number(variables, "max_connections") is not { } most)
            return Check.Unknown("pool", "max_connections is not known", Pool);
        var used = Number(status, "Max_used_connections");
        var limit = accountLimit is > 0 and var own && own < most ? own : (int)most;
        var size = (int)options.MaximumPoolSize;
        var text = $"Maximum Pool Size {size}; the server accepts {most} connections"
            + (limit < most ? $", and {limit} of this account" : "") + (used is null ? "" : $"; at most {used} were used so far");
        var figures = new Dictionary<string, double> { ["maximumPoolSize"] = size, ["maxConnections"] = most, ["limit"] = limit };
        if (!options.Pooling)
            return Check.Advise("pool", "Pooling=false: each Open connects and logs in", "Remove the option.", Pool) with { Figures = figures };
        if (size > limit)
            return Check.Problem(
                "pool", text, "Under load, Open will fail with error 1040 or 1226: set Maximum Pool Size below the limit, divided by the number of processes.",
                    Pool)
                with { Figures = figures };
        return size * 2 > limit
            ? Check.Advise(
                "pool", text, "Two processes with full pools exceed the limit: divide it by the number of processes for Maximum Pool Size.", Pool)
                with { Figures = figures }
            : Check.Ok("pool", text, Pool) with { Figures = figures };
    }

    public static Check Idle(MySqlConnectionStringBuilder options, IReadOnlyDictionary<string, string> variables)
    {
        var name = options.InteractiveSession ? "interactive_timeout" : "wait_timeout";
        if (Number(variables, name) is not { } seconds)
            return Check.Unknown("idle", $"{name} is not known", Pool);
        var text = $"Connection Idle Timeout {options.ConnectionIdleTimeout} s; the server ends idle sessions after {seconds} s ({name})";
        return seconds < ShortIdle
            ? Check.Advise("idle", text, $"The pool must often open new connections: raise {name}, or set Minimum Pool Size to 0.", Pool)
            : Check.Ok("idle", text, Pool);
    }

    public static Check Statements(IReadOnlyDictionary<string, string> variables, IReadOnlyDictionary<string, string> status)
    {
        const string Docs = "prepared-statements.md#when-prepared-statements-end";
        if (Number(variables, "max_prepared_stmt_count") is not { } most || Number(status, "Prepared_stmt_count") is not { } used)
            return Check.Unknown("statements", "max_prepared_stmt_count is not known", Docs);
        var text = $"{used} of {most} prepared statements are in use on the server (max_prepared_stmt_count)";
        if (most == 0)
            return Check.Advise("statements", text, "The server prepares nothing: every command is sent as text. Raise the variable.", Docs);
        return used > most * MuchOf
            ? Check.Advise("statements", text, "When the server is full, commands are sent as text: raise the variable, or lower Auto Prepare Budget.", Docs)
            : Check.Ok("statements", text, Docs);
    }

    /// <summary>Checks whether the account may do what the driver's features need, and not much more.</summary>
    public static Check Privileges(IReadOnlyList<string> grants, string database, bool isMariaDb)
    {
        const string Docs = "tool.md#privileges";
        if (grants.Count == 0)
            return Check.Unknown("privileges", "SHOW GRANTS is refused", Docs);
        var (everywhere, here) = Read(grants, database);
        var all = everywhere.Union(here).ToHashSet(StringComparer.OrdinalIgnoreCase);
        if (everywhere.Contains("ALL PRIVILEGES") || everywhere.Contains("SUPER"))
            return Check.Advise(
                "privileges", "The account may do everything on the server",
                    "Give the application an account with the privileges that it uses, on its own database.",
                Docs);
        var missing = new List<string>();
        if (!all.Contains("ALL PRIVILEGES"))
        {
            if (!all.Contains("SELECT"))
                missing.Add("SELECT (queries)");
            if (!all.Contains("INSERT"))
                missing.Add("INSERT (bulk copy)");
            if (!all.Contains("EXECUTE"))
                missing.Add("EXECUTE (stored procedures, and their parameters)");
            if (!all.Contains("CREATE TEMPORARY TABLES"))
                missing.Add("CREATE TEMPORARY TABLES (temporary tables of the program)");
        }

        if (!isMariaDb && !everywhere.Contains("XA_RECOVER_ADMIN"))
            missing.Add("XA_RECOVER_ADMIN (finding a distributed transaction in doubt)");
        const string None = "Cancelling a command of the same account needs no privilege.";
        return missing.Count == 0
            ? Check.Ok("privileges", "SELECT, INSERT, EXECUTE and CREATE TEMPORARY TABLES are granted. " + None, Docs)
            : Check.Advise(
                "privileges", $"Not granted on this database: {string.Join(", ", missing)}. {None}", "Grant what the program uses; the rest is not needed.",
                    Docs);
    }

    public static Check BulkCopy(MySqlConnectionStringBuilder options, IReadOnlyDictionary<string, string> variables)
    {
        const string Docs = "bulk-copy.md#the-wires";
        var server = variables.TryGetValue("local_infile", out var value) && value is "ON" or "1";
        var client = options.AllowLoadLocalInfile || options.AllowLoadLocalInfileInPath.Length > 0;
        return (client, server) switch
        {
            (true, true) => Check.Ok("bulk-copy", "LOAD DATA LOCAL is allowed by the connection string and the server", Docs),
            (true, false) => Check.Advise(
                "bulk-copy", "Allow Load Local Infile=true, but local_infile=OFF on the server", "Bulk copies use INSERT, and a bulk loader fails: set "
                    + "local_infile=ON, or remove the option.", Docs),
            (false, _) => Check.Ok("bulk-copy", "Bulk copies use INSERT, because Allow Load Local Infile is not set; LOAD DATA LOCAL would be faster", Docs),
        };
    }

    public static long? Number(IReadOnlyDictionary<string, string> values, string name) =>
        values.TryGetValue(name, out var text) && long.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out var number) ? number : null;

    // The privileges on everything, and those on a database.
    private static (HashSet<string> Everywhere, HashSet<string> Here) Read(IReadOnlyList<string> grants, string database)
    {
        var everywhere = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        var here = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        foreach (var grant in grants)
        {
            if (Grant().Match(grant) is not { Success: true } match)
                continue;
            var scope = match.Groups[2].Value;
            // In a grant on a database, % and _ are wildcards, and a backslash escapes them.
            var pattern = scope.EndsWith(".*", StringComparison.Ordinal)
                ? "^" + Regex.Escape(scope[..^2].Trim('`')).Replace(@"\\_", "\u0001", StringComparison.Ordinal).Replace("_", ".", StringComparison.Ordinal)
                    .Replace("%", ".*", StringComparison.Ordinal).Replace("\u0001", "_", StringComparison.Ordinal) + "$"
                : null;
            var privileges = match.Groups[1].Value.Split(',', StringSplitOptions.TrimEntries);
            if (scope == "*.*")
                everywhere.UnionWith(privileges);
            else if (pattern is not null && database.Length > 0 && Regex.IsMatch(database, pattern, RegexOptions.IgnoreCase))
                here.UnionWith(privileges);
        }

        return (everywhere, here);
    }

    [GeneratedRegex(@"(\d+)\.(\d+)\.\d+")]
    private static partial Regex Numbers();

    [GeneratedRegex("tidb|vitess|planetscale|oceanbase|aurora|singlestore|percona", RegexOptions.IgnoreCase)]
    private static partial Regex Forks();

    [GeneratedRegex(@"\bIDENTIFIED (?:WITH|VIA) ['`]?(\w+)", RegexOptions.IgnoreCase)]
    private static partial Regex Plugin();

    [GeneratedRegex(@"^GRANT (.+?) ON (\S+) TO ", RegexOptions.IgnoreCase)]
    private static partial Regex Grant();
}
