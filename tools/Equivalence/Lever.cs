namespace Slipstream.Equivalence;

/// <summary>
/// An optimisation and the option that turns it off. This list is complete: the check has a pair for each entry, and a test compares it with the headings of
/// docs/performance.md. The test fails for an optimisation without an option, and for one that the check does not know.
/// </summary>
/// <param name="Name">The name that --pair accepts.</param>
/// <param name="MySql">The option that turns it off on MySQL and MariaDB; null if they have no such optimisation.</param>
/// <param name="PostgreSql">The option that turns it off on PostgreSQL; null if it has no such optimisation.</param>
/// <param name="Headings">The sections of docs/performance.md that describe it.</param>
internal sealed record Lever(string Name, string? MySql, string? PostgreSql, params string[] Headings)
{
    /// <summary>Gets why a provider has no such optimisation.</summary>
    public string WhyNot { get; init; } = "";

    /// <summary>Gets whether it is off by default. The check then turns it on.</summary>
    public bool IsOffByDefault { get; init; }

    /// <summary>Gets whether it has an effect only with TLS.</summary>
    public bool NeedsTls { get; init; }

    public static readonly IReadOnlyList<Lever> All =
    [
        new("auto-prepare", "Auto Prepare=false", "Auto Prepare=false", "Prepared without asking"),
        new(
            "pipelining", "Pipelining Mode=Off", "Pipelining=false", "Prepare and execute in one flight", "Transactions that send less",
            "Pipelining and its probe"),
        new("query-attributes", "Query Attributes=false", null, "The bytes of query attributes") { WhyNot = "PostgreSQL has none" },
        new("reset", "Reset Mode=Always", "Reset Mode=Always", "The reset of a pooled session"),
        new("pool-per-server", "Pool Per Server=true", null, "One pool for many databases")
        {
            IsOffByDefault = true,
            WhyNot = "a PostgreSQL session belongs to one database for its life"
        },
        new("batching", "Batching=false", "Batching=false", "Batches"),
        new("concurrent-commands", "Allow Concurrent Commands=true", null, "Several commands at once")
        {
            IsOffByDefault = true,
            WhyNot = "PostgreSQL has no such option"
        },
        new("engine", "Async Engine=Runtime", "Async Engine=Runtime", "Synchronous and asynchronous sockets", "The built-in completion engine"),
        new("spinning", "Spinning=false", "Spinning=false", "The built-in completion engine"),
        new("send-buffer", "Server Send Buffer=0", null, "The server's send buffer")
        {
            WhyNot = "PostgreSQL's send buffer does not depend on what it receives"
        },
        new("adaptive-receives", "Adaptive Receives=false", "Adaptive Receives=false", "The inbound buffer", "Batches"),
        new("large-values", "Direct Large Values=false", "Direct Large Values=false", "In", "Out", "Out, of unknown length"),
        new("tls-resumption", "TLS Resumption=false", "TLS Resumption=false", "Connecting") { NeedsTls = true },
    ];

    /// <summary>
    /// Sections that describe no such optimisation, each with the reason: an optimisation that cannot be turned off and changes only allocations, or a feature
    /// that the caller chooses by name.
    /// </summary>
    public static readonly IReadOnlyDictionary<string, string> NoLevers = new Dictionary<string, string>
    {
        ["How figures are made"] = "about measuring",
        ["Measured"] = "figures of the whole driver",
        ["The check of an idle session"] = "no option; ./race --killed counts what it protects from",
        ["Waiting for a pooled connection"] = "one way to wait, whose cost is memory",
        ["Large results"] = "a heading above others",
        ["Large values"] = "a heading above others",
        ["Text without strings"] = "a method of its own, GetUtf8Span",
        ["Parameters"] = "one list of parameters, whose cost is memory",
        ["Bulk copy"] = "each method is chosen by name (MySqlBulkCopy.Method), and programs choose each",
        ["The first row of a process"] = "about compiling ahead of time",
        ["PostgreSQL"] = "the same levers once more",
    };

    /// <summary>Returns the option that turns it off, or on if it is off by default; null if the provider has no such optimisation.</summary>
    public string? Off(bool isPostgreSql) => isPostgreSql ? PostgreSql : MySql;

    /// <summary>Returns the options that turn all of them off.</summary>
    public static string AllOff(bool isPostgreSql) =>
        string.Join(';', All.Where(static lever => !lever.IsOffByDefault).Select(lever => lever.Off(isPostgreSql)).OfType<string>());
}
