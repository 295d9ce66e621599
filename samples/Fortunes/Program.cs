using System.CommandLine;
using System.Data.Common;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Samples.Fortunes;

// dotnet run -c Release --project samples/Fortunes -- --server postgresql
// GET /fortunes follows the rules of the TechEmpower test: each request reads the rows from the database, adds one, sorts and escapes them, and returns HTML.
var server = new Option<string>("--server") { Description = "the lab's server: mariadb, mysql or postgresql", DefaultValueFactory = _ => "mariadb" };
server.AcceptOnlyFromAmong("mariadb", "mysql", "postgresql");
var connection =
    new Option<string?>("--connection") { Description = "connection string of another server instead of the lab's; it needs the table fortune(id, message)" };
var urls = new Option<string>("--urls") { Description = "addresses to listen on", DefaultValueFactory = _ => "http://localhost:5000" };
var root = new RootCommand("Serves /fortunes through Slipstream.") { server, connection, urls };
root.SetAction(async (result, stop) =>
{
    var name = result.GetValue(server)!;
    await using var lab = result.GetValue(connection) is null ? await FortuneLab.StartAsync(name, stop) : null;
    var connectionString = result.GetValue(connection) ?? lab!.ConnectionString;
    await using DbDataSource source = name == "postgresql" ? PgDataSource.Create(connectionString) : new MySqlDataSource(connectionString);
    if (lab is not null)
        await FortuneLab.EnsureTableAsync(source, stop);

    var builder = WebApplication.CreateSlimBuilder();
    builder.WebHost.UseUrls(result.GetValue(urls)!);
    builder.Logging.SetMinimumLevel(LogLevel.Warning);
    await using var app = builder.Build();
    app.MapGet("/fortunes", async (HttpContext context) =>
    {
        context.Response.ContentType = "text/html; charset=utf-8";
        FortunePage.Write(context.Response.BodyWriter, await FortuneTable.ReadAsync(source, context.RequestAborted));
        await context.Response.BodyWriter.FlushAsync(context.RequestAborted);
    });
    await app.StartAsync(stop);
    Console.WriteLine($"{name}: {result.GetValue(urls)}/fortunes (Ctrl-C ends the server)");
    await app.WaitForShutdownAsync(stop);
    return 0;
});

var parsed = root.Parse(args);
if (CommandWords.Problem(parsed) is { } problem)
{
    await Console.Error.WriteLineAsync($"fortunes: {problem} See --help.");
    return 2;
}

try
{
    return await parsed.InvokeAsync(new InvocationConfiguration { EnableDefaultExceptionHandler = false });
}
catch (OperationCanceledException)
{
    return 130;
}
catch (Exception exception) when (exception is DbException or ArgumentException or NotSupportedException)
{
    // The message says what to do, for example if there is no server, a password is wrong, or an option does not exist.
    await Console.Error.WriteLineAsync("fortunes: " + exception.Message);
    return 1;
}
catch (LabUnavailableException exception)
{
    await Console.Error.WriteLineAsync($"fortunes: {exception.Reason}\n  What to do: {exception.Command}");
    return 1;
}
