using System.Data;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;
using StatementType = Slipstream.PostgreSql.StatementType;

namespace Slipstream.Live.PostgreSql;

/// <summary>The outcome of each statement of a command and of a batch, error barriers, and results as text.</summary>
public class StatementResultTests
{
    public static TheoryData<bool> Ways => [false, true];

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_data_source_creates_commands_and_batches_of_its_own_types(bool asynchronous)
    {
        await using var source = await SourceAsync();
        await using var command = source.CreateCommand("SELECT $1 + 1");
        command.Parameters.AddWithValue(41);
        Assert.Equal(42, asynchronous ? await command.ExecuteScalarAsync(TestContext.Current.CancellationToken) : command.ExecuteScalar());
        await using (var copy = command.Clone())
            Assert.Equal(42, copy.ExecuteScalar());
        Assert.Throws<NotSupportedException>(command.Prepare);
        using var other = new PgConnection();
        Assert.Throws<NotSupportedException>(() => command.Connection = other);
        await using var batch = source.CreateBatch();
        batch.BatchCommands.Add(new("SELECT 1"));
        Assert.Equal(1, asynchronous ? await batch.ExecuteScalarAsync(TestContext.Current.CancellationToken) : batch.ExecuteScalar());
        Assert.Equal(ConnectionState.Closed, batch.Connection!.State);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Each_command_of_a_batch_reports_what_it_did(bool asynchronous)
    {
        await using var connection = await OpenAsync();
        await using var batch = new PgBatch(connection)
        {
            BatchCommands =
            {
                new("CREATE TEMPORARY TABLE counted (a int)"), new("INSERT INTO counted SELECT generate_series(1, 5)"),
                new("SELECT a FROM counted WHERE a < 4"), new("UPDATE counted SET a = 0 WHERE a > 3"), new("DELETE FROM counted WHERE a = 1"),
                new("SELECT 1; SELECT 2"), new("INSERT INTO counted VALUES (9) RETURNING a"), new("DROP TABLE counted"), new(""" -- nothing """ + "\n"),
            },
        };
        Assert.Equal(StatementType.Unknown, batch.BatchCommands[0].StatementType);
        await using (var reader = asynchronous ? await batch.ExecuteReaderAsync(TestContext.Current.CancellationToken) : batch.ExecuteReader())
        {
            Assert.Equal((StatementType.Insert, 5UL), (batch.BatchCommands[1].StatementType, batch.BatchCommands[1].Rows));
            Assert.Equal((StatementType.Unknown, 0UL), (batch.BatchCommands[2].StatementType, batch.BatchCommands[2].Rows));
            while (asynchronous ? await reader.NextResultAsync(TestContext.Current.CancellationToken) : reader.NextResult())
            {
            }

#pragma warning disable CS0618
            Assert.Equal(batch.BatchCommands.Cast<PgBatchCommand>(), reader.Statements);
#pragma warning restore CS0618
            Assert.Equal(9UL, reader.Rows);
        }

        Assert.Equal(
            [
                (StatementType.Other, 0UL, -1), (StatementType.Insert, 5UL, 5), (StatementType.Select, 3UL, -1), (StatementType.Update, 2UL, 2),
                (StatementType.Delete, 1UL, 1), (StatementType.Select, 2UL, -1), (StatementType.Insert, 1UL, 1), (StatementType.Other, 0UL, -1),
                (StatementType.Unknown, 0UL, -1),
            ],
            batch.BatchCommands.Cast<PgBatchCommand>().Select(static command => (command.StatementType, command.Rows, command.RecordsAffected)));
        Assert.All(batch.BatchCommands.Cast<PgBatchCommand>(), static command => Assert.Equal(0u, command.OID));
    }

#pragma warning disable CS0618
    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Each_statement_of_a_text_reports_what_it_did(bool asynchronous)
    {
        await using var connection = await OpenAsync();
        await using var command = new PgCommand(
            "CREATE TEMPORARY TABLE told (a int); INSERT INTO told VALUES (@a), (@a + 1); SELECT a FROM told; SELECT 1 WHERE @a = 7; DROP TABLE told",
            connection);
        command.Parameters.AddWithValue("a", 1);
        for (var round = 0; round < 3; round++)
        {
            await using var reader = asynchronous ? await command.ExecuteReaderAsync(TestContext.Current.CancellationToken) : command.ExecuteReader();
            Assert.Equal("INSERT INTO told VALUES ($1), ($1 + 1)", reader.Statements[1].CommandText.Trim());
            Assert.Equal(
                [(StatementType.Other, 0UL), (StatementType.Insert, 2UL), (StatementType.Unknown, 0UL)],
                reader.Statements.Take(3).Select(static one => (one.StatementType, one.Rows)));
            while (reader.Read())
            {
            }

            Assert.Equal((StatementType.Select, 2UL), (reader.Statements[2].StatementType, reader.Statements[2].Rows));
            reader.Close();
            Assert.Equal(
                [StatementType.Other, StatementType.Insert, StatementType.Select, StatementType.Select, StatementType.Other],
                command.Statements.Select(static one => one.StatementType));
        }

        var kept = command.Statements;
        await using (var other = new PgCommand("SELECT 1", connection))
            other.ExecuteScalar();
        Assert.Equal(5, command.Statements.Count);
        Assert.Equal(2UL, kept[1].Rows);
        command.CommandText = "MERGE INTO pg_class c USING (SELECT 1 WHERE false) s ON false WHEN MATCHED THEN DO NOTHING";
        command.Parameters.Clear();
        command.ExecuteNonQuery();
        Assert.Equal(StatementType.Merge, Assert.Single(command.Statements).StatementType);
    }
#pragma warning restore CS0618

    // The table's key makes the second of two equal rows an error.
    [Theory]
    [InlineData(false, "1 1 2|", "", "23505")]
    [InlineData(false, "1| 1 2| 3", "1 3", "23505")]
    [InlineData(false, "1 2| 2 4| 5 5| 6", "1 2 6", "23505 23505")]
    [InlineData(true, "1| 1 2| 3", "1 3", "23505")]
    [InlineData(true, "1 2| 2 4| 5 5| 6", "1 2 6", "23505 23505")]
    [InlineData(false, "1 1 2", "", "23505")]
    public async Task An_error_skips_the_commands_up_to_the_next_barrier(bool asynchronous, string commands, string left, string errors)
    {
        foreach (var batching in (string[])["true", "false"])
        {
            await using var connection = await OpenAsync(";Batching=" + batching);
            Execute(connection, "CREATE TEMPORARY TABLE keyed (a int PRIMARY KEY)");
            await using var batch = new PgBatch(connection);
            foreach (var command in commands.Split(' '))
                batch.BatchCommands.Add(
                    new("INSERT INTO keyed VALUES (" + command.TrimEnd('|') + ")") { AppendErrorBarrier = command.EndsWith('|') ? true : null });
            var thrown = await Assert.ThrowsAsync<PgException>(
                async () => _ = asynchronous ? await batch.ExecuteNonQueryAsync(TestContext.Current.CancellationToken) : batch.ExecuteNonQuery());
            var all = thrown.InnerException is AggregateException many ? many.InnerExceptions.Cast<PgException>() : [thrown];
            Assert.Equal(errors, string.Join(' ', all.Select(static one => one.SqlState)));
            await using var read = new PgCommand("SELECT coalesce(string_agg(a::text, ' ' ORDER BY a), '') FROM keyed", connection);
            Assert.Equal(left, read.ExecuteScalar());
        }
    }

    [Fact]
    public async Task A_barrier_can_be_left_out_for_one_command()
    {
        await using var connection = await OpenAsync();
        Execute(connection, "CREATE TEMPORARY TABLE keyed (a int PRIMARY KEY)");
        await using var batch = new PgBatch(connection) { EnableErrorBarriers = true };
        foreach (var value in (int[])[1, 2, 1, 3])
            batch.BatchCommands.Add(new("INSERT INTO keyed VALUES (" + value + ")"));
        batch.BatchCommands[1].AppendErrorBarrier = false;
        Assert.Equal("23505", Assert.Throws<PgException>(() => batch.ExecuteNonQuery()).SqlState);
        // The second command shares the transaction of the third, which fails.
        await using var read = new PgCommand("SELECT string_agg(a::text, ' ' ORDER BY a) FROM keyed", connection);
        Assert.Equal("1 3", read.ExecuteScalar());
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Results_of_unknown_types_are_the_servers_text(bool asynchronous)
    {
        const string Sql = "SELECT 7, '2024-02-03'::date, 1.50::numeric, 'x', NULL::int, true; SELECT 8";
        await using var connection = await OpenAsync();
        await using var command = new PgCommand(Sql, connection) { AllResultTypesAreUnknown = true };
        for (var round = 0; round < 4; round++)
        {
            if (round == 2)
                command.Prepare();
            await using var reader = asynchronous ? await command.ExecuteReaderAsync(TestContext.Current.CancellationToken) : command.ExecuteReader();
            Assert.False(reader.IsOnRow);
            Assert.True(reader.Read());
            Assert.True(reader.IsOnRow);
            var values = new object[6];
            reader.GetValues(values);
            Assert.Equal(["7", "2024-02-03", "1.50", "x", DBNull.Value, "t"], values);
            Assert.Equal((typeof(string), "integer"), (reader.GetFieldType(0), reader.GetDataTypeName(0)));
            Assert.True(reader.NextResult());
            Assert.True(reader.Read());
            Assert.Equal("8", reader.GetValue(0));
        }

        command.AllResultTypesAreUnknown = false;
        command.UnknownResultTypeList = [false, true];
        for (var round = 0; round < 4; round++)
        {
            await using var reader = asynchronous ? await command.ExecuteReaderAsync(TestContext.Current.CancellationToken) : command.ExecuteReader();
            Assert.True(reader.Read());
            Assert.Equal((7, "2024-02-03", 1.50m), (reader.GetValue(0), reader.GetValue(1), reader.GetValue(2)));
            Assert.True(reader.NextResult());
            Assert.True(reader.Read());
            Assert.Equal(8, reader.GetValue(0));
        }

        command.UnknownResultTypeList = null;
        await using (var reader = command.ExecuteReader())
        {
            reader.Read();
            Assert.Equal((7, new DateOnly(2024, 2, 3)), (reader.GetValue(0), reader.GetFieldValue<DateOnly>(1)));
        }
    }

    [Theory]
    [InlineData(CommandBehavior.Default)]
    [InlineData(CommandBehavior.SequentialAccess)]
    public async Task Streams_and_text_readers_are_opened_asynchronously(CommandBehavior behavior)
    {
        await using var connection = await OpenAsync();
        await using var command = new PgCommand("SELECT decode(repeat('41', 200000), 'hex'), repeat('z', 100000)", connection);
        var closed = 0;
        await using (var reader = await command.ExecuteReaderAsync(behavior, TestContext.Current.CancellationToken))
        {
            reader.ReaderClosed += (sender, _) =>
            {
                Assert.Same(reader, sender);
                closed++;
            };
            Assert.True(await reader.ReadAsync(TestContext.Current.CancellationToken));
            await using (var stream = await reader.GetStreamAsync(0, TestContext.Current.CancellationToken))
            {
                using var copy = new MemoryStream();
                await stream.CopyToAsync(copy, TestContext.Current.CancellationToken);
                Assert.Equal((200000, (byte)'A'), ((int)copy.Length, copy.ToArray()[199999]));
            }

            using (var text = await reader.GetTextReaderAsync(1, TestContext.Current.CancellationToken))
                Assert.Equal(100000, (await text.ReadToEndAsync(TestContext.Current.CancellationToken)).Length);
            Assert.Equal(0, closed);
        }

        Assert.Equal(1, closed);
    }

    [Theory]
    [InlineData(false, PgBatchErrors.Stop)]
    [InlineData(true, PgBatchErrors.Stop)]
    [InlineData(false, PgBatchErrors.Continue)]
    [InlineData(true, PgBatchErrors.Continue)]
    public async Task Output_parameters_of_a_batch_take_the_first_row_of_their_command(bool asynchronous, PgBatchErrors errors)
    {
        await using var connection = await OpenAsync();
        Execute(connection, """
            DROP SCHEMA IF EXISTS batch_outputs CASCADE;
            CREATE SCHEMA batch_outputs;
            CREATE PROCEDURE batch_outputs.next(a int, INOUT b int, OUT c text) LANGUAGE plpgsql AS 'BEGIN b := a + b; c := b::text; END';
            """);
        await using var batch = new PgBatch(connection) { BatchErrors = errors };
        batch.BatchCommands.Add(new("SELECT 4 AS b"));
        var call = new PgBatchCommand("batch_outputs.next") { CommandType = CommandType.StoredProcedure };
        call.Parameters.AddWithValue("a", 1);
        var b = call.Parameters.Add(new PgParameter("b", 1) { Direction = ParameterDirection.InputOutput });
        var c = call.Parameters.Add(new PgParameter("c", PgDbType.Text) { Direction = ParameterDirection.Output });
        batch.BatchCommands.Add(call);
        var select = new PgBatchCommand("SELECT 6 AS x, @i AS i UNION ALL SELECT 7, 0; SELECT 8");
        var i = select.Parameters.Add(new PgParameter("i", 3) { Direction = ParameterDirection.InputOutput });
        var x = select.Parameters.Add(new PgParameter("y", PgDbType.Integer) { Direction = ParameterDirection.Output });
        batch.BatchCommands.Add(select);
        var none = new PgBatchCommand("SELECT 1 AS z WHERE false");
        var z = none.Parameters.Add(new PgParameter("z", PgDbType.Integer) { Direction = ParameterDirection.Output, Value = -1 });
        batch.BatchCommands.Add(none);
        for (var round = 0; round < 4; round++)
        {
            (b.Value, c.Value, x.Value) = (round, null, null);
            if (round == 3)
            {
                await using var reader = asynchronous ? await batch.ExecuteReaderAsync(TestContext.Current.CancellationToken) : batch.ExecuteReader();
                Assert.Equal((true, 4), (reader.Read(), reader.GetInt32(0)));
                Assert.Equal((true, true, round + 1), (reader.NextResult(), reader.Read(), reader.GetInt32(0)));
            }
            else if (asynchronous)
                await batch.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
            else
                batch.ExecuteNonQuery();
            Assert.Equal((round + 1, $"{round + 1}", 3, 6, -1), (b.Value, c.Value, i.Value, x.Value, z.Value));
        }
    }

    [Fact]
    public async Task A_typed_output_parameter_is_read_as_its_type()
    {
        await using var connection = await OpenAsync();
        await using var command = new PgCommand("SELECT 'text' AS a, 7 AS b, NULL::int AS c", connection);
        var a = new PgParameter<char[]>("a", PgDbType.Text) { Direction = ParameterDirection.Output };
        var b = new PgParameter<long>("b", PgDbType.Bigint) { Direction = ParameterDirection.Output };
        var c = new PgParameter<int?>("c", PgDbType.Integer) { Direction = ParameterDirection.Output, TypedValue = 1 };
        command.Parameters.AddRange(new PgParameter[] { a, b, c });
        command.ExecuteNonQuery();
        Assert.Equal((7L, null), (b.TypedValue, c.TypedValue));
        Assert.Equal("text", new string(a.TypedValue));
    }

    [Fact]
    public async Task A_command_in_progress_is_named()
    {
        await using var connection = await OpenAsync();
        await using var command = new PgCommand("SELECT 1", connection);
        await using var reader = command.ExecuteReader();
        await using var other = new PgCommand("SELECT 2", connection);
        var busy = Assert.Throws<PgOperationInProgressException>(() => other.ExecuteScalar());
        Assert.Same(command, busy.CommandInProgress);
        Assert.Equal(Core.Errors.RetrySafety.NotSent, busy.RetrySafety);
        Assert.Equal(1, reader.Read() ? reader.GetInt32(0) : 0);
    }

    private static void Execute(PgConnection connection, string sql)
    {
        using var command = new PgCommand(sql, connection);
        command.ExecuteNonQuery();
    }

    private static async Task<PgDataSource> SourceAsync() =>
        PgDataSource.Create(ConnectionStrings.Of(await LiveServers.GetAsync(ServerKind.PostgreSql)));

    private static async Task<PgConnection> OpenAsync(string more = "")
    {
        var connection = new PgConnection(ConnectionStrings.Of(await LiveServers.GetAsync(ServerKind.PostgreSql)).TrimEnd(';') + more);
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        return connection;
    }
}
