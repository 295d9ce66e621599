using System.Runtime.CompilerServices;
using System.Transactions;
using Slipstream.MySql.Sessions;

namespace Slipstream.MySql;

/// <content>Handlers of warnings, and a data source's callback after each opening.</content>
public sealed partial class MySqlConnection
{
    // Kept beside the connections, not in a field: an application creates thousands of connections, and few have handlers.
    private static readonly ConditionalWeakTable<MySqlConnection, EventHandlers> Handlers = [];
    private static volatile bool _hasHandlers;

    private sealed class EventHandlers
    {
        public MySqlInfoMessageEventHandler? InfoMessage { get; set; }
    }

    /// <summary>
    /// Occurs after a command whose last result had warnings, when its reader is closed. It provides the output of SHOW WARNINGS. The driver queries the
    /// warnings only while the event has handlers: it costs one more round trip, and only after warnings.
    /// </summary>
    public event MySqlInfoMessageEventHandler? InfoMessage
    {
        add
        {
            _hasHandlers = true;
            Handlers.GetOrCreateValue(this).InfoMessage += value;
            UpdateTrailer();
        }
        remove
        {
            if (Handlers.TryGetValue(this, out var listeners))
                listeners.InfoMessage -= value;
            UpdateTrailer();
        }
    }

    /// <summary>Opens the connection with a session of its pool. A data source's callback runs before this method returns.</summary>
    /// <exception cref="InvalidOperationException">The connection is already open, or has no connection string.</exception>
    /// <exception cref="MySqlException">The driver could not connect, the server refused the login, or the time limit expired.</exception>
    public override void Open()
    {
        base.Open();
        if (_hasHandlers)
            UpdateTrailer();
        if (MySqlSource.Opened is not { } opened)
            return;
        try
        {
            var called = opened(OpenedContext(), CancellationToken.None);
            if (!called.IsCompletedSuccessfully)
                called.AsTask().GetAwaiter().GetResult();
        }
        catch
        {
            Close();
            throw;
        }
    }

    /// <inheritdoc cref="Open"/>
    /// <param name="cancellationToken">Cancels the opening.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public override Task OpenAsync(CancellationToken cancellationToken)
    {
        var opening = base.OpenAsync(cancellationToken);
        return !opening.IsFaulted && !opening.IsCanceled && (_hasHandlers || MySqlSource.Opened is not null)
            ? OpenedAsync(opening, cancellationToken)
            : opening;
    }

    private async Task OpenedAsync(Task opening, CancellationToken cancellationToken)
    {
        await opening.ConfigureAwait(false);
        if (_hasHandlers)
            UpdateTrailer();
        if (MySqlSource.Opened is not { } opened)
            return;
        try
        {
            await opened(OpenedContext(), cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            await CloseAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <inheritdoc/>
    public override void EnlistTransaction(Transaction? transaction)
    {
        base.EnlistTransaction(transaction);
        // The session may be the one that the transaction kept from another connection, which may have had other handlers.
        if (_hasHandlers)
            UpdateTrailer();
    }

    private MySqlConnectionOpenedContext OpenedContext()
    {
        var session = MySqlSession;
        // The lease did not change: an ambient transaction kept the session for this connection, in the state that its last user left.
        var isKept = session.LeaseOpened == session.Leases.Ended;
        session.LeaseOpened = session.Leases.Ended;
        return new(this, session switch
        {
            _ when isKept => MySqlConnectionOpenedConditions.None,
            { Leases.Ended: 0 } => MySqlConnectionOpenedConditions.New,
            { Leases.AreReset: true } => MySqlConnectionOpenedConditions.Reset,
            _ => MySqlConnectionOpenedConditions.None,
        });
    }

    private void UpdateTrailer()
    {
        if (SessionOrNull is { } session)
            session.SendsTrailer = Handlers.TryGetValue(this, out var listeners) && listeners.InfoMessage is not null;
    }

    /// <summary>Whether the driver queries warnings after commands.</summary>
    internal bool QueriesWarnings => SessionOrNull is { SendsTrailer: true };

    /// <summary>Queries the warnings after a command, and raises the event.</summary>
    internal void RaiseInfoMessage()
    {
        if (MySqlSession.TakeMessages() is { } messages)
            RaiseInfoMessage(messages);
    }

    /// <summary>Raises the event with the given warnings.</summary>
    internal void RaiseInfoMessage(IReadOnlyList<(string Level, int Code, string Message)> messages)
    {
        if (messages.Count == 0 || !Handlers.TryGetValue(this, out var listeners) || listeners.InfoMessage is not { } handler)
            return;
        var errors = new MySqlError[messages.Count];
        for (var i = 0; i < errors.Length; i++)
            errors[i] = new(messages[i].Level, messages[i].Code, messages[i].Message);
        handler(this, new MySqlInfoMessageEventArgs(errors));
    }
}
