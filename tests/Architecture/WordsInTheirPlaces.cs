using System.Text.RegularExpressions;

namespace Slipstream.Architecture;

/// <summary>
/// Checks words where layers cannot be checked: which code may wait, use a socket, or read a clock.
/// </summary>
public class WordsInTheirPlaces
{
    private const string Waiting = @"\b(async|await|Task|ValueTask)\b";
    private const string Network = @"\b(Socket|SslStream|Stream|NetworkStream)\b";
    private const string AdoNet = @"\bSystem\.Data\b";
    private const string Native = @"\b(DllImport|LibraryImport|NativeLibrary|UnmanagedCallersOnly|GetDelegateForFunctionPointer|extern)\b|\bdelegate\*";
    private const string Clocks =
        @"\b(Timer|PeriodicTimer|Stopwatch|TickCount|TickCount64|TimeProvider|CancelAfter)\b|\bDateTime(Offset)?\.(Utc)?Now\b|\b(Thread\.Sleep|Task\.Delay)\b";

    public static TheoryData<string, string, string[]> Table => new()
    {
        {
            "only pumps, openers, the pool and the public shells wait", Waiting,
            [
                "/Core/Wire/Transport/", "/Core/Wire/Engine/", "/Core/Wire/Dialing/", "/Core/Wire/Naming/", "/Core/Conversations/ExternalSource.cs",
                "/Core/Conversations/Pumps/AsyncPump.cs",
                "/Core/Pooling/SessionPool.cs", "/Core/Pooling/AsyncWaiter.cs", "/Core/Pooling/UnpooledSource.cs", "/Core/Pooling/ISessionSource.cs",
                "/Core/Pooling/ISessionSearch.cs",
                "/Core/Clusters/ClusterView.cs", "/Core/Clusters/Cluster.cs", "/Core/Clusters/WatchedFactory.cs",
                "/Core/Clusters/SourcePoll.cs", "/Core/Topology/ITopologySource.cs", "/Core/Sessions/SessionOpener.cs",
                "/Core/Diagnostics/TracedFactory.cs", "/Core/Sessions/InitializingFactory.cs",
                "/Core/Sessions/CallbackAnswer.cs", "/Core/Sessions/PeriodicPassword.cs", "/MySql/Sessions/CredentialSource.cs",
                "/MySql/Sessions/SecurityCallbacks.cs", "/PostgreSql/Sessions/LoginPassword.cs",
                "/PostgreSql/Sessions/EnvironmentPassword.cs", "/PostgreSql/Sessions/SecurityCallbacks.cs", "/*/Data/",
            ]
        },
        {
            "only the wire knows sockets; streams are ADO.NET's; an option has a value of that name", Network,
            ["/Core/Wire/", "/*/Data/", "/MySql/Values/MySqlOptionWords.cs", "/MySql/Options/MySqlOptions.cs"]
        },
        { "ADO.NET belongs to the shells; builders of connection strings derive from its own", AdoNet, ["/*/Data/", "/*/Options/", "/*/Codecs/"] },
        { "only the completion engine knows an operating system", Native, ["/Core/Wire/Engine/Epoll.cs"] },
        {
            "time is handed in", Clocks,
            ["/Core/Time/Clock.cs", "/Core/Pooling/PoolSweeper.cs", "/Core/Clusters/", "/Core/Wire/Naming/SrvResolver.cs", "/Core/Wire/Engine/EngineThreads.cs",
                "/Core/Diagnostics/", "/Core/Data/Transactions/TransactionRetryPolicy.cs"]
        },
    };

    [Theory]
    [MemberData(nameof(Table))]
    public void Every_word_is_in_its_place(string why, string word, string[] mayAppearIn)
    {
        Assert.NotEmpty(why);
        Report.Empty(Strays(word, mayAppearIn, file => file.Code));
    }

    [Fact]
    public void The_core_names_no_database() =>
        Report.Empty(Strays(@"(?i)mysql|mariadb|postgres|\bnpgsql|(?-i:\bPg[A-Z])", ["/MySql/", "/PostgreSql/"], file => file.CodeAndTexts));

    [Fact]
    public void Providers_do_not_know_each_other()
    {
        Report.Empty(Strays(@"(?i)\bSlipstream\.PostgreSql\b|(?-i:\bPg[A-Z]\w*)", ["/Core/", "/PostgreSql/"], file => file.Code));
        Report.Empty(Strays(@"(?i)\bSlipstream\.MySql\b|(?-i:\b(MySql|MariaDb)[A-Z]\w*)", ["/Core/", "/MySql/"], file => file.Code));
    }

    // The time of a command, for telemetry only. The only clock in the shells is a timestamp; it never waits.
    [Fact]
    public void Shells_read_the_stopwatch_for_telemetry_only() =>
        Report.Empty(Strays(@"\bStopwatch\b(?!\.(GetTimestamp|GetElapsedTime)\b)", ["/Core/Diagnostics/"], file => file.Code));

    private static IEnumerable<string> Strays(string word, string[] mayAppearIn, Func<SourceFile, string> code)
    {
        var pattern = new Regex(word);
        var places = Array.ConvertAll(mayAppearIn, place => new Regex("^" + Regex.Escape(place).Replace(@"\*", "[^/]+")));
        return
            from file in SourceFile.All
            where !places.Any(place => place.IsMatch(file.Path))
            from line in code(file).Split('\n').Select((text, index) => (Text: text, Number: index + 1))
            let match = pattern.Match(line.Text)
            where match.Success && !(file.Path.StartsWith("/Core/Data/", StringComparison.Ordinal) && match.Value == "Stopwatch")
            select $"{file.Path}:{line.Number}: {match.Value} in: {line.Text.Trim()}";
    }
}
