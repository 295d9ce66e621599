using System.Transactions;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Data;

/// <summary>
/// One session's part in an ambient transaction. It belongs to the transaction; a connection only borrows it while it is open. Two threads use it: the
/// connection's thread and the one that ends the transaction. Each checks before it uses the session.
/// </summary>
internal sealed class TransactionBranch(AmbientTransaction transaction, ProviderDataSource source, Session session, BranchStatements statements)
{
    // Only microseconds lie between the check that a command may begin and its beginning, unless it fails in between.
    private const int BeginWaitMilliseconds = 50;

    private readonly Lock _gate = new();
    private ProviderConnection? _connection;
    private Phase _phase;
    private long _expected;
    private SimpleExchange? _begin;

    private enum Phase
    {
        Active,
        Ending,
        Committed,
        RolledBack,
    }

    public Transaction Transaction => transaction.Transaction;

    public ProviderDataSource Source => source;

    public Session Session => session;

    public BranchStatements Statements => statements;

    /// <summary>Whether the server was asked to begin the branch: until then there is nothing to end.</summary>
    public bool IsBegun => _begin is null || !ReferenceEquals(session.PendingBegin, _begin);

    /// <summary>Whether the server has promised to commit the branch.</summary>
    public bool IsPrepared { get; set; }

    /// <summary>The error with which the server rolled the branch back by itself.</summary>
    public Exception? Loss => session.LostTransaction is { } because ? source.CreateException(because) : null;

    public bool HasEnded => _phase is Phase.Committed or Phase.RolledBack;

    /// <summary>Starts the branch. Its BEGIN is deferred to the session's next command.</summary>
    public void Start(ProviderConnection connection)
    {
        _connection = connection;
        session.Enlistment = this;
        session.LostTransaction = null;
        session.PendingBegin = _begin = statements.Begin();
    }

    // ---------------------------------------------------------------- the connection's thread

    /// <summary>Checks that a command may begin.</summary>
    /// <exception cref="TransactionAbortedException">The transaction was rolled back in the meantime, and is still the ambient one: the command would not be
    /// part of it.</exception>
    public void Enter()
    {
        lock (_gate)
        {
            switch (_phase)
            {
                case Phase.Active when Loss is { } loss:
                    throw new TransactionAbortedException("The server has rolled back the ambient transaction: the command was not run, because it would not "
                        + "be part of it. Leave the scope, and repeat its work.", loss);
                case Phase.Active:
                    _expected = session.Operation.Number + 1;
                    return;
                case Phase.Ending:
                    throw new InvalidOperationException("The transaction in which this connection is enlisted is being completed: it accepts no more "
                        + "commands.");
                case Phase.RolledBack when IsAmbient:
                    throw new TransactionAbortedException(
                        "The ambient transaction was rolled back, by its time limit or another participant: the command was not run, because it would not be "
                            + "part of it. Leave the scope.");
                default:
                    session.Enlistment = null;
                    return;
            }
        }
    }

    /// <summary>Detaches the connection, which is being closed. Returns false if the transaction has ended: then the connection returns the session.</summary>
    public bool TryDetach()
    {
        lock (_gate)
        {
            if (HasEnded)
                return false;
            _connection = null;
            session.CallersOrder = null;
            if (_phase == Phase.Active && session.Operation.IsRunning)
                session.Break("the connection was closed while a command was running");
            session.Holder = this;
            return true;
        }
    }

    /// <summary>Gives the session to a connection of the same data source that is opened in the same transaction.</summary>
    public bool TryTake(ProviderConnection connection)
    {
        lock (_gate)
        {
            if (_phase != Phase.Active || _connection is not null)
                return false;
            if (session.IsBroken)
                throw new TransactionAbortedException(
                    $"The session that the transaction's earlier commands ran on was lost ({session.BrokenBecause}): the transaction can only be rolled back.");
            _connection = connection;
            session.Holder = connection;
            return true;
        }
    }

    private bool IsAmbient
    {
        get
        {
            try
            {
                return System.Transactions.Transaction.Current is { } current && current.Equals(Transaction);
            }
            catch (InvalidOperationException)
            {
                // The scope has been completed but not disposed. It is the scope of this transaction, or an inner one.
                return true;
            }
        }
    }

    // ---------------------------------------------------------------- the thread that ends the transaction

    /// <summary>
    /// Claims the session for the end of the transaction. Returns false while a command runs on it, or a reader is in the middle of a result.
    /// </summary>
    public bool TryBeginEnd()
    {
        lock (_gate)
        {
            if (_phase == Phase.Ending)
                return true;
            if (session.Operation.Number < _expected)
                SpinWait.SpinUntil(() => session.Operation.Number >= _expected, BeginWaitMilliseconds);
            if (session.Operation.IsRunning && !session.IsBroken)
                return false;
            _phase = Phase.Ending;
            return true;
        }
    }

    /// <summary>
    /// Rolls the branch back while a command runs: the server is asked to stop the command, and the session is broken, so that the server rolls back the rest.
    /// </summary>
    public void Abandon()
    {
        lock (_gate)
            _phase = Phase.RolledBack;
        session.Interrupt(session.Operation.Number, Interruption.Abandoned);
        if (session.Operation.Interruption != Interruption.Abandoned)
            session.Break(Cancellation.Abandoned);
    }

    /// <summary>Ends the branch. The session stays with its connection, or is returned.</summary>
    public void End(bool committed)
    {
        lock (_gate)
        {
            if (HasEnded)
                return;
            if (!IsBegun)
            {
                session.PendingBegin = null;
                if (session.CanQueryLastStatement)
                    session.PendingEnd = session.CreateSimple(committed ? "COMMIT" : "ROLLBACK");
            }

            _phase = committed ? Phase.Committed : Phase.RolledBack;
            if (_connection is not null)
            {
                if (committed)
                    session.Enlistment = null;
                return;
            }
        }

        session.Released();
        source.Sessions.Return(session);
    }

    /// <summary>Runs a statement of the branch.</summary>
    /// <returns>The exception for the server's error or the failure of the connection; null on success.</returns>
    public Exception? Run(SimpleExchange exchange, out ServerError? refusal, out bool mayHaveRun)
    {
        (refusal, mayHaveRun) = (null, false);
        if (session.IsBroken)
            return source.Translate(session.CreateLost(), Interruption.None, "in a transaction", default);
        try
        {
            Execution.RunStandalone(session, exchange, source.DefaultCommandTimeout * 1000L);
        }
        catch (Exception exception)
        {
            // A statement that was not sent, or whose prefix was refused, has not run.
            mayHaveRun = exception is not (WireException { RetrySafety: RetrySafety.NotSent } or ServerRefusedException);
            var interruption = session.Operation.Interrupted;
            session.Abort(exception.Message);
            return source.Translate(exception, interruption, "while the transaction was being completed", default);
        }

        refusal = exchange.Error;
        if (refusal is null)
            return null;
        session.RefusedOwn(refusal);
        return source.Translate(refusal, session.Operation.Interrupted, default);
    }

    /// <summary>Runs a statement for a prepared branch whose session is lost, on another session of the same server.</summary>
    public bool TryOnAnotherSession(Func<Session, SimpleExchange> statement)
    {
        try
        {
            var other = source.Sessions.Lease(this, source.ConnectTimeout);
            try
            {
                if (!other.Endpoint.Equals(session.Endpoint))
                    return false;
                var exchange = statement(other);
                Execution.RunStandalone(other, exchange, source.DefaultCommandTimeout * 1000L);
                return exchange.Error is null;
            }
            catch
            {
                other.Abort("a transaction could not be completed on it");
                throw;
            }
            finally
            {
                other.Released();
                source.Sessions.Return(other);
            }
        }
        catch (Exception)
        {
            // Any failure: the outcome stays unknown, which is reported.
            return false;
        }
    }
}
