using System.Runtime.CompilerServices;
using System.Transactions;
using Slipstream.MySql.Sessions;

namespace Slipstream.MySql;

/// <content>Who listens to warnings, and what a data source does behind each opening.</content>
public sealed partial class MySqlConnection
{
    // Beside the objects and not in them: connections are made by the thousand, and few are ever listened to.
    private static readonly ConditionalWeakTable<MySqlConnection, Listeners> Listening = [];
    private static volatile bool _anyListens;

    private sealed class Listeners
    {
        public MySqlInfoMessageEventHandler? InfoMessage { get; set; }
    }

    /// <summary>
    /// Raised behind a command (when its reader is closed) whose last result had warnings, with what SHOW WARNINGS says of them. Only while
    /// somebody listens is the server asked: one more round trip, and only behind warnings.
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

    /// <summary>Opens the connection with a session of its pool; a data source's callback runs before this returns.</summary>
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
        // Perhaps with the session that the transaction has kept of another connection, which did or did not listen.
        if (_anyListens)
            Listen();
    }

    private MySqlConnectionOpenedContext OpenedContext()
    {
        var session = MySqlSession;
        // The same lease again: an ambient transaction kept the session for this connection, as its last user left it.
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

    /// <summary>Whether warnings are asked for.</summary>
    internal bool IsListenedTo => SessionOrNull is { AsksAfterwards: true };

    /// <summary>Behind a command: its warnings, to those who listen.</summary>
    internal void TellMessages()
    {
        if (MySqlSession.TakeMessages() is { } messages)
            TellMessages(messages);
    }

    /// <summary>Warnings that were asked for, to those who listen.</summary>
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
