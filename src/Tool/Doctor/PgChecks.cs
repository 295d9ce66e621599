using System.Globalization;
using Slipstream.PostgreSql;

namespace Slipstream.Tool.Doctor;

/// <summary>The checks of a PostgreSQL server: its version, the account, the pool's limits and settings.</summary>
internal static class PgChecks
{
    /// <summary>The versions in the table of docs/servers.md.</summary>
    public static readonly string[] Tested = ["15", "18"];

    private const string Pool = "connection-pooling.md#size-and-lifetime";
    private const string Methods = "authentication.md#methods-of-postgresql";
    private const int FirstWithSystemUser = 16;
    private const int ShortIdle = 60;
    private const double DefaultJitCost = 100_000;
    private const double SlowJit = 5;

    public static Check Server(string version, string? about)
    {
        const string Docs = "servers.md#servers";
        var series = version.Split('.')[0];
        var text = $"PostgreSQL {version}";
        // Other servers speak the protocol, too, and say so here.
        if (about is not null && !about.StartsWith("PostgreSQL ", StringComparison.Ordinal))
            return Check.Advise("server", $"{text} ({about.Split(',')[0]})", "This server is not tested with Slipstream: run your tests with it.", Docs);
        return Tested.Contains(series)
            ? Check.Ok("server", $"{text}: tested", Docs)
            : Check.Advise("server", text, $"This version is not tested with Slipstream ({string.Join(" and ", Tested)} are): run your tests with it.", Docs);
    }

    public static async Task<Check> AuthenticationAsync(Patient patient, CancellationToken cancellationToken)
    {
        var user = await patient.ScalarAsync("SELECT current_user", cancellationToken);
        string? method = null;
        if (patient.PostgreSql.PostgreSqlVersion.Major >= FirstWithSystemUser)
        {
            var identity = await patient.ScalarAsync("SELECT system_user", cancellationToken);
            // The server knows no identity if it did not ask for one.
            method = identity?.Split(':')[0] ?? "trust";
        }
        else
        {
            var isScram = await AcceptsOnlyScramAsync(patient, cancellationToken);
            if (isScram != true)
                return Check.Unknown(
                    "authentication", $"{user}: {(isScram is null ? "" : "not SCRAM; ")}servers before version 16 do not tell the method", Methods);
            method = "scram-sha-256";
        }

        var text = $"{user} logs in with {method}";
        return method switch
        {
            "md5" => Check.Advise("authentication", text, "MD5 is not secure: set password_encryption=scram-sha-256, and set the password again.", Methods),
            "password" => Check.Advise("authentication", text, "The server receives the password itself: use scram-sha-256 in pg_hba.conf.", Methods),
            "trust" when !patient.IsLocal => Check.Problem(
                "authentication", $"{user}: the server asks for no password", "Use scram-sha-256 in pg_hba.conf for this address.", Methods),
            "trust" => Check.Ok("authentication", $"{user}: the server asks for no password on this machine (trust)", Methods),
            _ => Check.Ok("authentication", text, Methods),
        };
    }

    public static Check PoolSize(PgConnectionStringBuilder options, IReadOnlyDictionary<string, string> settings, long? roleLimit, long? databaseLimit,
        long? used)
    {
        if (Number(settings, "max_connections") is not { } most)
            return Check.Unknown("pool", "max_connections is not known", Pool);
        var reserved = (Number(settings, "superuser_reserved_connections") ?? 0) + (Number(settings, "reserved_connections") ?? 0);
        var limit = most - reserved;
        foreach (var own in (long?[])[roleLimit, databaseLimit])
            if (own is >= 0 and var value && value < limit)
                limit = value;
        var size = options.MaxPoolSize;
        var text = $"Maximum Pool Size {size}; the server accepts {most} connections, {limit} of them from this role"
            + (used is null ? "" : $"; open now: {used}");
        var figures = new Dictionary<string, double> { ["maximumPoolSize"] = size, ["maxConnections"] = most, ["limit"] = limit };
        if (!options.Pooling)
            return Check.Advise("pool", "Pooling=false: each Open connects and logs in", "Remove the option.", Pool) with { Figures = figures };
        if (size > limit)
            return Check.Problem(
                "pool", text, "Under load, Open fails with 53300: set Maximum Pool Size below the limit, divided by the number of processes.",
                Pool) with { Figures = figures };
        return size * 2 > limit
            ? Check.Advise(
                "pool", text, "Two processes with full pools exceed the limit: divide it by the number of processes for Maximum Pool Size.", Pool)
                with { Figures = figures }
            : Check.Ok("pool", text, Pool) with { Figures = figures };
    }

    public static Check Idle(PgConnectionStringBuilder options, IReadOnlyDictionary<string, string> settings)
    {
        const int Milliseconds = 1000;
        var seconds = (Number(settings, "idle_session_timeout") ?? 0) / Milliseconds;
        var text = $"Connection Idle Lifetime {options.ConnectionIdleLifetime} s; "
            + (seconds == 0 ? "the server does not end idle sessions" : $"the server ends idle sessions after {seconds} s (idle_session_timeout)");
        if (seconds == 0 || seconds > options.ConnectionIdleLifetime)
            return Check.Ok("idle", text, Pool);
        return seconds < ShortIdle
            ? Check.Advise("idle", text, "The pool must often open new connections: raise idle_session_timeout.", Pool)
            : Check.Advise(
                "idle", text, "Set Connection Idle Lifetime below idle_session_timeout, so that the pool closes a connection before the server does.", Pool);
    }

    public static Check Privileges(bool isSuperuser, bool mayCreateTemporary, bool readsTypes)
    {
        const string Docs = "tool.md#privileges";
        if (isSuperuser)
            return Check.Advise(
                "privileges", "The role is a superuser", "Give the application a role with the privileges that it uses.", Docs);
        if (!readsTypes)
            return Check.Problem(
                "privileges", "The role cannot read pg_type", "The driver loads the types of the database at the first Open: GRANT SELECT ON pg_type, or set "
                    + "Server Compatibility Mode=NoTypeLoading.", Docs);
        const string None = "Cancelling a command needs no privilege.";
        return mayCreateTemporary
            ? Check.Ok("privileges", "The role can read the types of the database and create temporary tables. " + None, Docs)
            : Check.Advise("privileges", "The role cannot create temporary tables (TEMPORARY). " + None, "Grant it only if the program uses them.", Docs);
    }

    public static IEnumerable<Check> Settings(IReadOnlyDictionary<string, string> settings, PgConnectionStringBuilder options)
    {
        const string Docs = "tool.md#server-settings";
        var transactions = Number(settings, "idle_in_transaction_session_timeout") ?? 0;
        yield return transactions == 0
            ? Check.Advise(
                "settings.idle_in_transaction_session_timeout",
                    "idle_in_transaction_session_timeout=0: a forgotten transaction keeps its locks, and VACUUM waits, without limit",
                "Set it to some minutes for the application's role: ALTER ROLE … SET idle_in_transaction_session_timeout = '5min'.", Docs)
            : Check.Ok("settings.idle_in_transaction_session_timeout", $"idle_in_transaction_session_timeout is {transactions} ms", Docs);
        var commit = settings.GetValueOrDefault("synchronous_commit", "?");
        yield return commit == "off" || settings.GetValueOrDefault("fsync") == "off"
            ? Check.Advise(
                "settings.durability", $"synchronous_commit={commit}, fsync={settings.GetValueOrDefault("fsync", "?")}: a commit does not wait for the disk",
                "A crash loses the last commits, and without fsync the database. If the data matters, set both to on.", "tool.md#commit")
            : Check.Ok("settings.durability", $"synchronous_commit={commit}: a commit waits for the disk (measure it with --write)", "tool.md#commit");
        foreach (var (name, expected) in ((string, string)[])[("DateStyle", "ISO"), ("IntervalStyle", "postgres"), ("standard_conforming_strings", "on")])
            if (settings.TryGetValue(name, out var value) && !value.StartsWith(expected, StringComparison.OrdinalIgnoreCase))
                yield return Check.Problem(
                    "settings." + name, $"{name}={value}",
                        $"Values that come as text cannot be read, or are read wrongly: set it to {expected} for the application's role.",
                    "migrating.md#npgsql-reading-and-types");
        if (settings.GetValueOrDefault("server_encoding") is { } encoding and not "UTF8")
            yield return Check.Advise(
                "settings.server_encoding", $"The database's encoding is {encoding}",
                    "The driver uses UTF8: the server converts, and refuses characters that the encoding lacks.",
                "servers.md");
        if (settings.GetValueOrDefault("password_encryption") == "md5")
            yield return Check.Advise(
                "settings.password_encryption", "password_encryption=md5: new passwords are stored as MD5",
                    "Set it to scram-sha-256, and set the passwords again.", Methods);
        var statement = Number(settings, "statement_timeout") ?? 0;
        const int Milliseconds = 1000;
        if (statement > 0 && (options.CommandTimeout == 0 || statement < options.CommandTimeout * (long)Milliseconds))
            yield return Check.Ok(
                "settings.statement_timeout", $"statement_timeout is {statement} ms: the server ends a statement before Command Timeout does",
                "cancellation-and-timeouts.md#limits-on-the-server");
    }

    /// <summary>Measures what compiling a small query costs; the planner does it for every query that it believes expensive.</summary>
    public static async Task<Check> JitAsync(Patient patient, IReadOnlyDictionary<string, string> settings, CancellationToken cancellationToken)
    {
        const string Id = "settings.jit";
        const string Docs = "tool.md#jit";
        if (settings.GetValueOrDefault("jit") != "on")
            return Check.Ok(Id, "jit is off", Docs);
        var above = Number(settings, "jit_above_cost") ?? (long)DefaultJitCost;
        await using var transaction = await patient.Connection.BeginTransactionAsync(cancellationToken);
        await patient.ScalarAsync("SET LOCAL jit_above_cost = 0", cancellationToken);
        var plan = await patient.ColumnAsync("EXPLAIN (ANALYZE, TIMING OFF) SELECT sum(n * 2) FROM generate_series(1, 100) AS n WHERE n % 3 = 1",
            cancellationToken);
        await transaction.RollbackAsync(cancellationToken);
        var timing = plan.FirstOrDefault(static line => line.Contains("Total ", StringComparison.Ordinal)
            && line.Contains("Timing:", StringComparison.Ordinal));
        if (timing is null)
            return Check.Ok(Id, "jit is on, but the server has no compiler for it", Docs);
        var at = timing.LastIndexOf("Total ", StringComparison.Ordinal) + "Total ".Length;
        var ms = double.TryParse(timing[at..].Split(' ')[0], NumberStyles.Float, CultureInfo.InvariantCulture, out var parsed) ? parsed : 0;
        var text = $"Compiling a small query takes {Measurements.Ms(ms)}; the server does it above a cost of {above} (jit_above_cost)";
        var figures = new Dictionary<string, double> { ["compileMs"] = ms, ["jitAboveCost"] = above };
        return ms > SlowJit && above <= DefaultJitCost
            ? Check.Advise(
                Id, text, "If the application's queries are short and look expensive to the planner, set jit=off for its role, or raise jit_above_cost.", Docs)
                with { Figures = figures }
            : Check.Ok(Id, text, Docs) with { Figures = figures };
    }

    public static long? Number(IReadOnlyDictionary<string, string> values, string name) =>
        values.TryGetValue(name, out var text) && long.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out var number) ? number : null;

    // One more connection, which accepts nothing but SCRAM. Null: the server has refused it for another reason, such as a limit.
    private static async Task<bool?> AcceptsOnlyScramAsync(Patient patient, CancellationToken cancellationToken)
    {
        var options = patient.Target.PostgreSql;
        (options.RequireAuth, options.Pooling) = ("ScramSHA256", false);
        try
        {
            await using var connection = new PgConnection(options.ConnectionString);
            await connection.OpenAsync(cancellationToken);
            return true;
        }
        catch (PgException exception)
        {
            return exception.SqlState is null ? false : null;
        }
    }
}
