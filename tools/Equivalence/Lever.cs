namespace Slipstream.Equivalence;

/// <summary>
/// What makes the driver fast, and the one switch that turns it off. This is the list: the check has a pair for each, and a test joins it to the headings of docs/performance.md,
/// so that a lever without a switch, or one that the check does not know, fails.
/// </summary>
/// <param name="Name">What --pair calls it.</param>
/// <param name="MySql">The option that turns it off on MySQL and MariaDB; null where there is no such lever.</param>
/// <param name="PostgreSql">The option that turns it off on PostgreSQL; null where there is no such lever.</param>
/// <param name="Headings">The sections of docs/performance.md that describe it.</param>
internal sealed record Lever(string Name, string? MySql, string? PostgreSql, params string[] Headings)
{
    /// <summary>Why a provider has no switch: it has no such lever.</summary>
    public string WhyNot { get; init; } = "";

    /// <summary>Off by default: turned on it is a side of its own.</summary>
    public bool IsOffByDefault { get; init; }

    /// <summary>Only seen inside TLS.</summary>
    public bool NeedsTls { get; init; }

    public static readonly IReadOnlyList<Lever> All =
    [
        new("auto-prepare", "Auto Prepare=false", "Auto Prepare=false", "Prepared without asking"),
        new("pipelining", "Pipelining Mode=Off", "Pipelining=false", "Prepare and execute in one flight", "Transactions that send less", "Pipelining and its probe"),
        new("query-attributes", "Query Attributes=false", null, "The bytes of query attributes") { WhyNot = "PostgreSQL has none" },
        new("reset", "Reset Mode=Always", "Reset Mode=Always", "The reset of a pooled session"),
        new("pool-per-server", "Pool Per Server=true", null, "One pool for many databases") { IsOffByDefault = true, WhyNot = "a PostgreSQL session belongs to one database for its life" },
        new("batching", "Batching=false", "Batching=false", "Batches"),
        new("concurrent-commands", "Allow Concurrent Commands=true", null, "Several commands at once") { IsOffByDefault = true, WhyNot = "PostgreSQL has no such option" },
        new("engine", "Async Engine=Runtime", "Async Engine=Runtime", "Synchronous and asynchronous sockets", "The built-in completion engine"),
        new("spinning", "Spinning=false", "Spinning=false", "The built-in completion engine"),
        new("send-buffer", "Server Send Buffer=0", null, "The server's send buffer") { WhyNot = "PostgreSQL's send buffer does not depend on what it receives" },
        new("adaptive-receives", "Adaptive Receives=false", "Adaptive Receives=false", "The inbound buffer", "Batches"),
        new("large-values", "Direct Large Values=false", "Direct Large Values=false", "In", "Out", "Out, of unknown length"),
        new("tls-resumption", "TLS Resumption=false", "TLS Resumption=false", "Connecting") { NeedsTls = true },
    ];

    /// <summary>
    /// Sections that describe no lever, each with the reason: what is always so and changes only how much is allocated, or what its user asks for by name.
    /// </summary>
    public static readonly IReadOnlyDictionary<string, string> NoLevers = new Dictionary<string, string>
    {
        ["How figures are made"] = "about measuring",
        ["Measured"] = "figures of the whole driver",
        ["Waiting for a pooled connection"] = "one way to wait, whose cost is memory",
        ["Large results"] = "a heading above others",
        ["Large values"] = "a heading above others",
        ["Text without strings"] = "a method of its own, GetUtf8Span",
        ["Parameters"] = "one list of parameters, whose cost is memory",
        ["Bulk copy"] = "each method is chosen by name (MySqlBulkCopy.Method), and programs choose each",
        ["The first row of a process"] = "about compiling ahead of time",
        ["PostgreSQL"] = "the same levers once more",
    };

    /// <summary>What turns it off, or on where it is off by default; null where the provider has no such lever.</summary>
    public string? Off(bool isPostgreSql) => isPostgreSql ? PostgreSql : MySql;

    /// <summary>All of them at once.</summary>
    public static string AllOff(bool isPostgreSql) => string.Join(';', All.Where(static lever => !lever.IsOffByDefault).Select(lever => lever.Off(isPostgreSql)).OfType<string>());
}
