using System.Runtime.CompilerServices;
using System.Transactions;
using Slipstream.MySql.Sessions;

namespace Slipstream.MySql;

/// <content>Handlers of warnings, and a data source's callback after each opening.</content>
public sealed partial class MySqlConnection
{
    // Kept beside the connections, not in a field: an application creates thousands of connections, and few have handlers.
    private static readonly ConditionalWeakTable<MySqlConnection, Listeners> Listening = [];
    private static volatile bool _anyListens;

    private sealed class Listeners
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
            _anyListens = true;
            Listening.GetOrCreateValue(this).InfoMessage += value;
            Listen();
        }
        remove
        {
            if (Listening.TryGetValue(this, out var listeners))
                listeners.InfoMessage -= value;
            Listen();
        }
    }

    /// <summary>Opens the connection with a session of its pool. A data source's callback runs before this method returns.</summary>
    /// <exception cref="InvalidOperationException">The connection is already open, or has no connection string.</exception>
    /// <exception cref="MySqlException">The driver could not connect, the server refused the login, or the time limit expired.</exception>
    public override void Open()
    {
        base.Open();
        if (_anyListens)
            Listen();
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
        return !opening.IsFaulted && !opening.IsCanceled && (_anyListens || MySqlSource.Opened is not null) ? OpenedAsync(opening, cancellationToken) : opening;
    }

    private async Task OpenedAsync(Task opening, CancellationToken cancellationToken)
    {
        await opening.ConfigureAwait(false);
        if (_anyListens)
            Listen();
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
        if (_anyListens)
            Listen();
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

    private void Listen()
    {
        if (SessionOrNull is { } session)
            session.AsksAfterwards = Listening.TryGetValue(this, out var listeners) && listeners.InfoMessage is not null;
    }

    /// <summary>Whether the driver queries warnings after commands.</summary>
    internal bool IsListenedTo => SessionOrNull is { AsksAfterwards: true };

    /// <summary>Queries the warnings after a command, and raises the event.</summary>
    internal void TellMessages()
    {
        if (MySqlSession.TakeMessages() is { } messages)
            TellMessages(messages);
    }

    /// <summary>Raises the event with the given warnings.</summary>
    internal void TellMessages(IReadOnlyList<(string Level, int Code, string Message)> messages)
    {
        if (messages.Count == 0 || !Listening.TryGetValue(this, out var listeners) || listeners.InfoMessage is not { } handler)
            return;
        var errors = new MySqlError[messages.Count];
        for (var i = 0; i < errors.Length; i++)
            errors[i] = new(messages[i].Level, messages[i].Code, messages[i].Message);
        handler(this, new MySqlInfoMessageEventArgs(errors));
    }
}
