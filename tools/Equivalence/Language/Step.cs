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

/// <summary>The getter that reads each column.</summary>
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

    /// <summary>GetFieldValue with the column's own type.</summary>
    FieldValues,

    /// <summary>GetFieldValue with a nullable type.</summary>
    Nullables,
    DateOnlys,
    DateTimeOffsets,
    TimeSpans,

    /// <summary>GetValues of the whole row.</summary>
    Rows,

    /// <summary>By the column's name.</summary>
    Names,

    /// <summary>GetFieldValue with another type that the column can be read as (PostgreSQL).</summary>
    OtherTypes,
}

/// <summary>The columns of a row that are read, and their order.</summary>
internal enum Selection
{
    All,
    None,
    First,
    Last,
    EverySecond,

    /// <summary>From the last to the first. Sequential access refuses this for long values.</summary>
    Backwards,
    Twice,
}

/// <summary>How a reader is left.</summary>
internal enum Leaving
{
    Dispose,
    Close,

    /// <summary>The command is disposed before the reader.</summary>
    CommandDisposed,

    /// <summary>The connection is closed while the reader is open, and opened again.</summary>
    ConnectionClosed,

    /// <summary>Reading ends at the first value that cannot be converted.</summary>
    FirstFailure,
}

/// <summary>An operation on a transaction object or its connection.</summary>
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

/// <summary>What stops a step whose outcome depends on timing.</summary>
internal enum Stop
{
    Token,
    Cancel,
    TimeOut,
    Kill,
}

/// <summary>A text with its parameters @p0, @p1 …</summary>
internal sealed record Text(string Sql, ImmutableArray<Arg> Args)
{
    public static Text Of(string sql, params ReadOnlySpan<Arg> args) => new(sql, [.. args]);

    public bool Equals(Text? other) => other is not null && Sql == other.Sql && Args.SequenceEqual(other.Args);

    public override int GetHashCode() => Sql.GetHashCode(StringComparison.Ordinal);
}

/// <summary>How a program reads a reader.</summary>
/// <param name="By">The getter.</param>
/// <param name="Rows">The number of rows of each result to read; −1: all.</param>
/// <param name="Results">The number of results to read; −1: all.</param>
/// <param name="Behavior">The behaviour that the command is executed with.</param>
/// <param name="Schema">Whether the program reads the column schema.</param>
internal sealed record ReadPlan(
    Reading By = Reading.Values, int Rows = -1, int Results = -1, CommandBehavior Behavior = CommandBehavior.Default, bool Schema = false)
{
    /// <summary>Gets the columns to read.</summary>
    public Selection Columns { get; init; }

    /// <summary>How the reader is left.</summary>
    public Leaving Leaves { get; init; }

    /// <summary>Gets the number that chooses among the other types of each column.</summary>
    public int Choice { get; init; }

    /// <summary>Gets the number of bytes or characters to read of each value that is read in pieces; −1: all.</summary>
    public int Most { get; init; } = -1;
}

/// <summary>A step of one user. A program is a list of steps; each is independent of the others, so that any can be left out.</summary>
/// <param name="User">Who.</param>
/// <param name="Kind">The name by which coverage counts it.</param>
internal abstract record Step(int User, string Kind)
{
    /// <summary>Gets whether the step uses asynchronous calls.</summary>
    public bool Async { get; init; }

    /// <summary>Gets whether a server of a cluster refuses the step's first write because it is no longer the primary.</summary>
    public bool IsRefused { get; init; }
}

/// <summary>A lease begins.</summary>
internal sealed record OpenStep(int User) : Step(User, "open")
{
    /// <summary>Gets whether the user receives notices and warnings through the connection's event.</summary>
    public bool Listens { get; init; }
}

/// <summary>A lease ends.</summary>
internal sealed record CloseStep(int User) : Step(User, "close");

/// <summary>A command.</summary>
internal sealed record CommandStep(int User, string Kind, Text Text, Verb Verb) : Step(User, Kind)
{
    public ReadPlan Read { get; init; } = new();

    /// <summary>Gets whether Prepare() is called before the execution.</summary>
    public bool Prepares { get; init; }

    /// <summary>Gets whether the text is the name of a procedure.</summary>
    public bool IsProcedure { get; init; }

    /// <summary>Gets whether the parameters are a (input), b (output) and c (input and output).</summary>
    public bool HasOutputs { get; init; }

    /// <summary>Gets the number of executions, one after another, so that the statement can be prepared automatically.</summary>
    public int Times { get; init; } = 1;

    /// <summary>
    /// Gets whether each execution must return the same: the first one of a text comes as text, the later ones in the binary format (PostgreSQL).
    /// </summary>
    public bool IsSteady { get; init; }
}

/// <summary>A batch.</summary>
internal sealed record BatchStep(int User, string Kind, ImmutableArray<Text> Commands, Verb Verb) : Step(User, Kind)
{
    public ReadPlan Read { get; init; } = new();

    public bool Prepares { get; init; }

    /// <summary>Gets whether an error barrier follows each command (PostgreSQL).</summary>
    public bool HasBarriers { get; init; }

    /// <summary>Gets the command that an error barrier follows (PostgreSQL); −1: none.</summary>
    public int BarrierAfter { get; init; } = -1;

    public bool Equals(BatchStep? other) =>
        other is not null && Kind == other.Kind && User == other.User && Verb == other.Verb && Commands.SequenceEqual(other.Commands);

    public override int GetHashCode() => Kind.GetHashCode(StringComparison.Ordinal);
}

/// <summary>An operation on a transaction through its object.</summary>
internal sealed record TransactionStep(int User, TransactionVerb Verb, IsolationLevel Level = IsolationLevel.Unspecified, string Name = "") :
    Step(User, "transaction " + (Verb == TransactionVerb.Begin ? "begin " + Level : Verb.ToString()));

/// <summary>A bulk copy.</summary>
/// <param name="User">Who.</param>
/// <param name="Wire">The method, in the provider's terms.</param>
/// <param name="Table">The target table.</param>
/// <param name="Columns">The columns.</param>
/// <param name="Rows">The cells of each row.</param>
/// <param name="BreaksAt">The row before which the enumerator throws; −1: never.</param>
internal sealed record BulkStep(int User, string Wire, string Table, ImmutableArray<string> Columns, ImmutableArray<ImmutableArray<Arg>> Rows, int BreaksAt)
    : Step(User, "bulk " + Wire);

/// <summary>The methods of COPY.</summary>
internal enum CopyForm
{
    BinaryImport,
    TextImport,
    RawImport,
    BinaryExport,
    TextExport,
    RawExport,
}

/// <summary>A COPY of PostgreSQL through the driver's own methods.</summary>
/// <param name="User">Who.</param>
/// <param name="Form">The method.</param>
/// <param name="Sql">The statement.</param>
/// <param name="Ending">How it ends; <see cref="PgCalls"/> has the words.</param>
internal sealed record CopyStep(int User, CopyForm Form, string Sql, string Ending) : Step(User, "copy " + Form)
{
    /// <summary>Gets the rows of a binary import.</summary>
    public ImmutableArray<ImmutableArray<Arg>> Rows { get; init; } = [];

    /// <summary>Gets the lines of a text import, or the words for the types of a binary export.</summary>
    public ImmutableArray<string> Words { get; init; } = [];

    /// <summary>Gets the bytes of a raw import, in hexadecimal.</summary>
    public string Bytes { get; init; } = "";

    /// <summary>Gets the number of rows, lines or bytes of an export to read; −1: all.</summary>
    public int Most { get; init; } = -1;
}

/// <summary>What a user does about notifications.</summary>
internal enum Hearing
{
    /// <summary>Waits for a short time, then takes all notifications that were sent before.</summary>
    Collect,

    /// <summary>Listens, is notified from outside, and waits for it.</summary>
    WaitForOne,

    /// <summary>Waits with a token that is cancelled.</summary>
    WaitCancelled,
}

/// <summary>The statements of <see cref="Hearing.WaitForOne"/>.</summary>
internal static class Waited
{
    public const string Listen = "LISTEN waited";
    public const string Notify = "NOTIFY waited, 'from outside'";
}

/// <summary>Waits for notifications of PostgreSQL, and records those that have arrived.</summary>
internal sealed record NotificationsStep(int User, Hearing How, int Milliseconds) : Step(User, "notifications " + How);

/// <summary>Loads the types of the database again (PostgreSQL).</summary>
internal sealed record ReloadTypesStep(int User) : Step(User, "reload types");

/// <summary>Creates a type of PostgreSQL and loads the types again: from then on, the driver must know the type, whatever it knew before.</summary>
internal sealed record FreshTypeStep(int User) : Step(User, "ddl type fresh")
{
    public const string Definition = "DROP TYPE IF EXISTS eqt.spare; CREATE TYPE eqt.spare AS (x int, y text)";
    public const string Query = "SELECT '(1,a)'::eqt.spare AS a";
}

/// <summary>An operation on a large object of PostgreSQL.</summary>
/// <param name="User">Who.</param>
/// <param name="Word">The operation; <see cref="PgCalls"/> has the words.</param>
/// <param name="Oid">The number of the object.</param>
/// <param name="Position">The position in the object.</param>
/// <param name="Length">The number of bytes.</param>
internal sealed record LargeObjectStep(int User, string Word, uint Oid, int Position, int Length) : Step(User, "large object " + Word);

/// <summary>Changes the database of the connection.</summary>
internal sealed record ChangeDatabaseStep(int User, string Database) : Step(User, "change database");

/// <summary>A statement in a session outside the pools.</summary>
internal sealed record OutsideStep(int User, string Kind, string Sql) : Step(User, Kind);

/// <summary>A command whose outcome depends on timing. It marks a row of a table of its own, which shows whether it was executed.</summary>
internal sealed record StoppedStep(int User, Stop By, int AfterMilliseconds, string Sql, int Mark) : Step(User, "stopped by " + By);

/// <summary>Kills all idle sessions of the pool from outside; then a lease of each free place in the pool marks a row.</summary>
internal sealed record PoolKilledStep(int User, string Sql, int Mark) : Step(User, "pool killed");

/// <summary>Kills a lease's session from outside between two steps; then the user marks a row.</summary>
internal sealed record LeaseKilledStep(int User, string Sql, int Mark, int Times) : Step(User, "lease killed");

/// <summary>A transaction of System.Transactions, in which one or two leases take part.</summary>
/// <param name="User">The user whose lease takes part.</param>
/// <param name="Other">The user whose lease also takes part; −1: none.</param>
/// <param name="Commands">The commands, which the leases execute in turn.</param>
/// <param name="Commits">Whether the transaction is committed.</param>
internal sealed record EnlistStep(int User, int Other, ImmutableArray<Text> Commands, bool Commits) : Step(User, Other < 0 ? "enlist" : "enlist two")
{
    public bool Equals(EnlistStep? other) =>
        other is not null && User == other.User && Other == other.Other && Commits == other.Commits && Commands.SequenceEqual(other.Commands);

    public override int GetHashCode() => Commands.Length;
}

/// <summary>Compares the state of each idle session with that of a new one.</summary>
internal sealed record LookStep(int User) : Step(User, "look");

/// <summary>In place of a step whose refusal the driver has reported: a step that the server refuses in the same way.</summary>
/// <param name="User">Who.</param>
/// <param name="Kind">The kind of the refused step.</param>
/// <param name="Instead">The step in its place.</param>
/// <param name="Rest">The further executions of the refused step; null: none.</param>
internal sealed record RefusedStep(int User, string Kind, Step Instead, CommandStep? Rest) : Step(User, Kind);

/// <summary>Makes the tables anew between two programs that share a pool.</summary>
internal sealed record NewTablesStep() : Step(-1, "new tables");

/// <summary>A program.</summary>
/// <param name="Seed">The seed that it was generated from.</param>
/// <param name="PoolSize">The size of the pool, in sessions.</param>
/// <param name="Steps">The steps, in the order of execution.</param>
internal sealed record EquivalenceProgram(long Seed, int PoolSize, ImmutableArray<Step> Steps)
{
    /// <summary>Returns whether the lease that this step opens executes LISTEN.</summary>
    public bool ListensAfter(int opening)
    {
        var user = Steps[opening].User;
        return Steps.Skip(opening + 1).Where(step => step.User == user).TakeWhile(static step => step is not CloseStep).Any(
            static step => step is NotificationsStep { How: Hearing.WaitForOne }
                || TextsOf(step).Any(static text => text.Contains("LISTEN ch", StringComparison.Ordinal)));
    }

    /// <summary>Gets the statements after which a name may mean another table, view or column.</summary>
    public IEnumerable<string> Definitions => Steps
        .Where(static step => step.Kind.StartsWith("ddl", StringComparison.Ordinal) || step.Kind.StartsWith("outside ddl", StringComparison.Ordinal))
        .SelectMany(TextsOf);

    /// <summary>Gets all statements.</summary>
    public IEnumerable<string> Texts => Steps.SelectMany(TextsOf);

    private static IEnumerable<string> TextsOf(Step step) => step switch
    {
        CommandStep command => [command.Text.Sql],
        BatchStep batch => batch.Commands.Select(static text => text.Sql),
        OutsideStep outside => [outside.Sql],
        StoppedStep stopped => [stopped.Sql],
        ChangeDatabaseStep change => [change.Database],
        FreshTypeStep => [FreshTypeStep.Definition],
        _ => [],
    };
}
