using System.Runtime.InteropServices;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Protocol.Commands;
using Slipstream.PostgreSql.Protocol.Responses;
using Slipstream.PostgreSql.Statements;

namespace Slipstream.PostgreSql.Conversations;

// What is asked: said while it is written; the flights of a batch; asking again.
internal sealed partial class CommandExchange
{
    /// <summary>Copying what is larger would cost more than the rare repetition saves; then the error is the caller's.</summary>
    private const int LongestRemembered = 16 * 1024;

    private const int MostKept = 1024;

    private readonly ByteWriter _bind = new(256);
    private IBatchPlan? _plan;

    // The first of a batch that goes on after errors: nobody hears of it before the end.
    private ServerError? _refusal;
    private PgStatement? _writing;
    private int _writingCommand;
    private bool _continues;
    private bool _needsFlight;
    private bool _mustSend;
    private bool _mustRepeat;
    // What is prepared anew was asked for by a caller, so that a NULL without a type goes on having its parameter's.
    private bool _wasAsked;

    // What is asked is the first of its transaction, which begins anew with the same words. Null: it is not the first.
    private string? _beginning;
    private PgStatement? _undoAndBegin;

    // What is expected is the end of a batch of which a part has run, and no command of the caller's.
    private bool _isEnding;

    /// <summary>The command of a batch that was refused first; −1 when none was.</summary>
    public int FirstRefused { get; private set; } = -1;

    /// <summary>A number for what is written: see <see cref="PreparedPart.WrittenIn"/>.</summary>
    public int Number { get; private set; }

    /// <summary>What follows when a statement that is written from now on turns out to be stale.</summary>
    public WhenStale WhenStale { get; set; }

    /// <summary>False in a transaction, which an error would end, unless this is the first of it.</summary>
    public bool CanAskAgain => _beginning is not null || !state.IsInTransaction && !state.BeginsTransaction;

    /// <summary>Starts to say what will be expected.</summary>
    /// <param name="plan">Of a batch; null for a command.</param>
    public void Prepare(IBatchPlan? plan)
    {
        _plan = plan;
        _continues = plan is { ContinuesAfterErrors: true };
        _beginning = state.Beginning;
        Number++;
        ForgetExpected();
        _bind.Clear();
    }

    /// <summary>What follows belongs to this command.</summary>
    public void BeginCommand(PgStatement statement, int command)
    {
        _writing = statement;
        _writingCommand = command;
    }

    /// <summary>
    /// Keeps a copy of a Bind up to its result formats: when the server says that the prepared statement has gone or would return other columns now,
    /// nothing has been done yet, and the exchange prepares it anew and binds again by itself.
    /// </summary>
    /// <param name="writer">Where it is.</param>
    /// <param name="start">Where it begins there.</param>
    /// <returns>False when it is too long. (A batch is written again from its values.)</returns>
    public bool Remember(ByteWriter writer, int start)
    {
        if (_plan is not null)
            return true;
        if (writer.HasGathered || writer.Length - start > LongestRemembered)
            return false;
        _bind.Bytes(writer.Written[start..]);
        return true;
    }

    /// <summary>One statement's messages have been written, all of them: a value that is refused takes back the Parse in front of it, too.</summary>
    /// <param name="part">The statement.</param>
    /// <param name="prepared">As it is prepared in this session, if it is.</param>
    /// <param name="parses">A Parse was written.</param>
    /// <param name="describes">A Describe was written.</param>
    /// <param name="executes">Bind and Execute were written.</param>
    /// <param name="closes">A Close was written in front of the Parse.</param>
    public void Expect(StatementPart part, PreparedPart? prepared, bool parses, bool describes, bool executes, bool closes = false)
    {
        if (parses)
            prepared?.IsBeingParsed = true;
        prepared?.WrittenIn = Number;
        _expected.Add(new(_writing!, _writingCommand, part, prepared, parses, describes, executes, closes));
    }

    /// <summary>A Sync was written behind what is expected so far.</summary>
    public void EndOfGroup() => CollectionsMarshal.AsSpan(_expected)[^1] = _expected[^1] with { EndsGroup = true };

    /// <summary>Writing failed: nothing of what was said will be.</summary>
    public void Forget() => ForgetExpected();

    /// <summary>How many statements are expected: where <see cref="ForgetFrom"/> can go back to.</summary>
    public int ExpectedCount => _expected.Count;

    /// <summary>Writing failed behind what is to be sent: what was said from there on will not be.</summary>
    public void ForgetFrom(int count)
    {
        ForgetParsing(count);
        _expected.RemoveRange(count, _expected.Count - count);
    }

    // ---------------------------------------------------------------- flights

    // The next part of a batch, whose first part has been answered.
    private void BeginFlight()
    {
        _needsFlight = false;
        ForgetExpected();
        var plan = _plan!;
        if (plan.Refusal is null)
            plan.WriteNext(this);
        if (_expected.Count == 0 && !BeginEnd(plan))
            return;
        _index = 0;
        _awaited = FirstOf(_expected[0]);
        _mustSend = true;
    }

    // A value could not be written, and all that stands in front of it has run. False when nothing is open.
    private bool BeginEnd(IBatchPlan plan)
    {
        ScalarFailure ??= plan.Refusal;
        if (_continues)
        {
            End();
            return false;
        }

        _isEnding = true;
        plan.WriteEnd(this);
        return true;
    }

    // The server skips what stands between an error and the next Sync; if that was to come in a later flight, it is sent now.
    private void ToEndOfGroup(Wire wire)
    {
        while (_index < _expected.Count - 1 && !_expected[_index].EndsGroup)
            _index++;
        if (!_expected[_index].EndsGroup)
        {
            Sync.Write(wire.Out);
            _mustSend = true;
        }

        _awaited = Awaited.ReadyForQuery;
    }

    private void ForgetExpected()
    {
        ForgetParsing(0);
        _expected.Clear();
        if (_expected.Capacity > MostKept)
            _expected.Capacity = MostKept;
    }

    private void ForgetParsing(int from)
    {
        foreach (ref readonly var expected in CollectionsMarshal.AsSpan(_expected)[from..])
            if (expected.Parses)
                expected.Prepared?.IsBeingParsed = false;
    }

    // ---------------------------------------------------------------- again

    // What was prepared is not there any more (26000), or would return other columns than it did (0A000, "cached plan must not change result type"),
    // or means nothing any more by what its parameters once were (class 42, Syntax Error or Access Rule Violation).
    private static bool MayBeStale(string sqlState) => sqlState is "26000" or "0A000" || sqlState.StartsWith("42", StringComparison.Ordinal);

    // A state proves nothing: Bind also runs functions of the user's (the checks of a domain, what the planner computes), which may RAISE any of them behind
    // what no rollback undoes, such as nextval. Then there is a call stack. A routine of the server's, and the name of a statement, are never translated.
    private static bool IsStale(ErrorFields error, byte[] name) => error is { Where: null, InternalQuery: null } && error.SqlState switch
    {
        "26000" => error.Routine == "FetchPreparedStatement" && error.MessageText.Contains(Encoding.ASCII.GetString(name), StringComparison.Ordinal),
        "0A000" => error.Routine == "RevalidateCachedQuery",
        _ => true,
    };

    // It is prepared anew: now when nothing is lost by that; in a transaction, which the error has ended, or when the error proves nothing, at the next
    // execution.
    private ServerError BeStale(ServerError refusal, bool isProven)
    {
        _mustRepeat = isProven && (_plan is null ? _expected.Count == 1 && _bind.Length > 0 : _plan.CanBeRepeated && !_hasAnnounced && !_hasQueried);
        _wasAsked = false;
        if (prepared.Close(Current.Statement) is { } stale)
            _wasAsked = stale.IsAskedFor(Current.Prepared!);

        if (refusal.SqlState == "26000")
        {
            prepared.Automatic.Lost();
            // Hardly alone; and a query in front of the next one would leave no way to repeat.
            if (isProven)
                state.NamesMayMeanOthers();
        }

        return isProven && refusal.SqlState is ("26000" or "0A000")
            ? refusal with { Message = $"{refusal.Message} (It was prepared before that changed. Its next execution prepares it anew; this one could not be repeated: it was in a transaction, after queries, or with values too large to keep.)" }
            : refusal;
    }

    private Step? Repeat(Wire wire)
    {
        var begin = wire.Out.Length;
        var closes = prepared.WriteCloses(wire.Out);
        Number++;
        if (_plan is null)
            RepeatCommand(wire);
        else
        {
            Scalar?.Clear();
            ForgetExpected();
            WriteUndoAndBegin(wire.Out);
            var undo = _expected.Count;
            _plan.WriteAgain(this);
            // The server has undone all of it, and the first value cannot be written any more.
            if (_expected.Count == undo)
            {
                wire.Out.Truncate(begin);
                ScalarFailure ??= _plan.Refusal;
                return End();
            }
        }

        prepared.ClosesWritten(closes);
        FirstRefused = -1;
        BeginAnswers(closes);
        _mustSend = true;
        return null;
    }

    private void RepeatCommand(Wire wire)
    {
        var (old, part) = (_expected[0].Prepared!, _expected[0].Part);
        var statement = _expected[0].Statement;
        var again = new PreparedPart(prepared.NewName(), old.ParameterTypes);
        ForgetExpected();
        WriteUndoAndBegin(wire.Out);
        Parse.Write(wire.Out, again.Name, part.Sql, again.ParameterTypes);                 // C: Parse, Bind, Describe, Execute, Sync
        Bind.Again(wire.Out, _bind.Written, old.Name, again.Name);
        Describe.Portal(wire.Out);
        Execute.Write(wire.Out);
        Sync.Write(wire.Out);
        prepared.Add(statement, new PreparedStatement([again], state.Path) { IsAsked = _wasAsked });
        BeginCommand(statement, 0);
        Expect(part, again, parses: true, describes: true, executes: true);
        EndOfGroup();
    }

    private void WriteUndoAndBegin(ByteWriter writer)
    {
        if (_beginning is null)
            return;
        // Not ROLLBACK AND CHAIN: behind an error it begins a transaction with the isolation level of the session's default.
        _undoAndBegin = PgStatement.ScanPositional($"ROLLBACK;{_beginning}");
        BeginCommand(_undoAndBegin, 0);
        foreach (var part in _undoAndBegin.Parts)
        {
            Parse.Write(writer, [], part.Sql, []);                                         // C: Parse, Bind, Describe, Execute: ROLLBACK, then BEGIN
            Bind.End(writer, Bind.Begin(writer, [], 0), Bind.Text);
            Describe.Portal(writer);
            Execute.Write(writer);
            Expect(part, null, parses: true, describes: true, executes: true);
        }
    }
}
