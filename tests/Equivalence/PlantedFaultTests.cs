using System.Data.Common;
using Slipstream.Equivalence.Comparing;
using Slipstream.Equivalence.Generating;
using Slipstream.Equivalence.Language;
using Slipstream.Equivalence.Running;
using Slipstream.Lab;
using Slipstream.PostgreSql;

namespace Slipstream.Equivalence.Tests;

/// <summary>The steps that only PostgreSQL has: each kind finds a fault that is planted in what it calls.</summary>
public class PlantedFaultTests
{
    private const int Programs = 40;

    [Fact]
    public Task Loading_types_that_does_nothing_is_found() => Find(new NoReload(), static step => step is FreshTypeStep);

    [Fact]
    public Task Rows_that_an_import_loses_are_found() =>
        Find(new LossyImport(), static step => step is CopyStep { Ending: "complete" } copy && LossyImport.Loses(copy));

    [Fact]
    public Task Rows_that_an_export_leaves_out_are_found() => Find(new ShortExport(), static step => step is CopyStep copy && ShortExport.Shortens(copy));

    [Fact]
    public Task Notifications_without_their_payload_are_found() =>
        Find(new NoPayload(), static step => step is NotificationsStep { How: Hearing.WaitForOne });

    [Fact]
    public Task A_large_object_without_its_last_byte_is_found() =>
        Find(new ShortObject(), static step => step is LargeObjectStep { Word: "write", Length: > 0 });

    [Fact]
    public Task An_enumeration_that_is_not_mapped_is_found() => Find(new NoMapping(), static step => step.Kind.StartsWith("types", StringComparison.Ordinal));

    private static async Task Find(Driver faulty, Func<Step, bool> concerns)
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        var pair = new Pair("planted", new("as it is", Driver.PostgreSql, ""), new("planted", faulty, ""));
        await using var world = await World.CreateAsync(server, 97);
        var generator = Generator.For(new(world.Database, world.Settings, IsMariaDb: false, ForPeers: false), isPostgreSql: true);
        var tried = 0;
        for (var seed = 1; tried < Programs; seed++)
        {
            var program = generator.Create(seed);
            if (!program.Steps.Any(concerns))
                continue;
            tried++;
            if (await EquivalenceRun.DifferenceOf(world, pair, program) is not null)
                return;
        }

        Assert.Fail($"{Programs} programs with such a step did not show it");
    }

    private sealed class NoReload : Driver.SlipstreamPostgreSql
    {
        public override Task ReloadTypesAsync(DbConnection connection, bool isAsync) => Task.CompletedTask;
    }

    private sealed class LossyImport : Driver.SlipstreamPostgreSql
    {
        public static bool Loses(CopyStep step) =>
            step is { Form: CopyForm.BinaryImport, Rows.Length: > 1 } or { Form: CopyForm.TextImport, Words.Length: > 1 };

        public override Task CopyAsync(DbConnection connection, CopyStep step, Action<string> tell) => base.CopyAsync(
            connection,
            !Loses(step) ? step : step.Form == CopyForm.BinaryImport ? step with { Rows = step.Rows[..^1] } : step with { Words = step.Words[..^1] },
            tell);
    }

    private sealed class ShortExport : Driver.SlipstreamPostgreSql
    {
        public static bool Shortens(CopyStep step) => step is { Form: CopyForm.BinaryExport or CopyForm.TextExport, Most: -1, Ending: "complete" };

        public override Task CopyAsync(DbConnection connection, CopyStep step, Action<string> tell) =>
            base.CopyAsync(connection, Shortens(step) ? step with { Most = 1 } : step, tell);
    }

    private sealed class NoPayload : Driver.SlipstreamPostgreSql
    {
        public override void HearNotifications(DbConnection connection, Action<string, string, int> hear) =>
            base.HearNotifications(connection, (channel, _, session) => hear(channel, "", session));
    }

    private sealed class ShortObject : Driver.SlipstreamPostgreSql
    {
        public override Task LargeObjectAsync(DbConnection connection, LargeObjectStep step, Action<string> tell) =>
            base.LargeObjectAsync(connection, step is { Word: "write", Length: > 0 } ? step with { Length = step.Length - 1 } : step, tell);
    }

    private sealed class NoMapping : Driver.SlipstreamPostgreSql
    {
        public override DbDataSource CreateSource(string connectionString) => new PgDataSourceBuilder(connectionString).EnableDynamicJson().Build();
    }
}
