using Microsoft.Extensions.Logging;
using Slipstream.Core.Clusters;
using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Topology;

namespace Slipstream.Core.Diagnostics;

/// <summary>All log messages. None contains a secret. The text of a command and its values are logged only if the application has enabled that.</summary>
internal static partial class Log
{
    /// <summary>Maximum length of a reason, in characters; part of it may come from a server.</summary>
    public const int LongestReason = 1000;

    [LoggerMessage(1000, LogLevel.Debug, "Pool {Pool} opened a connection")]
    public static partial void SessionOpened(ILogger logger, string pool);

    [LoggerMessage(1001, LogLevel.Debug, "Pool {Pool} closed a connection ({Reason})")]
    public static partial void SessionClosed(ILogger logger, string pool, CloseReason reason);

    [LoggerMessage(1002, LogLevel.Warning, "Pool {Pool}: a connection was garbage collected without being closed; find the missing Dispose")]
    public static partial void SessionLeaked(ILogger logger, string pool);

    [LoggerMessage(1003, LogLevel.Warning, "Pool {Pool} could not open its minimum number of connections")]
    public static partial void WarmUpFailed(ILogger logger, string pool, Exception exception);

    [LoggerMessage(1010, LogLevel.Debug, "Session {Session} of {Peer} was opened")]
    public static partial void Connected(ILogger logger, long session, string peer);

    [LoggerMessage(1011, LogLevel.Information, "Session {Session} of {Peer} is broken: {Because}")]
    public static partial void SessionBroken(ILogger logger, long session, string peer, string because);

    [LoggerMessage(1012, LogLevel.Warning, "{Peer} does not accept several commands in one packet ({Because}): pipelining is off for it, "
        + "and each reset and BEGIN costs a round trip")]
    public static partial void PipeliningOff(ILogger logger, string peer, string because);

    [LoggerMessage(1013, LogLevel.Error, "{Doubt}")]
    public static partial void TransactionInDoubt(ILogger logger, string doubt, Exception? exception);

    [LoggerMessage(1014, LogLevel.Information, "Pool {Pool}: the server lost a prepared statement; the driver prepares it again")]
    public static partial void StatementLost(ILogger logger, string pool);

    [LoggerMessage(1015, LogLevel.Warning, "Pool {Pool}: prepared statements were lost repeatedly, as with a proxy that gives each transaction another session "
        + "of the server; automatic preparation is now off (set Auto Prepare=false to avoid the attempts)")]
    public static partial void AutoPrepareOff(ILogger logger, string pool);

    [LoggerMessage(1016, LogLevel.Error, "Session {Session}: a handler of the event {Event} threw an exception, which is ignored")]
    public static partial void HandlerFailed(ILogger logger, long session, string @event, Exception exception);

    [LoggerMessage(1017, LogLevel.Warning, "The password file {File} is ignored, because other users can access it: set its permissions to 0600")]
    public static partial void PasswordFileIgnored(ILogger logger, string file);

    [LoggerMessage(1030, LogLevel.Information, "Pool {Pool}: the primary is {Primary}; it was {Former}")]
    public static partial void PrimaryChanged(ILogger logger, string pool, string primary, string former);

    [LoggerMessage(1031, LogLevel.Warning, "Pool {Pool}: there is no primary; it was {Former}. {Servers}")]
    public static partial void PrimaryLost(ILogger logger, string pool, string former, string servers);

    [LoggerMessage(1032, LogLevel.Warning, "Pool {Pool}: {Server} cannot be used: {Because}")]
    public static partial void ServerLost(ILogger logger, string pool, string server, string because);

    [LoggerMessage(1033, LogLevel.Information, "Pool {Pool}: {Server} answers again; its role is {Role}")]
    public static partial void ServerReturned(ILogger logger, string pool, string server, string role);

    [LoggerMessage(1034, LogLevel.Error, "Pool {Pool}: {Server} says that it is the primary, and so does {Primary}, which remains in use: check the cluster")]
    public static partial void TwoPrimaries(ILogger logger, string pool, string server, string primary);

    [LoggerMessage(1035, LogLevel.Information, "Pool {Pool}: {Server} has the role {Role} and the state {State}; it had {FormerRole} and {FormerState}")]
    public static partial void ServerChanged(
        ILogger logger, string pool, string server, HostRole role, HostState state, HostRole formerRole, HostState formerState);

    [LoggerMessage(1036, LogLevel.Error, "Pool {Pool}: a handler of the event TopologyChanged threw an exception, which is ignored")]
    public static partial void TopologyHandlerFailed(ILogger logger, string pool, Exception exception);

    [LoggerMessage(1037, LogLevel.Information, "Pool {Pool}: {Server} was added: {Source} names it")]
    public static partial void ServerAdded(ILogger logger, string pool, string server, string source);

    [LoggerMessage(1038, LogLevel.Information, "Pool {Pool}: {Server} was removed: {Because}")]
    public static partial void ServerRemoved(ILogger logger, string pool, string server, string because);

    [LoggerMessage(1039, LogLevel.Warning, "Pool {Pool}: members that {Source} names are not used: {Because}")]
    public static partial void MembersRefused(ILogger logger, string pool, string source, string because);

    [LoggerMessage(1040, LogLevel.Warning, "Pool {Pool}: the topology source threw an exception; the servers stay as they are")]
    public static partial void TopologySourceFailed(ILogger logger, string pool, Exception exception);

    [LoggerMessage(1020, LogLevel.Debug, "Session {Session}: a command ended in {Milliseconds} ms")]
    public static partial void CommandEnded(ILogger logger, long session, double milliseconds);

    [LoggerMessage(1021, LogLevel.Debug, "Session {Session}: a command failed after {Milliseconds} ms with {Error}")]
    public static partial void CommandFailed(ILogger logger, long session, double milliseconds, string error);

    [LoggerMessage(1022, LogLevel.Debug, "Session {Session}: a command ended in {Milliseconds} ms: {CommandText}")]
    public static partial void CommandExecuted(ILogger logger, long session, double milliseconds, string commandText);

    [LoggerMessage(1023, LogLevel.Debug, "Session {Session}: a command failed after {Milliseconds} ms with {Error}: {CommandText}")]
    public static partial void CommandFailedWithText(ILogger logger, long session, double milliseconds, string error, string commandText);

    /// <summary>Logs a command with its text, which the application has enabled.</summary>
    public static void Write(ILogger logger, long session, double milliseconds, string? error, string commandText)
    {
        if (error is null)
            CommandExecuted(logger, session, milliseconds, commandText);
        else
            CommandFailedWithText(logger, session, milliseconds, error, commandText);
    }
}

/// <summary>Writes a pool's events to the log.</summary>
internal sealed class PoolLog(ILogger? logger) : IPoolObserver
{
    /// <inheritdoc/>
    public void Opened(string pool)
    {
        if (logger is not null)
            Log.SessionOpened(logger, pool);
    }

    /// <inheritdoc/>
    public void Closed(string pool, CloseReason reason)
    {
        if (logger is not null)
            Log.SessionClosed(logger, pool, reason);
    }

    /// <inheritdoc/>
    public void Leaked(string pool)
    {
        if (logger is not null)
            Log.SessionLeaked(logger, pool);
    }

    /// <inheritdoc/>
    public void WarmUpFailed(string pool, Exception exception)
    {
        if (logger is not null)
            Log.WarmUpFailed(logger, pool, exception);
    }
}

/// <summary>Writes a cluster's events to the log.</summary>
/// <param name="logger">The logger.</param>
/// <param name="pool">The name of the data source's pool.</param>
internal sealed class ClusterLog(ILogger logger, string pool) : IClusterObserver
{
    private const string None = "unknown";
    private const int LongestError = 1000;

    /// <inheritdoc/>
    public void PrimaryChanged(string? before, string? now, string states)
    {
        if (now is not null)
            Log.PrimaryChanged(logger, pool, now, before ?? None);
        else
            Log.PrimaryLost(logger, pool, before ?? None, states);
    }

    /// <inheritdoc/>
    public void ServerChanged(TopologySnapshot before, TopologySnapshot now, int at)
    {
        var then = before.Find(now.Hosts[at].Address, at);
        var (former, status) = (before.Hosts[then], now.Hosts[at]);
        if (IsOut(status) == IsOut(former))
            Log.ServerChanged(logger, pool, status.Address, now.RoleOf(at), status.State, before.RoleOf(then), former.State);
        else if (IsOut(status))
            Log.ServerLost(logger, pool, status.Address, status.Error is { } error ? ServerText.OneLine(error, LongestError) : "it is stopping");
        else
            Log.ServerReturned(logger, pool, status.Address, now.RoleOf(at).ToString());
    }

    /// <inheritdoc/>
    public void TwoPrimaries(string primary, string other) => Log.TwoPrimaries(logger, pool, other, primary);

    /// <inheritdoc/>
    public void ServerAdded(string address, bool isReported) =>
        Log.ServerAdded(logger, pool, address, isReported ? "the cluster" : "the topology source");

    /// <inheritdoc/>
    public void ServerRemoved(string address, string because) => Log.ServerRemoved(logger, pool, address, because);

    /// <inheritdoc/>
    public void MembersRefused(string by, string because) => Log.MembersRefused(logger, pool, by, because);

    /// <inheritdoc/>
    public void SourceFailed(Exception exception) => Log.TopologySourceFailed(logger, pool, exception);

    /// <inheritdoc/>
    public void HandlerFailed(Exception exception) => Log.TopologyHandlerFailed(logger, pool, exception);

    private static bool IsOut(HostStatus status) => status.State is HostState.Dead or HostState.Leaving;
}
