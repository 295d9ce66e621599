using System.Data.Common;
using System.Diagnostics;
using System.Globalization;
using Slipstream.Core.Errors;
using Slipstream.Lab;
using Slipstream.Soak.Checks;
using Slipstream.Soak.Work;

namespace Slipstream.Soak.Faults;

/// <summary>What faults act on: the server, the proxy before it, and an administrator's connection that bypasses pools and proxy.</summary>
internal sealed class FaultScenario(LabServer server, LabProxy proxy, Store store, Journal journal, LabAuthority authority, Random random, double scale)
    : IFaultStage
{
    private const int MostAttempts = 6;

    private static readonly TimeSpan ServesLimit = TimeSpan.FromSeconds(60);

    public LabServer Server => server;
    public LabProxy Proxy => proxy;
    public Store Store => store;
    public LabAuthority Authority => authority;

    /// <summary>Gets, as PEM, the lab's authority, which signed the certificate that a server starts with, and the soak's own authority.</summary>
    public string Authorities { get; } = File.ReadAllText(server.CaFile) + "\n" + authority.CertificatePem;
    public Random Random => random;

    /// <summary>Waits for a random time between these two, shorter in a short run.</summary>
    public Task Last(int leastMilliseconds, int mostMilliseconds) => Task.Delay((int)(random.Next(leastMilliseconds, mostMilliseconds) * scale));

    public int MonitoringSessions => 0;

    public IEnumerable<Injection> Injections() => Fault.All.Where(fault => !fault.OnlyPostgreSql || server.Kind.IsPostgreSql())
        .Select(fault => new Injection(fault.Name, fault.IsOfNetwork, () => fault.Inject(this)));

    public async Task<int> CountSessions() => (await Column(store.ListSessions)).Count;

    public Task<int> CountConnections() => Task.FromResult(proxy.OpenConnections);

    public bool MayBeLost(long acknowledged) => false;

    public Task<IReadOnlyList<string>> Examine() => Task.FromResult<IReadOnlyList<string>>([]);

    /// <summary>Runs the administrator's statements.</summary>
    /// <remarks>
    /// SET GLOBAL read_only waits for transactions that are being committed, and another fault may hold their commits. New transactions wait for it in turn. It
    /// therefore waits 5 s at most, and is repeated.
    /// </remarks>
    public async Task Run(params IEnumerable<string> statements)
    {
        await using var connection = store.Administrator();
        await connection.OpenAsync();
        foreach (var sql in statements)
        {
            await using var command = connection.CreateCommand();
            command.CommandText = sql;
            await ExecuteWithRetries(command);
        }
    }

    private async Task ExecuteWithRetries(DbCommand command)
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                await command.ExecuteNonQueryAsync();
                return;
            }
            catch (DbException exception) when (attempt < MostAttempts && Failure.Of(exception).Kind == ErrorKind.LockTimeout)
            {
                journal.Note($"attempt {attempt} of {MostAttempts}: {command.CommandText}: {exception.Message}");
            }
        }
    }

    public Task<List<string>> Column(string sql) => store.Column(sql);

    /// <summary>Waits until the server accepts connections and answers.</summary>
    public async Task WaitUntilItServes()
    {
        for (var began = Stopwatch.GetTimestamp(); ; await Task.Delay(50))
        {
            try
            {
                await Run("SELECT 1");
                return;
            }
            catch (DbException) when (Stopwatch.GetElapsedTime(began) < ServesLimit)
            {
            }
        }
    }

    /// <summary>Starts the server again. Remains of a killed server can prevent that for a moment.</summary>
    public async Task StartAgain()
    {
        var port = server.Port;
        for (var began = Stopwatch.GetTimestamp(); ; await Task.Delay(200))
        {
            try
            {
                await server.StartAgainAsync();
                break;
            }
            catch (LabUnavailableException) when (Stopwatch.GetElapsedTime(began) < ServesLimit)
            {
            }
        }

        if (server.Port != port)
            throw new InvalidOperationException($"the server has moved from port {port} to {server.Port}");
        await WaitUntilItServes();
    }
}
