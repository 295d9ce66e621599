using System.Collections.Immutable;
using System.Data;

namespace Slipstream.Equivalence.Language;

/// <summary>How a command or batch is executed.</summary>
internal enum Verb
{
    NonQuery,
    Scalar,
    Reader,
}

/// <summary>By which getter each column is read.</summary>
internal enum Reading
{
    Values,
    Strings,
    Int32s,
    Int64s,
    Doubles,
    Decimals,
    Booleans,
    DateTimes,
    Bytes,
    Chars,
    Guids,
    Streams,
    TextReaders,

    /// <summary>GetFieldValue of the column's own type.</summary>
    FieldValues,

    /// <summary>GetFieldValue of a type that may be null.</summary>
    Nullables,
    DateOnlys,
    DateTimeOffsets,
    TimeSpans,

    /// <summary>GetValues of the whole row.</summary>
    Rows,

    /// <summary>By the column's name.</summary>
    Names,
}

/// <summary>Which columns of a row are read, in which order.</summary>
internal enum Selection
{
    All,
    None,
    First,
    Last,
    EverySecond,

    /// <summary>The last first: sequential access refuses that for long values.</summary>
    Backwards,
    Twice,
}

/// <summary>How a reader is left.</summary>
internal enum Leaving
{
    Dispose,
    Close,

    /// <summary>Its command is disposed first.</summary>
    CommandDisposed,

    /// <summary>Its connection is closed under it, and opened again.</summary>
    ConnectionClosed,

    /// <summary>The first value that cannot be converted ends the reading.</summary>
    FirstFailure,
}

/// <summary>What a transaction object, or its connection, is asked for.</summary>
internal enum TransactionVerb
{
    Begin,
    Commit,
    Rollback,
    Dispose,
    Save,
    RollbackTo,
    Release,
}

/// <summary>What stops a step whose end timing decides.</summary>
internal enum Stop
{
    Token,
    Cancel,
    TimeOut,
    Kill,
}

/// <summary>A text with its parameters: @p0, @p1 …</summary>
internal sealed record Text(string Sql, ImmutableArray<Arg> Args)
{
    public static Text Of(string sql, params ReadOnlySpan<Arg> args) => new(sql, [.. args]);

    public bool Equals(Text? other) => other is not null && Sql == other.Sql && Args.SequenceEqual(other.Args);

    public override int GetHashCode() => Sql.GetHashCode(StringComparison.Ordinal);
}

/// <summary>How a reader is read: by which getter, how many rows of each result, with which behaviour.</summary>
/// <param name="By">The getter.</param>
/// <param name="Rows">Rows of each result; −1 for all.</param>
/// <param name="Results">Results; −1 for all.</param>
/// <param name="Behavior">What the reader was asked for.</param>
/// <param name="Schema">Its column schema is asked for.</param>
internal sealed record ReadPlan(Reading By = Reading.Values, int Rows = -1, int Results = -1, CommandBehavior Behavior = CommandBehavior.Default, bool Schema = false)
{
    /// <summary>The columns that are read.</summary>
    public Selection Columns { get; init; }

    /// <summary>How the reader is left.</summary>
    public Leaving Leaves { get; init; }

    /// <summary>So much of each value that is read in pieces, then the next column; −1 for all.</summary>
    public int Most { get; init; } = -1;
}

/// <summary>One thing that one user does. A program is a list of these; each stands for itself, so that any can be left out.</summary>
/// <param name="User">Who.</param>
/// <param name="Kind">What coverage counts it as.</param>
internal abstract record Step(int User, string Kind)
{
    /// <summary>Asynchronously.</summary>
    public bool Async { get; init; }
}

/// <summary>A lease begins.</summary>
internal sealed record OpenStep(int User) : Step(User, "open")
{
    /// <summary>Its user listens to what the server says unasked.</summary>
    public bool Listens { get; init; }
}

/// <summary>A lease ends.</summary>
internal sealed record CloseStep(int User) : Step(User, "close");

/// <summary>One command.</summary>
internal sealed record CommandStep(int User, string Kind, Text Text, Verb Verb) : Step(User, Kind)
{
    public ReadPlan Read { get; init; } = new();

    /// <summary>Prepare() stands in front of it.</summary>
    public bool Prepares { get; init; }

    /// <summary>The text is the name of a procedure.</summary>
    public bool IsProcedure { get; init; }

    /// <summary>Its parameters are a, b and c: input, output, and both.</summary>
    public bool HasOutputs { get; init; }

    /// <summary>Executed so often, one after the other: so that it prepares itself.</summary>
    public int Times { get; init; } = 1;
}

/// <summary>Several commands at once.</summary>
internal sealed record BatchStep(int User, string Kind, ImmutableArray<Text> Commands, Verb Verb) : Step(User, Kind)
{
    public ReadPlan Read { get; init; } = new();

    public bool Prepares { get; init; }

    public bool Equals(BatchStep? other) => other is not null && Kind == other.Kind && User == other.User && Verb == other.Verb && Commands.SequenceEqual(other.Commands);

    public override int GetHashCode() => Kind.GetHashCode(StringComparison.Ordinal);
}

/// <summary>A transaction through its object.</summary>
internal sealed record TransactionStep(int User, TransactionVerb Verb, IsolationLevel Level = IsolationLevel.Unspecified, string Name = "") :
    Step(User, "transaction " + (Verb == TransactionVerb.Begin ? "begin " + Level : Verb.ToString()));

/// <summary>A bulk copy.</summary>
/// <param name="User">Who.</param>
/// <param name="Wire">A word of the provider.</param>
/// <param name="Table">Into.</param>
/// <param name="Columns">Its columns.</param>
/// <param name="Rows">Cells by row.</param>
/// <param name="BreaksAt">The user's enumerator throws in front of this row; −1 for never.</param>
internal sealed record BulkStep(int User, string Wire, string Table, ImmutableArray<string> Columns, ImmutableArray<ImmutableArray<Arg>> Rows, int BreaksAt) : Step(User, "bulk " + Wire);

/// <summary>The connection moves to another database.</summary>
internal sealed record ChangeDatabaseStep(int User, string Database) : Step(User, "change database");

/// <summary>What somebody else does, in a session that is none of the pool's.</summary>
internal sealed record OutsideStep(int User, string Kind, string Sql) : Step(User, Kind);

/// <summary>A command whose end timing decides. It marks a row of its own table, so that what was done can be told from what was not.</summary>
internal sealed record StoppedStep(int User, Stop By, int AfterMilliseconds, string Sql, int Mark) : Step(User, "stopped by " + By);

/// <summary>All idle sessions of the pool are ended from outside; then each place of the pool is leased and marks a row.</summary>
internal sealed record PoolKilledStep(int User, string Sql, int Mark) : Step(User, "pool killed");

/// <summary>A lease's session is ended from outside between two steps; then its user marks a row.</summary>
internal sealed record LeaseKilledStep(int User, string Sql, int Mark, int Times) : Step(User, "lease killed");

/// <summary>A transaction of System.Transactions, in which one or two leases take part.</summary>
/// <param name="User">Whose lease it is.</param>
/// <param name="Other">Whose lease takes part as well; −1 for nobody's.</param>
/// <param name="Commands">By turns.</param>
/// <param name="Commits">Its end.</param>
internal sealed record EnlistStep(int User, int Other, ImmutableArray<Text> Commands, bool Commits) : Step(User, Other < 0 ? "enlist" : "enlist two")
{
    public bool Equals(EnlistStep? other) => other is not null && User == other.User && Other == other.Other && Commits == other.Commits && Commands.SequenceEqual(other.Commands);

    public override int GetHashCode() => Commands.Length;
}

/// <summary>A lease that looks at its session and compares it with a new one.</summary>
internal sealed record LookStep(int User) : Step(User, "look");

/// <summary>Between two programs that share a pool: the tables are made as new.</summary>
internal sealed record NewTablesStep() : Step(-1, "new tables");

/// <summary>One program.</summary>
/// <param name="Seed">What it was made of.</param>
/// <param name="PoolSize">Sessions of the pool.</param>
/// <param name="Steps">In the order in which they happen.</param>
internal sealed record EquivalenceProgram(long Seed, int PoolSize, ImmutableArray<Step> Steps)
{
    /// <summary>The statements behind which a table, view or column may be another one.</summary>
    public IEnumerable<string> Definitions => Steps
        .Where(static step => step.Kind.StartsWith("ddl", StringComparison.Ordinal) || step.Kind.StartsWith("outside ddl", StringComparison.Ordinal))
        .SelectMany(TextsOf);

    /// <summary>All statements.</summary>
    public IEnumerable<string> Texts => Steps.SelectMany(TextsOf);

    private static IEnumerable<string> TextsOf(Step step) => step switch
    {
        CommandStep command => [command.Text.Sql],
        BatchStep batch => batch.Commands.Select(static text => text.Sql),
        OutsideStep outside => [outside.Sql],
        StoppedStep stopped => [stopped.Sql],
        ChangeDatabaseStep change => [change.Database],
        _ => [],
    };
}
