using System.Data;
using System.Data.Common;
using System.Text;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.Secrets;

/// <summary>
/// Values of parameters are in no log message, span or metric, and in none of the driver's own messages: for every form of a parameter, and for every kind of
/// failure. The server's error messages may quote a value ("Duplicate entry …"): they reach the application unchanged, and nothing else receives them.
/// </summary>
public class ParameterValueTests(SecretWatch watch)
{
    private const string Value = Secrets.Value;

    public static TheoryData<ServerKind> Servers => [ServerKind.MySql, ServerKind.MariaDb, ServerKind.PostgreSql];

    public static TheoryData<ServerKind, string> Forms
    {
        get
        {
            var cases = new TheoryData<ServerKind, string>();
            foreach (var kind in (ServerKind[])[ServerKind.MySql, ServerKind.MariaDb, ServerKind.PostgreSql])
                foreach (var form in (string[])["text", "prepared", "batch", "bulk", "bytes", "stream", "memory", "reader"])
                    cases.Add(kind, form);
            return cases;
        }
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task A_duplicate_key_is_told_by_the_server_alone(ServerKind kind, string form)
    {
        await using var source = await SourceAsync(kind);
        await using var connection = await source.OpenConnectionAsync();
        Run(
            connection,
            kind.IsPostgreSql() ? "CREATE TEMPORARY TABLE canary (v TEXT PRIMARY KEY)" : "CREATE TEMPORARY TABLE canary (v VARCHAR(100) PRIMARY "
                + "KEY)");
        Insert(connection, form);
        var before = watch.Counts;
        var exception = Assert.ThrowsAny<DbException>(() => Insert(connection, form));
        Assert.NotNull(exception.SqlState);
        // The listener has received the failure's span and log message, which contain only the error code.
        Assert.True(watch.Counts.Spans > before.Spans && watch.Counts.Messages > before.Messages);
        if (kind.IsPostgreSql())
            AssertSilent(exception, "Detail is the server's, and only shown with Include Error Detail");
        AssertNothingHeard();
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_value_that_cannot_be_converted_is_not_told(ServerKind kind)
    {
        await using var source = await SourceAsync(kind);
        await using var connection = await source.OpenConnectionAsync();
        foreach (var type in Enum.GetValues<DbType>())
        {
            foreach (object value in (object[])[
                Value, Encoding.UTF8.GetBytes(Value), Value.ToCharArray(), new StringBuilder(Value), new Uri("https://" + Value), new List<string> { Value },
                new[] { Value }
            ])
            {
                foreach (var prepared in (bool[])[false, true])
                {
                    await using var command = connection.CreateCommand();
                    command.CommandText = "SELECT @v";
                    var parameter = command.CreateParameter();
                    parameter.ParameterName = "@v";
                    parameter.Value = value;
                    Tried(() =>
                    {
                        parameter.DbType = type;
                        if (prepared)
                            command.Prepare();
                        command.ExecuteScalar();
                    });
                }
            }
        }

        AssertNothingHeard();
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_column_that_is_read_as_another_type_is_not_told(ServerKind kind)
    {
        await using var source = await SourceAsync(kind);
        await using var connection = await source.OpenConnectionAsync();
        foreach (var prepared in (bool[])[false, true])
        {
            await using var command = connection.CreateCommand();
            command.CommandText = kind.IsPostgreSql() ? "SELECT @v::text, @b::bytea" : "SELECT CONCAT(@v, ''), CAST(@b AS BINARY)";
            Add(command, "@v", Value);
            Add(command, "@b", Encoding.UTF8.GetBytes(Value));
            if (prepared)
                command.Prepare();
            await using var reader = await command.ExecuteReaderAsync();
            Assert.True(await reader.ReadAsync());
            for (var column = 0; column < 2; column++)
            {
                foreach (var get in (Action<DbDataReader, int>[])
                         [
                             static (r, c) => r.GetBoolean(c), static (r, c) => r.GetByte(c), static (r, c) => r.GetChar(c), static (r, c) => r.GetDateTime(c),
                             static (r, c) => r.GetDecimal(c), static (r, c) => r.GetDouble(c),
                             static (r, c) => r.GetFloat(c), static (r, c) => r.GetGuid(c), static (r, c) => r.GetInt16(c), static (r, c) => r.GetInt32(c),
                             static (r, c) => r.GetInt64(c), static (r, c) => r.GetFieldValue<DateOnly>(c),
                             static (r, c) => r.GetFieldValue<TimeOnly>(c), static (r, c) => r.GetFieldValue<TimeSpan>(c),
                             static (r, c) => r.GetFieldValue<DateTimeOffset>(c), static (r, c) => r.GetFieldValue<ulong>(c),
                             static (r, c) => r.GetFieldValue<Half>(c),
                             static (r, c) => r.GetFieldValue<System.Numerics.BigInteger>(c), static (r, c) => r.GetFieldValue<int[]>(c),
                             static (r, c) => r.GetFieldValue<Uri>(c), static (r, c) => r.GetFieldValue<DayOfWeek>(c), static (r, c) => _ = r["no such column"],
                         ])
                    Tried(() => get(reader, column));
            }
        }

        AssertNothingHeard();
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Errors_time_outs_cancels_and_lost_connections_do_not_tell(ServerKind kind)
    {
        await using var source = await SourceAsync(kind);
        var sleep =
            kind.IsPostgreSql()
                ? "SELECT pg_sleep(10), @v::text"
                : "SELECT 1 FROM (SELECT 1 AS one UNION ALL SELECT 2) t WHERE SLEEP(5) = 0 AND @v <> ''";
        foreach (var prepared in (bool[])[false, true])
        {
            await using var connection = await source.OpenConnectionAsync();
            await using var command = connection.CreateCommand();
            Add(command, "@v", Value);
            command.CommandText = sleep;
            command.CommandTimeout = 1;
            if (prepared)
                command.Prepare();
            AssertSilent(Assert.ThrowsAny<DbException>(command.ExecuteScalar), "a time-out");
            command.CommandTimeout = 30;
            using (var cancel = new CancellationTokenSource(100))
                AssertSilent(await Assert.ThrowsAnyAsync<OperationCanceledException>(() => command.ExecuteScalarAsync(cancel.Token)), "a cancel");
            // An error that is not about the value: the message is the server's, which quotes at most the text around it.
            command.CommandText = "SELECT @v, no_such_column";
            var refused = Assert.ThrowsAny<DbException>(command.ExecuteScalar);
            Assert.NotNull(refused.SqlState);
            AssertSilent(refused, "a missing column");
            // The two results have not been read: the reader is open.
            command.CommandText = kind.IsPostgreSql() ? "SELECT @v::text" : "SELECT CONCAT(@v)";
            using (command.ExecuteReader())
                AssertSilent(Assert.ThrowsAny<Exception>(command.ExecuteScalar), "a second reader");
            command.Parameters.Clear();
            AssertSilent(Assert.ThrowsAny<Exception>(() => command.ExecuteScalar()), "no parameter", mayPass: true);

            await using var victim = await source.OpenConnectionAsync();
            await using var dying = victim.CreateCommand();
            dying.CommandText = sleep;
            Add(dying, "@v", Value);
            if (prepared)
                dying.Prepare();
            var lost = Task.Run(() => Assert.ThrowsAny<DbException>(dying.ExecuteScalar));
            await kind.UntilItRuns(connection, victim is PgConnection session ? session.ProcessID : ((MySqlConnection)victim).ServerThread);
            Run(
                connection,
                kind.IsPostgreSql()
                    ? $"SELECT pg_terminate_backend({((PgConnection)victim).ProcessID})"
                    : $"KILL {((MySqlConnection)victim).ServerThread}");
            AssertSilent(await lost, "a lost connection");
        }

        AssertNothingHeard();
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_streamed_value_whose_source_fails_is_not_told(ServerKind kind)
    {
        if (kind.IsPostgreSql())
            return;
        await using var source = await SourceAsync(kind);
        await using var connection = await source.OpenConnectionAsync();
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT LENGTH(@v)";
        Add(command, "@v", new Breaking());
        command.Prepare();
        AssertSilent(Assert.ThrowsAny<Exception>(command.ExecuteScalar), "a broken stream");
        AssertNothingHeard();
    }

    private void AssertNothingHeard() => Assert.Empty(watch.Heard);

    private static void AssertSilent(Exception exception, string what, bool mayPass = false)
    {
        Assert.All(
            SecretWatch.TextsOf(exception).Append(exception.ToString()),
            text => Assert.False(text is not null && text.Contains(Value, StringComparison.Ordinal), $"{what}: {text}"));
        Assert.True(mayPass || exception is not null);
    }

    // The action may succeed or be refused: in both cases without the value.
    private static void Tried(Action action)
    {
        try
        {
            action();
        }
        catch (Exception exception) when (exception is DbException { SqlState: not null })
        {
            // The server's own text.
        }
        catch (Exception exception)
        {
            AssertSilent(exception, exception.GetType().Name);
        }
    }

    private static void Insert(DbConnection connection, string form)
    {
        const string Sql = "INSERT INTO canary (v) VALUES (@v)";
        using var command = connection.CreateCommand();
        command.CommandText = Sql;
        switch (form)
        {
            case "batch":
                using (var batch = connection.CreateBatch())
                {
                    var one = batch.CreateBatchCommand();
                    one.CommandText = Sql;
                    var parameter = one.CreateParameter();
                    (parameter.ParameterName, parameter.Value) = ("@v", Value);
                    one.Parameters.Add(parameter);
                    batch.BatchCommands.Add(one);
                    batch.ExecuteNonQuery();
                }

                return;
            case "bulk":
                using (var table = new DataTable())
                {
                    table.Columns.Add("v", typeof(string));
                    table.Rows.Add(Value);
                    if (connection is PgConnection postgreSql)
                        new PgBulkCopy(postgreSql) { DestinationTableName = "canary" }.WriteToServer(table);
                    else
                        new MySqlBulkCopy((MySqlConnection)connection) { DestinationTableName = "canary" }.WriteToServer(table);
                }

                return;
            case "bytes":
                Add(command, "@v", Encoding.UTF8.GetBytes(Value));
                break;
            case "memory":
                Add(command, "@v", connection is PgConnection ? (object)Value.ToCharArray() : Value.AsMemory());
                break;
            case "stream" or "reader" when connection is MySqlConnection:
                Add(command, "@v", form == "stream" ? new Pieces(Encoding.UTF8.GetBytes(Value)) : new StringReader(Value));
                command.Prepare();
                break;
            default:
                Add(command, "@v", Value);
                if (form == "prepared")
                    command.Prepare();
                break;
        }

        if (connection is PgConnection && form == "bytes")
            command.CommandText = "INSERT INTO canary (v) VALUES (convert_from(@v, 'UTF8'))";
        command.ExecuteNonQuery();
    }

    private static void Add(DbCommand command, string name, object value)
    {
        var parameter = command.CreateParameter();
        (parameter.ParameterName, parameter.Value) = (name, value);
        command.Parameters.Add(parameter);
    }

    private static void Run(DbConnection connection, string sql)
    {
        using var command = connection.CreateCommand();
        command.CommandText = sql;
        command.ExecuteNonQuery();
    }

    private static async Task<DbDataSource> SourceAsync(ServerKind kind)
    {
        var text = ConnectionStrings.Of(await LiveServers.GetAsync(kind), kind.PatientCancellation());
        return kind.IsPostgreSql() ? PgDataSource.Create(text) : new MySqlDataSource(text);
    }

    private sealed class Pieces(byte[] bytes) : Stream
    {
        private int _at;

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

        public override int Read(byte[] buffer, int offset, int count)
        {
            var taken = Math.Min(Math.Min(count, 5), bytes.Length - _at);
            bytes.AsSpan(_at, taken).CopyTo(buffer.AsSpan(offset));
            _at += taken;
            return taken;
        }

        public override void Flush()
        {
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }

    private sealed class Breaking : TextReader
    {
        private bool _isBroken;

        public override int Read(char[] buffer, int index, int count)
        {
            if (_isBroken)
                throw new IOException("The source is broken.");
            _isBroken = true;
            Value.CopyTo(0, buffer, index, Math.Min(Value.Length, count));
            return Math.Min(Value.Length, count);
        }

        public override int Read(Span<char> buffer)
        {
            if (_isBroken)
                throw new IOException("The source is broken.");
            _isBroken = true;
            var taken = Math.Min(Value.Length, buffer.Length);
            Value.AsSpan(0, taken).CopyTo(buffer);
            return taken;
        }
    }
}
