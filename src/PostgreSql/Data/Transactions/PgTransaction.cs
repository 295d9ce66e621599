using System.Data;
using System.Data.Common;
using Slipstream.Core.Data;

namespace Slipstream.PostgreSql;

/// <summary>
/// A transaction on one connection. Its BEGIN travels with the first command. If the BEGIN fails, the command is not executed.
/// </summary>
public sealed class PgTransaction : ProviderTransaction
{
    internal PgTransaction(PgConnection connection, IsolationLevel isolationLevel)
        : base(connection, isolationLevel == IsolationLevel.Unspecified ? IsolationLevel.ReadCommitted : isolationLevel)
    {
        PrependedBegin = isolationLevel switch
        {
            IsolationLevel.Unspecified or IsolationLevel.ReadCommitted => "BEGIN TRANSACTION ISOLATION LEVEL READ COMMITTED",
            IsolationLevel.ReadUncommitted => "BEGIN TRANSACTION ISOLATION LEVEL READ UNCOMMITTED",
            IsolationLevel.RepeatableRead or IsolationLevel.Snapshot => "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ",
            IsolationLevel.Serializable => "BEGIN TRANSACTION ISOLATION LEVEL SERIALIZABLE",
            _ =>
                throw new NotSupportedException(
                    $"IsolationLevel.{isolationLevel} is not an isolation level of PostgreSQL: use ReadUncommitted, ReadCommitted, RepeatableRead, "
                        + "Serializable or Snapshot."),
        };
    }

    /// <summary>Gets the connection; null after the transaction has ended.</summary>
    public new PgConnection? Connection => (PgConnection?)DbConnection;

    /// <inheritdoc/>
    protected override DbConnection? DbConnection => base.DbConnection;

    /// <inheritdoc/>
    private protected override string PrependedBegin { get; }

    /// <inheritdoc/>
    private protected override IReadOnlyList<string> Begins => [];

    /// <inheritdoc/>
    private protected override bool EndsWithServerTransaction => true;

    /// <inheritdoc/>
    private protected override string Quote(string name) => $"\"{name.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
}
