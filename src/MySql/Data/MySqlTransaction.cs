using System.Data;
using System.Data.Common;
using Slipstream.Core.Data;
using Slipstream.MySql.Protocol.Connect;

namespace Slipstream.MySql;

/// <summary>A transaction on a <see cref="MySqlConnection"/>. Disposing it without <see cref="DbTransaction.Commit"/> rolls it back.</summary>
public sealed class MySqlTransaction : ProviderTransaction
{
    private readonly bool _isReadOnly;

    internal MySqlTransaction(MySqlConnection connection, IsolationLevel isolationLevel, bool isReadOnly)
        : base(connection, isolationLevel == IsolationLevel.Unspecified ? IsolationLevel.RepeatableRead : isolationLevel)
    {
        _isReadOnly = isReadOnly;
        // SET TRANSACTION and characteristics can fail in ways that would leave the command behind them in another kind of transaction:
        // they get a round trip of their own.
        string[] begins = isolationLevel switch
        {
            IsolationLevel.Unspecified when !isReadOnly => [],
            IsolationLevel.Unspecified => ["START TRANSACTION READ ONLY"],
            IsolationLevel.Snapshot => ["SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", isReadOnly ? "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY" : "START TRANSACTION WITH CONSISTENT SNAPSHOT"],
            _ => [$"SET TRANSACTION ISOLATION LEVEL {NameOf(isolationLevel)}", isReadOnly ? "START TRANSACTION READ ONLY" : "START TRANSACTION"],
        };

        // In one text, because the server stops at the first that it refuses.
        Begins = begins.Length > 1 && (connection.MySqlSession.Capabilities & Capabilities.MultiStatements) != 0 ? [string.Join(';', begins)] : begins;
    }

    /// <summary>The connection; null when the transaction has ended.</summary>
    public new MySqlConnection? Connection => (MySqlConnection?)DbConnection;

    /// <inheritdoc/>
    protected override string? GluedBegin => Begins.Count == 0 && !_isReadOnly ? "START TRANSACTION" : null;

    /// <inheritdoc/>
    protected override IReadOnlyList<string> Begins { get; }

    /// <inheritdoc/>
    protected override string Quote(string name) => "`" + name.Replace("`", "``", StringComparison.Ordinal) + "`";

    private static string NameOf(IsolationLevel isolationLevel) => isolationLevel switch
    {
        IsolationLevel.ReadUncommitted => "READ UNCOMMITTED",
        IsolationLevel.ReadCommitted => "READ COMMITTED",
        IsolationLevel.RepeatableRead => "REPEATABLE READ",
        IsolationLevel.Serializable => "SERIALIZABLE",
        _ => throw new NotSupportedException($"IsolationLevel.{isolationLevel} is none of MySQL's: use ReadUncommitted, ReadCommitted, RepeatableRead, Serializable or Snapshot."),
    };
}
