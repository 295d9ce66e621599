using System.Data;
using System.Data.Common;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.WithDataAdapters;

/// <summary>What a data adapter of ADO.NET does with the commands of every provider: mappings, typed data sets, relations, events.</summary>
public sealed class AnyProviderTests
{
    private static int _tables;

    public static TheoryData<ServerKind> Servers =>
        [ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11, ServerKind.PostgreSql, ServerKind.PostgreSql18];

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Tables_and_columns_are_mapped_to_other_names(ServerKind kind)
    {
        await using var shop = await Shop.CreateAsync(kind);
        using var adapter = shop.Adapter($"SELECT id, name FROM {shop.Customers} ORDER BY id; SELECT id, customer_id, amount FROM {shop.Orders} ORDER BY id");
        adapter.TableMappings.Add(
            new DataTableMapping("Table", "Customer", [new DataColumnMapping("id", "Number"), new DataColumnMapping("name", "FullName")]));
        adapter.TableMappings.Add("Table1", "Order");
        using var data = new DataSet();
        Assert.Equal(2, adapter.Fill(data));
        Assert.Equal(["Customer", "Order"], data.Tables.Cast<DataTable>().Select(static table => table.TableName));
        Assert.Equal(["Number", "FullName"], data.Tables["Customer"]!.Columns.Cast<DataColumn>().Select(static column => column.ColumnName));
        Assert.Equal(["Ada", "Bob"], data.Tables["Customer"]!.Rows.Cast<DataRow>().Select(static row => (string)row["FullName"]));
        Assert.Equal(3, data.Tables["Order"]!.Rows.Count);
        Assert.Equal(typeof(decimal), data.Tables["Order"]!.Columns["amount"]!.DataType);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task What_is_missing_is_added_ignored_or_an_error_as_the_adapter_is_told(ServerKind kind)
    {
        await using var shop = await Shop.CreateAsync(kind);
        using var adapter = shop.Adapter($"SELECT id, name FROM {shop.Customers} ORDER BY id");
        foreach (var (action, expected) in new[] { (MissingSchemaAction.Add, 2), (MissingSchemaAction.Ignore, 1) })
        {
            using var table = new DataTable("Customer");
            table.Columns.Add("name", typeof(string));
            adapter.MissingSchemaAction = action;
            Assert.Equal(2, adapter.Fill(table));
            Assert.Equal(expected, table.Columns.Count);
            Assert.Equal("Bob", table.Rows[1]["name"]);
        }

        using var strict = new DataTable("Customer");
        adapter.MissingSchemaAction = MissingSchemaAction.Error;
        Assert.Throws<InvalidOperationException>(() => adapter.Fill(strict));
        adapter.MissingSchemaAction = MissingSchemaAction.Add;
        adapter.MissingMappingAction = MissingMappingAction.Error;
        Assert.Throws<InvalidOperationException>(() => adapter.Fill(strict));
        // The reader of the failed fill is closed with it.
        Assert.Equal(2L, shop.Number($"SELECT COUNT(*) FROM {shop.Customers}"));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_typed_data_set_is_filled_changed_and_stored_parents_first_and_children_last(ServerKind kind)
    {
        await using var shop = await Shop.CreateAsync(kind);
        using var customers = shop.Adapter($"SELECT id, name FROM {shop.Customers} ORDER BY id");
        using var orders = shop.Adapter($"SELECT id, customer_id, amount FROM {shop.Orders} ORDER BY id");
        shop.Writes(customers, shop.Customers, ("id", DbType.Int32), ("name", DbType.String));
        shop.Writes(orders, shop.Orders, ("id", DbType.Int32), ("customer_id", DbType.Int32), ("amount", DbType.Decimal));
        using var data = new ShopData();
        customers.Fill(data.Customers);
        orders.Fill(data.Orders);
        Assert.Equal(["Ada", "Bob"], data.Customers.All.Select(static customer => customer.Name));
        Assert.Equal(30.5m, data.Customers.All.First().Orders.Sum(static order => order.Amount));
        Assert.Equal("Bob", data.Orders.All.Last().Customer.Name);

        var cy = data.Customers.Add(3, "Cy");
        data.Orders.Add(40, cy, 7.25m);
        data.Customers.All.First().Name = "Ada Lovelace";
        foreach (var order in data.Customers.All.Single(static customer => customer.Name == "Bob").Orders)
            order.Delete();
        data.Customers.All.Single(static customer => customer.Name == "Bob").Delete();
        // Child rows are deleted before their parents and inserted after them.
        Assert.Equal(1, orders.Update(data.Orders.Select(null, null, DataViewRowState.Deleted)));
        Assert.Equal(3, customers.Update(data.Customers));
        Assert.Equal(1, orders.Update(data.Orders));
        Assert.False(data.HasChanges());
        Assert.Equal("Ada Lovelace:30.5, Cy:7.25", shop.Totals());

        using var again = new ShopData();
        customers.Fill(again.Customers);
        orders.Fill(again.Orders);
        Assert.Equal(["Ada Lovelace", "Cy"], again.Customers.All.Select(static customer => customer.Name));
        Assert.Equal([10, 20, 40], again.Orders.All.Select(static order => order.Id));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Filling_again_merges_by_key_and_keeps_what_the_user_changed_if_asked_to(ServerKind kind)
    {
        await using var shop = await Shop.CreateAsync(kind);
        using var adapter = shop.Adapter($"SELECT id, name FROM {shop.Customers} ORDER BY id");
        using var data = new ShopData();
        adapter.Fill(data.Customers);
        data.Customers.All.First().Name = "mine";
        shop.Execute($"UPDATE {shop.Customers} SET name = 'theirs' WHERE id = 1");
        adapter.FillLoadOption = LoadOption.PreserveChanges;
        adapter.Fill(data.Customers);
        var row = data.Customers.All.First();
        Assert.Equal(("mine", "theirs"), (row["name", DataRowVersion.Current], row["name", DataRowVersion.Original]));
        adapter.FillLoadOption = LoadOption.OverwriteChanges;
        adapter.Fill(data.Customers);
        Assert.Equal("theirs", data.Customers.All.First().Name);
        Assert.Equal(2, data.Customers.Rows.Count);
        adapter.AcceptChangesDuringFill = false;
        using var fresh = new DataTable();
        adapter.FillLoadOption = 0;
        adapter.Fill(fresh);
        Assert.All(fresh.Rows.Cast<DataRow>(), static one => Assert.Equal(DataRowState.Added, one.RowState));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_row_that_nobody_has_any_more_is_a_concurrency_error_or_a_note_on_the_row(ServerKind kind)
    {
        await using var shop = await Shop.CreateAsync(kind);
        using var adapter = shop.Adapter($"SELECT id, name FROM {shop.Customers} ORDER BY id");
        shop.Writes(adapter, shop.Customers, ("id", DbType.Int32), ("name", DbType.String));
        using var data = new DataTable();
        adapter.Fill(data);
        data.Rows[0]["name"] = "late";
        data.Rows[1]["name"] = "in time";
        shop.Execute($"DELETE FROM {shop.Orders} WHERE customer_id = 1");
        shop.Execute($"DELETE FROM {shop.Customers} WHERE id = 1");
        var violation = Assert.Throws<DBConcurrencyException>(() => adapter.Update(data));
        Assert.Same(data.Rows[0], violation.Row);
        adapter.ContinueUpdateOnError = true;
        Assert.Equal(1, adapter.Update(data));
        Assert.Equal((true, false), (data.Rows[0].HasErrors, data.Rows[1].HasErrors));
        Assert.Equal("in time", shop.Text($"SELECT name FROM {shop.Customers} WHERE id = 2"));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_refused_row_ends_the_update_and_a_transaction_undoes_the_others(ServerKind kind)
    {
        await using var shop = await Shop.CreateAsync(kind);
        using var adapter = shop.Adapter($"SELECT id, name FROM {shop.Customers} ORDER BY id");
        shop.Writes(adapter, shop.Customers, ("id", DbType.Int32), ("name", DbType.String));
        using var data = new DataTable();
        adapter.Fill(data);
        data.Rows.Add(3, "Cy");
        data.Rows.Add(3, "Dee");
        await using (var transaction = await shop.Connection.BeginTransactionAsync())
        {
            adapter.InsertCommand!.Transaction = transaction;
            Assert.ThrowsAny<DbException>(() => adapter.Update(data));
            await transaction.RollbackAsync();
        }

        Assert.Equal(2L, shop.Number($"SELECT COUNT(*) FROM {shop.Customers}"));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_closed_connection_is_opened_for_a_fill_and_closed_behind_it(ServerKind kind)
    {
        await using var shop = await Shop.CreateAsync(kind);
        using var adapter = shop.Adapter($"SELECT id, name FROM {shop.Customers} ORDER BY id");
        await shop.Connection.CloseAsync();
        using var table = new DataTable();
        Assert.Equal(2, adapter.Fill(table));
        Assert.Equal(ConnectionState.Closed, shop.Connection.State);
        adapter.SelectCommand!.CommandText = "SELEKT 1";
        Assert.ThrowsAny<DbException>(() => adapter.Fill(table));
        Assert.Equal(ConnectionState.Closed, shop.Connection.State);
        await shop.Connection.OpenAsync();
        adapter.SelectCommand.CommandText = $"SELECT id FROM {shop.Orders}";
        Assert.Equal(3, adapter.Fill(table));
        Assert.Equal(ConnectionState.Open, shop.Connection.State);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_schema_alone_has_columns_types_and_no_rows(ServerKind kind)
    {
        await using var shop = await Shop.CreateAsync(kind);
        using var adapter = shop.Adapter($"SELECT id, customer_id, amount FROM {shop.Orders}");
        using var table = new DataTable();
        adapter.FillSchema(table, SchemaType.Source);
        Assert.Empty(table.Rows);
        Assert.Equal([typeof(int), typeof(int), typeof(decimal)], table.Columns.Cast<DataColumn>().Select(static column => column.DataType));
        using var data = new DataSet();
        adapter.TableMappings.Add("Table", "Mapped");
        Assert.Equal("Mapped", Assert.Single(adapter.FillSchema(data, SchemaType.Mapped)).TableName);
        Assert.Equal(3, adapter.Fill(data));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Parameters_of_the_select_are_kept_between_fills(ServerKind kind)
    {
        await using var shop = await Shop.CreateAsync(kind);
        using var adapter = shop.Adapter($"SELECT id FROM {shop.Orders} WHERE customer_id = @customer");
        var parameter = adapter.SelectCommand!.CreateParameter();
        (parameter.ParameterName, parameter.DbType) = ("@customer", DbType.Int32);
        adapter.SelectCommand.Parameters.Add(parameter);
        foreach (var (customer, count) in new[] { (1, 2), (2, 1), (3, 0) })
        {
            using var table = new DataTable();
            parameter.Value = customer;
            Assert.Equal(count, adapter.Fill(table));
            Assert.Same(parameter, Assert.Single(adapter.GetFillParameters()));
        }
    }

    /// <summary>Two customers with three orders.</summary>
    private sealed class Shop(DbConnection connection) : IAsyncDisposable
    {
        private readonly int _number = Interlocked.Increment(ref _tables);

        public DbConnection Connection => connection;

        public string Customers => $"customers_{Environment.ProcessId}_{_number}";

        public string Orders => $"orders_{Environment.ProcessId}_{_number}";

        public static async Task<Shop> CreateAsync(ServerKind kind)
        {
            var server = await LiveServers.GetAsync(kind);
            DbConnection connection =
                kind.IsPostgreSql() ? new PgConnection(ConnectionStrings.Of(server)) : new MySqlConnection(ConnectionStrings.Of(server));
            await connection.OpenAsync();
            var shop = new Shop(connection);
            shop.Execute($"CREATE TABLE {shop.Customers} (id int PRIMARY KEY, name varchar(40) NOT NULL)");
            shop.Execute(
                $"CREATE TABLE {shop.Orders} (id int PRIMARY KEY, customer_id int NOT NULL, amount decimal(10,2), FOREIGN KEY (customer_id) REFERENCES "
                    + $"{shop.Customers} (id))");
            shop.Execute($"INSERT INTO {shop.Customers} VALUES (1, 'Ada'), (2, 'Bob')");
            shop.Execute($"INSERT INTO {shop.Orders} VALUES (10, 1, 10.25), (20, 1, 20.25), (30, 2, 5)");
            return shop;
        }

        public DbDataAdapter Adapter(string select)
        {
            DbDataAdapter adapter = connection is MySqlConnection ? new MySqlDataAdapter() : new PgDataAdapter();
            adapter.SelectCommand = Command(select);
            return adapter;
        }

        /// <summary>Sets the three commands of a table whose first column is its key.</summary>
        public void Writes(DbDataAdapter adapter, string table, params (string Name, DbType Type)[] columns)
        {
            var key = columns[0].Name;
            var names = columns.Select(static column => column.Name).ToArray();
            adapter.InsertCommand = Command($"INSERT INTO {table} ({string.Join(", ", names)}) VALUES (@{string.Join(", @", names)})");
            adapter.UpdateCommand =
                Command($"UPDATE {table} SET {string.Join(", ", names.Skip(1).Select(static name => $"{name} = @{name}"))} WHERE {key} = @old");
            adapter.DeleteCommand = Command($"DELETE FROM {table} WHERE {key} = @old");
            foreach (var (name, type) in columns)
            {
                Bind(adapter.InsertCommand, "@" + name, name, type);
                if (name != key)
                    Bind(adapter.UpdateCommand, "@" + name, name, type);
            }

            Bind(adapter.UpdateCommand, "@old", key, columns[0].Type).SourceVersion = DataRowVersion.Original;
            Bind(adapter.DeleteCommand, "@old", key, columns[0].Type).SourceVersion = DataRowVersion.Original;
        }

        public void Execute(string sql)
        {
            using var command = Command(sql);
            command.ExecuteNonQuery();
        }

        public string? Text(string sql)
        {
            using var command = Command(sql);
            return Convert.ToString(command.ExecuteScalar(), System.Globalization.CultureInfo.InvariantCulture);
        }

        public long Number(string sql) => long.Parse(Text(sql)!, System.Globalization.CultureInfo.InvariantCulture);

        public string Totals()
        {
            using var command =
                Command($"SELECT c.name, SUM(o.amount) FROM {Customers} c JOIN {Orders} o ON o.customer_id = c.id GROUP BY c.id, c.name ORDER BY c.id");
            using var reader = command.ExecuteReader();
            return string.Join(
                ", ", reader.Cast<IDataRecord>().Select(static row => FormattableString.Invariant($"{row.GetString(0)}:{row.GetDecimal(1):0.##}")));
        }

        public async ValueTask DisposeAsync()
        {
            if (connection.State == ConnectionState.Closed)
                await connection.OpenAsync();
            Execute($"DROP TABLE {Orders}");
            Execute($"DROP TABLE {Customers}");
            await connection.DisposeAsync();
        }

        private DbCommand Command(string sql)
        {
            var command = connection.CreateCommand();
            command.CommandText = sql;
            return command;
        }

        private static DbParameter Bind(DbCommand command, string name, string column, DbType type)
        {
            var parameter = command.CreateParameter();
            (parameter.ParameterName, parameter.SourceColumn, parameter.DbType) = (name, column, type);
            command.Parameters.Add(parameter);
            return parameter;
        }
    }

    /// <summary>What a designer generates from the two tables.</summary>
    private sealed class ShopData : DataSet
    {
        public ShopData()
        {
            Tables.Add(Customers);
            Tables.Add(Orders);
            Relations.Add("Places", Customers.Columns["id"]!, Orders.Columns["customer_id"]!);
        }

        public CustomerTable Customers { get; } = new();

        public OrderTable Orders { get; } = new();
    }

    private sealed class CustomerTable : DataTable
    {
        public CustomerTable()
            : base("Customers")
        {
            PrimaryKey = [Columns.Add("id", typeof(int))];
            Columns.Add("name", typeof(string)).AllowDBNull = false;
        }

        public IEnumerable<CustomerRow> All => Rows.Cast<CustomerRow>().Where(static row => row.RowState != DataRowState.Deleted);

        public CustomerRow Add(int id, string name)
        {
            var row = (CustomerRow)NewRow();
            (row["id"], row["name"]) = (id, name);
            Rows.Add(row);
            return row;
        }

        protected override DataRow NewRowFromBuilder(DataRowBuilder builder) => new CustomerRow(builder);

        protected override Type GetRowType() => typeof(CustomerRow);
    }

    private sealed class CustomerRow(DataRowBuilder builder) : DataRow(builder)
    {
        public string Name
        {
            get => (string)this["name"];
            set => this["name"] = value;
        }

        public OrderRow[] Orders => [.. GetChildRows("Places").Cast<OrderRow>()];
    }

    private sealed class OrderTable : DataTable
    {
        public OrderTable()
            : base("Orders")
        {
            PrimaryKey = [Columns.Add("id", typeof(int))];
            Columns.Add("customer_id", typeof(int));
            Columns.Add("amount", typeof(decimal));
        }

        public IEnumerable<OrderRow> All => Rows.Cast<OrderRow>().Where(static row => row.RowState != DataRowState.Deleted);

        public void Add(int id, CustomerRow customer, decimal amount) => Rows.Add(id, customer["id"], amount);

        protected override DataRow NewRowFromBuilder(DataRowBuilder builder) => new OrderRow(builder);

        protected override Type GetRowType() => typeof(OrderRow);
    }

    private sealed class OrderRow(DataRowBuilder builder) : DataRow(builder)
    {
        public int Id => (int)this["id"];

        public decimal Amount => (decimal)this["amount"];

        public CustomerRow Customer => (CustomerRow)GetParentRow("Places")!;
    }
}
