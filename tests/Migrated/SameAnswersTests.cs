using System.Collections.Concurrent;
using System.Reflection;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Migrated;

/// <summary>
/// The same sources compiled with the other driver and with this one; both run each case. This shows what an application sees that changes only its using. The
/// cases are in Cases/; each deliberate difference is marked there, with its reason and the row of docs/migrating.md.
/// </summary>
public class SameAnswersTests
{
    private static readonly (Assembly Peer, Assembly Ours) MySqlDrivers = (Assembly.Load("Slipstream.Migrated.ByMySqlConnector"),
        Assembly.Load("Slipstream.Migrated.BySlipstreamMySql"));
    private static readonly (Assembly Peer, Assembly Ours) PgDrivers = (Assembly.Load("Slipstream.Migrated.ByNpgsql"),
        Assembly.Load("Slipstream.Migrated.BySlipstreamPostgreSql"));
    private static readonly Assembly Compat = CompatFolder.Load();
    private static readonly string Guide = File.ReadAllText(Path.Combine(MigratedTests.Root(), "docs", "migrating.md"));

    public static TheoryData<ServerKind, string> OfMySql() => Each([ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11], MySqlDrivers.Ours);

    public static TheoryData<ServerKind, string> OfPostgreSql() => Each([ServerKind.PostgreSql, ServerKind.PostgreSql18], PgDrivers.Ours);

    [Fact]
    public void There_are_cases_enough() =>
        Assert.Equal((true, true), (Cases(MySqlDrivers.Ours).Count() >= 80, Cases(PgDrivers.Ours).Count() >= 30));

    [Fact]
    public void What_remains_is_documented()
    {
        var from = Guide.IndexOf("### In place of MySqlConnector", StringComparison.Ordinal);
        var section = Guide[from..Guide.IndexOf("\n## ", from, StringComparison.Ordinal)];
        Assert.All(RemainingDifferences.Rows, row => Assert.Contains($"| {row.Key} |", section, StringComparison.Ordinal));
    }

    [Theory]
    [MemberData(nameof(OfMySql))]
    public async Task A_changed_using_changes_no_answer(ServerKind kind, string name)
    {
        var (peer, ours) = await BothAsync(kind, name, MySqlDrivers.Ours);
        Compare(peer, ours);
    }

    /// <summary>Under the other driver's name, its answers win: only the rows of this list may differ.</summary>
    [Theory]
    [MemberData(nameof(OfMySql))]
    public async Task In_place_of_MySqlConnector_the_answers_are_its_own(ServerKind kind, string name)
    {
        var (peer, ours) = await BothAsync(kind, name, Compat);
        Assert.NotEmpty(ours.Seen);
        var faults = new List<string>();
        for (var i = 0; i < Math.Max(peer.Seen.Count, ours.Seen.Count); i++)
        {
            var (his, mine) = (peer.Seen.ElementAtOrDefault(i), ours.Seen.ElementAtOrDefault(i));
            if ((his?.What != mine?.What || his?.Value != mine?.Value) && !(mine?.Row is { } row && RemainingDifferences.Rows.ContainsKey(row)))
                faults.Add($"peer: {his}\nours: {mine} ({mine?.Row})");
        }

        Assert.True(faults.Count == 0, string.Join("\n\n", faults));
    }

    private static readonly ConcurrentDictionary<(ServerKind, string), Lazy<Task<Trial>>> PeerTrials = new();

    private static async Task<(Trial Peer, Trial Ours)> BothAsync(ServerKind kind, string name, Assembly driver)
    {
        var server = await LiveServers.GetAsync(kind);
        var options = $"Server={server.Host};Port={server.Port};User ID={server.User};Password={server.Password};Allow Public Key Retrieval=true";
        // Both tests of a case need the peer's answers.
        var peer = await PeerTrials.GetOrAdd((kind, name), _ => new(() => RunAsync(MySqlDrivers.Peer, "peer"))).Value;
        return (peer, await RunAsync(driver, driver == Compat ? "compat" : "ours"));

        async Task<Trial> RunAsync(Assembly driver, string who)
        {
            // An empty database for each run, so that no case sees what another leaves.
            var database = DatabaseName(who, name);
            await MySqlHelper.ExecuteNonQueryAsync(options, $"CREATE DATABASE {database}");
            try
            {
                return await Run(driver, name, new Trial($"{options};Database={database}", database, kind != ServerKind.MySql));
            }
            finally
            {
                await MySqlHelper.ExecuteNonQueryAsync(options, $"DROP DATABASE {database}");
            }
        }
    }

    [Theory]
    [MemberData(nameof(OfPostgreSql))]
    public async Task Pg_in_place_of_Npgsql_changes_no_answer(ServerKind kind, string name)
    {
        var server = await LiveServers.GetAsync(kind);
        var options = $"Host={server.Host};Port={server.Port};Username={server.User};Password={server.Password}";
        // One session creates and drops the databases: no other session may use template1 while it is copied.
        await using var source = PgDataSource.Create($"{options};Database=postgres");
        Compare(await RunAsync(PgDrivers.Peer, "peer"), await RunAsync(PgDrivers.Ours, "ours"));

        async Task<Trial> RunAsync(Assembly driver, string who)
        {
            var database = DatabaseName(who, name);
            await Do($"CREATE DATABASE {database}");
            try
            {
                return await Run(driver, name, new Trial($"{options};Database={database}", database, isMariaDb: false));
            }
            finally
            {
                await Do($"DROP DATABASE {database} WITH (FORCE)");
            }
        }

        async Task Do(string sql)
        {
            await using var command = source.CreateCommand(sql);
            await command.ExecuteNonQueryAsync();
        }
    }

    private static string DatabaseName(string who, string name) =>
        $"migrated_{who}_{Environment.ProcessId}_{string.Concat(name.Where(char.IsAsciiLetterLower)).GetHashCode(StringComparison.Ordinal) & 0xFFFFFF}";

    private static void Compare(Trial peer, Trial ours)
    {
        Assert.NotEmpty(ours.Seen);
        var faults = new List<string>();
        for (var i = 0; i < Math.Max(peer.Seen.Count, ours.Seen.Count); i++)
        {
            var (his, mine) = (peer.Seen.ElementAtOrDefault(i), ours.Seen.ElementAtOrDefault(i));
            var isSame = his == mine;
            if (!isSame && (mine?.Row is null || his?.What != mine.What))
                faults.Add($"peer: {his}\nours: {mine}");
            else if (isSame && mine?.Row is not null)
                faults.Add($"no difference any longer, so nothing to allow: {mine}");
            else if (mine?.Row is { } row && !Guide.Contains($"| {row} |", StringComparison.Ordinal))
                faults.Add($"docs/migrating.md has no row '{row}' for {mine}");
        }

        Assert.True(faults.Count == 0, string.Join("\n\n", faults));
    }

    private static TheoryData<ServerKind, string> Each(ServerKind[] kinds, Assembly driver)
    {
        var data = new TheoryData<ServerKind, string>();
        foreach (var kind in kinds)
        {
            foreach (var (name, _) in Cases(driver))
                data.Add(kind, name);
        }

        return data;
    }

    private static async Task<Trial> Run(Assembly driver, string name, Trial trial)
    {
        try
        {
            if (Cases(driver).Single(one => one.Name == name).Method.Invoke(null, [trial]) is Task task)
                await task;
        }
        catch (Exception e)
        {
            trial.Say("ended with", e is TargetInvocationException { InnerException: { } inner } ? inner : e);
        }
        finally
        {
            driver.GetType("Slipstream.Migrated.Driver")!.GetMethod("ClearPools")!.Invoke(null, null);
        }

        return trial;
    }

    private static IEnumerable<(string Name, MethodInfo Method)> Cases(Assembly driver) =>
        from type in driver.GetExportedTypes()
        where type is { IsAbstract: true, IsSealed: true }
        from method in type.GetMethods(BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly)
        where method.GetParameters() is [{ } one] && one.ParameterType == typeof(Trial)
        orderby type.Name, method.Name
        select ($"{type.Name}.{method.Name}", method);
}
