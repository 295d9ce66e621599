using System.CommandLine;
using System.Data.Common;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Tool.Bench;
using Slipstream.Tool.Connections;
using Slipstream.Tool.Output;

namespace Slipstream.Tool.Commands;

/// <summary><c>slipstream bench</c>.</summary>
internal static class BenchCommand
{
    private const string Description = """
        Runs your query against your server with Slipstream and, with --peer, with other drivers in turn, and prints time, CPU and allocated bytes per execution.

        An execution is: open a connection of the pool, execute the query, read every value of every row, close. A text that writes is refused without --write.

        Exit codes: 0 all drivers were measured, 1 a driver failed, 2 the command line is wrong, or the query or the connection fails.
        """;

    private const int DefaultRounds = 15;
    private const int ReadOnlyMySql = 1792;
    private const string ReadOnlyPostgreSql = "25006";
    private static readonly TimeSpan Round = TimeSpan.FromMilliseconds(100);

    public static Command Create(Terminal terminal, TextReader input)
    {
        var source = new ConnectionSource();
        var query = new Option<string>("--query") { Description = "The query.", Required = true, HelpName = "SQL" };
        var parameters = new Option<string[]>("--parameter")
        {
            Description = "A parameter of the query, such as id=42 or name:text=42. Types: int, long, decimal, double, bool, text, date, guid, null.",
            HelpName = "NAME[:TYPE]=VALUE",
        };
        var peers = new Option<string[]>("--peer")
        {
            Description = "Another driver, by its assembly: MySqlConnector=bin/Release/net10.0/MySqlConnector.dll. A factory type may follow, after a comma.",
            HelpName = "NAME=PATH",
        };
        var rounds = new Option<int>("--rounds")
        {
            Description = "How many rounds are measured. Default: 15; the interval of 95 % needs at least 6.",
            DefaultValueFactory = static _ => DefaultRounds,
            HelpName = "N",
        };
        rounds.Validators.Add(static result =>
        {
            if (result.GetValueOrDefault<int>() is < 1 or > 10_000)
                result.AddError("--rounds must be from 1 to 10000.");
        });
        var mode = new Option<string>("--mode")
        {
            Description = "sync, async or both. Default: both.",
            DefaultValueFactory = static _ => "both",
            HelpName = "sync|async|both",
        };
        mode.AcceptOnlyFromAmong("sync", "async", "both");
        var write = new Option<bool>("--write") { Description = "Allows a text that writes. It is executed thousands of times." };
        var json = new Option<bool>("--json") { Description = "Prints one JSON document instead of a table." };
        var command = new Command("bench", Description);
        source.AddTo(command);
        foreach (var option in (Option[])[query, parameters, peers, rounds, mode, write, json])
            command.Options.Add(option);
        command.SetAction(async (result, cancellationToken) =>
        {
            var target = source.Read(result, input, terminal.Secrets);
            var one = new BenchQuery(result.GetValue(query)!, [.. (result.GetValue(parameters) ?? []).Select(BenchParameter.Parse)]);
            var contenders = new List<Contender> { Contender.Slipstream(target) };
            try
            {
                contenders.AddRange((result.GetValue(peers) ?? []).Select(peer => Contender.Peer(peer, target)));
                if (!result.GetValue(write))
                    await RefuseWritesAsync(target, one, cancellationToken);
                var run = new BenchRun(one, contenders, result.GetValue(rounds), Round);
                var results = new List<BenchResult>();
                foreach (var isAsync in (bool[])[false, true])
                {
                    if (result.GetValue(mode) is var name && name != "both" && name != (isAsync ? "async" : "sync"))
                        continue;
                    terminal.Progress($"Measuring {(isAsync ? "asynchronous" : "synchronous")} calls …");
                    results.AddRange(run.Run(isAsync, cancellationToken));
                }

                if (contenders[0].Error is { } error)
                    throw new ToolException($"Slipstream: {error}");
                var code = contenders.Any(static contender => contender.Error is not null) ? ExitCodes.Found : ExitCodes.Ok;
                if (result.GetValue(json))
                    BenchReport.PrintJson(terminal, target, results, result.GetValue(rounds), code);
                else
                    BenchReport.Print(terminal, results, result.GetValue(rounds));
                return code;
            }
            finally
            {
                foreach (var contender in contenders)
                    contender.Dispose();
            }
        });
        return command;
    }

    // What the text does not show, such as a function that writes, the server refuses in a read-only transaction.
    private static async Task RefuseWritesAsync(Target target, BenchQuery query, CancellationToken cancellationToken)
    {
        const string Advice = "Add --write if the text may be executed thousands of times.";
        if (QueryText.Refusal(query.Text) is { } refusal)
            throw new ToolException($"The query may write: {refusal}.", Advice);
        try
        {
            await using DbConnection connection = target.Provider == Provider.MySql ? new MySqlConnection(target.ConnectionString)
                : new PgConnection(target.ConnectionString);
            await connection.OpenAsync(cancellationToken);
            await using var transaction = connection is MySqlConnection mySql
                ? await mySql.BeginTransactionAsync(System.Data.IsolationLevel.RepeatableRead, isReadOnly: true, cancellationToken)
                : await connection.BeginTransactionAsync(cancellationToken);
            if (target.Provider == Provider.PostgreSql)
                await ExecuteAsync(connection, transaction, new BenchQuery("SET TRANSACTION READ ONLY", []), cancellationToken);
            await ExecuteAsync(connection, transaction, query, cancellationToken);
            await transaction.RollbackAsync(cancellationToken);
        }
        catch (DbException exception) when (exception is MySqlException { Number: ReadOnlyMySql } || exception.SqlState == ReadOnlyPostgreSql)
        {
            throw new ToolException($"The query writes: {exception.Message}", Advice);
        }
        catch (Exception exception) when (exception is DbException or ArgumentException or InvalidOperationException or NotSupportedException)
        {
            throw new ToolException(exception.Message, exception.HelpLink);
        }
    }

    private static async Task ExecuteAsync(DbConnection connection, DbTransaction transaction, BenchQuery query, CancellationToken cancellationToken)
    {
        await using var command = query.CreateCommand(connection);
        command.Transaction = transaction;
        await using var reader = await command.ExecuteReaderAsync(cancellationToken);
        while (await reader.ReadAsync(cancellationToken) || await reader.NextResultAsync(cancellationToken))
        {
        }
    }
}
