using System.Data.Common;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Slipstream.Race.Scenarios;

/// <summary>The document of the json scenarios: an order with ten items, about 900 bytes.</summary>
internal sealed record Order(int Id, string Customer, DateTime Placed, OrderItem[] Items)
{
    public const string Query = "select value from document";
    public const int ItemCount = 10;

    public static Order Example { get; } = new(
        7, "Slipstream race", new DateTime(2024, 1, 1, 0, 0, 0, DateTimeKind.Utc),
        [.. Enumerable.Range(1, ItemCount).Select(i => new OrderItem(i, $"an article with the number {i}", i * 1.25m, i % 2 == 0))]);

    public static string Text { get; } = JsonSerializer.Serialize(Example, OrderContext.Default.Order);

    public static void Check(Order order) => Scenarios.Check.Equal(ItemCount, order.Items[^1].Number);
}

internal sealed record OrderItem(int Number, string Article, decimal Price, bool Sent);

[JsonSerializable(typeof(Order))]
internal sealed partial class OrderContext : JsonSerializerContext;

/// <summary>How a document is read or written.</summary>
internal enum DocumentForm
{
    Text,
    Document,

    /// <summary>An object by System.Text.Json with source generation.</summary>
    Object,
}

/// <summary>An operation with one document of the type jsonb, over a data source of its own.</summary>
internal abstract class WithDocument(Assignment seat, DocumentForm form) : Operation
{
    private DbDataSource? _source;

    protected DbConnection Connection { get; private set; } = null!;

    protected DocumentForm Form { get; } = form;

    public override void Open() => NewConnection().Open();

    public override Task OpenAsync() => NewConnection().OpenAsync();

    protected override void Close()
    {
        Connection?.Dispose();
        _source?.Dispose();
    }

    // The providers' builders have the same members, but no common type.
    private DbConnection NewConnection()
    {
        var builderType = seat.Factory.GetType().Assembly.GetExportedTypes()
            .FirstOrDefault(type => type.Name is "PgDataSourceBuilder" or "NpgsqlDataSourceBuilder")
            ?? throw new NotSupportedException("this provider has no builder for data sources");
        dynamic builder = Activator.CreateInstance(builderType, seat.ConnectionString)!;
        if (Form is DocumentForm.Object)
        {
            builder.ConfigureJsonOptions(new JsonSerializerOptions { TypeInfoResolver = OrderContext.Default });
            builder.EnableDynamicJson();
        }

        _source = (DbDataSource)builder.Build();
        return Connection = _source.CreateConnection();
    }
}

/// <summary>One document, read in one of its forms.</summary>
internal sealed class ReadDocument(Assignment seat, DocumentForm form) : WithDocument(seat, form)
{
    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
        {
            using var command = Connection.CreateCommand();
            command.CommandText = Order.Query;
            using var reader = command.ExecuteReader();
            Check.Equal(1, reader.Read() ? 1 : 0);
            CheckValue(reader);
        }
    }

    public override async Task RunAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            await using var command = Connection.CreateCommand();
            command.CommandText = Order.Query;
            await using var reader = await command.ExecuteReaderAsync();
            Check.Equal(1, await reader.ReadAsync() ? 1 : 0);
            CheckValue(reader);
        }
    }

    private void CheckValue(DbDataReader reader)
    {
        switch (Form)
        {
            case DocumentForm.Text:
                Check.Text(reader.GetString(0));
                break;
            case DocumentForm.Document:
                using (var document = reader.GetFieldValue<JsonDocument>(0))
                    Check.Equal(Order.ItemCount, document.RootElement.GetProperty("Items").GetArrayLength());
                break;
            default:
                Order.Check(reader.GetFieldValue<Order>(0));
                break;
        }
    }
}

/// <summary>One parameter of the type jsonb, in one of its forms. The server returns the type of its root.</summary>
internal sealed class WriteDocument(Assignment seat, DocumentForm form) : WithDocument(seat, form)
{
    private readonly object _value = form switch
    {
        DocumentForm.Text => Order.Text,
        DocumentForm.Document => JsonDocument.Parse(Order.Text),
        _ => Order.Example,
    };

    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
        {
            using var command = NewCommand();
            Check.Text(command.ExecuteScalar());
        }
    }

    public override async Task RunAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            await using var command = NewCommand();
            Check.Text(await command.ExecuteScalarAsync());
        }
    }

    private DbCommand NewCommand()
    {
        var command = Connection.CreateCommand();
        command.CommandText = "select jsonb_typeof(@value)";
        var parameter = command.CreateParameter();
        ProviderMethods.Set(parameter, "DataTypeName", "jsonb");
        (parameter.ParameterName, parameter.Value) = ("@value", _value);
        command.Parameters.Add(parameter);
        return command;
    }
}
