using System.Transactions;

namespace Slipstream.MySql;

/// <summary>What the two kinds of branches have in common: how they begin in front of a command, and what they leave.</summary>
internal static class BranchTexts
{
    /// <summary>
    /// Behind this no command commits by itself. What begins a transaction can be refused (a cluster that has no XA, a proxy),
    /// and is sent in front of the first command all the same, because that command then waits in a transaction of its own, which ends with its session.
    /// </summary>
    private const string Guard = "SET autocommit=0;";

    /// <summary>Several statements in one text: the server stops at the first that it refuses.</summary>
    public static string Begin(bool isGuarded, IsolationLevel isolationLevel, string begin) =>
        (isGuarded ? Guard : "") + (NameOf(isolationLevel) is { } name ? $"SET TRANSACTION ISOLATION LEVEL {name};" : "") + begin;

    public static string End(bool isGuarded, string end) => isGuarded ? end + ";SET autocommit=1" : end;

    // Null: the server's own.
    private static string? NameOf(IsolationLevel isolationLevel) => isolationLevel switch
    {
        IsolationLevel.Unspecified => null,
        IsolationLevel.ReadUncommitted => "READ UNCOMMITTED",
        IsolationLevel.ReadCommitted => "READ COMMITTED",
        // No snapshot at once: XA START has none. The first consistent read takes it.
        IsolationLevel.RepeatableRead or IsolationLevel.Snapshot => "REPEATABLE READ",
        IsolationLevel.Serializable => "SERIALIZABLE",
        _ => throw new NotSupportedException($"The transaction's IsolationLevel.{isolationLevel} is not an isolation level of MySQL: use ReadUncommitted, ReadCommitted, RepeatableRead, Serializable or Snapshot."),
    };
}
