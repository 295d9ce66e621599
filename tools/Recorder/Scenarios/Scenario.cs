using System.Collections;
using System.Data.Common;
using System.Globalization;

namespace Slipstream.Recorder.Scenarios;

/// <summary>The operations on one connection, for a recording and for each replay.</summary>
/// <param name="Name">The recording's file name.</param>
/// <param name="Run">Opens the connection, and writes down the results.</param>
/// <param name="Options">Options of the connection string beyond host, port, user and password.</param>
/// <param name="User">The name of the lab's user, or of an authentication method. Empty: the administrator.</param>
public sealed record Scenario(string Name, Func<Stage, Task> Run, string Options = "", string User = "")
{
    /// <summary>Gets the SQL that prepares the server before the recording.</summary>
    public string[] Setup { get; init; } = [];

    public override string ToString() => Name;
}

/// <summary>Gives a scenario its connection, and takes its results.</summary>
/// <param name="source">The data source of the provider under test.</param>
/// <param name="verbs">Blocking or asynchronous calls.</param>
/// <param name="account">The list of results, one line each.</param>
public sealed class Stage(DbDataSource source, Verbs verbs, List<string> account)
{
    public Verbs Verbs => verbs;

    public async Task<DbConnection> Open()
    {
        var connection = source.CreateConnection();
        await verbs.Open(connection);
        return connection;
    }

    public static DbCommand Command(DbConnection connection, string sql, params object?[] parameters)
    {
        var command = connection.CreateCommand();
        command.CommandText = sql;
        for (var i = 0; i < parameters.Length; i++)
        {
            var parameter = command.CreateParameter();
            parameter.ParameterName = $"p{i}";
            parameter.Value = parameters[i] ?? DBNull.Value;
            command.Parameters.Add(parameter);
        }

        return command;
    }

    public void Write(string line) => account.Add(line);

    /// <summary>Executes a command, and writes down every value of every row of every result.</summary>
    public async Task Query(DbCommand command)
    {
        await using var reader = await verbs.Reader(command);
        do
        {
            Write(
                $"result of {reader.FieldCount} columns: "
                    + $"{string.Join(", ", Enumerable.Range(0, reader.FieldCount).Select(i => $"{reader.GetName(i)} {reader.GetFieldType(i).Name}"))}");
            while (await verbs.Read(reader))
            {
                for (var i = 0; i < reader.FieldCount; i++)
                    Write(Words(reader.GetValue(i)));
            }
        }
        while (await verbs.NextResult(reader));
        Write($"affected {reader.RecordsAffected}");
    }

    public async Task Query(DbConnection connection, string sql)
    {
        using var command = Command(connection, sql);
        await Query(command);
    }

    public async Task Execute(DbConnection connection, string sql, DbTransaction? transaction = null)
    {
        using var command = Command(connection, sql);
        command.Transaction = transaction;
        Write($"affected {await verbs.NonQuery(command)}");
    }

    public async Task Scalar(DbConnection connection, string sql)
    {
        using var command = Command(connection, sql);
        Write($"scalar {Words(await verbs.Scalar(command))}");
    }

    /// <summary>Returns a value with its type, in the same form on every machine.</summary>
    public static string Words(object? value) => value switch
    {
        null => "nothing",
        DBNull => "NULL",
        byte[] bytes when bytes.Length > 64 =>
            $"Byte[] of {bytes.Length}: {Convert.ToHexString(bytes.AsSpan(0, 8))}…{Convert.ToHexString(bytes.AsSpan(bytes.Length - 8))}",
        byte[] bytes => $"Byte[] {Convert.ToHexString(bytes)}",
        string { Length: > 200 } text => $"String of {text.Length}: {text[..8]}…{text[^8..]}",
        DateTime time => $"DateTime {time.Kind} {time:yyyy-MM-ddTHH:mm:ss.ffffff}",
        DateTimeOffset time => $"DateTimeOffset {time:yyyy-MM-ddTHH:mm:ss.ffffffzzz}",
        DateOnly date => $"DateOnly {date:yyyy-MM-dd}",
        TimeOnly time => $"TimeOnly {time:HH:mm:ss.ffffff}",
        float number => $"Single {number.ToString("R", CultureInfo.InvariantCulture)}",
        double number => $"Double {number.ToString("R", CultureInfo.InvariantCulture)}",
        Array list =>
            $"{value.GetType().Name} "
                + $"[{string.Join(", ", ((IEnumerable)list).Cast<object>().Select(static item => Convert.ToString(item, CultureInfo.InvariantCulture)))}]",
        _ => $"{value.GetType().Name} {Convert.ToString(value, CultureInfo.InvariantCulture)}",
    };
}
