using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;
using Slipstream.Testing;

namespace Slipstream.MySql.EntityFrameworkCore.Live.Procedures;

/// <summary>Entities that stored procedures insert, update and delete.</summary>
public sealed class ProcedureTests
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    public static TheoryData<ServerKind, bool> Ways => FlightTests.Ways;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Ways))]
    public Task Output_parameters_and_counts_in_parameters_are_read(ServerKind kind, bool isAsync) => Depot.WithAsync(kind, async open =>
    {
        await using var context = open();
        var crates = Enumerable.Range(0, 3).Select(static i => new Crate { Name = $"crate ☃ {i}" }).ToList();
        context.AddRange(crates);
        Assert.Equal(3, await SaveAsync(context, isAsync));
        Assert.Equal([1, 2, 3], crates.Select(static c => c.Id));

        crates[1].Name = "changed";
        Assert.Equal(1, await SaveAsync(context, isAsync));
        context.Remove(crates[0]);
        Assert.Equal(1, await SaveAsync(context, isAsync));
        context.ChangeTracker.Clear();
        Assert.Equal(["changed", "crate ☃ 2"], await context.Set<Crate>().OrderBy(static c => c.Id).Select(static c => c.Name).ToListAsync(Stop));
    });

    [Theory, MemberData(nameof(Ways))]
    public Task Result_columns_and_counts_in_result_columns_are_read(ServerKind kind, bool isAsync) => Depot.WithAsync(kind, async open =>
    {
        await using var context = open();
        var pallets = Enumerable.Range(0, 3).Select(static i => new Pallet { Name = $"p{i}" }).ToList();
        context.AddRange(pallets);
        Assert.Equal(3, await SaveAsync(context, isAsync));
        Assert.Equal([(1, 1, "P01"), (2, 1, "P11"), (3, 1, "P21")], pallets.Select(static p => (p.Id, p.Version, p.Code)));

        foreach (var pallet in pallets)
            pallet.Name += "x";
        Assert.Equal(3, await SaveAsync(context, isAsync));
        Assert.Equal([(2, "P0X2"), (2, "P1X2"), (2, "P2X2")], pallets.Select(static p => (p.Version, p.Code)));
        context.RemoveRange(pallets[0], pallets[2]);
        Assert.Equal(2, await SaveAsync(context, isAsync));
        Assert.Equal("p1x", (await context.Set<Pallet>().AsNoTracking().SingleAsync(Stop)).Name);
    });

    [Theory, MemberData(nameof(Ways))]
    public Task Parameters_for_input_and_output_send_and_return_a_value(ServerKind kind, bool isAsync) => Depot.WithAsync(kind, async open =>
    {
        await using var context = open();
        var labels = new List<Label> { new(), new() { Text = "own" } };
        context.AddRange(labels);
        await SaveAsync(context, isAsync);
        var begin = new DateTime(2020, 1, 1, 0, 0, 0, 250);
        Assert.Equal([(1, "default ☃", begin), (2, "own", begin)], labels.Select(static l => (l.Id, l.Text!, l.Version)));

        labels[0].Text = "changed";
        await SaveAsync(context, isAsync);
        Assert.Equal(begin.AddSeconds(1), labels[0].Version);
        labels[0].Text = "again";
        await SaveAsync(context, isAsync);
        context.ChangeTracker.Clear();
        var read = await context.Set<Label>().OrderBy(static l => l.Id).ToListAsync(Stop);
        Assert.Equal([("again", begin.AddSeconds(2)), ("own", begin)], read.Select(static l => (l.Text!, l.Version)));
    });

    [Theory, MemberData(nameof(Ways))]
    public Task A_procedure_that_changes_no_row_is_a_conflict_of_its_entry(ServerKind kind, bool isAsync) => Depot.WithAsync(kind, async open =>
    {
        await using var context = open();
        var crates = Enumerable.Range(0, 3).Select(static i => new Crate { Name = $"c{i}" }).ToList();
        var pallets = Enumerable.Range(0, 3).Select(static i => new Pallet { Name = $"p{i}" }).ToList();
        var labels = Enumerable.Range(0, 3).Select(static i => new Label { Text = $"l{i}" }).ToList();
        context.AddRange([.. crates, .. pallets, .. labels]);
        await SaveAsync(context, isAsync);
        await context.Database.ExecuteSqlRawAsync(
            "DELETE FROM Crates WHERE Id = 2; UPDATE Pallets SET Version = 9 WHERE Id = 2; UPDATE Labels SET Version = '2019-01-01' WHERE Id = 2", Stop);

        crates.ForEach(static c => c.Name += "!");
        await ConflictAsync(crates[1]);
        pallets.ForEach(static p => p.Name += "!");
        await ConflictAsync(pallets[1]);
        labels.ForEach(static l => l.Text += "!");
        await ConflictAsync(labels[1]);
        context.RemoveRange(pallets);
        await ConflictAsync(pallets[1]);
        Assert.Equal(3 + 2, await context.Set<Pallet>().CountAsync(Stop) + await context.Set<Crate>().CountAsync(static c => !c.Name.Contains('!'), Stop));

        async Task ConflictAsync(object entity)
        {
            var conflict = await Assert.ThrowsAsync<DbUpdateConcurrencyException>(() => SaveAsync(context, isAsync));
            Assert.Same(entity, Assert.Single(conflict.Entries).Entity);
            foreach (var entry in context.ChangeTracker.Entries())
                entry.State = EntityState.Unchanged;
        }
    });

    // The procedures return no, one or three result sets. The order of the commands in the text is EF Core's.
    [Theory, MemberData(nameof(Ways))]
    public Task Each_of_many_commands_in_a_text_gets_its_own_results(ServerKind kind, bool isAsync) => Depot.WithAsync(kind, async open =>
    {
        var random = new Random(16);
        for (var round = 0; round < 4; round++)
        {
            await using var context = open();
            var old = new List<object>();
            old.AddRange(await context.Set<Crate>().ToListAsync(Stop));
            old.AddRange(await context.Set<Pallet>().ToListAsync(Stop));
            old.AddRange(await context.Set<Label>().ToListAsync(Stop));
            old.AddRange(await context.Set<Slip>().ToListAsync(Stop));
            foreach (var entity in old)
                if (random.Next(3) == 0 && entity is not Label)
                    context.Remove(entity);
                else if (random.Next(2) == 0)
                    Rename(entity, $"r{round} {random.Next(1000)}");
            for (var i = 0; i < 12; i++)
            {
                object added = random.Next(4) switch { 0 => new Crate(), 1 => new Pallet(), 2 => new Label(), _ => new Slip() };
                Rename(added, $"new {round} {i}");
                context.Add(added);
            }

            await SaveAsync(context, isAsync);
            await using var other = open();
            foreach (var entry in context.ChangeTracker.Entries().ToList())
            {
                var stored = await other.Entry(await other.FindAsync(entry.Metadata.ClrType, [entry.Property("Id").CurrentValue!], Stop) ?? new object())
                    .GetDatabaseValuesAsync(Stop);
                Assert.All(entry.Properties, property => Assert.Equal(stored![property.Metadata.Name], property.CurrentValue));
            }

            Assert.Equal(context.ChangeTracker.Entries().Count(), await CountAsync(other));
        }
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Changes_of_procedures_are_undone_with_those_of_the_same_save(ServerKind kind) => Depot.WithAsync(kind, static async open =>
    {
        await using var context = open();
        context.AddRange(new Crate { Name = "one" }, new Label { Text = new string('x', 50) });
        await Assert.ThrowsAsync<DbUpdateException>(() => context.SaveChangesAsync(Stop));
        Assert.Equal(0, await CountAsync(context));
    });

    // The server reports that the query was interrupted, and then closes the connection: the driver learns that from ROLLBACK.
    [Theory, MemberData(nameof(Ways))]
    public Task A_connection_that_is_lost_in_a_transaction_leaves_the_context_usable(ServerKind kind, bool isAsync) => Depot.WithAsync(kind, async open =>
    {
        await using var context = open();
        await context.Database.ExecuteSqlRawAsync(
            "DROP PROCEDURE crate_insert; CREATE PROCEDURE crate_insert(p_name longtext, OUT p_id int) BEGIN INSERT INTO Crates (Name) VALUES (p_name);"
                + " KILL CONNECTION_ID(); END", Stop);
        context.AddRange(new Slip { Text = "first" }, new Crate { Name = "second" });
        await Assert.ThrowsAsync<DbUpdateException>(() => SaveAsync(context, isAsync));
        Assert.Null(context.Database.CurrentTransaction);
        context.ChangeTracker.Clear();
        Assert.Equal(0, await CountAsync(context));
        context.Add(new Slip { Text = "third" });
        Assert.Equal(1, await SaveAsync(context, isAsync));
    });

    // START TRANSACTION, COMMIT and SAVEPOINT are statements of the same text.
    [Theory, MemberData(nameof(Ways))]
    public Task The_results_are_the_same_in_every_transaction(ServerKind kind, bool isAsync) => Depot.WithAsync(kind, async open =>
    {
        await using var first = open();
        var inText = Servers.Options().UseMySql(first.Database.GetConnectionString(), static mySql => mySql.EnableTransactionsInText()).Options;
        await using var second = new AnyModel(inText, Depot.Build);
        foreach (var context in (AnyModel[])[first, second])
        {
            await using var transaction = context == first ? await context.Database.BeginTransactionAsync(Stop) : null;
            var (crate, pallet, label, slip) = (new Crate { Name = "c" }, new Pallet { Name = "p" }, new Label(), new Slip { Text = "four" });
            context.AddRange(crate, pallet, label, slip);
            await SaveAsync(context, isAsync);
            Assert.Equal(("P1", 1, "default ☃", 4), (pallet.Code, pallet.Version, label.Text, slip.Length));
            (crate.Name, pallet.Name, label.Text) = ("cc", "pp", "ll");
            await SaveAsync(context, isAsync);
            Assert.Equal("PP2", pallet.Code);
            await using (var other = open())
                Assert.Equal(context == first ? null : "cc", (await other.Set<Crate>().FindAsync([crate.Id], Stop))?.Name);
            Assert.Equal("cc", (await context.Set<Crate>().AsNoTracking().SingleAsync(c => c.Id == crate.Id, Stop)).Name);
        }
    });

    // 200 calls and 200 SELECTs of output parameters in a text.
    [Theory, MemberData(nameof(Kinds))]
    public async Task Two_hundred_calls_cost_one_round_trip(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await Depot.WithAsync(kind, async open =>
        {
            await using var context = open();
            var database = context.Database.GetDbConnection().Database;
            await context.Database.CloseConnectionAsync();
            context.Database.SetConnectionString(
                $"Server=127.0.0.1;Port={proxy.Port};User ID={server.User};Password={server.Password};Database={database};Allow Public Key Retrieval=true;"
                    + "Allow User Variables=true;Pooling=false");
            await context.Database.OpenConnectionAsync(Stop);
            proxy.Counters.Reset();
            var crates = Enumerable.Range(0, 450).Select(static i => new Crate { Name = $"c{i}" }).ToList();
            context.AddRange(crates);
            await context.SaveChangesAsync(Stop);
            Assert.Equal(3 + 1, proxy.Counters.RoundTrips);
            context.ChangeTracker.Clear();
            var names = await context.Set<Crate>().ToDictionaryAsync(static c => c.Id, static c => c.Name, Stop);
            Assert.All(crates, crate => Assert.Equal(names[crate.Id], crate.Name));
        });
    }

    private static void Rename(object entity, string name)
    {
        switch (entity)
        {
            case Crate crate:
                crate.Name = name;
                break;
            case Pallet pallet:
                pallet.Name = name;
                break;
            case Label label:
                label.Text = name;
                break;
            case Slip slip:
                slip.Text = name;
                break;
        }
    }

    private static async Task<int> CountAsync(DbContext context) =>
        await context.Set<Crate>().CountAsync(Stop) + await context.Set<Pallet>().CountAsync(Stop) + await context.Set<Label>().CountAsync(Stop)
            + await context.Set<Slip>().CountAsync(Stop);

    private static async Task<int> SaveAsync(DbContext context, bool isAsync) =>
        isAsync ? await context.SaveChangesAsync(Stop) : context.SaveChanges();
}
