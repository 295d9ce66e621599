using System.Collections;
using System.Data;
using Slipstream.Core.Conversations;
using Slipstream.Core.Pooling;
using Slipstream.Core.Sessions;

namespace Slipstream.Core.Data;

/// <content>
/// A single statement outside of any transaction that a server has refused because it is not the primary any more: it is executed once more, on the primary,
/// if it was the first command of its lease.
/// </content>
public abstract partial class ProviderCommand
{
    // Null unless the command is executed once more. Called only after an error.
    private PendingRepeat? FindRepeat(Session session)
    {
        var source = OpenConnection.Source;
        if (session is not { Exchange.Error: { MayRunOnPrimary: true } error, IsFirstOfLease: true, CallersOrder: null, IsBroken: false, SendsTrailer: false }
            || session.Operation is not { Interruption: Interruption.None, IsLimitedWhole: false }
            || source.PreparesLeases || !AreValuesRepeatable
            || session.Operation.TimeLeft(source.ConnectTimeout) is not { } left
            || source.Sessions.SearchPrimary(session, left) is not { } search)
            return null;
        var token = session.CallersToken;
        session.UnregisterToken();
        // The command has not ended: nothing else may begin on the connection, and Cancel ends the search.
        var canceled = session.PendingSearch = new();
        // The monitor looks for the primary.
        session.Refused(error);
        return new(search, session.Operation.FirstDue, session.Operation.Limit, canceled, token)
        {
            Link = token.UnsafeRegister(static canceled => ((CancellationTokenSource)canceled!).Cancel(), canceled),
        };
    }

    private bool AreValuesRepeatable
    {
        get
        {
            foreach (IDataParameter parameter in DbParameterCollection)
            {
                if (parameter.Direction != ParameterDirection.Input || !IsRepeatable(parameter.Value))
                    return false;
            }

            return true;
        }
    }

    // What is read from its current position cannot be read twice, and a sequence may be such a thing.
    private static bool IsRepeatable(object? value) => value switch
    {
        string or Array or ICollection => true,
        Stream or TextReader or IEnumerable or IEnumerator => false,
        _ => true,
    };

    // Null if there is no primary in time: the caller gets the refusal.
    private Session? FindPrimary(PendingRepeat repeat, Session former)
    {
        try
        {
            return Found(repeat, former, repeat.Search.Lease(OpenConnection));
        }
        catch (Exception)
        {
            return Found(repeat, former, null);
        }
    }

    private async ValueTask<Session?> FindPrimaryAsync(PendingRepeat repeat, Session former)
    {
        Session? next = null;
        try
        {
            next = await repeat.Search.LeaseAsync(OpenConnection, repeat.Canceled.Token).ConfigureAwait(false);
        }
        catch (Exception)
        {
            // See above.
        }

        var found = Found(repeat, former, next);
        repeat.Token.ThrowIfCancellationRequested();
        return found;
    }

    // Null after a Cancel, too: the command is not executed.
    private Session? Found(PendingRepeat repeat, Session former, Session? next)
    {
        repeat.Link.Dispose();
        var isCanceled = repeat.Canceled.IsCancellationRequested;
        if (next is not null && !isCanceled)
        {
            // Until the command begins there.
            next.PendingSearch = repeat.Canceled;
            return next;
        }

        if (next is not null)
        {
            next.Released();
            OpenConnection.Source.Sessions.Return(next);
        }

        former.PendingSearch = null;
        return null;
    }

    // Appends the command to the wire of the primary's session, which replaces the one that refused it.
    private void EncodeAgain(PendingRepeat repeat, Session former, Session next, Goal goal, CommandBehavior behavior)
    {
        var connection = OpenConnection;
        var scalar = goal == Goal.Scalar ? former.Exchange.Scalar : null;
        CommandTelemetry.End(former, connection.Source, former.Exchange.Error);
        SessionLease.Replace(connection, former, next);
        next.Adopt(scalar);
        Execution.Begin(connection, next, this, repeat.Limit, repeat.Token);
        next.PendingSearch = null;
        next.Operation.Continue(repeat.Due);
        CommandTelemetry.Begin(next, connection.Source, this);
        Encode(next, goal, scalar, behavior);
    }

    private void RunAgain(Session session, Goal goal)
    {
        if (FindRepeat(session) is not { } repeat || FindPrimary(repeat, session) is not { } next)
            return;
        EncodeAgain(repeat, session, next, goal, CommandBehavior.Default);
        BlockingPump.Run(next.Queue, next.Wire);
    }

    private (ProviderDataReader Reader, Session Session) RunReaderAgain(ProviderDataReader reader, Session session)
    {
        if (FindRepeat(session) is not { } repeat || FindPrimary(repeat, session) is not { } next)
            return (reader, session);
        EncodeAgain(repeat, session, next, Goal.Rows, reader.Behavior);
        var another = CreateReader(next, reader.Behavior);
        if (BlockingPump.Run(next.Queue, next.Wire) == Step.Metadata)
            another.Start(BlockingPump.Run(next.Queue, next.Wire));
        return (another, next);
    }

    private ProviderDataReader ReaderFor(Session session, ProviderDataReader reader) =>
        reader.IsOf(session) ? reader : CreateReader(session, reader.Behavior);

    private async ValueTask<Step> RunAgainAsync(Goal goal, CommandBehavior behavior = CommandBehavior.Default)
    {
        var session = OpenConnection.Session;
        if (FindRepeat(session) is not { } repeat || await FindPrimaryAsync(repeat, session).ConfigureAwait(false) is not { } next)
            return Step.Completed;
        EncodeAgain(repeat, session, next, goal, behavior);
        return await AsyncPump.RunAsync(next.Queue, next.Wire).ConfigureAwait(false);
    }

    private bool IsRefused => _connection is { SessionOrNull.Exchange.Error.MayRunOnPrimary: true };

    /// <summary>A command that is about to be executed once more.</summary>
    /// <param name="Search">The search for a session of the primary.</param>
    /// <param name="Due">The deadline of the command.</param>
    /// <param name="Limit">Its time limit in milliseconds; 0: no limit.</param>
    /// <param name="Canceled">Cancelled with the caller's token, and by Cancel.</param>
    /// <param name="Token">The caller's token.</param>
    private sealed record PendingRepeat(
        ISessionSearch<Session> Search, long Due, long Limit, CancellationTokenSource Canceled, CancellationToken Token)
    {
        public CancellationTokenRegistration Link { get; init; }
    }
}
