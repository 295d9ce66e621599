namespace Slipstream.Soak.Work;

/// <summary>An operation of a worker: it succeeds, or throws the driver's exception. A wrong answer is a violation, not an exception.</summary>
internal sealed record Operation(string Name, int Weight, Func<Worker, ValueTask> Run, bool OnlyAsync = false, bool OnlyBlocking = false,
    bool OnlyPostgreSql = false)
{
    public static IReadOnlyList<Operation> All { get; } =
    [
        new("echo", 22, Queries.Echo),
        new("prepared echo", 10, Queries.PreparedEcho),
        new("rows", 10, Queries.Rows),
        new("sum", 6, Queries.Sum),
        new("stored command", 10, Queries.Stored),
        new("transfer", 16, Changes.Transfer),
        new("insert", 8, Changes.Insert),
        new("insert of the data source", 6, Changes.InsertAlone),
        new("batch", 8, Changes.Batch),
        new("bulk copy", 3, Changes.Bulk),
        new("blob", 4, Changes.Blob),
        new("cancelled query", 4, Interruptions.CanceledQuery, OnlyAsync: true),
        new("cancelled insert", 3, Interruptions.CanceledInsert, OnlyAsync: true),
        new("cancelled transfer", 2, Interruptions.CanceledTransfer, OnlyAsync: true),
        new("cancel", 4, Interruptions.Cancel, OnlyBlocking: true),
        new("timed-out query", 1, Interruptions.TimedOut),
        new("copy import", 3, PgOperations.Import, OnlyPostgreSql: true),
        new("copy export", 3, PgOperations.Export, OnlyPostgreSql: true),
        new("notifications", 3, PgOperations.Listen, OnlyAsync: true, OnlyPostgreSql: true),
    ];

    /// <summary>Returns the operations that a worker of this kind can execute.</summary>
    public static IReadOnlyList<Operation> For(Verbs verbs, bool isPostgreSql, IReadOnlyList<string> names)
    {
        var possible = All.Where(
            operation => (names.Count == 0 || names.Contains(operation.Name))
                && (isPostgreSql || !operation.OnlyPostgreSql) && !(verbs.IsAsync ? operation.OnlyBlocking : operation.OnlyAsync)).ToList();
        return possible.Count > 0 ? possible : [All[0]];
    }

    public static Operation Choose(Random random, IReadOnlyList<Operation> possible)
    {
        var left = random.Next(possible.Sum(static operation => operation.Weight));
        foreach (var operation in possible)
        {
            if ((left -= operation.Weight) < 0)
                return operation;
        }

        return possible[^1];
    }
}
