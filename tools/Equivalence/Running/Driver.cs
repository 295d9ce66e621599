using System.Data;
using System.Data.Common;
using System.Globalization;
using Slipstream.Equivalence.Language;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.Equivalence.Running;

/// <summary>One provider, ours or a peer, in the words of the check.</summary>
internal abstract class Driver
{
    public static readonly Driver MySql = new SlipstreamMySql();
    public static readonly Driver PostgreSql = new SlipstreamPostgreSql();
    public static readonly Driver MySqlConnector = new PeerMySql();
    public static readonly Driver Npgsql = new PeerPostgreSql();

    public abstract DbDataSource CreateSource(string connectionString);

    /// <summary>The number of rows, or what there is to say.</summary>
    public virtual Task<string> BulkAsync(DbConnection connection, DbTransaction? transaction, BulkStep step) => throw new NotSupportedException();

    /// <summary>What the command gave a row as its generated key; null where the provider does not tell.</summary>
    public virtual long? GeneratedKey(DbCommand command) => null;

    /// <summary>The server's number for the session.</summary>
    public abstract long SessionId(DbConnection connection);

    /// <summary>What the server says unasked.</summary>
    public virtual void Listen(DbConnection connection, Action<string> hear)
    {
    }

    /// <summary>The server's number of an error; null for none.</summary>
    public abstract string? Number(Exception exception);

    /// <summary>Ours: everything that is observed can be compared.</summary>
    public virtual bool IsPeer => false;

    private sealed class SlipstreamMySql : Driver
    {
        public override DbDataSource CreateSource(string connectionString) => new MySqlDataSource(connectionString);

        public override long? GeneratedKey(DbCommand command) => ((MySqlCommand)command).LastInsertedId;

        public override long SessionId(DbConnection connection) => ((MySqlConnection)connection).ServerThread;

        public override void Listen(DbConnection connection, Action<string> hear) => ((MySqlConnection)connection).InfoMessage += (_, e) =>
        {
            foreach (var warning in e.Errors)
                hear(string.Create(CultureInfo.InvariantCulture, $"{warning.Level} {(int)warning.ErrorCode} {warning.Message}"));
        };

        public override string? Number(Exception exception) => exception is MySqlException refused ? refused.Number.ToString(CultureInfo.InvariantCulture) : null;

        public override async Task<string> BulkAsync(DbConnection connection, DbTransaction? transaction, BulkStep step)
        {
            var copy = new MySqlBulkCopy((MySqlConnection)connection, (MySqlTransaction?)transaction)
            {
                DestinationTableName = step.Table,
                Wire = Enum.Parse<MySqlBulkCopyWire>(step.Wire),
            };
            for (var i = 0; i < step.Columns.Length; i++)
                copy.ColumnMappings.Add(new(i, step.Columns[i]));
            using var rows = new RowReader(step);
            var result = step.Async ? await copy.WriteToServerAsync(rows) : copy.WriteToServer(rows);
            return string.Create(CultureInfo.InvariantCulture, $"{result.RowsInserted} rows, {result.Warnings.Count} warnings");
        }
    }

    private sealed class SlipstreamPostgreSql : Driver
    {
        public override DbDataSource CreateSource(string connectionString) => PgDataSource.Create(connectionString);

        public override long SessionId(DbConnection connection) => ((PgConnection)connection).ProcessID;

        public override string? Number(Exception exception) => (exception as DbException)?.SqlState;

        public override void Listen(DbConnection connection, Action<string> hear) => ((PgConnection)connection).Notice += (_, e) => hear(e.Notice.MessageText);

        public override async Task<string> BulkAsync(DbConnection connection, DbTransaction? transaction, BulkStep step)
        {
            var copy = new PgBulkCopy((PgConnection)connection, (PgTransaction?)transaction) { DestinationTableName = step.Table };
            for (var i = 0; i < step.Columns.Length; i++)
                copy.ColumnMappings.Add(new(i, step.Columns[i]));
            using var rows = new RowReader(step);
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

        public override DbDataSource CreateSource(string connectionString) => global::Npgsql.NpgsqlDataSource.Create(connectionString);

        public override long SessionId(DbConnection connection) => ((global::Npgsql.NpgsqlConnection)connection).ProcessID;

        public override string? Number(Exception exception) => (exception as DbException)?.SqlState;

        public override void Listen(DbConnection connection, Action<string> hear) =>
            ((global::Npgsql.NpgsqlConnection)connection).Notice += (_, e) => hear(e.Notice.MessageText);
    }
}

/// <summary>The rows of a bulk copy as a reader, which may throw in front of one.</summary>
internal sealed class RowReader(BulkStep step) : IDataReader
{
    private readonly object[][] _rows = [.. step.Rows.Select(static row => row.Select(static cell => cell.Value()).ToArray())];
    private int _at = -1;

    public int FieldCount => step.Columns.Length;

    public int Depth => 0;

    public bool IsClosed => false;

    public int RecordsAffected => -1;

    public object this[int i] => GetValue(i);

    public object this[string name] => GetValue(GetOrdinal(name));

    public bool Read()
    {
        _at++;
        if (_at == step.BreaksAt)
            throw new InvalidDataException("the enumerator broke");
        return _at < _rows.Length;
    }

    public object GetValue(int i) => _rows[_at][i];

    public int GetValues(object[] values)
    {
        _rows[_at].CopyTo(values, 0);
        return FieldCount;
    }

    public bool IsDBNull(int i) => GetValue(i) is DBNull;

    public string GetName(int i) => step.Columns[i];

    public int GetOrdinal(string name) => step.Columns.IndexOf(name);

    public Type GetFieldType(int i) => _rows.Length > 0 && _rows[0][i] is not DBNull and var value ? value.GetType() : typeof(object);

    public string GetDataTypeName(int i) => GetFieldType(i).Name;

    public bool GetBoolean(int i) => (bool)GetValue(i);

    public byte GetByte(int i) => (byte)GetValue(i);

    public long GetBytes(int i, long fieldOffset, byte[]? buffer, int bufferoffset, int length) => throw new NotSupportedException();

    public char GetChar(int i) => (char)GetValue(i);

    public long GetChars(int i, long fieldoffset, char[]? buffer, int bufferoffset, int length) => throw new NotSupportedException();

    public IDataReader GetData(int i) => throw new NotSupportedException();

    public DateTime GetDateTime(int i) => (DateTime)GetValue(i);

    public decimal GetDecimal(int i) => (decimal)GetValue(i);

    public double GetDouble(int i) => (double)GetValue(i);

    public float GetFloat(int i) => (float)GetValue(i);

    public Guid GetGuid(int i) => (Guid)GetValue(i);

    public short GetInt16(int i) => (short)GetValue(i);

    public int GetInt32(int i) => (int)GetValue(i);

    public long GetInt64(int i) => (long)GetValue(i);

    public string GetString(int i) => (string)GetValue(i);

    public DataTable? GetSchemaTable() => null;

    public bool NextResult() => false;

    public void Close()
    {
    }

    public void Dispose()
    {
    }
}
