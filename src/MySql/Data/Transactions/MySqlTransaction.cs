using System.Data;
using System.Data.Common;
using Slipstream.Core.Data;
using Slipstream.MySql.Conventions;
using Slipstream.MySql.Protocol.Connect;
using Slipstream.MySql.Sessions;

namespace Slipstream.MySql;

/// <summary>A transaction on a <see cref="MySqlConnection"/>. Disposing it without <see cref="DbTransaction.Commit"/> rolls it back.</summary>
public sealed class MySqlTransaction : ProviderTransaction
{
    private const string Set = "SET TRANSACTION ISOLATION LEVEL ";
    private const string SetSession = "SET SESSION TRANSACTION ISOLATION LEVEL ";
    private const string RepeatableRead = "REPEATABLE READ";

    private readonly MySqlSession _session;
    private readonly bool? _isReadOnly;

    internal MySqlTransaction(MySqlConnection connection, IsolationLevel isolationLevel, bool? isReadOnly)
        : base(connection, isolationLevel)
    {
        _session = connection.MySqlSession;
        _isReadOnly = isReadOnly;
        var begins = Begins;
        // The server can refuse other levels and characteristics, and the command after them would run in another kind of transaction: they get their own round
        // trip. A beginning that ends earlier work gets one too: that work must end now, even if the application never uses this transaction.
        if (begins.Count == 1 && isReadOnly != true && _session.HoldsNothing && isolationLevel is IsolationLevel.Unspecified or IsolationLevel.RepeatableRead)
            PrependedBegin = begins[0];
    }

    /// <summary>Gets the connection; null after the transaction has ended.</summary>
    public new MySqlConnection? Connection => (MySqlConnection?)DbConnection;

    /// <inheritdoc/>
    private protected override bool ReportsSavepoints => !ThisAssembly.Conventions.HidesSavepoints;

    /// <inheritdoc/>
    private protected override string? PrependedBegin { get; }

    /// <inheritdoc/>
    private protected override IReadOnlyList<string> Begins
    {
        get
        {
            var level = NameOf(IsolationLevel);
            var start = StartOf(IsolationLevel == IsolationLevel.Snapshot, _isReadOnly);
            string[] begins = level == RepeatableRead && _session.IsRepeatableRead ? [start]
                : ThisAssembly.Conventions.SetsLevelOfSession ? [SetSession + level, start]
                // The server refuses SET TRANSACTION inside a transaction, which START TRANSACTION would commit. Outside a transaction, COMMIT would discard
                // what SET TRANSACTION has set.
                : _session is { IsInTransaction: true, NeedsReset: false } ? ["COMMIT AND NO CHAIN NO RELEASE", Set + level, start]
                : [Set + level, start];
            // One text, because the server stops at the first statement that it refuses.
            return begins.Length > 1 && (_session.State.Capabilities & Capabilities.MultiStatements) != 0 ? [string.Join(';', begins)] : begins;
        }
    }

    /// <inheritdoc/>
    private protected override void Begun()
    {
        if (Connection?.MySqlSession.State is not { } state)
            return;
        state.ForgetHeld();
        // The next user of the session must not inherit its level.
        if (ThisAssembly.Conventions.SetsLevelOfSession && NameOf(IsolationLevel) != RepeatableRead)
            state.MarkDirty();
    }

    /// <inheritdoc/>
    private protected override string Quote(string name) => "`" + MySqlCommand.Readable(name, _session).Replace("`", "``", StringComparison.Ordinal) + "`";

    // Unspecified is REPEATABLE READ too, whatever the server's default is.
    private static string NameOf(IsolationLevel isolationLevel) => isolationLevel switch
    {
        IsolationLevel.ReadUncommitted => "READ UNCOMMITTED",
        IsolationLevel.ReadCommitted => "READ COMMITTED",
        IsolationLevel.Unspecified or IsolationLevel.RepeatableRead or IsolationLevel.Snapshot => RepeatableRead,
        IsolationLevel.Serializable => "SERIALIZABLE",
        _ =>
            throw new NotSupportedException(
                $"IsolationLevel.{isolationLevel} is not an isolation level of MySQL: use ReadUncommitted, ReadCommitted, RepeatableRead, Serializable or "
                    + "Snapshot."),
    };

    // Null for the session's setting.
    private static string StartOf(bool isSnapshot, bool? isReadOnly) => (isSnapshot, isReadOnly) switch
    {
        (false, null) => "START TRANSACTION",
        (false, false) => "START TRANSACTION READ WRITE",
        (false, true) => "START TRANSACTION READ ONLY",
        (true, null) => "START TRANSACTION WITH CONSISTENT SNAPSHOT",
        (true, false) => "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ WRITE",
        (true, true) => "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
    };
}
