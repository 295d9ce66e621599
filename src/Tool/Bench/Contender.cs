using System.Data.Common;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Race.Contestants;
using Slipstream.Race.Measuring;
using Slipstream.Tool.Connections;

namespace Slipstream.Tool.Bench;

/// <summary>A driver that runs the query: Slipstream, or a peer that was loaded from its assembly.</summary>
internal sealed class Contender(string name, string version, DbProviderFactory factory, string connectionString) : IDisposable
{
    private readonly Dictionary<bool, DbDataSource> _sources = [];

    public string Name { get; } = name;

    public string Version { get; } = version;

    /// <summary>Gets the options of the connection string that the peer does not know, and which it runs without.</summary>
    public IReadOnlyList<string> LeftOut { get; private init; } = [];

    /// <summary>Gets or sets why the contender has left the race.</summary>
    public string? Error { get; set; }

    /// <summary>Gets or sets the operations of a round.</summary>
    public int Count { get; set; } = 1;

    public static Contender Slipstream(Target target)
    {
        DbProviderFactory factory = target.Provider == Provider.MySql ? MySqlConnectorFactory.Instance : PgFactory.Instance;
        return new Contender("Slipstream", ProviderAssembly.VersionOf(factory.GetType().Assembly), factory, target.ConnectionString);
    }

    /// <exception cref="ToolException">The option, the file or the factory is wrong.</exception>
    public static Contender Peer(string option, Target target)
    {
        var equals = option.IndexOf('=', StringComparison.Ordinal);
        if (equals < 1 || equals == option.Length - 1)
            throw new ToolException($"--peer: '{option}' is not Name=path.", "Write --peer Npgsql=bin/Release/net10.0/Npgsql.dll");
        var (name, rest) = (option[..equals], option[(equals + 1)..].Split(','));
        try
        {
            var (factory, version) = ProviderAssembly.Load(name, rest[0], rest.Length > 1 ? rest[1] : null);
            var (text, leftOut) = StringFor(factory, target.ConnectionString);
            return new Contender(name, version, factory, text) { LeftOut = leftOut };
        }
        catch (PeerException exception)
        {
            throw new ToolException("--peer " + exception.Message,
                "Name the assembly in the output folder of a program that uses it: its dependencies are beside it.");
        }
    }

    /// <summary>Runs the query and reads every value of every row.</summary>
    /// <returns>The rows of one execution.</returns>
    public int Run(BenchQuery query, int count)
    {
        var source = SourceOf(isAsync: false);
        var rows = 0;
        for (var i = 0; i < count; i++)
        {
            rows = 0;
            using var connection = source.OpenConnection();
            using var command = query.CreateCommand(connection);
            using var reader = command.ExecuteReader();
            do
            {
                while (reader.Read())
                {
                    for (var field = 0; field < reader.FieldCount; field++)
                        _ = reader.GetValue(field);
                    rows++;
                }
            }
            while (reader.NextResult());
        }

        return rows;
    }

    /// <summary>Does the same with asynchronous methods.</summary>
    public async Task<int> RunAsync(BenchQuery query, int count)
    {
        var source = SourceOf(isAsync: true);
        var rows = 0;
        for (var i = 0; i < count; i++)
        {
            rows = 0;
            await using var connection = await source.OpenConnectionAsync();
            await using var command = query.CreateCommand(connection);
            await using var reader = await command.ExecuteReaderAsync();
            do
            {
                while (await reader.ReadAsync())
                {
                    for (var field = 0; field < reader.FieldCount; field++)
                        _ = reader.GetValue(field);
                    rows++;
                }
            }
            while (await reader.NextResultAsync());
        }

        return rows;
    }

    /// <summary>Runs some operations and measures them.</summary>
    public Lap Measure(BenchQuery query, bool isAsync, int count)
    {
        if (!isAsync)
        {
            var before = Counters.Begin();
            Run(query, count);
            return LapOf(before, count);
        }

        // On the thread pool, as in a web application.
        return Task.Run(async () =>
        {
            var before = Counters.Begin();
            await RunAsync(query, count);
            return LapOf(before, count);
        }).GetAwaiter().GetResult();
    }

    public void Dispose()
    {
        foreach (var source in _sources.Values)
            source.Dispose();
    }

    private static Lap LapOf(Counters before, int count)
    {
        var (wall, cpu, allocated, gen0) = before.End();
        return new Lap(count, wall, cpu, allocated, gen0, []);
    }

    // Sync and async never share a pool: one asynchronous operation makes a Linux socket permanently non-blocking.
    private DbDataSource SourceOf(bool isAsync)
    {
        if (!_sources.TryGetValue(isAsync, out var source))
            _sources.Add(isAsync, source = factory.CreateDataSource(connectionString));
        return source;
    }

    // An option that only Slipstream has must not keep a peer out.
    private static (string Text, IReadOnlyList<string> LeftOut) StringFor(DbProviderFactory factory, string connectionString)
    {
        if (factory.CreateConnectionStringBuilder() is not { } builder || ConnectionText.Read(connectionString) is not { } options)
            return (connectionString, []);
        var leftOut = new List<string>();
        foreach (var (name, value) in options)
        {
            try
            {
                builder[name] = value;
            }
            catch (Exception exception) when (exception is ArgumentException or FormatException or NotSupportedException or KeyNotFoundException)
            {
                leftOut.Add(name);
            }
        }

        return (builder.ConnectionString, leftOut);
    }
}

/// <summary>The user's query.</summary>
internal sealed record BenchQuery(string Text, IReadOnlyList<BenchParameter> Parameters)
{
    public DbCommand CreateCommand(DbConnection connection)
    {
        var command = connection.CreateCommand();
        command.CommandText = Text;
        foreach (var parameter in Parameters)
            parameter.AddTo(command);
        return command;
    }
}
