using System.Data.Common;
using Slipstream.Lab;

namespace Slipstream.Samples.Fortunes;

/// <summary>The lab's server for this sample.</summary>
internal sealed class FortuneLab : IAsyncDisposable
{
    private static readonly string[] Messages =
    [
        "Measure first, then be surprised, then measure again.",
        "<script>alert(\"escaped\");</script>",
        "急がば回れ。",
    ];

    private readonly LabServer _server;

    private FortuneLab(LabServer server) => _server = server;

    public string ConnectionString => new DbConnectionStringBuilder
    {
        [_server.Kind is ServerKind.PostgreSql ? "Host" : "Server"] = _server.Host,
        ["Port"] = _server.Port,
        [_server.Kind is ServerKind.PostgreSql ? "Username" : "User ID"] = _server.User,
        ["Password"] = _server.Password,
        ["Database"] = _server.Database,
    }.ConnectionString;

    public static async Task<FortuneLab> StartAsync(string name, CancellationToken stop)
    {
        LabServer.Progress = Console.WriteLine;
        return new FortuneLab(await LabServer.StartAsync(name switch
        {
            "mariadb" => ServerKind.MariaDb,
            "mysql" => ServerKind.MySql,
            _ => ServerKind.PostgreSql,
        }, stop));
    }

    /// <summary>Creates the table if it does not exist.</summary>
    public static async Task EnsureTableAsync(DbDataSource source, CancellationToken stop)
    {
        await using var connection = await source.OpenConnectionAsync(stop);
        await using var command = connection.CreateCommand();
        command.CommandText = "create table if not exists fortune (id int not null primary key, message varchar(2048) not null)";
        await command.ExecuteNonQueryAsync(stop);
        command.CommandText = "select count(*) from fortune";
        if (Convert.ToInt64(await command.ExecuteScalarAsync(stop)) > 0)
            return;

        command.CommandText = "insert into fortune values (@id, @message)";
        for (var id = 1; id <= Messages.Length; id++)
        {
            command.Parameters.Clear();
            Add(command, "@id", id);
            Add(command, "@message", Messages[id - 1]);
            await command.ExecuteNonQueryAsync(stop);
        }
    }

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    private static void Add(DbCommand command, string name, object value)
    {
        var parameter = command.CreateParameter();
        parameter.ParameterName = name;
        parameter.Value = value;
        command.Parameters.Add(parameter);
    }
}
