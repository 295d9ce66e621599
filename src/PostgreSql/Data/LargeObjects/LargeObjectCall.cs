using System.Text;

namespace Slipstream.PostgreSql;

/// <summary>A call of one of the server's functions for large objects.</summary>
internal readonly struct LargeObjectCall
{
    private readonly PgCommand _command;

    private LargeObjectCall(PgCommand command) => _command = command;

    public static LargeObjectCall Create(PgConnection connection, string function, params ReadOnlySpan<object> arguments)
    {
        var text = new StringBuilder("SELECT pg_catalog.").Append(function).Append('(');
        var command = new PgCommand("", connection);
        for (var i = 0; i < arguments.Length; i++)
        {
            text.Append(i == 0 ? "$" : ", $").Append(i + 1);
            var parameter = new PgParameter { Value = arguments[i] };
            if (arguments[i] is uint)
                parameter.PgDbType = PgDbType.Oid;
            command.Parameters.Add(parameter);
        }

        command.CommandText = text.Append(')').ToString();
        return new(command);
    }

    public T? Run<T>()
    {
        using (_command)
            return _command.ExecuteScalar<T>();
    }

    public async Task<T?> RunAsync<T>(CancellationToken cancellationToken)
    {
        var command = _command;
        await using (command.ConfigureAwait(false))
            return await command.ExecuteScalarAsync<T>(cancellationToken).ConfigureAwait(false);
    }
}
