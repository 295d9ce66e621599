using System.Transactions;

namespace Slipstream.MySql;

/// <summary>The texts that both kinds of branches share: those that begin a branch before a command, and those that end it.</summary>
internal static class BranchTexts
{
    /// <summary>
    /// After this text, no command commits on its own. The server can refuse the text that begins a transaction (a cluster without XA, a proxy). The driver
    /// sends the first command with that text nevertheless, because the command is then in a transaction of its own, which ends with its session.
    /// </summary>
    private const string Guard = "SET autocommit=0;";

    /// <summary>Returns one text of several statements: the server stops at the first one that it refuses.</summary>
    public static string Begin(bool isGuarded, IsolationLevel isolationLevel, string begin) =>
        (isGuarded ? Guard : "") + (NameOf(isolationLevel) is { } name ? $"SET TRANSACTION ISOLATION LEVEL {name};" : "") + begin;

    /// <summary>Returns the text that ends a branch, and turns autocommit on again.</summary>
    public static string End(bool isGuarded, string end) => isGuarded ? end + ";SET autocommit=1" : end;

    // Null for the server's default.
    private static string? NameOf(IsolationLevel isolationLevel) => isolationLevel switch
    {
        IsolationLevel.Unspecified => null,
        IsolationLevel.ReadUncommitted => "READ UNCOMMITTED",
        IsolationLevel.ReadCommitted => "READ COMMITTED",
        // Without an immediate snapshot, which XA START does not support. The first consistent read takes the snapshot.
        IsolationLevel.RepeatableRead or IsolationLevel.Snapshot => "REPEATABLE READ",
        IsolationLevel.Serializable => "SERIALIZABLE",
        _ =>
            throw new NotSupportedException(
                $"The transaction's IsolationLevel.{isolationLevel} is not an isolation level of MySQL: use ReadUncommitted, ReadCommitted, RepeatableRead, "
                    + "Serializable or Snapshot."),
    };
}
