using System.Data.Common;
using System.Globalization;
using Slipstream.Fuzzing.Engine;
using Slipstream.Fuzzing.Targets.Conversations;
using Slipstream.MySql;
using Slipstream.MySql.Options;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Options;
using Slipstream.PostgreSql.Sessions;
using Slipstream.Recorder.Replay;

namespace Slipstream.Fuzzing.Targets;

/// <summary>The targets of whole conversations with both providers.</summary>
internal static class ConversationTargets
{
    private static readonly string[] MySqlServers = ["mysql", "mariadb"];
    private static readonly string[] PgServers = ["postgresql"];

    /// <summary>Gets all targets.</summary>
    public static IReadOnlyList<IFuzzTarget> All { get; } =
    [
        new ConversationTarget("mysql-conversation-connect", false, FuzzFraming.MySql, () => ConnectPlays(MySqlServers, static name => !UsesKeys(name))),
        // Signatures and RSA take a millisecond each. They are separate, so that they do not slow the others down.
        new ConversationTarget("mysql-conversation-connect-keys", false, FuzzFraming.MySql, () => ConnectPlays(MySqlServers, UsesKeys)),
        MySqlOf("text", MySqlActs.Text),
        MySqlOf("prepared", MySqlActs.Prepared),
        MySqlOf("bulk", MySqlActs.Bulk),
        MySqlOf("pooled", MySqlActs.Pooled),
        new ConversationTarget("mysql-conversation-compressed", false, FuzzFraming.MySqlCompressed, () => Plays(MySqlActs.Compressed, MySqlServers)),
        new ConversationTarget(
            "mysql-conversation-async", true, FuzzFraming.MySql, () => Plays([.. MySqlActs.Text, .. MySqlActs.Prepared, .. MySqlActs.Pooled], MySqlServers)),
        new ConversationTarget("pg-conversation-connect", false, FuzzFraming.PostgreSql, () => ConnectPlays(PgServers, static _ => true)),
        PgOf("query", PgActs.Queries),
        PgOf("prepared", PgActs.Prepared),
        PgOf("bulk", PgActs.Bulk),
        PgOf("pooled", PgActs.Pooled),
        new ConversationTarget(
            "pg-conversation-async", true, FuzzFraming.PostgreSql, () => Plays([.. PgActs.Queries, .. PgActs.Prepared, .. PgActs.Pooled], PgServers)),
        new ConversationTarget("pg-conversation-exchanges", false, FuzzFraming.PostgreSql, ExchangePlays),
        new ConversationTarget("pg-conversation-exchanges-async", true, FuzzFraming.PostgreSql, ExchangePlays),
    ];

    private static ConversationTarget MySqlOf(string name, Act[] acts) =>
        new($"mysql-conversation-{name}", false, FuzzFraming.MySql, () => Plays(acts, MySqlServers));

    private static ConversationTarget PgOf(string name, Act[] acts) =>
        new($"pg-conversation-{name}", false, FuzzFraming.PostgreSql, () => Plays(acts, PgServers));

    /// <summary>Returns all acts that are recorded with a server.</summary>
    internal static IReadOnlyList<Act> ActsOf(string server) => server == "postgresql"
        ? [.. PgActs.Queries, .. PgActs.Prepared, .. PgActs.Bulk, .. PgActs.Pooled]
        : [.. MySqlActs.Text, .. MySqlActs.Prepared, .. MySqlActs.Bulk, .. MySqlActs.Pooled, .. MySqlActs.Compressed];

    private static List<Play> Plays(Act[] acts, string[] servers)
    {
        var plays = new List<Play>();
        foreach (var server in servers)
        {
            foreach (var act in acts)
            {
                var recording = RecordingText.Load(Path.Combine(FindingStore.Root, "tools", "Fuzz", "Seeds", server, act.Name + ".txt"));
                var opened = int.Parse(recording.Account[0].Split(' ')[1], CultureInfo.InvariantCulture);
                var (greeting, answers) = ConversationTarget.SplitAt(recording, opened);
                var framing =
                    server == "postgresql"
                        ? FuzzFraming.PostgreSql
                        : act.Options.Contains("Compression", StringComparison.Ordinal)
                        ? FuzzFraming.MySqlCompressed
                        : FuzzFraming.MySql;
                plays.Add(
                    new(act, server, SourceOf(server, recording.Options), greeting, answers, framing, recording.Trust)
                    {
                        Rows = int.Parse(recording.Account[1].Split(' ')[1], CultureInfo.InvariantCulture)
                    });
            }
        }

        return plays;
    }

    private static bool UsesKeys(string name) => name is "connect-ed25519" or "connect-sha256" or "connect-caching-sha2-full";

    // Recordings of logins, from the first byte.
    private static List<Play> ConnectPlays(string[] servers, Func<string, bool> wanted)
    {
        var plays = new List<Play>();
        foreach (var server in servers)
        {
            foreach (var path in Directory.EnumerateFiles(
                Path.Combine(FindingStore.Root, "tests", "Transcripts", "recordings", server), "connect-*.txt").Order(StringComparer.Ordinal))
            {
                if (!wanted(Path.GetFileNameWithoutExtension(path)))
                    continue;
                var recording = RecordingText.Load(path);
                var sql = server == "postgresql" ? "SELECT current_user::text" : "SELECT CURRENT_USER()";
                var act = new Act(Path.GetFileNameWithoutExtension(path), caller => caller.Scalar(sql));
                plays.Add(
                    new(
                        act, server, SourceOf(server, recording.Options), [], recording.ServerBytes(),
                        server == "postgresql" ? FuzzFraming.PostgreSql : FuzzFraming.MySql, recording.Trust)
                        {
                            AnswersTls = server == "postgresql" && act.Name.Contains("tls", StringComparison.Ordinal),
                        });
            }
        }

        return plays;
    }

    // COPY, waits and the loading of types. The answers are written by hand; the login is a recorded one.
    private static List<Play> ExchangePlays()
    {
        var recording = RecordingText.Load(Path.Combine(FindingStore.Root, "tools", "Fuzz", "Seeds", "postgresql", "copy.txt"));
        var (greeting, _) = ConversationTarget.SplitAt(recording, int.Parse(recording.Account[0].Split(' ')[1], CultureInfo.InvariantCulture));
        return
        [
            .. PgExchangeActs.WithoutTypes.Select(play => new Play(
                play.Act, "postgresql", SourceOf("postgresql", recording.Options), greeting, play.Answers, FuzzFraming.PostgreSql, recording.Trust)),
            .. PgExchangeActs.WithTypes.Select(play => new Play(
                play.Act, "postgresql", SourceOf("postgresql", recording.Options, loadsTypes: true), [], [.. greeting, .. play.Answers], FuzzFraming.PostgreSql,
                recording.Trust)),
        ];
    }

    private static Func<DbDataSource> SourceOf(string server, string options, bool loadsTypes = false)
    {
        if (!options.Contains("Pooling", StringComparison.Ordinal))
            options += ";Pooling=false";
        if (server == "postgresql")
        {
            var pg = new PgSettings(new PgConnectionStringBuilder(
                $"Host=recording;Port=1;{options};Max Value Bytes=1048576;Command Timeout=0;"
                    + $"Server Compatibility Mode={(loadsTypes ? "None" : "NoTypeLoading")}"));
            return () => new PgDataSource(pg, null, new PgSessionOpener(pg, new FuzzDialer()) { StatementPrefix = "s" });
        }

        var settings =
            new MySqlSettings(new MySqlConnectionStringBuilder($"Server=recording;Port=1;{options};Max Value Bytes=1048576;Default Command Timeout=0"));
        return () => new MySqlDataSource(settings, null, null, new FuzzDialer());
    }
}
