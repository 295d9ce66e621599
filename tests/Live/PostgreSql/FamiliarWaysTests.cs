using System.Collections;
using System.Data;
using System.Text;
using System.Text.Json;
using Slipstream.Core.Errors;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>Features that programs written for Npgsql rely on.</summary>
public class FamiliarWaysTests
{
    protected virtual ServerKind Kind => ServerKind.PostgreSql;

    private static int _names;

    [Theory]
    [InlineData("SELECT name FROM (VALUES (1, 'one'), (42, 'right')) t (id, name) WHERE id = @1", "@1")]
    [InlineData("SELECT name FROM (VALUES (1, 'one'), (42, 'right')) t (id, name) WHERE id=@0", "0")]
    [InlineData("SELECT name FROM (VALUES (1, 'one'), (42, 'right')) t (id, name) WHERE id = :1", ":1")]
    public async Task Parameters_may_be_called_by_numbers(string sql, string name)
    {
        await using var connection = await OpenAsync();
        for (var i = 0; i < 4; i++)
        {
            await using var command = new PgCommand(sql, connection);
            command.Parameters.AddWithValue(name, 42);
            command.Parameters.AddWithValue("@unused", "never sent");
            Assert.Equal("right", command.ExecuteScalar());
        }

        // The same text is an expression if no parameter has that name.
        await using var other = new PgCommand("SELECT @1 + @x", connection);
        other.Parameters.AddWithValue("x", 5);
        Assert.Equal(6, other.ExecuteScalar());
        other.Parameters.AddWithValue("1", 10);
        Assert.Equal(15, other.ExecuteScalar());
    }

    [Theory]
    [InlineData(PgDbType.Json)]
    [InlineData(PgDbType.Jsonb)]
    [InlineData(PgDbType.Text)]
    public async Task Bytes_and_streams_are_taken_for_text_and_JSON(PgDbType type)
    {
        await using var connection = await OpenAsync();
        var cast = type == PgDbType.Text ? "text" : "jsonb";
        foreach (var value in new object[]
        {
            "[1]"u8.ToArray(),
            new ReadOnlyMemory<byte>("[1]"u8.ToArray()),
            new MemoryStream("[1]"u8.ToArray()),
            new BufferedStream(new MemoryStream("[1]"u8.ToArray()))
        })
        {
            await using var command = new PgCommand($"SELECT @p::{cast}::text", connection) { Parameters = { new PgParameter("p", type) { Value = value } } };
            Assert.Equal("[1]", command.ExecuteScalar());
        }

        using var document = JsonDocument.Parse("[1]");
        await using var json = new PgCommand("SELECT pg_typeof(@p)::text || @p", connection) { Parameters = { new PgParameter("p", document) } };
        Assert.Equal("jsonb[1]", json.ExecuteScalar());
    }

    [Fact]
    public async Task Half_of_a_surrogate_pair_is_refused_before_anything_is_sent()
    {
        await using var connection = await OpenAsync();
        for (var i = 0; i < 4; i++)
        {
            await using var command = new PgCommand("SELECT @p", connection) { Parameters = { new PgParameter("p", "a\uD801") } };
            Assert.Throws<EncoderFallbackException>(() => command.ExecuteScalar());
            await Assert.ThrowsAsync<EncoderFallbackException>(() => command.ExecuteScalarAsync(TestContext.Current.CancellationToken));
            await using var text = new PgCommand("SELECT '\uD801'", connection);
            Assert.Throws<EncoderFallbackException>(() => text.ExecuteScalar());
            await using var batch = new PgBatch(connection) { BatchCommands = { new PgBatchCommand("SELECT 1") } };
            batch.BatchCommands.Add(new PgBatchCommand("SELECT '\uD801'"));
            Assert.Throws<EncoderFallbackException>(() => batch.ExecuteScalar());
            Assert.Equal(1, await Scalar(connection, "SELECT 1"));
        }
    }

    [Theory]
    [InlineData("count")]
    [InlineData("scalar")]
    [InlineData("reader")]
    public async Task Parameters_for_output_take_the_first_row(string verb)
    {
        await using var connection = await OpenAsync();
        var name = $"familiar_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
        await Scalar(connection, $"CREATE PROCEDURE {name}(a int, INOUT b int, OUT c text) LANGUAGE plpgsql AS $$ BEGIN b := a + b; c := 'from ' || a; END $$");
        try
        {
            foreach (var named in new[] { true, false })
            {
                for (var i = 0; i < 4; i++)
                {
                    await using var command = new PgCommand(name, connection) { CommandType = CommandType.StoredProcedure };
                    command.Parameters.Add(new PgParameter(named ? "a" : "", 10 + i));
                    command.Parameters.Add(new PgParameter(named ? "b" : "", 5) { Direction = ParameterDirection.InputOutput });
                    command.Parameters.Add(new PgParameter(named ? "c" : "", PgDbType.Text) { Value = "not sent", Direction = ParameterDirection.Output });
                    if (verb == "count")
                        Assert.Equal(-1, i % 2 == 0 ? command.ExecuteNonQuery() : await command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken));
                    else if (verb == "scalar")
                        Assert.Equal(15 + i, i % 2 == 0 ? command.ExecuteScalar() : await command.ExecuteScalarAsync(TestContext.Current.CancellationToken));
                    else
                    {
                        await using var reader = i % 2 == 0 ? command.ExecuteReader() : await command.ExecuteReaderAsync(TestContext.Current.CancellationToken);
                        Assert.Equal(15 + i, command.Parameters[1].Value);
                        Assert.True(reader.Read());
                        Assert.Equal((15 + i, $"from {10 + i}"), (reader.GetInt32(0), reader.GetString(1)));
                        Assert.False(reader.Read());
                    }

                    Assert.Equal((15 + i, $"from {10 + i}"), (command.Parameters[1].Value, command.Parameters[2].Value));
                }
            }
        }
        finally
        {
            await Scalar(connection, $"DROP PROCEDURE {name}");
        }
    }

    [Theory]
    [InlineData("a", 1, "A", 2)]
    [InlineData("A", 2, "a", 1)]
    public async Task Parameters_for_output_take_the_column_that_is_spelled_as_they_are(string first, int ofFirst, string second, int ofSecond)
    {
        await using var connection = await OpenAsync();
        await using var command = new PgCommand("SELECT 1 AS a, 2 AS \"A\"", connection);
        foreach (var name in new[] { first, second })
            command.Parameters.Add(new PgParameter { ParameterName = name, Direction = ParameterDirection.Output });
        command.ExecuteNonQuery();
        Assert.Equal([ofFirst, ofSecond], command.Parameters.Cast<PgParameter>().Select(static parameter => parameter.Value));
    }

    [Fact]
    public async Task Parameters_for_output_take_the_columns_of_a_query_too()
    {
        await using var connection = await OpenAsync();
        await using var command = new PgCommand("SELECT 7 AS first, NULL AS b, @x AS last; SELECT 9 AS b", connection);
        command.Parameters.AddWithValue("x", 3);
        foreach (var name in new[] { "B", "any", "last" })
            command.Parameters.Add(new PgParameter { ParameterName = name, Direction = ParameterDirection.Output });
        command.ExecuteNonQuery();
        Assert.Equal([3, DBNull.Value, 7, 3], command.Parameters.Cast<PgParameter>().Select(static parameter => parameter.Value));
    }

    [Fact]
    public async Task A_function_that_returns_nothing_has_no_scalar()
    {
        await using var connection = await OpenAsync();
        for (var i = 0; i < 4; i++)
            Assert.Null(await Scalar(connection, "SELECT pg_advisory_xact_lock(4711)"));
    }

    [Fact]
    public async Task MOVE_says_over_how_many_rows_it_went()
    {
        await using var connection = await OpenAsync();
        await using var transaction = connection.BeginTransaction();
        await Scalar(connection, "DECLARE c CURSOR FOR SELECT generate_series(1, 3)");
        Assert.Equal(3, new PgCommand("MOVE ALL IN c", connection).ExecuteNonQuery());
    }

    [Theory]
    [InlineData("SELECT date '9999-12-31'", "9999-12-31T00:00:00.0000000")]
    [InlineData("SELECT date 'infinity'", "9999-12-31T23:59:59.9999999")]
    [InlineData("SELECT date '-infinity'", "0001-01-01T00:00:00.0000000")]
    [InlineData("SELECT timestamp '9999-12-31'", "9999-12-31T00:00:00.0000000")]
    public async Task The_last_day_begins_at_midnight(string sql, string expected)
    {
        await using var connection = await OpenAsync();
        // Text first, then binary.
        for (var i = 0; i < 4; i++)
        {
            await using var reader = await new PgCommand(sql, connection).ExecuteReaderAsync(TestContext.Current.CancellationToken);
            Assert.True(reader.Read());
            Assert.Equal(expected, reader.GetDateTime(0).ToString("O"));
        }
    }

    [Fact]
    public async Task The_data_of_an_exception_are_the_servers_fields()
    {
        await using var connection = await OpenAsync("Include Error Detail=true");
        var exception = await Assert.ThrowsAsync<PgException>(
            () => Scalar(connection, "CREATE TEMPORARY TABLE data_of (a int PRIMARY KEY); INSERT INTO data_of VALUES (1), (1)"));
        Assert.Equal("23505", exception.Data["SqlState"]);
        Assert.Equal("ERROR", exception.Data["Severity"]);
        Assert.Equal("data_of_pkey", exception.Data["ConstraintName"]);
        Assert.Equal(exception.Detail, exception.Data["Detail"]);
        Assert.Equal(exception.MessageText, exception.Data["MessageText"]);
        Assert.DoesNotContain("Hint", exception.Data.Keys.Cast<string>());
        exception.Data["own"] = 1;
        Assert.Equal(1, exception.Data["own"]);
        var syntax = await Assert.ThrowsAsync<PgException>(() => Scalar(connection, "SELEC"));
        Assert.Equal(1, syntax.Data["Position"]);
        await using var hiding = await OpenAsync();
        var hidden = await Assert.ThrowsAsync<PgException>(
            () => Scalar(hiding, "CREATE TEMPORARY TABLE data_of (a int PRIMARY KEY); INSERT INTO data_of VALUES (1), (1)"));
        Assert.DoesNotContain("(1)", string.Join(' ', hidden.Data.Cast<DictionaryEntry>().Select(static entry => $"{entry.Value}")));
    }

    [Theory]
    [InlineData("SELECT 1; SELEC 2", 1)]
    [InlineData("SELECT 1;   SELECT * FROM nix", 15)]
    [InlineData("SELECT 1;\n\n/* c */ SELEC 2", 9)]
    [InlineData(" SELEC 2", 2)]
    public async Task The_position_of_an_error_is_counted_from_the_begin_of_its_statement(string sql, int position)
    {
        await using var connection = await OpenAsync();
        Assert.Equal(position, (await Assert.ThrowsAsync<PgException>(() => Scalar(connection, sql))).Position);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_batch_that_goes_on_throws_all_refusals_together(bool prepared)
    {
        await using var connection = await OpenAsync();
        await using var batch = new PgBatch(connection) { EnableErrorBarriers = true };
        foreach (var sql in new[] { "SELECT 1/0", "SELECT 1", "SELEC", "SELECT 1/0" })
            batch.BatchCommands.Add(new PgBatchCommand(sql));
        if (prepared)
            batch.Prepare();
        for (var i = 0; i < 3; i++)
        {
            var exception =
                i % 2 == 0
                    ? Assert.Throws<PgException>(() => batch.ExecuteNonQuery())
                    : await Assert.ThrowsAsync<PgException>(() => batch.ExecuteNonQueryAsync(TestContext.Current.CancellationToken));
            var all = Assert.IsType<AggregateException>(exception.InnerException).InnerExceptions;
            Assert.Equal(["22012", "42601", "22012"], all.Cast<PgException>().Select(static one => one.SqlState));
            Assert.Equal(("22012", batch.BatchCommands[0]), (exception.SqlState, exception.BatchCommand));
            Assert.Equal(batch.BatchCommands[2], ((PgException)all[1]).BatchCommand);
        }

        batch.BatchCommands.RemoveAt(2);
        batch.BatchCommands.RemoveAt(2);
        Assert.Null(Assert.Throws<PgException>(() => batch.ExecuteNonQuery()).InnerException);
    }

    [Fact]
    public async Task A_prepared_batch_that_goes_on_refuses_a_repeated_text_for_its_own_reason()
    {
        await using var connection = await OpenAsync();
        await using var batch = new PgBatch(connection) { EnableErrorBarriers = true };
        for (var i = 0; i < 3; i++)
            batch.BatchCommands.Add(new PgBatchCommand("SELECT no_column FROM pg_class"));
        batch.Prepare();
        Assert.Throws<PgException>(() => batch.ExecuteNonQuery());
        Assert.All(batch.BatchCommands.Cast<PgBatchCommand>(), static command => Assert.Equal("42703", command.Error!.SqlState));
    }

    [Theory]
    [InlineData("Host=x;No Such Word=1")]
    [InlineData("Host=x;Port=no number")]
    public void A_connection_string_is_refused_when_it_is_set(string connectionString)
    {
        Assert.Throws<ArgumentException>(() => new PgConnection(connectionString));
        using var connection = new PgConnection();
        Assert.Throws<ArgumentException>(() => connection.ConnectionString = connectionString);
        Assert.Equal("", connection.ConnectionString);
        connection.ConnectionString = "Username=without a host yet";
        connection.ConnectionString = null;
    }

    [Fact]
    public async Task A_size_of_minus_one_is_no_limit()
    {
        await using var connection = await OpenAsync();
        await using var command = new PgCommand("SELECT @p", connection);
        command.Parameters.Add(new PgParameter("p", DbType.String, -1) { Value = new string('x', 5000) });
        Assert.Equal(new string('x', 5000), command.ExecuteScalar());
        command.Parameters[0].Value = "abc";
        command.Parameters[0].Size = -1;
        Assert.Equal("abc", command.ExecuteScalar());
        Assert.Throws<ArgumentOutOfRangeException>(() => command.Parameters[0].Size = -2);
        await using var typed = new PgCommand("SELECT @p", connection) { Parameters = { new PgParameter<int>("p", 7) { Size = -1 } } };
        Assert.Equal(7, typed.ExecuteScalar());
    }

    [Fact]
    public async Task An_exception_of_a_handler_of_notices_does_not_end_the_transaction()
    {
        await using var connection = await OpenAsync();
        var notices = 0;
        connection.Notice += static (_, _) => throw new InvalidOperationException("A handler's exception is ignored.");
        connection.Notice += (_, _) => notices++;
        await using var transaction = await connection.BeginTransactionAsync();
        await using var command = new PgCommand("DO $$BEGIN RAISE NOTICE 'one'; RAISE NOTICE 'two'; END$$; SELECT 5", connection);
        Assert.Equal(5, command.ExecuteScalar());
        Assert.Equal(2, notices);
        await transaction.CommitAsync();
    }

    // A table with a schema refuses texts that are longer than its columns.
    [Fact]
    public async Task The_size_of_a_number_does_not_limit_the_text_that_it_is_read_as()
    {
        await using var connection = await OpenAsync();
        await using var command = new PgCommand(
            "SELECT 'pg_class'::regclass AS relation, repeat('n', 63)::name AS name, 1700::numeric(3, -2) AS number", connection);
        using var adapter = new PgDataAdapter(command) { MissingSchemaAction = MissingSchemaAction.AddWithKey };
        using var table = new DataTable();
        Assert.Equal(1, adapter.Fill(table));
        Assert.Equal(["pg_class", new string('n', 63), 1700m], table.Rows[0].ItemArray);
        Assert.Equal(-1, table.Columns["relation"]!.MaxLength);
        await using var reader = await command.ExecuteReaderAsync();
        var columns = reader.GetColumnSchema();
        Assert.Equal((null, (int?)3, (int?)-2), (columns[0].ColumnSize, columns[2].NumericPrecision, columns[2].NumericScale));
    }

    [Fact]
    public async Task The_connection_names_the_host_that_it_has_reached()
    {
        var server = await LiveServers.GetAsync(Kind);
        var text =
            ConnectionStrings.PostgreSql(server, "Pooling=false").Replace($"Host={server.Host};", $"Host=127.0.0.1:1,{server.Host};", StringComparison.Ordinal);
        await using var connection = new PgConnection(text);
        Assert.Equal(("127.0.0.1", 1), (connection.Host, connection.Port));
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        Assert.Equal((server.Host, server.Port), (connection.Host, connection.Port));
    }

    private static async Task<object?> Scalar(PgConnection connection, string sql)
    {
        await using var command = new PgCommand(sql, connection);
        return await command.ExecuteScalarAsync(TestContext.Current.CancellationToken);
    }

    private async Task<PgConnection> OpenAsync(string options = "")
    {
        var connection = new PgConnection(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(Kind), options));
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        return connection;
    }
}
