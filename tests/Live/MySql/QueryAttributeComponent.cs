using Slipstream.MySql;

namespace Slipstream.Live.MySql;

/// <summary>The server's functions that show query attributes: installed if they are missing, and then removed at the end.</summary>
internal sealed class QueryAttributeComponent : IAsyncDisposable
{
    private const string Name = "'file://component_query_attributes'";

    private readonly MySqlConnection _connection;
    private readonly bool _isOurs;

    private QueryAttributeComponent(MySqlConnection connection, bool isOurs) => (_connection, _isOurs) = (connection, isOurs);

    public static async Task<QueryAttributeComponent> InstallAsync(MySqlConnection connection) =>
        new(connection, await TryAsync(connection, "INSTALL COMPONENT " + Name));

    public async ValueTask DisposeAsync()
    {
        if (_isOurs)
            await TryAsync(_connection, "UNINSTALL COMPONENT " + Name);
    }

    // Another test run may have done it in the meantime.
    private static async Task<bool> TryAsync(MySqlConnection connection, string sql)
    {
        try
        {
            await using var command = new MySqlCommand(sql, connection);
            await command.ExecuteNonQueryAsync();
            return true;
        }
        catch (MySqlException)
        {
            return false;
        }
    }
}
