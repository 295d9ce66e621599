using System.Collections.Concurrent;
using System.Data.Common;
using System.Diagnostics;
using System.Globalization;
using Slipstream.Core.Errors;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.FailoverRace;

/// <summary>What happens to the primary.</summary>
internal enum FailoverEvent
{
    /// <summary>Its process is killed.</summary>
    Kill,

    /// <summary>It is frozen: connections stay open, and nothing answers.</summary>
    Hang,

    /// <summary>It is shut down.</summary>
    Stop,
}

/// <summary>The result of one failover. Times are in milliseconds; NaN if it did not happen.</summary>
internal sealed record RoundResult(double Cluster, double Driver, double Slowest, int Failed, int WronglyTold, int Missing, int ProberLate);

/// <summary>
/// One failover: callers insert rows through the data source while the primary is lost. Some insert again and again, and new ones arrive all the time, because
/// a server that stops slowly may hold all of the first. A prober inserts directly at the other servers, each 5 ms, and shows when the cluster accepts writes
/// again.
/// </summary>
internal sealed class Round(LabCluster cluster, Contestant contestant, int writers, bool isAsync)
{
    private const int WarmUp = 1500;
    private const int After = 2000;

    private const int ArrivalInterval = 10;
    private const int MostArrivals = 200;

    // Npgsql may need 18 seconds after a hang.
    private const int Patience = 25_000;

    private const int LongestHang = 60_000;

    private readonly ConcurrentDictionary<int, double> _succeeded = new();
    private readonly ConcurrentDictionary<int, RetrySafety?> _failed = new();
    private readonly Stopwatch _clock = Stopwatch.StartNew();
    private int _number;
    private int _arrivals;
    private double _slowest;
    private double _happened = double.PositiveInfinity;
    private Task _stopping = Task.CompletedTask;
    private volatile bool _isOver;

    private bool IsPostgreSql => cluster.Kind == ClusterKind.PgReplication;

    public async Task<RoundResult> RunAsync(FailoverEvent happens, CancellationToken stop)
    {
        var old = FindPrimary() ?? throw new InvalidOperationException("No server of the cluster accepts writes.");
        Execute(old, "DROP TABLE IF EXISTS written");
        Execute(old, "CREATE TABLE written (id int PRIMARY KEY, port int)");
        await using var source = contestant.Factory.CreateDataSource(All() + contestant.OfCluster);
        Task[] tasks = [.. Enumerable.Range(0, writers).Select(_ => Task.Factory.StartNew(() => WriteAgainAndAgain(source), TaskCreationOptions.LongRunning))];
        var arriving = Task.Factory.StartNew(() => Arrive(source), TaskCreationOptions.LongRunning);
        await Task.Delay(WarmUp, stop);
        _failed.Clear();
        _slowest = 0;
        var others = cluster.Servers.Where(one => one != old).ToArray();
        var (late, found) = (0, double.NaN);
        var probers = others.Select(one => Task.Factory.StartNew(() => Probe(one, ref found, ref late), TaskCreationOptions.LongRunning)).ToArray();
        var began = _clock.Elapsed.TotalMilliseconds;
        await HappenAsync(happens, old);
        // A write that began before may have been committed with the old primary.
        Volatile.Write(ref _happened, _clock.Elapsed.TotalMilliseconds);
        if (cluster.Kind is ClusterKind.PgReplication or ClusterKind.MariaDbReplication)
            await cluster.PromoteAsync(others[0], stop);
        await Task.WhenAll(probers).WaitAsync(TimeSpan.FromMinutes(2), stop);
        for (var waited = Stopwatch.StartNew(); waited.ElapsedMilliseconds < Patience && double.IsNaN(FirstElsewhere(old)); await Task.Delay(500, stop))
        {
            // The driver has not found the new primary yet.
        }

        await Task.Delay(After, stop);
        _isOver = true;
        var ended = Task.WhenAll([.. tasks, LastArrivalAsync(arriving, stop)]);
        // Some drivers wait for a hung server for minutes.
        if (happens == FailoverEvent.Hang && await Task.WhenAny(ended, Task.Delay(LongestHang, stop)) != ended)
            cluster.Continue(old);
        await ended.WaitAsync(TimeSpan.FromMinutes(2), stop);

        var primary = FindPrimary() ?? throw new InvalidOperationException("No server of the cluster accepts writes after the failover.");
        var rows = Rows(primary);
        var first = FirstElsewhere(old);
        if (happens == FailoverEvent.Hang)
        {
            cluster.Continue(old);
            await cluster.KillAsync(old);
        }

        // A clean shutdown may take longer than the failover.
        await _stopping.WaitAsync(TimeSpan.FromMinutes(2), stop);
        await cluster.RejoinAsync(old, stop);
        return new(
            found - began, first - found, _slowest, _failed.Count,
            _failed.Count(one => one.Value == RetrySafety.NotSent && rows.ContainsKey(one.Key)),
            _succeeded.Keys.Count(id => !rows.ContainsKey(id)), late);
    }

    private async Task LastArrivalAsync(Task arriving, CancellationToken stop)
    {
        await arriving;
        while (Volatile.Read(ref _arrivals) > 0)
            await Task.Delay(5, stop);
    }

    // When the first write through the driver succeeded at another server.
    private double FirstElsewhere(LabServer old)
    {
        var rows = FindPrimary() is { } primary ? Rows(primary) : [];
        return _succeeded.Where(one => rows.TryGetValue(one.Key, out var port) && port != old.Port).Select(static one => one.Value)
            .DefaultIfEmpty(double.NaN).Min();
    }

    private Task HappenAsync(FailoverEvent happens, LabServer server)
    {
        switch (happens)
        {
            case FailoverEvent.Kill:
                return cluster.KillAsync(server);
            case FailoverEvent.Stop:
                // The others go on while it shuts down.
                _stopping = cluster.StopAsync(server);
                return Task.CompletedTask;
            default:
                cluster.Pause(server);
                return Task.CompletedTask;
        }
    }

    private void WriteAgainAndAgain(DbDataSource source)
    {
        while (!_isOver)
            if (!TryWrite(source))
                Thread.Sleep(1);
    }

    private void Arrive(DbDataSource source)
    {
        for (; !_isOver; Thread.Sleep(ArrivalInterval))
        {
            if (Volatile.Read(ref _arrivals) >= MostArrivals)
                continue;
            Interlocked.Increment(ref _arrivals);
            new Thread(() =>
            {
                TryWrite(source);
                Interlocked.Decrement(ref _arrivals);
            }) { IsBackground = true }.Start();
        }
    }

    private bool TryWrite(DbDataSource source)
    {
        var id = Interlocked.Increment(ref _number);
        var began = _clock.Elapsed.TotalMilliseconds;
        var isWritten = false;
        try
        {
            using var command = source.CreateCommand(Insert(id));
            if (isAsync)
                command.ExecuteNonQueryAsync().GetAwaiter().GetResult();
            else
                command.ExecuteNonQuery();
            _succeeded[id] = _clock.Elapsed.TotalMilliseconds;
            isWritten = true;
        }
        catch (Exception exception) when (exception is DbException or InvalidOperationException)
        {
            _failed[id] = (exception as PgException)?.RetrySafety ?? (exception as MySqlException)?.RetrySafety;
        }

        var took = _clock.Elapsed.TotalMilliseconds - began;
        lock (_succeeded)
            _slowest = Math.Max(_slowest, took);
        return isWritten;
    }

    private void Probe(LabServer server, ref double found, ref int late)
    {
        var last = _clock.Elapsed.TotalMilliseconds;
        while (GoesOn(ref found))
        {
            try
            {
                using var connection = Open(server);
                while (GoesOn(ref found))
                {
                    var now = _clock.Elapsed.TotalMilliseconds;
                    if (TryInsert(connection) && now >= Volatile.Read(ref _happened))
                        Interlocked.CompareExchange(ref found, _clock.Elapsed.TotalMilliseconds, double.NaN);
                    var ended = _clock.Elapsed.TotalMilliseconds;
                    if (Volatile.Read(ref found) < ended)
                        InterlockedMax(ref late, (int)(ended - Math.Max(last, Volatile.Read(ref found))) - 5);
                    last = ended;
                    Thread.Sleep(5);
                }
            }
            catch (DbException)
            {
                Thread.Sleep(5);
            }
        }
    }

    // The second after its first write shows how long the cluster, or this machine, keeps everybody waiting.
    private bool GoesOn(ref double found) =>
        !_isOver && (Volatile.Read(ref found) is var first) && (double.IsNaN(first) || _clock.Elapsed.TotalMilliseconds < first + 1000);

    private bool TryInsert(DbConnection connection)
    {
        try
        {
            using var command = connection.CreateCommand();
            command.CommandText = Insert(Interlocked.Increment(ref _number));
            command.ExecuteNonQuery();
            return true;
        }
        // Not the primary (yet).
        catch (DbException exception) when (exception is PgException { SqlState: "25006" } or MySqlException { Number: 1290 or 1836 or 1047 })
        {
            return false;
        }
    }

    private static void InterlockedMax(ref int most, int value)
    {
        for (var seen = Volatile.Read(ref most); value > seen; seen = Volatile.Read(ref most))
            Interlocked.CompareExchange(ref most, value, seen);
    }

    private string Insert(int id) => string.Create(
        CultureInfo.InvariantCulture, $"INSERT INTO written VALUES ({id}, {(IsPostgreSql ? "current_setting('port')::int" : "@@port")})");

    private LabServer? FindPrimary()
    {
        for (var waited = Stopwatch.StartNew(); waited.Elapsed < TimeSpan.FromSeconds(60); Thread.Sleep(50))
        {
            foreach (var server in cluster.Servers)
            {
                try
                {
                    // Group Replication accepts only tables with a key.
                    Execute(server, "CREATE TABLE IF NOT EXISTS probed (id bigint PRIMARY KEY)");
                    Execute(server, string.Create(CultureInfo.InvariantCulture, $"INSERT INTO probed VALUES ({Random.Shared.NextInt64()})"));
                    return server;
                }
                catch (DbException)
                {
                    // Not this one.
                }
            }
        }

        return null;
    }

    private Dictionary<int, int> Rows(LabServer server)
    {
        using var connection = Open(server);
        using var command = connection.CreateCommand();
        command.CommandText = "SELECT id, port FROM written";
        using var reader = command.ExecuteReader();
        Dictionary<int, int> rows = [];
        while (reader.Read())
            rows[reader.GetInt32(0)] = reader.GetInt32(1);
        return rows;
    }

    private void Execute(LabServer server, string sql)
    {
        using var connection = Open(server);
        using var command = connection.CreateCommand();
        command.CommandText = sql;
        command.ExecuteNonQuery();
    }

    private DbConnection Open(LabServer server)
    {
        DbConnection connection = IsPostgreSql ? new PgConnection(One(server) + "Timeout=2;Command Timeout=20") : new MySqlConnection(One(server)
            + "Connection Timeout=2;Default Command Timeout=20");
        connection.Open();
        return connection;
    }

    private string One(LabServer server) => Options($"{(IsPostgreSql ? "Host" : "Server")}={server.Host};Port={server.Port};") + "Pooling=false;";

    private string All()
    {
        var hosts = string.Join(',', cluster.Servers.Select(static one => $"{one.Host}:{one.Port}"));
        // MySqlConnector has one port for all servers, so it takes part on the first one only.
        return contestant.Name == "MySqlConnector"
            ? Options($"Server={cluster.Servers[0].Host};Port={cluster.Servers[0].Port};")
            : Options($"{(IsPostgreSql ? "Host" : "Server")}={hosts};") + "Maximum Pool Size=64;";
    }

    private string Options(string hosts)
    {
        var server = cluster.Servers[0];
        return IsPostgreSql
            ? $"{hosts}Username={server.User};Password={server.Password};Database={server.Database};SSL Mode=Require;"
            : $"{hosts}User ID={server.User};Password={server.Password};Database={server.Database};SSL Mode=Required;";
    }
}
