using System.Data;
using Npgsql;
using NpgsqlTypes;
using Codes = Npgsql.PostgresErrorCodes;

namespace Shop;

/// <summary>Reads products over a <see cref="NpgsqlDataSource"/>.</summary>
public sealed class ProductStore(NpgsqlDataSource source) : IAsyncDisposable
{
    // NpgsqlConnection in a comment stays as it is.
    private const string Text = "NpgsqlConnection";

    private readonly NpgsqlDataSource _source = source;

    public string NpgsqlText => Text;

    public async Task<List<(int Id, string Name)>> FindAsync(int[] ids, CancellationToken cancellationToken)
    {
        var found = new List<(int, string)>();
        await using NpgsqlConnection connection = await _source.OpenConnectionAsync(cancellationToken);
        await using var command = new NpgsqlCommand("SELECT id, name FROM product WHERE id = ANY (@ids)", connection);
        command.Parameters.Add(new NpgsqlParameter { ParameterName = "ids", NpgsqlDbType = NpgsqlDbType.Array | NpgsqlTypes.NpgsqlDbType.Integer,
            Value = ids });
        command.Parameters.Add(new NpgsqlParameter<int>("most", 10));
        await using NpgsqlDataReader reader = await command.ExecuteReaderAsync(cancellationToken);
        while (await reader.ReadAsync(cancellationToken))
            found.Add((reader.GetInt32(0), reader.GetString(1)));
        return found;
    }

    public async Task<bool> AddAsync(string name, NpgsqlRange<int> range)
    {
        try
        {
            await using var connection = await _source.OpenConnectionAsync();
            await using var importer = await connection.BeginBinaryImportAsync("COPY product (name, sizes) FROM STDIN (FORMAT BINARY)");
            await importer.StartRowAsync();
            await importer.WriteAsync(name, NpgsqlDbType.Text);
            await importer.WriteAsync(range, npgsqlDbType: NpgsqlDbType.IntegerRange);
            await importer.CompleteAsync();
            return true;
        }
        catch (PostgresException exception) when (exception.SqlState == Codes.UniqueViolation)
        {
            return false;
        }
        catch (PostgresException exception)
        {
            throw new InvalidOperationException(exception.MessageText, exception);
        }
        catch (NpgsqlException exception)
        {
            throw new InvalidOperationException(nameof(NpgsqlException), exception);
        }
    }

    public static bool IsServerError(Exception exception) => exception is PostgresException
        || exception.InnerException is PostgresException { SqlState: "57014" };

    public static string? StateOf(Exception exception) => exception switch
    {
        PostgresException error => error.SqlState,
        NpgsqlException => null,
        _ => exception.Message,
    };

    public ValueTask DisposeAsync() => _source.DisposeAsync();
}
