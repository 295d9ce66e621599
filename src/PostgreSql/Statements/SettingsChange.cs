using System.Buffers;
using System.Text;

namespace Slipstream.PostgreSql.Statements;

/// <summary>The possible effect of a statement on the session's settings.</summary>
internal enum SettingsEffect : byte
{
    /// <summary>No effect that the text shows, or none that a prepared statement could notice.</summary>
    None,

    /// <summary>A change until the transaction ends: SET LOCAL.</summary>
    Transaction,

    /// <summary>A change until another statement reverses it: SET, RESET, set_config, and every statement that runs code.</summary>
    Session,
}

/// <summary>
/// Reads from a statement's text whether it changes settings that affect the parsing or planning of other statements. When a statement is prepared, the server
/// reads its constants (TimeZone, DateStyle, IntervalStyle, array_nulls, xmloption, …) and resolves names (role). When it is planned, the server computes
/// expressions over constants (bytea_output, extra_float_digits). After a change, a prepared statement may mean something else than its text does now.
/// Sources: PostgreSQL 18, 19 "Server Configuration", SET, set_config; docs/decisions/0014.
/// </summary>
internal static class SettingsChange
{
    // Settings that the server reads only when it executes a statement, in utility statements, or for its housekeeping. All other settings count, including
    // those of later versions.
    private static readonly HashSet<string> Harmless = new(StringComparer.OrdinalIgnoreCase)
    {
        "application_name", "client_connection_check_interval", "client_min_messages", "commit_siblings", "default_transaction_deferrable",
        "default_transaction_isolation",
        "default_transaction_read_only", "idle_in_transaction_session_timeout", "idle_session_timeout", "in_hot_standby", "lock_timeout",
        "log_parameter_max_length_on_error",
        "maintenance_work_mem", "plan_cache_mode", "scram_iterations", "seed", "statement_timeout", "synchronous_commit", "tcp_keepalives_count",
        "tcp_keepalives_idle",
        "tcp_keepalives_interval", "tcp_user_timeout", "transaction_deferrable", "transaction_isolation", "transaction_read_only", "transaction_timeout",
        // After a change of these, the server itself parses and plans prepared statements again.
        "search_path", "session_replication_role",
    };

    private static readonly SearchValues<string> Signs = SearchValues.Create(["set_config", "pg_settings", "u&\""], StringComparison.OrdinalIgnoreCase);

    private const string SetConfig = "set_config";

    /// <summary>
    /// Returns true if no prepared statement can notice a change of the setting. A name with a dot (app.tenant) belongs to an extension or an application, and
    /// the server itself never reads it. But functions do. One that is declared IMMUTABLE is computed when a statement is planned, and would show one tenant's
    /// rows to the next.
    /// </summary>
    public static bool IsHarmless(string name) => Harmless.Contains(name);

    /// <summary>Returns the possible effect of the statement, from its first word.</summary>
    public static SettingsEffect Of(ReadOnlySpan<byte> sql)
    {
        if (FirstWord.IsFirst(sql, "set"u8))
            return OfSet(Rest(sql));
        if (FirstWord.IsFirst(sql, "reset"u8))
            return NameOf(Rest(sql), out _) is { } name && IsHarmless(name) ? SettingsEffect.None : SettingsEffect.Session;
        return FirstWord.IsFirst(sql, "execute"u8) || FirstWord.IsFirst(sql, "do"u8) || FirstWord.IsFirst(sql, "call"u8)
            ? SettingsEffect.Session
            : SettingsEffect.None;
    }

    /// <summary>Returns the possible effect of any text, from the names in it.</summary>
    public static SettingsEffect NamedIn(string sql)
    {
        if (!sql.AsSpan().ContainsAny(Signs))
            return SettingsEffect.None;
        if (sql.Contains("u&\"", StringComparison.OrdinalIgnoreCase) || UpdatesSettings(sql))
            return SettingsEffect.Session;
        var effect = SettingsEffect.None;
        for (var at = Next(sql, 0); at >= 0; at = Next(sql, at))
            if (OfSetConfig(sql.AsSpan(at)) is var one && one > effect)
                effect = one;
        return effect;
    }

    /// <summary>
    /// Returns true if the statement may change search_path. This is harmless outside a transaction; inside one, a statement with other columns cannot be
    /// repeated.
    /// </summary>
    public static bool MovesPath(ReadOnlySpan<byte> sql) =>
        Holds(sql, "search_path"u8) || (FirstWord.IsFirst(sql, "set"u8) && Holds(sql, "schema"u8));

    private static bool Holds(ReadOnlySpan<byte> sql, ReadOnlySpan<byte> lower)
    {
        for (var at = 0; at + lower.Length <= sql.Length; at++)
            if (Ascii.EqualsIgnoreCase(sql.Slice(at, lower.Length), lower))
                return true;
        return false;
    }

    // pg_settings is an updatable view.
    private static bool UpdatesSettings(string sql) =>
        sql.Contains("pg_settings", StringComparison.OrdinalIgnoreCase) && sql.Contains("update", StringComparison.OrdinalIgnoreCase);

    private static int Next(string sql, int from) =>
        sql.IndexOf(SetConfig, from, StringComparison.OrdinalIgnoreCase) is >= 0 and var found ? found + SetConfig.Length : -1;

    // Reads the arguments after the function's name. The effect is known if the first argument is a literal. (name, value, true) is SET LOCAL.
    private static SettingsEffect OfSetConfig(ReadOnlySpan<char> rest)
    {
        rest = rest.TrimStart();
        if (rest is not ['(', ..])
            return SettingsEffect.Session;
        rest = rest[1..].TrimStart();
        var end = LiteralLength(rest);
        if (end < 3 || rest[end..].TrimStart() is not [',', .. var others])
            return SettingsEffect.Session;
        if (IsHarmless(rest[1..(end - 1)].ToString()))
            return SettingsEffect.None;
        others = others.TrimStart();
        var value = others is ['\'', ..] ? LiteralLength(others) : ParameterLength(others);
        return value > 0 && others[value..].TrimStart() is [',', .. var last] && IsTrue(last) ? SettingsEffect.Transaction : SettingsEffect.Session;
    }

    private static bool IsTrue(ReadOnlySpan<char> argument)
    {
        argument = argument.TrimStart();
        return argument.StartsWith("true", StringComparison.OrdinalIgnoreCase) && argument[4..].TrimStart() is [')', ..];
    }

    // Returns 0 if the text is not a literal, or if its end depends on the interpretation of backslashes.
    private static int LiteralLength(ReadOnlySpan<char> sql)
    {
        if (sql is not ['\'', .. var inner])
            return 0;
        var end = inner.IndexOf('\'');
        return end < 0 || inner[..end].Contains('\\') ? 0 : end + 2;
    }

    // $1, @name or :name.
    private static int ParameterLength(ReadOnlySpan<char> sql)
    {
        if (sql is not ['$' or '@' or ':', ..])
            return 0;
        var end = 1;
        while (end < sql.Length && (char.IsAsciiLetterOrDigit(sql[end]) || sql[end] == '_'))
            end++;
        return end;
    }

    // SET [SESSION | LOCAL] name, and the forms with special syntax.
    private static SettingsEffect OfSet(ReadOnlySpan<byte> rest)
    {
        var effect = SettingsEffect.Session;
        var name = NameOf(rest, out var used);
        if (Is(name, "local") || Is(name, "session"))
        {
            if (Is(name, "local"))
                effect = SettingsEffect.Transaction;
            name = NameOf(rest[used..], out _);
        }

        return name is null || !(IsHarmless(name) || Is(name, "schema") || Is(name, "transaction") || Is(name, "constraints") || Is(name, "characteristics"))
            ? effect
            : SettingsEffect.None;
    }

    private static bool Is(string? name, string word) => string.Equals(name, word, StringComparison.OrdinalIgnoreCase);

    private static ReadOnlySpan<byte> Rest(ReadOnlySpan<byte> sql) => sql[FirstWord.EndIn(sql)..];

    private static bool Continues(ReadOnlySpan<byte> rest)
    {
        var at = 0;
        while (at < rest.Length && rest[at] is (byte)' ' or (byte)'\t' or (byte)'\n' or (byte)'\r' or (byte)'\f' or (byte)'\v')
            at++;
        return at < rest.Length && rest[at] is (byte)'.' or (byte)'/' or (byte)'-';
    }

    // Returns null, because the effect is unknown, for everything but a plain or quoted name. It also returns null for the first part of a longer name:
    // "seed".tenant is a setting of an application, and "local".tenant is not SET LOCAL.
    private static string? NameOf(ReadOnlySpan<byte> sql, out int used)
    {
        var at = 0;
        while (at < sql.Length && sql[at] is (byte)' ' or (byte)'\t' or (byte)'\n' or (byte)'\r')
            at++;
        var quoted = at < sql.Length && sql[at] == '"';
        var begin = at + (quoted ? 1 : 0);
        var end = begin;
        while (end < sql.Length && (char.IsAsciiLetterOrDigit((char)sql[end]) || sql[end] is (byte)'_' or (byte)'.'))
            end++;
        used = end;
        if (end == begin || (quoted && (end == sql.Length || sql[end] != '"')))
            return null;
        if (quoted)
            used++;
        return Continues(sql[used..]) ? null : Encoding.ASCII.GetString(sql[begin..end]);
    }
}
