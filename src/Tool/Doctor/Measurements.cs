using System.Data.Common;
using System.Diagnostics;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Tool.Connections;

namespace Slipstream.Tool.Doctor;

/// <summary>Measures the round trip, new connections, and how many round trips an open and a query from the pool take.</summary>
internal static class Measurements
{
    private const int WarmUp = 5;
    private const int CountedOperations = 20;
    private const int NewConnections = 3;

    // Above this, a new connection is slow for another reason than its round trips: TLS and login take a few milliseconds of computation.
    private const double SlowConnect = 200;
    private const int RoundTripsOfConnect = 12;

    private const string Query = "SELECT 1";
    private const string Pooling = "connection-pooling.md#size-and-lifetime";

    public static async Task<Check> LatencyAsync(Patient patient, int samples, CancellationToken cancellationToken)
    {
        await using var command = patient.Connection.CreateCommand();
        command.CommandText = Query;
        var times = new List<double>();
        for (var i = -WarmUp; i < samples; i++)
        {
            var start = Stopwatch.GetTimestamp();
            await command.ExecuteScalarAsync(cancellationToken);
            if (i >= 0)
                times.Add(Stopwatch.GetElapsedTime(start).TotalMilliseconds);
        }

        times.Sort();
        patient.Latency = times[times.Count / 2];
        var text = $"{Ms(patient.Latency)} median of {samples} times {Query} ({Ms(times[0])} to {Ms(times[^1])})";
        var figures = new Dictionary<string, double> { ["medianMs"] = patient.Latency, ["minMs"] = times[0], ["maxMs"] = times[^1], ["samples"] = samples };
        const double Far = 10;
        return (patient.Latency < Far
            ? Check.Ok("latency", text, "performance.md")
            : Check.Advise(
                "latency", text, "Each statement costs this time: send several in one round trip (batches), and run the program nearer to the server.",
                "batches.md")) with { Figures = figures };
    }

    /// <summary>Measures Open without the pool.</summary>
    public static async Task<Check> ConnectAsync(Patient patient, CancellationToken cancellationToken)
    {
        var times = new List<double>();
        await using (var source = Build(patient.Target, pooling: false, counter: null))
        {
            for (var i = 0; i < NewConnections; i++)
            {
                var start = Stopwatch.GetTimestamp();
                await using (await source.OpenConnectionAsync(cancellationToken))
                    times.Add(Stopwatch.GetElapsedTime(start).TotalMilliseconds);
            }
        }

        times.Sort();
        var median = times[times.Count / 2];
        var figures = new Dictionary<string, double> { ["medianMs"] = median, ["firstMs"] = patient.FirstOpen };
        var text = $"{Ms(median)} for a new connection (median of {NewConnections}); the first of this process took {Ms(patient.FirstOpen)}";
        if (median < SlowConnect + RoundTripsOfConnect * patient.Latency)
            return Check.Ok("connect", text, Pooling) with { Figures = figures };
        var resolves = patient.Target.Provider == Provider.MySql
            && await patient.ScalarAsync("SELECT @@global.skip_name_resolve", cancellationToken) == "0";
        return Check.Advise(
            "connect", text,
            resolves
                ? "The server resolves the client's name at each login (skip_name_resolve=OFF): set it to ON, or mend the reverse DNS of the client's address. "
                    + "Minimum Pool Size opens connections before they are needed."
                : "Set Minimum Pool Size, so that connections are open before they are needed; look for a slow DNS or a proxy.", Pooling)
            with { Figures = figures };
    }

    /// <summary>Counts the round trips of open, query and close, on a connection of the pool.</summary>
    public static async Task<Check> RoundTripsAsync(Patient patient, CancellationToken cancellationToken)
    {
        const string Docs = "performance.md#the-reset-of-a-pooled-session";
        var counter = new RoundTripCounter();
        await using var source = Build(patient.Target, pooling: null, counter);
        await OpenAndQueryAsync(source, WarmUp, cancellationToken);
        patient.HasTls = counter.HasTls;
        var before = counter.Count;
        await OpenAndQueryAsync(source, CountedOperations, cancellationToken);
        var each = (counter.Count - before) / (double)CountedOperations;
        var figures = new Dictionary<string, double> { ["perOperation"] = each };
        var text = $"{each:0.##} for open, {Query} and close";
        const double More = 1.5;
        if (each < More)
            return Check.Ok("round-trips", text, Docs) with { Figures = figures };
        return Check.Advise(
            "round-trips", text,
            IsPooled(patient.Target)
                ? "One is possible: the reset of a pooled session travels with the next command, unless Pipelining is off or a proxy prevents it."
                : "Pooling=false: each Open connects and logs in. Remove the option.", Docs) with { Figures = figures };
    }

    public static string Ms(double milliseconds) => milliseconds < 10 ? $"{milliseconds:0.00} ms" : $"{milliseconds:0} ms";

    private static async Task OpenAndQueryAsync(DbDataSource source, int times, CancellationToken cancellationToken)
    {
        for (var i = 0; i < times; i++)
        {
            await using var connection = await source.OpenConnectionAsync(cancellationToken);
            await using var command = connection.CreateCommand();
            command.CommandText = Query;
            await command.ExecuteScalarAsync(cancellationToken);
        }
    }

    private static bool IsPooled(Target target) => target.Provider == Provider.MySql ? target.MySql.Pooling : target.PostgreSql.Pooling;

    private static DbDataSource Build(Target target, bool? pooling, RoundTripCounter? counter)
    {
        if (target.Provider == Provider.MySql)
        {
            var options = target.MySql;
            options.Pooling = pooling ?? options.Pooling;
            // The connections of the minimum would be counted.
            options.MinimumPoolSize = 0;
            var builder = new MySqlDataSourceBuilder(options.ConnectionString);
            return (counter is null ? builder : builder.UseStreamFactory(counter.Connect)).Build();
        }
        else
        {
            var options = target.PostgreSql;
            options.Pooling = pooling ?? options.Pooling;
            options.MinPoolSize = 0;
            var builder = new PgDataSourceBuilder(options.ConnectionString);
            return (counter is null ? builder : builder.UseStreamFactory(counter.Connect)).Build();
        }
    }
}
