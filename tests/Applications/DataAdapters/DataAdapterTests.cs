using System.Data;
using System.Data.Common;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.WithDataAdapters;

/// <summary>DataTable in both directions: fill, the commands of a builder, batches of rows, conflicts, generated keys.</summary>
public class DataAdapterTests
{
    private static int _tables;

    public static TheoryData<ServerKind> Kinds => [ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11];

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task What_was_filled_changed_and_updated_stands_in_the_table(ServerKind kind)
    {
        await using var table = await Table.CreateAsync(kind);
        using var adapter = new MySqlDataAdapter($"SELECT id, name, v FROM {table.Name} ORDER BY id", table.Connection);
        using var builder = new MySqlCommandBuilder(adapter);
        using var data = new DataTable();
        Assert.Equal(3, adapter.Fill(data));
        Assert.Equal(typeof(int), data.Columns["id"]!.DataType);
        data.Rows[0]["name"] = "it's `new`";
        data.Rows[1].Delete();
        // The builder leaves the identity value to the server.
        data.Rows.Add(10, "ten", DBNull.Value);
        Assert.Equal(3, adapter.Update(data));
        Assert.Equal("1:it's `new`:1.5, 3:three:, 4:ten:", table.Content());
        Assert.Equal(DataRowState.Unchanged, data.Rows[0].RowState);
        Assert.Equal(0, adapter.Update(data));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_page_can_be_filled(ServerKind kind)
    {
        await using var table = await Table.CreateAsync(kind);
        using var adapter = new MySqlDataAdapter(new MySqlCommand($"SELECT * FROM {table.Name} ORDER BY id; SELECT 4 AS four", table.Connection));
        using var data = new DataSet();
        Assert.Equal(1, adapter.Fill(data, 1, 1, "rows"));
        Assert.Equal("two", data.Tables["rows"]!.Rows[0]["name"]);
        using var all = new DataSet();
        adapter.Fill(all);
        Assert.Equal([3, 1], all.Tables.Cast<DataTable>().Select(static one => one.Rows.Count));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task The_schema_has_key_and_identity(ServerKind kind)
    {
        await using var table = await Table.CreateAsync(kind);
        using var adapter = new MySqlDataAdapter($"SELECT * FROM {table.Name}", table.Connection) { MissingSchemaAction = MissingSchemaAction.AddWithKey };
        using var data = new DataTable();
        adapter.FillSchema(data, SchemaType.Source);
        Assert.Equal("id", Assert.Single(data.PrimaryKey).ColumnName);
        Assert.True(data.Columns["id"]!.AutoIncrement);
        Assert.False(data.Columns["name"]!.AllowDBNull);
        Assert.Equal(20, data.Columns["name"]!.MaxLength);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_row_that_somebody_else_changed_is_a_concurrency_error(ServerKind kind)
    {
        await using var table = await Table.CreateAsync(kind);
        foreach (var (option, size) in new[]
        {
            (ConflictOption.CompareAllSearchableValues, 1),
            (ConflictOption.CompareAllSearchableValues, 10),
            (ConflictOption.OverwriteChanges, 1)
        })
        {
            using var adapter = new MySqlDataAdapter($"SELECT id, name, v FROM {table.Name} ORDER BY id", table.Connection) { UpdateBatchSize = size };
            using var builder = new MySqlCommandBuilder(adapter) { ConflictOption = option };
            using var data = new DataTable();
            adapter.Fill(data);
            data.Rows[1]["name"] = $"mine{option}{size}"[..20];
            builder.GetUpdateCommand().UpdatedRowSource = UpdateRowSource.None;
            table.Execute($"UPDATE {table.Name} SET name = CONCAT('other', {size}) WHERE id = 2");
            if (option == ConflictOption.OverwriteChanges)
            {
                Assert.Equal(1, adapter.Update(data));
                continue;
            }

            var exception = Assert.Throws<DBConcurrencyException>(() => adapter.Update(data));
            Assert.Equal(1, exception.RowCount);
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Rows_go_in_batches_of_the_size_that_is_set(ServerKind kind)
    {
        foreach (var (size, sends) in new[] { (1, 10), (3, 4), (0, 1), (100, 1) })
        {
            await using var table = await Table.CreateAsync(kind, proxied: true);
            using var adapter = new MySqlDataAdapter { UpdateBatchSize = size };
            adapter.InsertCommand = new MySqlCommand($"INSERT INTO {table.Name} (id, name, v) VALUES (@id, @name, @v)", table.Connection)
            {
                UpdatedRowSource = UpdateRowSource.None
            };
            adapter.InsertCommand.Parameters.Add(new MySqlParameter("@id", MySqlDbType.Int32, 0, "id"));
            adapter.InsertCommand.Parameters.Add(new MySqlParameter("@name", MySqlDbType.VarChar, 20, "name"));
            adapter.InsertCommand.Parameters.Add(new MySqlParameter("@v", MySqlDbType.Decimal, 0, "v"));
            using var data = new DataTable();
            data.Columns.Add("id", typeof(int));
            data.Columns.Add("name", typeof(string));
            data.Columns.Add("v", typeof(decimal));
            for (var i = 0; i < 10; i++)
                data.Rows.Add(100 + i, $"n{i}", i / 2m);
            var updating = 0;
            var updated = new List<int>();
            adapter.RowUpdating += (_, e) => updating += e.Command is { } ? 1 : 0;
            adapter.RowUpdated += (_, e) => updated.Add(e.RowCount);
            table.Proxy!.Counters.Reset();
            Assert.Equal(10, adapter.Update(data));
            // A repeated statement of one row is prepared automatically: one more round trip on MySQL.
            Assert.InRange(table.Proxy.Counters.RoundTrips, sends, size == 1 ? sends + 1 : sends);
            Assert.Equal(10, updating);
            Assert.Equal(10, updated.Sum());
            Assert.Equal(sends, updated.Count);
            Assert.Equal(13L, table.Count());
            Assert.All(data.Rows.Cast<DataRow>(), static row => Assert.Equal(DataRowState.Unchanged, row.RowState));
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_refused_row_of_a_batch_is_named(ServerKind kind)
    {
        await using var table = await Table.CreateAsync(kind);
        using var adapter =
            new MySqlDataAdapter($"SELECT id, name, v FROM {table.Name}", table.Connection) { UpdateBatchSize = 10, ContinueUpdateOnError = true };
        using var builder = new MySqlCommandBuilder(adapter);
        using var data = new DataTable();
        adapter.Fill(data);
        builder.GetInsertCommand().UpdatedRowSource = UpdateRowSource.None;
        data.Rows.Add(20, "a", 1m);
        data.Rows.Add(21, "a name that is longer than it may be", 1m);
        adapter.Update(data);
        Assert.True(data.HasErrors);
        Assert.Contains("too long", data.Rows[4].RowError, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Identities_are_read_back(ServerKind kind)
    {
        await using var table = await Table.CreateAsync(kind);
        using var adapter = new MySqlDataAdapter($"SELECT id, name, v FROM {table.Name}", table.Connection);
        using var builder = new MySqlCommandBuilder(adapter);
        using var data = new DataTable();
        adapter.Fill(data);
        using var insert = new MySqlCommand($"INSERT INTO {table.Name} (name) VALUES (@name); SELECT LAST_INSERT_ID() AS id, 7.5 AS v", table.Connection)
        {
            UpdatedRowSource = UpdateRowSource.FirstReturnedRecord,
        };
        insert.Parameters.Add(new MySqlParameter("@name", MySqlDbType.VarChar, 20, "name"));
        adapter.InsertCommand = insert;
        var row = data.Rows.Add(DBNull.Value, "four", DBNull.Value);
        Assert.Equal(1, adapter.Update(data));
        Assert.Equal(4, row["id"]);
        Assert.Equal(7.5m, row["v"]);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task An_adapter_of_a_connection_string_opens_and_closes_its_own_connection(ServerKind kind)
    {
        await using var table = await Table.CreateAsync(kind);
        using var adapter = new MySqlDataAdapter($"SELECT * FROM {table.Name}", table.ConnectionString);
        using var data = new DataTable();
        Assert.Equal(3, adapter.Fill(data));
        Assert.Equal(ConnectionState.Closed, adapter.SelectCommand!.Connection!.State);
        var factory = DbProviderFactories.GetFactory(table.Connection)!;
        Assert.IsType<MySqlDataAdapter>(factory.CreateDataAdapter()!).Dispose();
        Assert.IsType<MySqlCommandBuilder>(factory.CreateCommandBuilder()!).Dispose();
    }

    [Fact]
    public void A_builder_quotes_with_backticks()
    {
        using var builder = new MySqlCommandBuilder();
        Assert.Equal("`a``b`", builder.QuoteIdentifier("a`b"));
        Assert.Equal("a`b", builder.UnquoteIdentifier("`a``b`"));
        Assert.Equal("plain", builder.UnquoteIdentifier("plain"));
        Assert.Equal("`", builder.QuotePrefix);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Parameters_of_procedures_and_functions_are_derived(ServerKind kind)
    {
        await using var table = await Table.CreateAsync(kind);
        var name = table.Name + "_p";
        table.Execute(
            $"CREATE PROCEDURE {name} (IN a int, OUT b varchar(20), INOUT c decimal(10,2), OUT d char(36), OUT e tinyint(1), g bigint unsigned) SET b = 'x'");
        table.Execute($"CREATE FUNCTION {name} (a varchar(10)) RETURNS datetime DETERMINISTIC RETURN NULL");
        table.Execute($"CREATE FUNCTION {name}f (a varchar(10)) RETURNS datetime DETERMINISTIC RETURN '2020-01-02'");
        table.Execute($"CREATE PROCEDURE {name}n () SELECT 1");
        try
        {
            using var command = new MySqlCommand(name, table.Connection) { CommandType = CommandType.StoredProcedure };
            command.Parameters.AddWithValue("old", 1);
            MySqlCommandBuilder.DeriveParameters(command);
            Assert.Equal(
                [
                    "@a Input Int32 0 0 0", "@b Output VarChar 20 0 0", "@c InputOutput NewDecimal 10 10 2", "@d Output Guid 36 0 0", "@e Output Bool 1 0 0",
                    "@g Input UInt64 0 0 0"
                ],
                Shown(command));
            command.CommandText = $"`slipstream`.`{name}f`";
            await MySqlCommandBuilder.DeriveParametersAsync(command, TestContext.Current.CancellationToken);
            Assert.Equal(["@ ReturnValue DateTime 0 0 0", "@a Input VarChar 10 0 0"], Shown(command));
            command.ExecuteNonQuery();
            Assert.Equal(new DateTime(2020, 1, 2), command.Parameters[0].Value);
            command.CommandText = name + "n";
            await MySqlCommandBuilder.DeriveParametersAsync(command);
            Assert.Empty(Shown(command));
            command.CommandText = name + "_not";
            Assert.Equal(
                MySqlErrorCode.StoredProcedureDoesNotExist, Assert.Throws<MySqlException>(() => MySqlCommandBuilder.DeriveParameters(command)).ErrorCode);
            command.CommandType = CommandType.Text;
            Assert.Throws<ArgumentException>(() => MySqlCommandBuilder.DeriveParameters(command));
        }
        finally
        {
            table.Execute($"DROP PROCEDURE {name}; DROP PROCEDURE {name}n; DROP FUNCTION {name}; DROP FUNCTION {name}f");
        }
    }

    private static string[] Shown(MySqlCommand command) =>
        [
            .. ((IEnumerable<MySqlParameter>)command.Parameters)
                .Select(static one => $"{one.ParameterName} {one.Direction} {one.MySqlDbType} {one.Size} {one.Precision} {one.Scale}")
        ];

    private sealed class Table(string connectionString, MySqlConnection connection, LabProxy? proxy) : IAsyncDisposable
    {
        public string Name { get; } = $"adapter_{Environment.ProcessId}_{Interlocked.Increment(ref _tables)}";

        public string ConnectionString => connectionString;

        public MySqlConnection Connection => connection;

        public LabProxy? Proxy => proxy;

        public static async Task<Table> CreateAsync(ServerKind kind, bool proxied = false)
        {
            var lab = await LiveServers.GetAsync(kind);
            var proxy = proxied ? LabProxy.Start(lab.Host, lab.Port) : null;
            var connectionString = ConnectionStrings.MySql(lab, "Application Name=adapters;").Replace($"Port={lab.Port}", $"Port={proxy?.Port ?? lab.Port}");
            var connection = new MySqlConnection(connectionString);
            await connection.OpenAsync();
            var table = new Table(connectionString, connection, proxy);
            table.Execute($"CREATE TABLE {table.Name} (id int AUTO_INCREMENT PRIMARY KEY, name varchar(20) NOT NULL, v decimal(10,1))");
            table.Execute($"INSERT INTO {table.Name} VALUES (1, 'one', 1.5), (2, 'two', 2.5), (3, 'three', NULL)");
            return table;
        }

        public void Execute(string sql)
        {
            using var command = new MySqlCommand(sql, connection);
            command.ExecuteNonQuery();
        }

        public object? Count()
        {
            using var command = new MySqlCommand($"SELECT COUNT(*) FROM {Name}", connection);
            return command.ExecuteScalar();
        }

        public string Content()
        {
            using var command =
                new MySqlCommand($"SELECT GROUP_CONCAT(CONCAT_WS(':', id, name, COALESCE(v, '')) ORDER BY id SEPARATOR ', ') FROM {Name}", connection);
            return (string)command.ExecuteScalar()!;
        }

        public async ValueTask DisposeAsync()
        {
            if (connection.State == ConnectionState.Open)
                Execute($"DROP TABLE {Name}");
            await connection.DisposeAsync();
            if (proxy is not null)
                await proxy.DisposeAsync();
        }
    }
}
