using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Protocol.Commands;
using Slipstream.PostgreSql.State;
using Slipstream.PostgreSql.Statements;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>The repetition of a command or batch after the server refused a stale prepared statement and undid everything.</summary>
/// <param name="state">The session's state.</param>
/// <param name="prepared">The session's prepared statements.</param>
/// <param name="expected">Gets the statements that the repetition writes.</param>
internal sealed class Repetition(ServerState state, PreparedStatements prepared, ExpectedStatements expected)
{
    /// <summary>
    /// The longest Bind, in bytes, that is kept for a repetition. A copy of a longer one costs more than the rare repetition saves; the caller then gets the
    /// error.
    /// </summary>
    private const int LongestRemembered = 16 * 1024;

    private enum Stage : byte
    {
        // Nothing that ran is known to the caller or has effects that outlast a rollback.
        Possible,

        // The caller knows of a result, or a query ran: a function that it called may have done what no rollback undoes.
        RuledOut,

        // A stale statement was refused. After the ReadyForQuery everything is sent again.
        Due,
    }

    private readonly ByteWriter _bind = new(256);
    private Stage _stage;

    // The BEGIN sent directly before the command, which the repetition sends again. Null: the command is not the first of its transaction.
    private string? _beginning;

    // A caller had the stale statement prepared. An untyped NULL keeps the type of its parameter then.
    private bool _isForCaller;

    /// <summary>False in a transaction, which an error would end, unless the command is the first of it.</summary>
    public bool CanRestoreTransaction => _beginning is not null || !state.IsInTransaction && !state.BeginsTransaction;

    /// <summary>Whether everything must be sent again now, after a ReadyForQuery.</summary>
    public bool IsDue => _stage == Stage.Due && (_beginning is not null || !state.IsInTransaction);

    /// <summary>Starts a new command or batch.</summary>
    public void Prepare()
    {
        _beginning = state.Beginning;
        _bind.Clear();
    }

    /// <summary>Keeps a copy of a Bind without its result formats.</summary>
    /// <returns>False if it is too long.</returns>
    public bool Remember(ByteWriter writer, int start)
    {
        if (writer.HasGathered || writer.Length - start > LongestRemembered)
            return false;
        _bind.Bytes(writer.Written[start..]);
        return true;
    }

    /// <summary>The answers begin: nothing has run yet.</summary>
    public void Allow() => _stage = Stage.Possible;

    /// <summary>A result was announced to the caller, or a query has run.</summary>
    public void RuleOut() => _stage = Stage.RuledOut;

    /// <summary>
    /// Discards the current statement, which the server refused as stale. If nothing is lost by that, the repetition prepares it anew at once. In a
    /// transaction, which the error has ended, and without proof, the next execution does.
    /// </summary>
    /// <param name="refusal">The server's error.</param>
    /// <param name="staleness">What the error shows.</param>
    /// <param name="plan">The batch; null for a command.</param>
    /// <returns>The error that the caller gets if there is no repetition.</returns>
    public ServerError Discard(ServerError refusal, Staleness staleness, IBatchPlan? plan)
    {
        var current = expected.Current;
        var isProven = staleness == Staleness.Proven;
        var isKept = isProven && IsKeptByPooler(refusal.SqlState, current);
        // Otherwise, a statement that was parsed just now is not stale.
        if (current.Parses && !isKept)
            return refusal;
        if (isKept)
            current.Statement.IsKeptByPooler = true;
        if (isProven && _stage == Stage.Possible && (plan is null ? expected.Count == 1 && _bind.Length > 0 : plan.CanBeRepeated))
            _stage = Stage.Due;
        _isForCaller = prepared.Close(current.Statement) is { } stale && stale.IsRequested(current.Prepared!);

        if (refusal.SqlState == "26000")
        {
            prepared.Automatic.Lost();
            // Other statements are probably lost, too, and a query before the next of them would rule out a repetition.
            if (isProven)
                state.InvalidateNames();
        }

        return isProven && refusal.SqlState is ("26000" or "0A000")
            ? refusal with
            {
                Message = $"{refusal.Message} (The statement was prepared before that change. Its next execution prepares it again. This execution "
                    + "could not be repeated: it was in a transaction, after other queries, or had values too large to keep.)",
            }
            : refusal;
    }

    // Whether a new statement with the same text would be as stale, because a pooler knows the text. An error of class 42 then shows it only if the server
    // inferred the type of a parameter: otherwise, it would also refuse a new statement.
    private bool IsKeptByPooler(string? sqlState, in ExpectedStatement statement) => sqlState switch
    {
        "26000" => false,
        "0A000" => state.IsBehindPooler || statement.Parses,
        _ => state.IsBehindPooler && statement.Prepared!.HasInferredTypes,
    };

    /// <summary>Writes a command again, with its statement prepared anew; if a pooler keeps the stale one, with the unnamed statement.</summary>
    public void WriteCommand(ByteWriter writer)
    {
        var (statement, part, old) = (expected.Current.Statement, expected.Current.Part, expected.Current.Prepared!);
        var again = statement.IsKeptByPooler ? null : new PreparedPart(prepared.NewName(), old.ParameterTypes);
        ReadOnlySpan<byte> name = again is null ? [] : again.Name;
        expected.Start();
        WriteBeginning(writer);
        Parse.Write(writer, name, part.Sql, old.ParameterTypes);                           // C: Parse, Bind, Describe, Execute, Sync
        Bind.Again(writer, _bind.Written, old.Name, name);
        Describe.Portal(writer);
        Execute.Write(writer);
        Sync.Write(writer);
        if (again is not null)
            prepared.Add(statement, new PreparedStatement([again], state.Path) { IsAsked = _isForCaller });
        expected.BeginCommand(statement, 0);
        expected.Add(part, again, parses: true, describes: true, executes: true, closes: false, old.TypesHash);
        expected.EndGroup();
    }

    /// <summary>If the command is the first of its transaction: rolls that back and begins it with the same words.</summary>
    public void WriteBeginning(ByteWriter writer)
    {
        if (_beginning is null)
            return;
        // Not ROLLBACK AND CHAIN: after an error it begins a transaction with the session's default isolation level.
        var undoAndBegin = PgStatement.ScanPositional($"ROLLBACK;{_beginning}");
        expected.Purpose = Purpose.BeginAgain;
        expected.BeginCommand(undoAndBegin, 0);
        foreach (var part in undoAndBegin.Parts)
        {
            Parse.Write(writer, [], part.Sql, []);                                         // C: Parse, Bind, Describe, Execute: ROLLBACK, then BEGIN
            Bind.End(writer, Bind.Begin(writer, [], 0), Bind.Text);
            Describe.Portal(writer);
            Execute.Write(writer);
            expected.Add(part, null, parses: true, describes: true, executes: true, closes: false);
        }

        expected.Purpose = Purpose.Command;
    }
}
