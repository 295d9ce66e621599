using System.Collections;
using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using Dapper;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.WithDapper;

/// <summary>What a query through Dapper allocates in addition to Dapper's own allocations, which are measured with a provider that allocates nothing.</summary>
public class DapperAllocationTests
{
    private const string Sql = "SELECT 42";

    // 104 for the command, 32 for the collection of parameters that Dapper clears, 64 for the reader; and a box, which the compiler may avoid, depending on its
    // profile of the calls.
    private const int Ours = 200 + 24;

    [Theory]
    [MemberData(nameof(DapperTests.Servers), MemberType = typeof(DapperTests))]
    public async Task A_single_number_costs_a_command_its_empty_parameters_and_a_reader(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using DbConnection connection = kind.IsPostgreSql()
            ? new PgConnection(ConnectionStrings.PostgreSql(server))
            : new MySqlConnection(ConnectionStrings.MySql(server));
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        await using var nothing = new NothingConnection();
        var own = Least(nothing);
        Assert.InRange(own, 1, 2000);
        var ours = Least(connection);
        // Until the methods on the way have their final compilation, which happens in the background.
        for (var more = 0; more < 10 && ours - own > Ours; more++)
            ours = Math.Min(ours, Least(connection));
        Assert.True(ours - own <= Ours, $"{ours} bytes, of which {own} are Dapper's own");
    }

    private static long Least(DbConnection connection)
    {
        const int times = 200;
        var least = long.MaxValue;
        for (var round = 0; round < 30; round++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < times; i++)
                if (connection.QuerySingle<int>(Sql) != 42)
                    throw new InvalidDataException("The wrong answer.");
            least = Math.Min(least, (GC.GetAllocatedBytesForCurrentThread() - before) / times);
            // Methods are compiled again in the background during the rounds.
            if (round < 10)
                Thread.Sleep(20);
        }

        return least;
    }

    // A provider of one command and one reader with one row: Dapper makes all allocations.
    private sealed class NothingConnection : DbConnection
    {
        private readonly NothingCommand _command = new();

        [AllowNull]
        public override string ConnectionString { get; set; } = "";

        public override string Database => "";

        public override string DataSource => "";

        public override string ServerVersion => "";

        public override ConnectionState State => ConnectionState.Open;

        public override void ChangeDatabase(string databaseName) => throw new NotSupportedException();

        public override void Close()
        {
        }

        public override void Open()
        {
        }

        protected override DbTransaction BeginDbTransaction(IsolationLevel isolationLevel) => throw new NotSupportedException();

        protected override DbCommand CreateDbCommand() => _command;
    }

    private sealed class NothingCommand : DbCommand
    {
        private readonly NothingReader _reader = new();

        [AllowNull]
        public override string CommandText { get; set; } = "";

        public override int CommandTimeout { get; set; }

        public override CommandType CommandType { get; set; }

        public override bool DesignTimeVisible { get; set; }

        public override UpdateRowSource UpdatedRowSource { get; set; }

        protected override DbConnection? DbConnection { get; set; }

        protected override DbParameterCollection DbParameterCollection { get; } = new MySqlCommand().Parameters;

        protected override DbTransaction? DbTransaction { get; set; }

        public override void Cancel()
        {
        }

        public override int ExecuteNonQuery() => throw new NotSupportedException();

        public override object ExecuteScalar() => throw new NotSupportedException();

        public override void Prepare()
        {
        }

        protected override DbParameter CreateDbParameter() => throw new NotSupportedException();

        protected override DbDataReader ExecuteDbDataReader(CommandBehavior behavior)
        {
            _reader.Begin();
            return _reader;
        }
    }

    private sealed class NothingReader : DbDataReader
    {
        private int _rows;

        public override int Depth => 0;

        public override int FieldCount => 1;

        public override bool HasRows => true;

        public override bool IsClosed => false;

        public override int RecordsAffected => -1;

        public override object this[int ordinal] => throw new NotSupportedException();

        public override object this[string name] => throw new NotSupportedException();

        public void Begin() => _rows = 1;

        public override bool Read() => _rows-- > 0;

        public override bool NextResult() => false;

        public override string GetName(int ordinal) => "42";

        public override Type GetFieldType(int ordinal) => typeof(int);

        public override bool IsDBNull(int ordinal) => false;

        public override int GetInt32(int ordinal) => 42;

        public override T GetFieldValue<T>(int ordinal) => (T)(object)42;

        // In a new box each time, as with any provider.
        public override object GetValue(int ordinal) => 42;

        public override int GetOrdinal(string name) => 0;

        public override bool GetBoolean(int ordinal) => throw new NotSupportedException();

        public override byte GetByte(int ordinal) => throw new NotSupportedException();

        public override long GetBytes(int ordinal, long dataOffset, byte[]? buffer, int bufferOffset, int length) => throw new NotSupportedException();

        public override char GetChar(int ordinal) => throw new NotSupportedException();

        public override long GetChars(int ordinal, long dataOffset, char[]? buffer, int bufferOffset, int length) => throw new NotSupportedException();

        public override string GetDataTypeName(int ordinal) => "int";

        public override DateTime GetDateTime(int ordinal) => throw new NotSupportedException();

        public override decimal GetDecimal(int ordinal) => throw new NotSupportedException();

        public override double GetDouble(int ordinal) => throw new NotSupportedException();

        public override IEnumerator GetEnumerator() => throw new NotSupportedException();

        public override float GetFloat(int ordinal) => throw new NotSupportedException();

        public override Guid GetGuid(int ordinal) => throw new NotSupportedException();

        public override short GetInt16(int ordinal) => throw new NotSupportedException();

        public override long GetInt64(int ordinal) => throw new NotSupportedException();

        public override string GetString(int ordinal) => throw new NotSupportedException();

        public override int GetValues(object[] values) => throw new NotSupportedException();
    }
}
