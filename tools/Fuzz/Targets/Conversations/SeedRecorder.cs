using System.Data.Common;
using System.Globalization;
using Slipstream.Core.Wires;
using Slipstream.Fuzzing.Engine;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.MySql.Options;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Options;
using Slipstream.PostgreSql.Sessions;
using Slipstream.Recorder.Replay;
using Slipstream.Recorder.Scenarios;

namespace Slipstream.Fuzzing.Targets.Conversations;

/// <summary>Records the acts with the lab's servers into tools/Fuzz/Seeds.</summary>
internal static class SeedRecorder
{
    private static readonly ServerKind[] Kinds = [ServerKind.MySql, ServerKind.MariaDb, ServerKind.PostgreSql];

    public static async Task RecordAsync(string[] names)
    {
        foreach (var kind in Kinds)
        {
            await using var server = await LabServer.StartAsync(kind);
            foreach (var act in ConversationTargets.ActsOf(kind.Word()))
            {
                if (names.Length > 0 && !names.Contains(act.Name))
                    continue;
                var recording = await RecordAsync(server, act);
                RecordingText.Save(recording, Path.Combine(FindingStore.Root, "tools", "Fuzz", "Seeds", kind.Word(), act.Name + ".txt"));
                Console.WriteLine($"{kind.Word()} {act.Name}: {recording.ServerBytes().Length:N0} bytes, {string.Join(", ", recording.Account)}");
            }
        }
    }

    private static async Task<Recording> RecordAsync(LabServer server, Act act)
    {
        await using (var source = SourceOf(server, CredentialsOf(server.Kind, server.User, server.Password), null))
        {
            await using var connection = await source.OpenConnectionAsync();
            foreach (var sql in act.Setup)
            {
                await using var command = Stage.Command(connection, sql);
                await command.ExecuteNonQueryAsync();
            }

            if (server.Kind.IsPostgreSql() && act.Setup.Length > 0)
            {
                await using var command = Stage.Command(connection, "GRANT ALL ON ALL TABLES IN SCHEMA public TO PUBLIC");
                await command.ExecuteNonQueryAsync();
            }
        }

        var user = server.Kind.IsPostgreSql() ? server.FindUser("trust")! : new LabUser(server.User, server.Password, "", "");
        var options = $"{CredentialsOf(server.Kind, user.Name, user.Password)};Database={server.Database};SSL "
            + $"Mode={(server.Kind.IsPostgreSql() ? "Disable" : "None")}";
        if (act.Options.Length > 0)
            options += ";" + act.Options;
        var recording = new Recording { Server = $"{server.Kind.DisplayName()} {server.Version}", Options = options };
        await using (var source = SourceOf(server, options, recording))
        {
            await using var connection = source.CreateConnection();
            var verbs = new Verbs(asynchronously: false);
            await verbs.Open(connection);
            recording.Account.Add(string.Create(CultureInfo.InvariantCulture, $"opened {recording.ServerBytes().Length}"));
            var caller = new Caller(connection, verbs, null, 1);
            await act.Play(caller);
            recording.Account.Add(string.Create(CultureInfo.InvariantCulture, $"rows {caller.Rows}"));
        }

        return recording;
    }

    private static DbDataSource SourceOf(LabServer server, string options, Recording? recording)
    {
        if (server.Kind.IsPostgreSql())
        {
            var pg = new PgSettings(
                new PgConnectionStringBuilder(
                    $"Host={server.Host};Port={server.Port};Database={server.Database};{options};Server Compatibility Mode=NoTypeLoading")
                {
                    RootCertificate = recording is null ? server.CaFile : ""
                });
            return recording is null
                ? new PgDataSource(pg)
                : new PgDataSource(pg, null, new PgSessionOpener(pg, new RecordingDialer(null, recording)) { StatementPrefix = "s" });
        }

        var settings = new MySqlSettings(
            new MySqlConnectionStringBuilder($"Server={server.Host};Port={server.Port};Database={server.Database};{options}")
            {
                SslCa = recording is null ? server.CaFile : ""
            });
        return new MySqlDataSource(settings, null, null, recording is null ? null : new RecordingDialer(null, recording));
    }

    private static string CredentialsOf(ServerKind kind, string user, string password) =>
        kind.IsPostgreSql() ? $"Username={user};Password={password}" : $"User ID={user};Password={password}";
}
