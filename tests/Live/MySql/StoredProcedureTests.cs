using System.Data;
using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>CommandType.StoredProcedure: order by name, output values, functions, and procedures that are replaced between two calls.</summary>
public partial class StoredProcedureTests
{
    private static int _names;

    public static TheoryData<ServerKind, bool> Ways => new()
    {
        { ServerKind.MySql, false }, { ServerKind.MySql, true }, { ServerKind.MariaDb, false }, { ServerKind.MariaDb, true }, { ServerKind.MariaDb11, false },
        { ServerKind.MariaDb11, true },
    };

    public static TheoryData<ServerKind, bool, string> Forms
    {
        get
        {
            var data = new TheoryData<ServerKind, bool, string>();
            foreach (var kind in new[] { ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11 })
            {
                foreach (var form in new[] { "", "IgnorePrepare=true;", "Pipelining=false;", "Allow Concurrent Commands=true;" })
                {
                    data.Add(kind, false, form);
                    data.Add(kind, true, form);
                }
            }

            return data;
        }
    }

    /// <summary>The server writes the names of the output values in character_set_results.</summary>
    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Output_parameters_of_any_name_come_back_under_another_character_set(ServerKind kind, bool asynchronous)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous, "");
        await one.Create("PROCEDURE", "(INOUT `é` int, IN a int, OUT b int, OUT `中` int) BEGIN SET `é` = `é` + a, b = 5, `中` = 7; END");
        foreach (var set in new[] { "utf8mb4", "latin1", "gbk" })
        {
            await using (var names = new MySqlCommand("SET NAMES " + set, one.Connection))
                await one.Mode.NonQuery(names);
            await using var command = one.Command();
            command.Parameters.Add(new MySqlParameter { ParameterName = "中", Direction = ParameterDirection.Output });
            command.Parameters.Add(new MySqlParameter { ParameterName = "b", Direction = ParameterDirection.Output });
            command.Parameters.AddWithValue("a", 40);
            command.Parameters.AddWithValue("é", 2).Direction = ParameterDirection.InputOutput;
            await one.Mode.NonQuery(command);
            Assert.Equal((42, 5, 7), (command.Parameters[3].Value, command.Parameters[1].Value, command.Parameters[0].Value));
        }
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task Output_parameters_come_back_in_their_declared_types(ServerKind kind, bool asynchronous, string more)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous, more);
        await one.Create(
            "PROCEDURE",
            "(IN a int, OUT b varchar(20), INOUT d decimal(10,2), OUT e date, OUT f bit(1), OUT g tinyint(1), OUT h bigint unsigned, OUT i time, OUT j "
                + "datetime, "
            + "OUT k char(36), OUT l blob, OUT m float, OUT n year, OUT o smallint, OUT p int, OUT q double) BEGIN SELECT 1 AS x UNION SELECT 2; SET b='hi', "
            + "d=d+a, e='2020-01-02', f=1, g=1, "
            + "h=18446744073709551615, i='10:11:12', j='2020-01-02 03:04:05', k='00112233-4455-6677-8899-aabbccddeeff', l=x'0102', m=1.5, n=2020, o=3, "
            + "q=2.25; END");
        await using var command = one.Command();
        command.Parameters.AddWithValue("a", 5);
        command.Parameters.AddWithValue("@d", 1.5m).Direction = ParameterDirection.InputOutput;
        foreach (var name in "befghijklmnopq")
            command.Parameters.Add(new MySqlParameter { ParameterName = "@" + name, Direction = ParameterDirection.Output });
        for (var round = 0; round < 3; round++)
        {
            await using (var reader = await one.Mode.Reader(command))
            {
                Assert.True(await one.Mode.Read(reader));
                Assert.Equal(1L, reader.GetInt64(0));
                Assert.True(await one.Mode.Read(reader));
                Assert.False(await one.Mode.Read(reader));
                Assert.False(await one.Mode.NextResult(reader));
                Assert.Equal(0, reader.FieldCount);
            }

            Assert.Equal(6.5m + (5m * round), command.Parameters["d"].Value);
            Assert.Equal("hi", command.Parameters["b"].Value);
            Assert.Equal(new DateTime(2020, 1, 2), command.Parameters["e"].Value);
            Assert.Equal(1UL, command.Parameters["f"].Value);
            Assert.Equal(true, command.Parameters["g"].Value);
            Assert.Equal(ulong.MaxValue, command.Parameters["h"].Value);
            Assert.Equal(new TimeSpan(10, 11, 12), command.Parameters["i"].Value);
            Assert.Equal(new DateTime(2020, 1, 2, 3, 4, 5), command.Parameters["j"].Value);
            Assert.Equal(Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"), command.Parameters["k"].Value);
            Assert.Equal(new byte[] { 1, 2 }, command.Parameters["l"].Value);
            Assert.Equal(1.5f, command.Parameters["m"].Value);
            Assert.Equal(2020, command.Parameters["n"].Value);
            Assert.Equal((short)3, command.Parameters["o"].Value);
            Assert.Equal(DBNull.Value, command.Parameters["p"].Value);
            Assert.Equal(2.25, command.Parameters["q"].Value);
        }

        Assert.Equal(1L, Convert.ToInt64(await one.Mode.Scalar(command)));
        Assert.Equal(0, await one.Mode.NonQuery(command));
        Assert.Equal(6.5m + (5m * 4), command.Parameters["d"].Value);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task An_enumeration_comes_back_from_a_name_a_decimal_and_an_integer(ServerKind kind, bool asynchronous)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous);
        await one.Create("PROCEDURE",
            "(INOUT a varchar(20), INOUT b decimal(10,2), INOUT c int, INOUT d varchar(20)) BEGIN SET a = 'friday', b = 5, c = 5, d = 'Someday'; END");
        await using var command = one.Command();
        foreach (var name in "abc")
            command.Parameters.Add(new MySqlParameter<DayOfWeek>("@" + name, DayOfWeek.Monday) { Direction = ParameterDirection.InputOutput });
        command.Parameters.Add(new MySqlParameter("@d", MySqlDbType.VarChar) { Direction = ParameterDirection.InputOutput });
        await one.Mode.NonQuery(command);
        Assert.Equal(
            [DayOfWeek.Friday, DayOfWeek.Friday, DayOfWeek.Friday, "Someday"], command.Parameters.Cast<MySqlParameter>().Select(static one => one.Value));
        command.Parameters.RemoveAt(3);
        command.Parameters.Add(new MySqlParameter<DayOfWeek>("@d", DayOfWeek.Monday) { Direction = ParameterDirection.InputOutput });
        var refused = await Assert.ThrowsAsync<FormatException>(() => one.Mode.NonQuery(command));
        Assert.Contains("@d", refused.Message);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_parameter_keeps_the_type_it_was_given(ServerKind kind, bool asynchronous)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous);
        await one.Create(
            "PROCEDURE",
            "(OUT a int, OUT b varchar(40), OUT c int, OUT d varchar(10)) BEGIN SET a = 7, b = '00112233-4455-6677-8899-aabbccddeeff', c = 8, d = 'x'; END");
        await using var command = one.Command();
        command.Parameters.Add(new MySqlParameter("a", MySqlDbType.Int64) { Direction = ParameterDirection.Output });
        command.Parameters.Add(new MySqlParameter("b", MySqlDbType.Guid) { Direction = ParameterDirection.Output });
        command.Parameters.Add(new MySqlParameter<short> { ParameterName = "c", Direction = ParameterDirection.Output });
        var wrong = command.Parameters.Add(new MySqlParameter("d", MySqlDbType.VarChar) { Direction = ParameterDirection.Output });
        await one.Mode.NonQuery(command);
        Assert.Equal(7L, command.Parameters["a"].Value);
        Assert.Equal(Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"), command.Parameters["b"].Value);
        Assert.Equal((short)8, ((MySqlParameter<short>)command.Parameters["c"]).TypedValue);
        Assert.Equal("x", wrong.Value);

        wrong.MySqlDbType = MySqlDbType.Int32;
        var exception = await Assert.ThrowsAsync<FormatException>(() => one.Mode.NonQuery(command));
        Assert.Contains("'d'", exception.Message, StringComparison.Ordinal);
        Assert.Equal("1", await one.Mode.Scalar(new MySqlCommand("SELECT '1'", one.Connection)));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Parameters_go_by_name_and_what_the_procedure_does_not_declare_is_left_out(ServerKind kind, bool asynchronous)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous);
        await one.Create("PROCEDURE", "(a int, b varchar(20), c int) SELECT CONCAT_WS('/', a, b, c) AS v");
        await using var command = one.Command();
        command.Parameters.AddWithValue("@c", 3);
        command.Parameters.AddWithValue("?B", "it's \\ok");
        command.Parameters.AddWithValue("zz", 9);
        command.Parameters.AddWithValue("A", 1);
        for (var round = 0; round < 3; round++)
            Assert.Equal("1/it's \\ok/3", await one.Mode.Scalar(command));
        command.Prepare();
        for (var round = 0; round < 3; round++)
            Assert.Equal("1/it's \\ok/3", await one.Mode.Scalar(command));

        command.Parameters.RemoveAt("A");
        var exception = await Assert.ThrowsAsync<ArgumentException>(() => one.Mode.Scalar(command));
        Assert.Contains("'a'", exception.Message, StringComparison.Ordinal);
        Assert.Equal("1", await one.Mode.Scalar(new MySqlCommand("SELECT '1'", one.Connection)));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Values_without_names_stand_where_they_stand(ServerKind kind, bool asynchronous)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous);
        await one.Create("PROCEDURE", "(a int, b varchar(20), OUT c int) BEGIN SET c = a; SELECT CONCAT_WS('/', a, b) AS v; END");
        await using var command = one.Command();
        command.Parameters.Add(new MySqlParameter { Value = 1 });
        command.Parameters.Add(new MySqlParameter { Value = "two" });
        command.Parameters.Add(new MySqlParameter { Direction = ParameterDirection.Output });
        for (var round = 0; round < 2; round++)
        {
            Assert.Equal("1/two", await one.Mode.Scalar(command));
            Assert.Equal(1, command.Parameters[2].Value);
        }
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task Values_without_names_keep_their_places_beside_others(ServerKind kind, bool asynchronous, string more)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous, more);
        await one.Create("FUNCTION", "(a int, b int) RETURNS int DETERMINISTIC RETURN a * 10 + b");
        await using var function = one.Command();
        function.Parameters.Add(new MySqlParameter { Direction = ParameterDirection.ReturnValue });
        function.Parameters.Add(new MySqlParameter { Value = 1 });
        function.Parameters.Add(new MySqlParameter { Value = 2 });
        for (var round = 0; round < 2; round++)
        {
            await one.Mode.NonQuery(function);
            Assert.Equal(12, Convert.ToInt32(function.Parameters[0].Value));
        }

        await one.Create("PROCEDURE", "(a int, INOUT b int) SET b = a * 10 + b");
        await using var command = one.Command();
        for (var round = 0; round < 2; round++)
        {
            command.Parameters.Clear();
            command.Parameters.Add(new MySqlParameter { Value = 1 });
            command.Parameters.Add(new MySqlParameter { Value = 2, Direction = ParameterDirection.InputOutput });
            await one.Mode.NonQuery(command);
            Assert.Equal(12, Convert.ToInt32(command.Parameters[1].Value));
        }
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task A_procedure_that_does_not_exist_is_the_servers_error(ServerKind kind, bool asynchronous, string more)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous, more);
        foreach (var direction in new[] { ParameterDirection.Input, ParameterDirection.Output })
        {
            for (var count = 0; count < 4; count++)
            {
                await using var command = one.Command(one.Name + "_not");
                for (var i = 0; i < count; i++)
                    command.Parameters.Add(new MySqlParameter($"p{i}", i) { Direction = i == 0 ? direction : ParameterDirection.Input });
                for (var round = 0; round < 2; round++)
                    Assert.Equal(1305, (await Assert.ThrowsAsync<MySqlException>(() => one.Mode.NonQuery(command))).Number);
                // After the procedure is created, the driver must not treat it as one without parameters.
                await one.Create("PROCEDURE", "(p2 int, p1 int) SELECT p1 * 10 + p2");
                if (count != 3)
                    continue;
                command.CommandText = one.Name;
                Assert.Equal(12, Convert.ToInt32(await one.Mode.Scalar(command)));
            }
        }

        Assert.Equal("1", await one.Mode.Scalar(new MySqlCommand("SELECT '1'", one.Connection)));
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task What_a_procedure_without_parameters_does_not_declare_is_left_out_too(ServerKind kind, bool asynchronous, string more)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous, more);
        foreach (var direction in new[] { ParameterDirection.Input, ParameterDirection.InputOutput, ParameterDirection.Output })
        {
            for (var count = 1; count < 4; count++)
            {
                await one.Create("PROCEDURE", "() SELECT 'called'");
                await using var command = one.Command();
                for (var i = 0; i < count; i++)
                    command.Parameters.Add(new MySqlParameter($"p{i}", i) { Direction = i == 0 ? direction : ParameterDirection.Input });
                for (var round = 0; round < 3; round++)
                    Assert.Equal("called", await one.Mode.Scalar(command));

                await using var batch = new MySqlBatch(one.Connection);
                await one.Create("PROCEDURE", "() SELECT 'in a batch'");
                var call = new MySqlBatchCommand(one.Name) { CommandType = CommandType.StoredProcedure };
                foreach (MySqlParameter parameter in command.Parameters)
                    call.Parameters.Add(parameter.Clone());
                batch.BatchCommands.Add(call);
                for (var round = 0; round < 2; round++)
                    Assert.Equal("in a batch", asynchronous ? await batch.ExecuteScalarAsync() : batch.ExecuteScalar());

                // Another session adds a parameter.
                await one.Create("PROCEDURE", "(p0 int) SELECT CONCAT('p', p0)", replace: true, byOther: true);
                if (direction == ParameterDirection.Input)
                    Assert.Equal("p0", asynchronous ? await batch.ExecuteScalarAsync() : batch.ExecuteScalar());
            }
        }

        // Values without names are all passed.
        await one.Create("PROCEDURE", "() SELECT 1");
        await using var nameless = one.Command();
        nameless.Parameters.Add(new MySqlParameter { Value = 1 });
        Assert.Equal(1318, (await Assert.ThrowsAsync<MySqlException>(() => one.Mode.NonQuery(nameless))).Number);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_direction_that_was_not_set_is_the_declared_one(ServerKind kind, bool asynchronous)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous);
        await one.Create("PROCEDURE", "(OUT a int) SET a = 5");
        await using var command = one.Command();
        command.Parameters.AddWithValue("a", 1);
        for (var round = 0; round < 2; round++)
        {
            await one.Mode.NonQuery(command);
            Assert.Equal(5, command.Parameters["a"].Value);
            Assert.Equal(ParameterDirection.Output, command.Parameters["a"].Direction);
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_function_gives_back_its_value(ServerKind kind, bool asynchronous)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous);
        await one.Create("FUNCTION", "(a int, b varchar(10)) RETURNS varchar(30) DETERMINISTIC RETURN CONCAT(b, a)");
        await using var command = one.Command();
        command.Parameters.AddWithValue("b", "q");
        command.Parameters.AddWithValue("a", 5);
        var returned = command.Parameters.Add(new MySqlParameter { ParameterName = "ret", Direction = ParameterDirection.ReturnValue });
        for (var round = 0; round < 3; round++)
        {
            returned.Value = null;
            Assert.Equal(-1, await one.Mode.NonQuery(command));
            Assert.Equal("q5", returned.Value);
            Assert.Equal("q5", await one.Mode.Scalar(command));
            await using (var reader = await one.Mode.Reader(command))
            {
                Assert.True(await one.Mode.Read(reader));
                Assert.Equal("q5", reader.GetString(0));
            }

            if (round == 1)
                command.Prepare();
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Calls_cost_one_round_trip(ServerKind kind, bool asynchronous)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous, proxied: true);
        await one.Create("PROCEDURE", "(a int, b varchar(20)) SELECT CONCAT_WS('/', a, b) AS v");
        await using var command = one.Command();
        command.Parameters.AddWithValue("a", 1);
        command.Parameters.AddWithValue("b", "x");
        // The first call, too: the server checks the order of the parameters in the same message.
        for (var round = 0; round < 3; round++)
        {
            one.Proxy!.Counters.Reset();
            Assert.Equal("1/x", await one.Mode.Scalar(command));
            Assert.Equal(1, one.Proxy.Counters.RoundTrips);
        }

        await one.Create("PROCEDURE", "(a int, OUT b int) SET b = a + 1");
        command.CommandText = one.Name;
        command.Parameters["b"].Direction = ParameterDirection.Output;
        await one.Mode.NonQuery(command);
        await one.Mode.NonQuery(command);
        one.Proxy!.Counters.Reset();
        command.Parameters["a"].Value = 41;
        await one.Mode.NonQuery(command);
        Assert.Equal(42, command.Parameters["b"].Value);
        Assert.Equal(1, one.Proxy.Counters.RoundTrips);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_procedure_that_was_replaced_is_not_misread(ServerKind kind, bool asynchronous)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous);
        await one.Create("PROCEDURE", "(a varchar(10), b varchar(10)) SELECT CONCAT('a', a, 'b', b) AS v");
        await using var command = one.Command();
        command.Parameters.AddWithValue("a", "1");
        command.Parameters.AddWithValue("b", "2");
        Assert.Equal("a1b2", await one.Mode.Scalar(command));

        // The other order: changed through the same source …
        await one.Create("PROCEDURE", "(b varchar(10), a varchar(10)) SELECT CONCAT('a', a, 'b', b) AS v", replace: true);
        Assert.Equal("a1b2", await one.Mode.Scalar(command));

        // … and by another session, which changes the number, the names or the direction.
        await one.Create("PROCEDURE", "(b varchar(10), c varchar(10), a varchar(10)) SELECT CONCAT('a', a, 'b', b, 'c', c) AS v", replace: true, byOther: true);
        command.Parameters.AddWithValue("c", "3");
        Assert.Equal("a1b2c3", await one.Mode.Scalar(command));
        await one.Create("PROCEDURE", "(b varchar(10), a varchar(10)) SELECT CONCAT('a', a, 'b', b) AS v", replace: true, byOther: true);
        Assert.Equal("a1b2", await one.Mode.Scalar(command));
        await one.Create("PROCEDURE", "(OUT b varchar(10), a varchar(10)) SET b = CONCAT('out', a)", replace: true, byOther: true);
        await one.Mode.NonQuery(command);
        Assert.Equal("out1", command.Parameters["b"].Value);
        await one.Create("PROCEDURE", "(OUT a varchar(10), OUT b varchar(10)) SET a = 'A', b = 'B'", replace: true, byOther: true);
        command.Parameters["a"].Direction = ParameterDirection.Output;
        await one.Mode.NonQuery(command);
        Assert.Equal("A", command.Parameters["a"].Value);
        Assert.Equal("B", command.Parameters["b"].Value);

        // Output values come with their names: the order does not matter even while the driver trusts what it knows.
        await one.Create("PROCEDURE", "(OUT b varchar(10), OUT a varchar(10)) SET a = 'A2', b = 'B2'", replace: true, byOther: true);
        await one.Mode.NonQuery(command);
        Assert.Equal("A2", command.Parameters["a"].Value);
        Assert.Equal("B2", command.Parameters["b"].Value);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task The_same_names_in_another_order_are_noticed_when_what_is_known_is_a_second_old(ServerKind kind, bool asynchronous)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous);
        await one.Create("PROCEDURE", "(a varchar(10), b varchar(10)) SELECT CONCAT('a', a, 'b', b) AS v");
        await using var command = one.Command();
        command.Parameters.AddWithValue("a", "1");
        command.Parameters.AddWithValue("b", "2");
        Assert.Equal("a1b2", await one.Mode.Scalar(command));
        await one.Create("PROCEDURE", "(b varchar(10), a varchar(10)) SELECT CONCAT('a', a, 'b', b) AS v", replace: true, byOther: true);
        // Older than the second for which the driver trusts the declaration.
        await Task.Delay(1100, TestContext.Current.CancellationToken);
        Assert.Equal("a1b2", await one.Mode.Scalar(command));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task What_a_procedure_refuses_half_way_is_not_called_again(ServerKind kind, bool asynchronous)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous, "Allow User Variables=true;");
        await using var inner = await Program.CreateAsync(kind, asynchronous);
        await inner.Create("PROCEDURE", "(a int, b int) SELECT a");
        foreach (var (body, number) in new[]
        {
            ($"CALL {inner.Name}(1)", 1318),
            ("SET @sp_n = (SELECT 1 UNION SELECT 2)", 1242),
            ($"CALL {inner.Name}_not(1)", 1305)
        })
        {
            await one.Create("PROCEDURE", $"(a int, b int) BEGIN SET @sp_calls = @sp_calls + 1; {body}; END", replace: true);
            await one.Execute("SET @sp_calls = 0");
            await using var command = one.Command();
            command.Parameters.AddWithValue("a", 1);
            command.Parameters.AddWithValue("b", 2);
            for (var calls = 1; calls < 3; calls++)
            {
                var exception = await Assert.ThrowsAsync<MySqlException>(() => one.Mode.NonQuery(command));
                Assert.Equal(number, exception.Number);
                Assert.Equal(calls, Convert.ToInt32(await one.Mode.Scalar(new MySqlCommand("SELECT @sp_calls", one.Connection))));
            }
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_result_that_looks_like_output_parameters_is_shown(ServerKind kind, bool asynchronous)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous);
        await one.Execute($"CREATE TEMPORARY TABLE {one.Name} (a int)");
        await one.Execute($"INSERT INTO {one.Name} VALUES (1), (2)");
        await one.Create(
            "PROCEDURE",
            $"(OUT a int) BEGIN SELECT t.a FROM {one.Name} t; SELECT {one.Name}.a FROM {one.Name}; SELECT {one.Name}.a FROM {one.Name} LIMIT 1; SELECT "
                + $"{one.Name}.a FROM {one.Name} LIMIT 0; SET a = 9; END");
        await using var command = one.Command();
        command.Parameters.Add(new MySqlParameter { ParameterName = "a", Direction = ParameterDirection.Output });
        for (var round = 0; round < 2; round++)
        {
            var seen = new List<string>();
            await using (var reader = await one.Mode.Reader(command))
            {
                do
                {
                    var values = "";
                    while (await one.Mode.Read(reader))
                        values += reader.GetInt32(0);
                    seen.Add(values);
                }
                while (await one.Mode.NextResult(reader));
            }

            Assert.Equal(["12", "12", "1", ""], seen);
            Assert.Equal(9, command.Parameters["a"].Value);
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_reader_that_is_closed_early_still_brings_the_output_parameters(ServerKind kind, bool asynchronous)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous);
        await one.Create("PROCEDURE", "(INOUT a int) BEGIN SELECT 1; SELECT 2 UNION SELECT 3; SET a = a * 2; END");
        await using var command = one.Command();
        command.Parameters.AddWithValue("a", 21).Direction = ParameterDirection.InputOutput;
        await using (var reader = await one.Mode.Reader(command))
        {
            await one.Mode.Read(reader);
            Assert.Equal(21, command.Parameters["a"].Value);
        }

        Assert.Equal(42, command.Parameters["a"].Value);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task What_does_not_exist_is_said_and_the_session_stays_in_step(ServerKind kind, bool asynchronous)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous);
        await using var command = one.Command();
        command.Parameters.AddWithValue("a", 1);
        for (var round = 0; round < 2; round++)
        {
            var exception = await Assert.ThrowsAsync<MySqlException>(() => one.Mode.NonQuery(command));
            Assert.Equal(MySqlErrorCode.StoredProcedureDoesNotExist, exception.ErrorCode);
            command.Parameters.Add(new MySqlParameter { ParameterName = $"b{round}", Direction = ParameterDirection.Output });
        }

        Assert.Equal("1", await one.Mode.Scalar(new MySqlCommand("SELECT '1'", one.Connection)));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Names_may_be_quoted_and_qualified(ServerKind kind, bool asynchronous)
    {
        await using var one = await Program.CreateAsync(kind, asynchronous);
        await one.Create("PROCEDURE", "(`a b` int, OUT `c``d` int) SET `c``d` = `a b` + 1", name: $"`{one.Name} with ``quotes`");
        await using var command = one.Command($"`slipstream` . `{one.Name} with ``quotes`");
        command.Parameters.AddWithValue("@`a b`", 1);
        command.Parameters.Add(new MySqlParameter { ParameterName = "c`d", Direction = ParameterDirection.Output });
        for (var round = 0; round < 2; round++)
        {
            await one.Mode.NonQuery(command);
            Assert.Equal(2, command.Parameters[1].Value);
        }

        await one.Execute($"DROP PROCEDURE `{one.Name} with ``quotes`");
    }

    private sealed class Program(LabServer lab, Mode mode, MySqlConnection connection, LabProxy? proxy) : IAsyncDisposable
    {
        private string _kind = "PROCEDURE";

        public string Name { get; private set; } = NewName();

        public Mode Mode => mode;

        public MySqlConnection Connection => connection;

        public LabProxy? Proxy => proxy;

        public static async Task<Program> CreateAsync(ServerKind kind, bool asynchronous, string more = "", bool proxied = false)
        {
            var lab = await LiveServers.GetAsync(kind);
            var proxy = proxied ? LabProxy.Start(lab.Host, lab.Port) : null;
            var connection = new MySqlConnection(
                ConnectionStrings.MySql(lab, $"Application Name={NewName()};{more}").Replace($"Port={lab.Port}", $"Port={proxy?.Port ?? lab.Port}"));
            var mode = asynchronous ? Mode.Async : Mode.Sync;
            await mode.Open(connection);
            return new(lab, mode, connection, proxy);
        }

        public async Task Create(string kind, string declaration, bool replace = false, bool byOther = false, string? name = null)
        {
            if (!replace && name is null)
            {
                await Drop();
                Name = NewName();
            }

            _kind = kind;
            if (!byOther)
            {
                if (replace)
                    await Execute($"DROP {kind} IF EXISTS {Name}");
                await Execute($"CREATE {kind} {name ?? Name}{declaration}");
                return;
            }

            await using var other = new MySqlConnection(ConnectionStrings.MySql(lab, "Application Name=other;"));
            await other.OpenAsync();
            await using var drop = new MySqlCommand($"DROP {kind} IF EXISTS {Name}", other);
            await drop.ExecuteNonQueryAsync();
            await using var create = new MySqlCommand($"CREATE {kind} {Name}{declaration}", other);
            await create.ExecuteNonQueryAsync();
        }

        public MySqlCommand Command(string? name = null) => new(name ?? Name, connection) { CommandType = CommandType.StoredProcedure };

        public async Task Execute(string sql)
        {
            await using var command = new MySqlCommand(sql, connection);
            await mode.NonQuery(command);
        }

        public async ValueTask DisposeAsync()
        {
            await Drop();
            await connection.DisposeAsync();
            if (proxy is not null)
                await proxy.DisposeAsync();
        }

        private Task Drop() => Execute($"DROP {_kind} IF EXISTS {Name}");

        private static string NewName() => $"sp_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";
    }
}
