using Slipstream.MySql;

namespace Slipstream.Tool.Doctor;

/// <summary>Settings of a MySQL or MariaDB server that cost time, or that change what statements do.</summary>
internal static class MySqlSettings
{
    private const string Limits = "limits.md#servers-with-a-small-max_allowed_packet";
    private const long SmallPacket = 4 << 20;

    public static IEnumerable<Check> Of(IReadOnlyDictionary<string, string> variables, IReadOnlyDictionary<string, string> status, string sqlMode,
        bool isAutocommit)
    {
        yield return Packet(variables);
        yield return Mode(sqlMode);
        if (!isAutocommit)
            yield return Check.Problem(
                "settings.autocommit", "autocommit=0: a statement outside a transaction is not committed",
                    "Set autocommit=1 on the server, or in init_connect.",
                "transactions.md");
        yield return Durability(variables);
        if (MySqlChecks.Number(variables, "thread_cache_size") == 0)
            yield return Check.Advise(
                "settings.thread_cache_size", "thread_cache_size=0: the server starts a thread for each new connection", "Set it to 16 or more.",
                "connection-pooling.md");
        if (variables.TryGetValue("query_cache_type", out var cache) && cache is not ("OFF" or "0") && MySqlChecks.Number(variables, "query_cache_size") > 0)
            yield return Check.Advise(
                "settings.query_cache_type", $"query_cache_type={cache}: all sessions wait for one lock of the query cache",
                    "Set it to OFF, unless you have measured that it helps.",
                "performance.md");
        yield return PerformanceSchema(variables, status);
    }

    private static Check Packet(IReadOnlyDictionary<string, string> variables)
    {
        const string Id = "settings.max_allowed_packet";
        if (MySqlChecks.Number(variables, "max_allowed_packet") is not { } bytes)
            return Check.Unknown(Id, "max_allowed_packet is not known", Limits);
        var text = $"max_allowed_packet is {bytes / 1024} KiB";
        return bytes < SmallPacket
            ? Check.Advise(Id, text, "Larger statements and values are refused, and batches are split: set it to 64 MiB.", Limits)
            : Check.Ok(Id, text, Limits);
    }

    private static Check Mode(string mode)
    {
        const string Id = "settings.sql_mode";
        const string Docs = "bulk-copy.md#errors";
        var words = mode.Split(',', StringSplitOptions.RemoveEmptyEntries);
        if (!words.Contains("STRICT_TRANS_TABLES") && !words.Contains("STRICT_ALL_TABLES"))
            return Check.Problem(
                Id, "sql_mode is not strict: the server truncates values that do not fit, with a warning only", "Add STRICT_TRANS_TABLES to sql_mode.", Docs);
        return Check.Ok(
            Id, "sql_mode is strict" + (words.Contains("NO_BACKSLASH_ESCAPES") ? "; NO_BACKSLASH_ESCAPES is on, which the driver takes into account" : "")
                + (words.Contains("ANSI_QUOTES") ? "; ANSI_QUOTES is on" : ""), Docs);
    }

    private static Check Durability(IReadOnlyDictionary<string, string> variables)
    {
        const string Id = "settings.durability";
        const string Docs = "tool.md#commit";
        var flush = variables.GetValueOrDefault("innodb_flush_log_at_trx_commit", "?");
        var binlog = variables.GetValueOrDefault("log_bin", "OFF") is "ON" or "1" ? variables.GetValueOrDefault("sync_binlog", "?") : null;
        var text = $"innodb_flush_log_at_trx_commit={flush}" + (binlog is null ? "; no binary log" : $", sync_binlog={binlog}");
        return flush == "1" && binlog is null or "1"
            ? Check.Ok(Id, text + ": a commit waits for the disk (measure it with --write)", Docs)
            : Check.Advise(
                Id, text + ": a commit does not wait for the disk",
                    "A crash of the server's machine loses the last commits. If the data matters, set innodb_flush_log_at_trx_commit "
                    + "and sync_binlog to 1.", Docs);
    }

    private static Check PerformanceSchema(IReadOnlyDictionary<string, string> variables, IReadOnlyDictionary<string, string> status)
    {
        const string Id = "settings.performance_schema";
        const string Docs = "tool.md#performance_schema";
        if (variables.GetValueOrDefault("performance_schema", "OFF") is not ("ON" or "1"))
            return Check.Ok(Id, "performance_schema is off", Docs);
        var lost = status.Where(static pair => pair.Key.StartsWith("Performance_schema_", StringComparison.OrdinalIgnoreCase)
                && pair.Key.EndsWith("_lost", StringComparison.OrdinalIgnoreCase) && pair.Value is not ("0" or ""))
            .Select(static pair => $"{pair.Key}={pair.Value}").Order().ToList();
        return lost.Count == 0
            ? Check.Ok(Id, "performance_schema is on, and has lost nothing", Docs)
            : Check.Advise(
                Id, $"performance_schema has reached limits: {string.Join(", ", lost)}",
                    "What it shows is incomplete: raise the limits (performance_schema_max_…) "
                    + "and restart the server.", Docs);
    }
}
