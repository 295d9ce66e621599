using System.Collections.Immutable;
using System.Data;
using System.Globalization;
using Slipstream.Equivalence.Language;
using Slipstream.Equivalence.Running;

namespace Slipstream.Equivalence.Generating;

/// <summary>The environment that programs are generated for.</summary>
/// <param name="Database">The database that they run in.</param>
/// <param name="Settings">The variables that an ordinary user may set.</param>
/// <param name="IsMariaDb">Whether the server is MariaDB.</param>
/// <param name="ForPeers">Whether programs use only features that the peer also has.</param>
/// <param name="OneByOne">Whether a side sends the commands of a batch, or BEGIN, one by one, and therefore reports their errors later.</param>
/// <param name="Merges">Whether both sides merge inserts into one statement.</param>
internal sealed record Ground(string Database, IReadOnlyList<Setting> Settings, bool IsMariaDb, bool ForPeers, bool OneByOne = false, bool Merges = false);

/// <summary>
/// Generates random programs. The generator tracks which users have a lease and which of them may hold locks. So that no program waits for itself, only one
/// user at a time holds locks, and the others then use no table.
/// </summary>
internal abstract partial class Generator(Ground ground)
{
    private readonly List<Step> _steps = [];
    private readonly List<Text> _vocabulary = [];
    private User[] _users = [];
    private int _holder = -1;
    // The idle session keeps the locks of the last lease until the next lease's first command.
    private bool _isHeldBehind;
    private bool _mayStop;
    private bool _mayDefine;
    private bool _inBatch;

    protected Ground Ground => ground;

    /// <summary>Gets whether the program may stop a command or kill a session.</summary>
    protected bool MayStop => _mayStop;

    /// <summary>
    /// Gets whether a transaction may begin. It may not if one side sends BEGIN at once and SQL may have begun a transaction: the server's answer would come at
    /// another step.
    /// </summary>
    private bool MayBegin => (!ground.OneByOne && !ground.ForPeers) || !Me.IsHolding;

    protected Random Random { get; private set; } = null!;

    // While a step is made that may begin a transaction or take a lock.
    private bool _takesHold;

    /// <summary>Gets whether a user may leave a lock behind: only if no other user could wait for it.</summary>
    protected bool IsAlone { get; private set; }

    /// <summary>Gets the user whose step is generated.</summary>
    protected User Me { get; private set; } = null!;

    public static Generator For(Ground ground, bool isPostgreSql) => isPostgreSql ? new PgGenerator(ground) : new MySqlGenerator(ground);

    /// <summary>Generates the program of a seed: always the same one.</summary>
    public EquivalenceProgram Create(long seed)
    {
        Random = new Random(unchecked((int)(seed * 2654435761L % int.MaxValue)));
        _steps.Clear();
        _vocabulary.Clear();
        _holder = -1;
        _isHeldBehind = false;
        // Steps that depend on timing are rare: they are slow, and the rest of their lease cannot be compared.
        _mayStop = Chance(12);
        var poolSize = Chance(50) ? 1 : 2 + Random.Next(2);
        IsAlone = poolSize == 1;
        _users = [.. Enumerable.Range(0, poolSize).Select(static i => new User(i))];
        for (var i = 2 + Random.Next(4); i > 0; i--)
            _vocabulary.Add(Query());
        // Most programs are short: many of them find the effects of two or three steps on each other. A few long ones find effects of a longer history.
        var isLong = Chance(6);
        var leases = isLong ? 2 + Random.Next(6) : Chance(70) ? 2 : 3;
        // A definition costs a server as much as a hundred other statements.
        _mayDefine = isLong || Chance(35);
        var looks = !ground.ForPeers && Chance(50);
        while (leases > 0 || _users.Any(static user => user.IsOpen))
        {
            Me = _users[Random.Next(poolSize)];
            if (!Me.IsOpen)
            {
                if (leases == 0)
                    continue;
                leases--;
                Me.Open(1 + Random.Next(isLong ? 12 : OneOf(1, 3, 5)));
                Add(new OpenStep(Me.Number) { Listens = !ground.ForPeers && Chance(30) && !ground.Merges });
                continue;
            }

            if (Me.Left-- > 0)
            {
                MakeStep();
                continue;
            }

            Close();
            if (_mayStop && _holder < 0 && !ground.ForPeers && Chance(20))
                KillPool();
            if (looks && (_holder < 0 || IsAlone))
                _steps.Add(new LookStep(-1));
        }

        return new(seed, poolSize, [.. _steps]);
    }

    /// <summary>Adds a statement of a session outside the program, which must not wait for the user.</summary>
    protected void FromOutside(string what, string sql)
    {
        if (_isHeldBehind)
            Command("constant", "SELECT 1");
        _isHeldBehind = false;
        Add(new OutsideStep(-1, what, sql));
    }

    private void Close()
    {
        // Some users end their transaction.
        if (Me.HasTransaction && Chance(70))
            Add(new TransactionStep(Me.Number, Chance(70) ? TransactionVerb.Commit : TransactionVerb.Rollback));
        // Locks that an idle session keeps would block the others.
        var letsGo = Me.IsHolding && (!IsAlone || (!Me.HasTransaction && Chance(60)));
        if (letsGo)
            Unprepared(ReleaseLocks);
        _isHeldBehind |= Me.IsHolding && !letsGo;
        Add(new CloseStep(Me.Number));
        Me.Close();
        if (_holder == Me.Number)
            _holder = -1;
        AfterClose();
    }

    /// <summary>Adds steps after the end of a lease.</summary>
    protected virtual void AfterClose()
    {
    }

    /// <summary>Returns whether the program has a step of this kind.</summary>
    protected bool HasMade(string kind) => _steps.Any(step => step.Kind == kind);

    /// <summary>Adds a notification from a session outside the program, which waits for no user.</summary>
    protected void NotifyFromOutside(string sql) => _steps.Add(new OutsideStep(-1, "outside notify", sql));

    // Adds a step of the current user.
    private void MakeStep()
    {
        var mayTouch = _holder < 0 || _holder == Me.Number;
        if (_mayStop && mayTouch && _holder < 0 && Chance(15) && !ground.ForPeers)
        {
            Disturbed();
            return;
        }

        var choices = Choices;
        for (var tries = 0; tries < 20; tries++)
        {
            var choice = Pick(choices);
            if ((choice.Needs >= Need.Tables && !mayTouch)
                || (choice.Needs == Need.Hold && _holder >= 0 && _holder != Me.Number)
                || (ground.ForPeers && choice.IsOurs)
                || (!_mayDefine && choice.Defines))
                continue;
            _takesHold = choice.Needs == Need.Hold;
            choice.Make();
            if (_takesHold)
                Hold();
            _takesHold = false;
            return;
        }
    }

    /// <summary>Gets the kinds of steps.</summary>
    protected abstract ImmutableArray<Choice> Choices { get; }

    /// <summary>Generates a text that the program executes repeatedly.</summary>
    protected abstract Text Query();

    /// <summary>Adds steps that release the user's locks.</summary>
    protected abstract void ReleaseLocks();

    /// <summary>Returns a query of the program's vocabulary, usually with other values.</summary>
    protected Text Repeated()
    {
        var text = _vocabulary[Random.Next(_vocabulary.Count)];
        return Chance(60) ? text : new(text.Sql, [.. text.Args.Select(Vary)]);
    }

    /// <summary>
    /// Returns one to twenty columns, most of them the first, so that the first NULL may be anywhere. A text may follow them, so that the row is not short
    /// because of the NULLs.
    /// </summary>
    protected string Columns(params ReadOnlySpan<string> names)
    {
        var columns = new string[1 + Random.Next(20)];
        for (var i = 0; i < columns.Length; i++)
            columns[i] = $"{names[Chance(80) ? 0 : Random.Next(names.Length)]} AS c{i}";
        if (Chance(50))
            columns[^1] = "'a text of some length' AS z";
        return string.Join(", ", columns);
    }

    /// <summary>Adds a query until it is prepared automatically, a change of the state that it depends on, and the query again.</summary>
    protected void Between(Action change)
    {
        var text = Repeated();
        Command("query", text, times: 3);
        change();
        Command("query", text, Chance(80) ? Verb.Reader : null);
    }

    /// <summary>Adds a query at any stage of its automatic preparation, then with a value that is refused while it is written, then as before.</summary>
    protected void RefusedBetween()
    {
        var text = Repeated();
        Command("query", text, times: 1 + Random.Next(3));
        var args = text.Args;
        for (var i = 0; i < args.Length; i++)
            if (args[i].Kind == ArgKind.String)
                args = args.SetItem(i, Unwritable());
        Command("refused value", new Text(text.Sql, args));
        Command("query", text, Chance(80) ? Verb.Reader : null, times: 2);
    }

    // The driver has already written what comes before the refused character.
    private Arg Unwritable() => Arg.Str(OneOf("a\0b", "\uD801"));

    /// <summary>Returns a value, usually of the same kind.</summary>
    private Arg Vary(Arg arg) => Chance(8) ? Arg.Null : Chance(8) ? AnyArg() : arg.Kind switch
    {
        ArgKind.String when Chance(6) && !ground.ForPeers && !_inBatch => Unwritable(),
        ArgKind.Int32 => Arg.Int(OneOf(0, 1, 2, 3, 10, 20, 30, -1, 99)),
        ArgKind.String => Arg.Str(OneOf("ten", "twenty", "", "x", "it's", "back\\slash", "日本")),
        _ => Value(arg.Kind),
    };

    protected void Hold()
    {
        _holder = Me.Number;
        Me.IsHolding = true;
    }

    protected void Add(Step step) => _steps.Add(step with { Async = Chance(50) });

    /// <summary>Adds a command that is executed and read in any way.</summary>
    protected void Command(string kind, Text text, Verb? verb = null, int times = 1) => Add(new CommandStep(Me.Number, kind, text, verb ?? (Verb)Random.Next(3))
    {
        Read = Plan(),
        Prepares = !ground.ForPeers && (Chance(10) || text.Args.Any(static arg => arg.Kind is ArgKind.Stream or ArgKind.BrokenStream)),
        Times = times,
    });

    protected void Command(string kind, string sql, params ReadOnlySpan<Arg> args) => Command(kind, Text.Of(sql, args));

    /// <summary>
    /// Adds steps that are not prepared. MySQL refuses to prepare UNLOCK TABLES and XA: the lock would remain, and a user that waits for it would wait forever.
    /// </summary>
    protected void Unprepared(Action make)
    {
        var first = _steps.Count;
        make();
        for (var i = first; i < _steps.Count; i++)
            _steps[i] = _steps[i] is CommandStep { Prepares: true } command ? command with { Prepares = false } : _steps[i];
    }

    protected void Change(string kind, string sql, params ReadOnlySpan<Arg> args) => Command(kind, Text.Of(sql, args), Chance(80) ? Verb.NonQuery : null);

    /// <summary>Adds a transaction of any level, or continues with the open one.</summary>
    protected void Begin()
    {
        if (Me.HasTransaction || !MayBegin)
        {
            Transact();
            return;
        }

        Me.HasTransaction = true;
        Add(new TransactionStep(Me.Number, TransactionVerb.Begin,
            OneOf(
                IsolationLevel.Unspecified, IsolationLevel.Unspecified, IsolationLevel.ReadCommitted, IsolationLevel.RepeatableRead,
                IsolationLevel.Serializable, IsolationLevel.ReadUncommitted, IsolationLevel.Snapshot)));
        if (!MaySaveAnywhere && Chance(40))
            Add(new TransactionStep(Me.Number, TransactionVerb.Save, Name: "a"));
    }

    /// <summary>Ends the open transaction, or uses savepoints in it.</summary>
    protected void Transact()
    {
        if (!Me.HasTransaction)
        {
            Command("constant", "SELECT 1");
            return;
        }

        var verb = OneOf(
            TransactionVerb.Commit, TransactionVerb.Commit, TransactionVerb.Rollback, TransactionVerb.Dispose, TransactionVerb.Save, TransactionVerb.RollbackTo,
            TransactionVerb.Release);
        if (verb == TransactionVerb.Save && !MaySaveAnywhere)
            verb = TransactionVerb.RollbackTo;
        Add(new TransactionStep(Me.Number, verb, Name: OneOf("a", "a", "b")));
        if (verb <= TransactionVerb.Dispose)
            Me.HasTransaction = false;
    }

    protected bool Chance(int percent) => Random.Next(100) < percent;

    protected T OneOf<T>(params ReadOnlySpan<T> values) => values[Random.Next(values.Length)];

    protected string Name(string prefix, int count) => string.Create(CultureInfo.InvariantCulture, $"{prefix}{1 + Random.Next(count)}");

    /// <summary>Returns a value of any kind, occasionally one that cannot be written.</summary>
    protected Arg AnyArg() =>
        ground.ForPeers
            ? Value(OneOf(KindsOfBoth))
            : Chance(6) && !_inBatch
            ? OneOf(Refused)
            : _inBatch
            ? Value(OneOf(ArgKind.Int32, ArgKind.String, ArgKind.Null))
            : Value((ArgKind)Random.Next((int)ArgKind.TimeSpan + 1));

    /// <summary>
    /// Gets the kinds of values that both drivers write alike: the peer writes floating-point numbers as decimals, and does not know other kinds.
    /// </summary>
    protected virtual ReadOnlySpan<ArgKind> KindsOfBoth =>
    [
        ArgKind.Int32, ArgKind.Int32, ArgKind.String, ArgKind.String, ArgKind.Int64, ArgKind.Null, ArgKind.Boolean, ArgKind.Int16, ArgKind.Byte,
        ArgKind.Decimal, ArgKind.Bytes, ArgKind.Guid,
        ArgKind.DateTime, ArgKind.DateOnly, ArgKind.TimeSpan,
    ];

    /// <summary>Gets whether a savepoint may be set in a failed transaction: Npgsql does not report the error, and closes the connection later.</summary>
    protected virtual bool MaySaveAnywhere => true;

    /// <summary>Generates the commands of a batch.</summary>
    protected void InBatch(Action make)
    {
        _inBatch = ground.OneByOne;
        make();
        _inBatch = false;
    }

    /// <summary>Gets the values that one of the providers refuses to write.</summary>
    protected static ReadOnlySpan<Arg> Refused => new Arg[]
    {
        new(ArgKind.Opaque, ""), new Arg(ArgKind.String, "a\0b"), new Arg(ArgKind.String, "\uD801"), new Arg(ArgKind.DateTime, "2020-01-01"),
        new Arg(ArgKind.UInt64, "18446744073709551615"), new Arg(ArgKind.BrokenStream, "100"),
    };

    protected Arg Value(ArgKind kind) => kind switch
    {
        ArgKind.Boolean => new(kind, OneOf("true", "false")),
        ArgKind.SByte => new(kind, OneOf("-128", "0", "127")),
        ArgKind.Byte => new(kind, OneOf("0", "255", "7")),
        ArgKind.Int16 => new(kind, OneOf("-32768", "32767", "3")),
        ArgKind.UInt16 => new(kind, OneOf("0", "65535")),
        ArgKind.Int32 => new(kind, OneOf("-2147483648", "2147483647", "0", "1", "2", "10")),
        ArgKind.UInt32 => new(kind, OneOf("0", "4294967295", "2")),
        ArgKind.Int64 => new(kind, OneOf("-9223372036854775808", "9223372036854775807", "1")),
        ArgKind.UInt64 => new(kind, OneOf("0", "18446744073709551615", "3")),
        ArgKind.Single => new(kind, OneOf("1.5", "0.1", "-3.4E+38", "16777216")),
        ArgKind.Double => new(kind, OneOf("1.5", "0.1", "1E+300", "-2.2")),
        ArgKind.Decimal => new(kind, OneOf("0", "1.10", "-12345.678", "79228162514264337593543950335")),
        ArgKind.String =>
            Arg.Str(OneOf("", "ten", "it's", "back\\slash", "日本 😀", "line\nbreak", "\"quoted\"", "2024-02-29", "17", "NULL", new string('y', 300))),
        ArgKind.Char => new(kind, OneOf("a", "'", "é")),
        ArgKind.Bytes => new(kind, OneOf("", "00", "FF00417F", "27", "5C27")),
        ArgKind.Guid => new(kind, OneOf("6f9619ff-8b86-d011-b42d-00c04fc964ff", "00000000-0000-0000-0000-000000000000")),
        ArgKind.DateTime or ArgKind.DateTimeUtc => new(kind, OneOf("2024-02-29T12:34:56.7890000", "1999-12-31T23:59:59.9999990", "2000-01-01T00:00:00")),
        ArgKind.DateTimeOffset => new(kind, OneOf("2024-02-29T12:34:56+00:00", "2024-06-30T23:59:59+05:00")),
        // The first and the last day are PostgreSQL's infinities, which Npgsql reads as values of DateTimeKind.Unspecified (docs/migrating.md).
        ArgKind.DateOnly when ground.ForPeers => new(kind, OneOf("2024-02-29", "0001-01-02", "9999-12-30")),
        ArgKind.DateOnly => new(kind, OneOf("2024-02-29", "0001-01-01", "9999-12-31")),
        ArgKind.TimeOnly => new(kind, OneOf("00:00:00", "23:59:59.999", "12:34:56")),
        ArgKind.TimeSpan => new(kind, OneOf("00:00:00", "-12:34:56", "1.02:03:04.5")),
        ArgKind.Stream or ArgKind.BrokenStream => new(kind, OneOf("0", "100", "70000")),
        ArgKind.Opaque => new(kind, ""),
        _ => Arg.Null,
    };

    private Choice Pick(ImmutableArray<Choice> choices)
    {
        var at = Random.Next(choices.Sum(static choice => choice.Weight));
        foreach (var choice in choices)
            if ((at -= choice.Weight) < 0)
                return choice;
        return choices[^1];
    }
}

/// <summary>What a step requires from the other users.</summary>
internal enum Need
{
    /// <summary>Nothing: the step uses no table.</summary>
    Nothing,

    /// <summary>No other user holds locks.</summary>
    Tables,

    /// <summary>No other user holds locks, and the step takes locks.</summary>
    Hold,
}

/// <summary>A kind of step.</summary>
/// <param name="Weight">The relative frequency.</param>
/// <param name="Needs">What it requires.</param>
/// <param name="Make">Adds the step.</param>
/// <param name="IsOurs">Whether the peer has no such feature.</param>
/// <param name="Defines">Whether it changes definitions.</param>
internal readonly record struct Choice(int Weight, Need Needs, Action Make, bool IsOurs = false, bool Defines = false);

/// <summary>A user who leases connections.</summary>
internal sealed class User(int number)
{
    public int Number => number;

    public bool IsOpen { get; private set; }

    /// <summary>Gets or sets the number of remaining steps of the lease.</summary>
    public int Left { get; set; }

    /// <summary>Gets or sets whether a transaction object is open.</summary>
    public bool HasTransaction { get; set; }

    /// <summary>Gets or sets whether others may wait for the user's locks.</summary>
    public bool IsHolding { get; set; }

    /// <summary>Gets whether timing decides if the connection is still open. No other step may use it then.</summary>
    public bool IsDisturbed { get; private set; }

    public void Open(int steps)
    {
        IsOpen = true;
        IsDisturbed = false;
        Left = steps;
    }

    /// <summary>Ends the lease with this step.</summary>
    public void Disturb()
    {
        IsDisturbed = true;
        Left = 0;
    }

    public void Close() => IsOpen = HasTransaction = IsHolding = false;
}
