using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Plugins;

/// <summary>A database of its own, so that the types of its extensions are not in the databases of other tests.</summary>
internal sealed class PluginDatabase : IAsyncDisposable
{
    private readonly string _options;
    private readonly string _name;
    private readonly PgConnection _admin;

    private PluginDatabase(string options, string name, PgConnection admin) => (_options, _name, _admin) = (options, name, admin);

    public static async Task<PluginDatabase> CreateAsync(ServerKind kind, params string[] extensions)
    {
        var server = await LiveServers.GetAsync(kind);
        var options = ConnectionStrings.PostgreSql(server);
        var name = $"plugins_{Guid.NewGuid():N}";
        var admin = new PgConnection(options + ";Pooling=false");
        await admin.OpenAsync(TestContext.Current.CancellationToken);
        Execute(admin, $"CREATE DATABASE {name}");
        var database = new PluginDatabase(options, name, admin);
        await using var source = database.Source(static _ => { });
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        // Not in the search path: the driver finds types by their names in any schema.
        Execute(connection, "CREATE SCHEMA ext");
        foreach (var extension in extensions)
            Execute(connection, $"CREATE EXTENSION {extension} SCHEMA ext");
        if (extensions.Length > 0)
            Execute(connection, $"ALTER DATABASE {name} SET search_path = public, ext");
        return database;
    }

    public PgDataSource Source(Action<PgDataSourceBuilder> configure)
    {
        var builder = new PgDataSourceBuilder(_options + $";Database={_name};Timezone=Asia/Kolkata");
        configure(builder);
        return builder.Build();
    }

    public async ValueTask DisposeAsync()
    {
        Execute(_admin, $"DROP DATABASE {_name} WITH (FORCE)");
        await _admin.DisposeAsync();
    }

    public static void Execute(PgConnection connection, string sql)
    {
        using var command = new PgCommand(sql, connection);
        command.ExecuteNonQuery();
    }

    /// <summary>Reads and sends a value whose type in the database follows from it, and which GetValue returns.</summary>
    public static void Check<T>(PgConnection connection, string type, string expression, T value)
        where T : notnull
    {
        Value(connection, $"({expression})::{type}", value);
        Reads(connection, $"({expression})::{type}", value);
        Sends(connection, type, expression, value, isInferred: true);
        Copies(connection, type, expression, value);
    }

    /// <summary>Reads and sends a value that is not what GetValue returns.</summary>
    public static void Other<T>(PgConnection connection, string type, string expression, T value, bool isInferred = false)
        where T : notnull
    {
        Reads(connection, $"({expression})::{type}", value);
        Sends(connection, type, expression, value, isInferred);
    }

    // In text, in binary, and prepared.
    public static void Value(PgConnection connection, string expression, object value) => ForEachFormat(connection, $"SELECT {expression}", null, reader =>
    {
        Assert.Equal(value, reader.GetValue(0));
        Assert.True(reader.GetFieldType(0).IsInstanceOfType(value));
    });

    public static void Reads<T>(PgConnection connection, string expression, T value) =>
        ForEachFormat(connection, $"SELECT {expression}, NULLIF({expression}, {expression})", null, reader =>
        {
            Assert.Equal(value, reader.GetFieldValue<T>(0));
            Assert.Equal(DBNull.Value, reader.GetValue(1));
            if (default(T) is not null)
                Assert.Throws<InvalidCastException>(() => reader.GetFieldValue<T>(1));
        });

    public static void Sends<T>(PgConnection connection, string type, string expression, T value, bool isInferred = false)
        where T : notnull
    {
        foreach (var isGeneric in new[] { false, true })
        {
            PgParameter Parameter() => isGeneric ? new PgParameter<T> { TypedValue = value } : new PgParameter { Value = value };
            PgParameter Typed() => new() { Value = value, DataTypeName = type };
            ForEachFormat(
                connection, $"SELECT $1::text, ({expression})::{type}::text, pg_typeof($1)::oid = '{type}'::regtype", isInferred ? Parameter : Typed,
                static reader =>
                {
                    Assert.Equal(reader.GetString(1), reader.GetString(0));
                    Assert.True(reader.GetBoolean(2));
                });
        }
    }

    private static void Copies<T>(PgConnection connection, string type, string expression, T value)
        where T : notnull
    {
        Execute(connection, $"CREATE TEMP TABLE copied (v {type})");
        using (var import = connection.BeginBinaryImport("COPY copied (v) FROM STDIN (FORMAT BINARY)"))
        {
            import.StartRow();
            import.Write(value);
            import.StartRow();
            import.Write(value, type);
            import.StartRow();
            import.WriteNull();
            Assert.Equal(3ul, import.Complete());
        }

        var bulk = new PgBulkCopy(connection) { DestinationTableName = "copied" };
        Assert.Equal(1, bulk.WriteToServer([value], static (row, one) => row.Write(one)).RowsInserted);
        using (var command = new PgCommand($"SELECT count(*) FROM copied WHERE v::text = ({expression})::{type}::text", connection))
            Assert.Equal(3, command.ExecuteScalar<long>());
        using (var export = connection.BeginBinaryExport("COPY (SELECT v FROM copied WHERE v IS NOT NULL) TO STDOUT (FORMAT BINARY)"))
        {
            for (var row = 0; row < 3; row++)
            {
                export.StartRow();
                Assert.Equal(value, export.Read<T>());
            }
        }

        Execute(connection, "DROP TABLE copied");
    }

    private static void ForEachFormat(PgConnection connection, string sql, Func<PgParameter>? parameter, Action<PgDataReader> check)
    {
        for (var execution = 0; execution < 4; execution++)
        {
            using var command = new PgCommand(sql, connection);
            if (parameter is not null)
                command.Parameters.Add(parameter());
            if (execution == 2)
                command.Prepare();
            using var reader = command.ExecuteReader();
            Assert.True(reader.Read());
            check(reader);
        }
    }
}
