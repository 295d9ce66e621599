using System.Data.Common;

namespace Slipstream.Soak.Work;

/// <summary>The time limits of the driver's calls, and helpers for them.</summary>
internal static class Calls
{
    /// <summary>A command whose time-out expires is cancelled on another connection, and then its own connection is closed.</summary>
    public const double Command = SoakOptions.TimeoutSeconds + SoakOptions.CancellationSeconds;

    public static async ValueTask<DbConnection> Connect(this Worker worker, CancellationToken ct = default)
    {
        worker.Step("Open", worker.OpenSeconds);
        var connection = await worker.Verbs.Open(worker.Source, ct);
        worker.Leave();
        return connection;
    }

    /// <summary>Uses a connection and closes it in any case.</summary>
    public static async ValueTask WithConnection(this Worker worker, Func<DbConnection, ValueTask> use, CancellationToken ct = default)
    {
        var connection = await worker.Connect(ct);
        try
        {
            await use(connection);
        }
        finally
        {
            worker.Step("Close", Command);
            await worker.Verbs.Close(connection);
            worker.Leave();
        }
    }

    public static DbCommand Ask(this DbConnection connection, string sql, params ReadOnlySpan<(string Name, object? Value)> parameters)
    {
        var command = connection.CreateCommand();
        command.CommandText = sql;
        command.Add(parameters);
        return command;
    }

    public static void Add(this DbCommand command, params ReadOnlySpan<(string Name, object? Value)> parameters)
    {
        foreach (var (name, value) in parameters)
        {
            var parameter = command.CreateParameter();
            (parameter.ParameterName, parameter.Value) = (name, value ?? DBNull.Value);
            command.Parameters.Add(parameter);
        }
    }

    /// <summary>Reads with a reader and closes it in any case.</summary>
    public static async ValueTask Read(this Worker worker, DbCommand command, Func<DbDataReader, ValueTask> read, CancellationToken ct = default)
    {
        worker.Step("ExecuteReader and Read", Command);
        var reader = await worker.Verbs.Reader(command, ct);
        await worker.Finish(reader, read);
    }

    public static async ValueTask Finish(this Worker worker, DbDataReader reader, Func<DbDataReader, ValueTask> read)
    {
        try
        {
            await read(reader);
        }
        finally
        {
            worker.Step("closing the reader", Command);
            await worker.Verbs.Close(reader);
            worker.Leave();
        }
    }

    public static async ValueTask<int> Execute(this Worker worker, DbCommand command, CancellationToken ct = default)
    {
        worker.Step("ExecuteNonQuery", Command);
        var rows = await worker.Verbs.NonQuery(command, ct);
        worker.Leave();
        return rows;
    }
}
