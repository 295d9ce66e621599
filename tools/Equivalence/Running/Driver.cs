using System.Data;
using System.Data.Common;
using System.Globalization;
using Slipstream.Core.Errors;
using Slipstream.Equivalence.Language;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.Equivalence.Running;

/// <summary>A provider (Slipstream's or a peer) as the check uses it.</summary>
internal abstract class Driver
{
    public static readonly Driver MySql = new SlipstreamMySql();
    public static readonly Driver PostgreSql = new SlipstreamPostgreSql();
    public static readonly Driver MySqlConnector = new PeerMySql();
    public static readonly Driver Npgsql = new PeerPostgreSql();

    public abstract DbDataSource CreateSource(string connectionString);

    /// <summary>Copies rows in bulk and returns the number of rows and warnings.</summary>
    public virtual Task<string> BulkAsync(DbConnection connection, DbTransaction? transaction, BulkStep step) => throw new NotSupportedException();

    /// <summary>Copies rows with COPY.</summary>
    public virtual async Task CopyAsync(DbConnection connection, CopyStep step, Action<string> tell)
    {
        switch (step.Form)
        {
            case CopyForm.BinaryImport:
                var isPeer = IsPeer;
                (object, string)[][] rows = [.. step.Rows.Select(row => row.Select(cell => (cell.Value(isPeer), cell.TypeName)).ToArray())];
                await PgCalls.BinaryImport(connection, step.Async, step.Sql, rows, step.Ending, tell);
                break;
            case CopyForm.TextImport:
                await PgCalls.TextImport(connection, step.Async, step.Sql, [.. step.Words], step.Ending, tell);
                break;
            case CopyForm.RawImport:
                await PgCalls.RawImport(connection, step.Async, step.Sql, Convert.FromHexString(step.Bytes), step.Ending, tell);
                break;
            case CopyForm.BinaryExport:
                await PgCalls.BinaryExport(connection, step.Async, step.Sql, [.. step.Words], step.Most, step.Ending, Canonical.Value, tell);
                break;
            case CopyForm.TextExport:
                await PgCalls.TextExport(connection, step.Async, step.Sql, step.Most, step.Ending, tell);
                break;
            default:
                await PgCalls.RawExport(connection, step.Async, step.Sql, step.Most, step.Ending, Canonical.Value, tell);
                break;
        }
    }

    /// <summary>Uses a large object.</summary>
    public virtual Task LargeObjectAsync(DbConnection connection, LargeObjectStep step, Action<string> tell) =>
        PgCalls.LargeObject(connection, step.Async, step.Word, step.Oid, step.Position, step.Length, Canonical.Value, tell);

    /// <summary>Loads the types of the database again.</summary>
    public virtual Task ReloadTypesAsync(DbConnection connection, bool isAsync) => PgCalls.ReloadTypes(connection, isAsync);

    /// <summary>Returns the generated key that the command reports; null if the provider reports none.</summary>
    public virtual long? GeneratedKey(DbCommand command) => null;

    /// <summary>Returns the server's number of the session.</summary>
    public abstract long SessionId(DbConnection connection);

    /// <summary>Reports the server's notices and warnings.</summary>
    public virtual void Listen(DbConnection connection, Action<string> hear)
    {
    }

    /// <summary>Reports notifications: channel, payload, and the sender's session.</summary>
    public virtual void HearNotifications(DbConnection connection, Action<string, string, int> hear)
    {
    }

    /// <summary>Sets a parameter's type.</summary>
    public virtual void SetTypeName(DbParameter parameter, string name)
    {
    }

    /// <summary>Sets error barriers in a batch.</summary>
    /// <param name="batch">The batch.</param>
    /// <param name="everywhere">Whether a barrier follows each command.</param>
    /// <param name="after">The number of a command that a barrier follows; −1: none.</param>
    public virtual void SetBarriers(DbBatch batch, bool everywhere, int after)
    {
    }

    /// <summary>Returns the server's number of an error; null if it has none.</summary>
    public abstract string? Number(Exception exception);

    /// <summary>
    /// Returns what an exception says about repeating a command that a server has refused because it is not the primary; null for another error.
    /// </summary>
    public virtual RetrySafety? RefusalOf(Exception exception) => exception switch
    {
        MySqlException { Number: 1290 } refused => refused.RetrySafety,
        PgException { SqlState: "25006" } refused => refused.RetrySafety,
        _ => null,
    };

    /// <summary>Gets whether the driver is a peer. Of a peer, only some observations can be compared.</summary>
    public virtual bool IsPeer => false;

    /// <summary>Slipstream on MySQL and MariaDB. A test plants faults in it.</summary>
    internal class SlipstreamMySql : Driver
    {
        public override DbDataSource CreateSource(string connectionString) => new MySqlDataSource(connectionString);

        public override long? GeneratedKey(DbCommand command) => ((MySqlCommand)command).LastInsertedId;

        public override long SessionId(DbConnection connection) => ((MySqlConnection)connection).ServerThread;

        public override void Listen(DbConnection connection, Action<string> hear) => ((MySqlConnection)connection).InfoMessage += (_, e) =>
        {
            foreach (var warning in e.Errors)
                hear(string.Create(CultureInfo.InvariantCulture, $"{warning.Level} {(int)warning.ErrorCode} {warning.Message}"));
        };

        public override string? Number(Exception exception) =>
            exception is MySqlException refused ? refused.Number.ToString(CultureInfo.InvariantCulture) : null;

        public override async Task<string> BulkAsync(DbConnection connection, DbTransaction? transaction, BulkStep step)
        {
            var copy = new MySqlBulkCopy((MySqlConnection)connection, (MySqlTransaction?)transaction)
            {
                DestinationTableName = step.Table,
                Method = Enum.Parse<MySqlBulkCopyMethod>(step.Wire),
            };
            for (var i = 0; i < step.Columns.Length; i++)
                copy.ColumnMappings.Add(new(i, step.Columns[i]));
            using var rows =
                new RowReader([.. step.Columns], [.. step.Rows.Select(static row => row.Select(static cell => cell.Value()).ToArray())], step.BreaksAt);
            var result = step.Async ? await copy.WriteToServerAsync(rows) : copy.WriteToServer(rows);
            // Comparing.Allowed has the reason.
            var warnings = result.Warnings.Count(static warning => (int)warning.ErrorCode != 6414);
            return string.Create(CultureInfo.InvariantCulture, $"{result.RowsInserted} rows, {warnings} warnings");
        }
    }

    /// <summary>Slipstream on PostgreSQL. A test plants faults in it.</summary>
    internal class SlipstreamPostgreSql : Driver
    {
        public override DbDataSource CreateSource(string connectionString) =>
            new PgDataSourceBuilder(connectionString).MapEnum<Mood>("mapped_mood").MapComposite<Address>("mapped_addr").EnableDynamicJson().Build();

        public override void HearNotifications(DbConnection connection, Action<string, string, int> hear) => PgCalls.Listen(connection, hear);

        public override void SetTypeName(DbParameter parameter, string name) => ((PgParameter)parameter).DataTypeName = name;

        public override void SetBarriers(DbBatch batch, bool everywhere, int after)
        {
            ((PgBatch)batch).EnableErrorBarriers = everywhere;
            if (after >= 0)
                ((PgBatchCommand)batch.BatchCommands[after]).AppendErrorBarrier = true;
        }

        public override long SessionId(DbConnection connection) => ((PgConnection)connection).ProcessID;

        public override string? Number(Exception exception) => (exception as DbException)?.SqlState;

        public override void Listen(DbConnection connection, Action<string> hear) => ((PgConnection)connection).Notice += (_, e) => hear(e.Notice.MessageText);

        public override async Task<string> BulkAsync(DbConnection connection, DbTransaction? transaction, BulkStep step)
        {
            var copy = new PgBulkCopy((PgConnection)connection, (PgTransaction?)transaction) { DestinationTableName = step.Table };
            for (var i = 0; i < step.Columns.Length; i++)
                copy.ColumnMappings.Add(new(i, step.Columns[i]));
            using var rows =
                new RowReader([.. step.Columns], [.. step.Rows.Select(static row => row.Select(static cell => cell.Value()).ToArray())], step.BreaksAt);
            var result = step.Async ? await copy.WriteToServerAsync(rows) : copy.WriteToServer(rows);
            return string.Create(CultureInfo.InvariantCulture, $"{result.RowsInserted} rows");
        }
    }

    private sealed class PeerMySql : Driver
    {
        public override bool IsPeer => true;

        public override DbDataSource CreateSource(string connectionString) => new global::MySqlConnector.MySqlDataSourceBuilder(connectionString).Build();

        public override long? GeneratedKey(DbCommand command) => ((global::MySqlConnector.MySqlCommand)command).LastInsertedId;

        public override long SessionId(DbConnection connection) => ((global::MySqlConnector.MySqlConnection)connection).ServerThread;

        public override string? Number(Exception exception) =>
            exception is global::MySqlConnector.MySqlException refused ? refused.Number.ToString(CultureInfo.InvariantCulture) : null;
    }

    private sealed class PeerPostgreSql : Driver
    {
        public override bool IsPeer => true;

        public override DbDataSource CreateSource(string connectionString) =>
            new global::Npgsql.NpgsqlDataSourceBuilder(connectionString).MapEnum<Mood>("mapped_mood").MapComposite<Address>("mapped_addr").EnableDynamicJson()
                .Build();

        public override void HearNotifications(DbConnection connection, Action<string, string, int> hear) => PgCalls.Listen(connection, hear);

        public override void SetTypeName(DbParameter parameter, string name) => ((global::Npgsql.NpgsqlParameter)parameter).DataTypeName = name;

        public override void SetBarriers(DbBatch batch, bool everywhere, int after)
        {
            ((global::Npgsql.NpgsqlBatch)batch).EnableErrorBarriers = everywhere;
            if (after >= 0)
                ((global::Npgsql.NpgsqlBatchCommand)batch.BatchCommands[after]).AppendErrorBarrier = true;
        }

        public override long SessionId(DbConnection connection) => ((global::Npgsql.NpgsqlConnection)connection).ProcessID;

        public override string? Number(Exception exception) => (exception as DbException)?.SqlState;

        public override void Listen(DbConnection connection, Action<string> hear) =>
            ((global::Npgsql.NpgsqlConnection)connection).Notice += (_, e) => hear(e.Notice.MessageText);
    }
}
