using System.CommandLine;
using System.Data.Common;
using Slipstream.Tool.Caching;
using Slipstream.Tool.Connections;
using Slipstream.Tool.Output;

namespace Slipstream.Tool.Commands;

/// <summary><c>slipstream cache</c>.</summary>
internal static class CacheCommand
{
    private const string Description = """
        Creates the table of a distributed cache of Slipstream.MySql.Caching or Slipstream.PostgreSql.Caching, if it does not exist.

        The table is the one that the option CreateTableIfMissing of the cache creates. A table that exists is not changed; the command checks that a cache can use it.

        Exit codes: 0 the table was created or exists, 1 a table with this name exists, but not with the columns of a cache, 2 the command line is wrong, there is no connection, or the server refuses.
        """;

    /// <summary>The version of the JSON document's form. It changes when a member is removed or gets another meaning.</summary>
    private const int Schema = 1;

    public static Command Create(Terminal terminal, TextReader input) =>
        new("cache", "Creates the table of a distributed cache.") { CreateTable(terminal, input) };

    internal static Command CreateTable(Terminal terminal, TextReader input)
    {
        var source = new ConnectionSource();
        var table = new Option<string>("--table")
        {
            Description = "The name of the table, as the option TableName of the cache. Default: cache.",
            DefaultValueFactory = static _ => "cache",
            HelpName = "NAME",
        };
        var database = new Option<string?>("--database")
        {
            Description = "MySQL, MariaDB: the database of the table, which must exist. Default: that of the connection string.",
            HelpName = "NAME",
        };
        var schema = new Option<string?>("--schema")
        {
            Description = "PostgreSQL: the schema of the table, which must exist. Default: the first one of the search path.",
            HelpName = "NAME",
        };
        var unlogged = new Option<bool>("--unlogged") { Description = "PostgreSQL: creates the table as UNLOGGED, as the option IsUnlogged of the cache." };
        var sql = new Option<bool>("--sql") { Description = "Prints the SQL instead of executing it. There is no connection." };
        var json = new Option<bool>("--json") { Description = "Prints one JSON document instead of a line." };
        var command = new Command("create", Description);
        source.AddTo(command);
        foreach (var option in (Option[])[table, database, schema, unlogged, sql, json])
            command.Options.Add(option);
        command.SetAction(async (result, cancellationToken) =>
        {
            var target = source.Read(result, input, terminal.Secrets);
            var other = target.Provider == Provider.MySql
                ? (Option?)(result.GetValue(schema) is not null ? schema : result.GetValue(unlogged) ? unlogged : null)
                : result.GetValue(database) is not null ? database : null;
            if (other is not null)
                throw new ToolException($"{other.Name} is not an option for {target.ProviderName}.", "Write --database for mysql, --schema for postgresql.");
            if (string.IsNullOrEmpty(result.GetValue(table)))
                throw new ToolException("--table must be the name of a table.");
            var name = new CacheTableName(result.GetValue(table)!, result.GetValue(database) ?? result.GetValue(schema), result.GetValue(unlogged));
            if (result.GetValue(sql))
            {
                PrintSql(terminal, target, name, result.GetValue(json));
                return ExitCodes.Ok;
            }

            try
            {
                var created = await CacheTables.CreateAsync(target, name, cancellationToken);
                Print(terminal, target, name, created, result.GetValue(json));
                return CodeOf(created);
            }
            catch (Exception exception) when (
                exception is DbException or ArgumentException or InvalidOperationException or NotSupportedException or TimeoutException)
            {
                PrintFailure(terminal, target, name, exception, result.GetValue(json));
                return ExitCodes.CannotRun;
            }
        });
        return command;
    }

    private static int CodeOf(CacheTableResult result) => result.Problem is null ? ExitCodes.Ok : ExitCodes.Found;

    private static string Name(CacheTableName table) => table.Place is { } place ? $"{place}.{table.Name}" : table.Name;

    private static void PrintSql(Terminal terminal, Target target, CacheTableName table, bool json)
    {
        var sql = table.SqlFor(target.Provider).ReplaceLineEndings("\n");
        if (json)
            terminal.Json(new { Schema, Command = "cache create", Provider = target.ProviderName, Table = Name(table), Sql = sql, ExitCode = ExitCodes.Ok });
        else
            terminal.Line(sql + ";");
    }

    private static void Print(Terminal terminal, Target target, CacheTableName table, CacheTableResult result, bool json)
    {
        if (json)
            terminal.Json(new
            {
                Schema,
                Command = "cache create",
                Provider = target.ProviderName,
                Table = Name(table),
                Created = result.IsCreated,
                Usable = result.Problem is null,
                result.Problem,
                ExitCode = CodeOf(result),
            });
        else
            terminal.Line(result switch
            {
                { IsCreated: true } => $"The table {Name(table)} was created.",
                { Problem: null } => $"The table {Name(table)} exists, and a cache can use it. It was not changed.",
                _ => $"A table {Name(table)} exists, but it is not the table of a cache: {result.Problem} Choose another name (--table).",
            });
    }

    private static void PrintFailure(Terminal terminal, Target target, CacheTableName table, Exception exception, bool json)
    {
        var failure = Failure.Of(exception);
        if (json)
        {
            terminal.Json(new
            {
                Schema,
                Command = "cache create",
                Provider = target.ProviderName,
                Table = Name(table),
                Error = failure,
                ExitCode = ExitCodes.CannotRun,
            });
            return;
        }

        failure.Print(terminal, $"the table {Name(table)} was not created");
    }
}
