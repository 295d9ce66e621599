namespace Slipstream.Core.Causality;

/// <summary>What is known about the writes of a session's lease. Sessions that do not track their writes have none.</summary>
/// <param name="isAlways">Whether the application wants a token even outside a scope.</param>
internal sealed class WriteTracking(bool isAlways)
{
    private CausalScope? _scope;

    /// <summary>The server of the session, if it is one of a cluster; null otherwise.</summary>
    public ICausalServer? Server { get; set; }

    /// <summary>The position of the lease's writes; null if there was none, <see cref="LogPosition.Unknown"/> if it is not known.</summary>
    public LogPosition? Last { get; private set; }

    /// <summary>Whether the position of the running command must be asked for, unless the server reports it by itself.</summary>
    public bool IsWanted { get; private set; }

    /// <summary>Whether the running command may have committed something, although a transaction is open at its end.</summary>
    public bool HasCommitted { get; private set; }

    /// <summary>Called when an operation begins, on the thread of the caller.</summary>
    public void Begin()
    {
        HasCommitted = false;
        // Even on a replica: it may have been promoted, and only the answer shows that.
        _scope = Server is { Domain: { } domain } ? CausalScope.Find(domain) : null;
        IsWanted = isAlways || _scope is not null;
    }

    /// <summary>Records a write that the server has executed.</summary>
    public void Wrote(LogPosition position)
    {
        IsWanted = false;
        Last = Last?.Join(position) ?? position;
        _scope?.Wrote(position, Server);
    }

    /// <summary>Records that the command may have committed something. It may go on, and begin another transaction.</summary>
    public void Committed() => HasCommitted = true;

    /// <summary>Records that the command goes on after the position was asked for: a later position is wanted.</summary>
    public void GoesOn() => IsWanted = true;

    /// <summary>Records that the operation has changed nothing.</summary>
    public void WroteNothing() => IsWanted = false;

    /// <summary>
    /// Records that nothing is known about the operation's writes. A replica refuses writes, so there were none as long as it is known as one.
    /// </summary>
    public void MayHaveWritten()
    {
        if (Server is { IsReplica: true })
            WroteNothing();
        else
            Lost();
    }

    /// <summary>Records that the operation has written, and that the position is not known.</summary>
    public void Lost()
    {
        IsWanted = false;
        Last = LogPosition.Unknown;
        _scope?.Wrote(LogPosition.Unknown, Server);
    }

    /// <summary>Called when the lease ends.</summary>
    public void Released() => (Last, _scope, IsWanted) = (null, null, false);
}
