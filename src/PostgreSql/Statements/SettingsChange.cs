using System.Buffers;
using System.Text;

namespace Slipstream.PostgreSql.Statements;

/// <summary>What a statement may do to the session's settings.</summary>
internal enum SettingsEffect : byte
{
    /// <summary>Nothing that its text shows, or nothing that a prepared statement could notice.</summary>
    None,

    /// <summary>A change until the transaction ends: SET LOCAL.</summary>
    Transaction,

    /// <summary>A change until something else changes it back: SET, RESET, set_config, and whatever runs code.</summary>
    Session,
}

/// <summary>
/// Reads from a statement's text whether it changes settings that reading or planning a statement looks at. A constant is read when its statement is prepared
/// (TimeZone, DateStyle, IntervalStyle, array_nulls, xmloption, …), names are looked up then (role), and an expression over constants is computed when it is
/// planned (bytea_output, extra_float_digits): what was prepared before is another statement than its text is now.
/// Sources: PostgreSQL 18, 19 "Server Configuration", SET, set_config; docs/decisions/0014.
/// </summary>
internal static class SettingsChange
{
    // Looked at when a statement is executed, or by utility statements and the server's housekeeping only. Everything else counts, also what later versions
    // bring.
    private static readonly HashSet<string> Harmless = new(StringComparer.OrdinalIgnoreCase)
    {
        "application_name", "client_connection_check_interval", "client_min_messages", "commit_siblings", "default_transaction_deferrable", "default_transaction_isolation",
        "default_transaction_read_only", "idle_in_transaction_session_timeout", "idle_session_timeout", "in_hot_standby", "lock_timeout", "log_parameter_max_length_on_error",
        "maintenance_work_mem", "plan_cache_mode", "scram_iterations", "seed", "statement_timeout", "synchronous_commit", "tcp_keepalives_count", "tcp_keepalives_idle",
        "tcp_keepalives_interval", "tcp_user_timeout", "transaction_deferrable", "transaction_isolation", "transaction_read_only", "transaction_timeout",
        // The server reads and plans anew what was prepared under another one.
        "search_path", "session_replication_role",
    };

    private static readonly SearchValues<string> Signs = SearchValues.Create(["set_config", "pg_settings", "u&\""], StringComparison.OrdinalIgnoreCase);

    private const string SetConfig = "set_config";

    /// <summary>
    /// Whether nothing that was prepared can notice its change. A name with a dot (app.tenant) is an extension's or an application's own, and the server itself
    /// never looks at it. But functions do, and one that is declared IMMUTABLE is computed when a statement is planned: it would show one tenant's rows to the
    /// next.
    /// </summary>
    public static bool IsHarmless(string name) => Harmless.Contains(name);

    /// <summary>What the statement may do.</summary>
    public static SettingsEffect Of(ReadOnlySpan<byte> sql)
    {
        if (FirstWord.IsFirst(sql, "set"u8))
            return OfSet(Rest(sql));
        if (FirstWord.IsFirst(sql, "reset"u8))
            return NameOf(Rest(sql), out _) is { } name && IsHarmless(name) ? SettingsEffect.None : SettingsEffect.Session;
        return FirstWord.IsFirst(sql, "execute"u8) || FirstWord.IsFirst(sql, "do"u8) || FirstWord.IsFirst(sql, "call"u8) ? SettingsEffect.Session : SettingsEffect.None;
    }

    /// <summary>What a text of any kind may do by what it names.</summary>
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

    /// <summary>Whether it may change search_path, which is harmless but in a transaction: there a statement with other columns cannot be repeated.</summary>
    public static bool MovesPath(ReadOnlySpan<byte> sql) =>
        Holds(sql, "search_path"u8) || (FirstWord.IsFirst(sql, "set"u8) && Holds(sql, "schema"u8));

    private static bool Holds(ReadOnlySpan<byte> sql, ReadOnlySpan<byte> lower)
    {
        for (var at = 0; at + lower.Length <= sql.Length; at++)
            if (Ascii.EqualsIgnoreCase(sql.Slice(at, lower.Length), lower))
                return true;
        return false;
    }

    // pg_settings is a view that can be updated.
    private static bool UpdatesSettings(string sql) =>
        sql.Contains("pg_settings", StringComparison.OrdinalIgnoreCase) && sql.Contains("update", StringComparison.OrdinalIgnoreCase);

    private static int Next(string sql, int from) =>
        sql.IndexOf(SetConfig, from, StringComparison.OrdinalIgnoreCase) is >= 0 and var found ? found + SetConfig.Length : -1;

    // Behind the function's name: something is known when its first argument is a literal. (name, value, true) is SET LOCAL.
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

    // 0 when it is none, or one whose end depends on how backslashes are read.
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

    // SET [SESSION | LOCAL] name, and the forms with words of their own.
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

    private static bool GoesOn(ReadOnlySpan<byte> rest)
    {
        var at = 0;
        while (at < rest.Length && rest[at] is (byte)' ' or (byte)'\t' or (byte)'\n' or (byte)'\r' or (byte)'\f' or (byte)'\v')
            at++;
        return at < rest.Length && rest[at] is (byte)'.' or (byte)'/' or (byte)'-';
    }

    // Null when it is anything but a plain name, or a quoted one, or the first part of a longer one ("seed".tenant is a setting of an application's own,
    // and "local".tenant is no SET LOCAL): then nothing is known.
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
        return GoesOn(sql[used..]) ? null : Encoding.ASCII.GetString(sql[begin..end]);
    }
}
