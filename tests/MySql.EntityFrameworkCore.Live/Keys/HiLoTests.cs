using System.Collections.Concurrent;
using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;
using Slipstream.Testing;

namespace Slipstream.MySql.EntityFrameworkCore.Live.Keys;

/// <summary>Keys that the program makes from blocks of a sequence.</summary>
public sealed class HiLoTests
{
    public static TheoryData<ServerKind> MariaDbs => SequenceTests.MariaDbs;

    public static TheoryData<ServerKind, bool> Ways => new()
    {
        { ServerKind.MariaDb, false }, { ServerKind.MariaDb, true }, { ServerKind.MariaDb11, false }, { ServerKind.MariaDb11, true },
    };

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    // Five keys are left of the first block, so 25 need two more; one text inserts the orders and the lines that refer to them.
    [Theory, MemberData(nameof(Ways))]
    public async Task A_block_costs_one_round_trip_and_rows_that_refer_to_keys_none_of_their_own(ServerKind kind, bool isAsync)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        var options = Servers.Options().UseMySql(
            $"Server=127.0.0.1;Port={proxy.Port};User ID={server.User};Password={server.Password};Database=ef_hilo_{Guid.NewGuid():N};"
                + "Allow Public Key Retrieval=true",
            static mySql => mySql.EnableTransactionsInText()).Options;
        await using var first = new AnyModel(options, Orders);
        await first.Database.EnsureCreatedAsync(Stop);
        try
        {
            await AddAsync(first, 5, isAsync, 0);
            proxy.Counters.Reset();
            await using var context = new AnyModel(options, Orders);
            var orders = await AddAsync(context, 25, isAsync, 1);
            Assert.Equal(2 + 1, proxy.Counters.RoundTrips);
            Assert.Equal(Enumerable.Range(6, 25), orders.Select(static order => order.Id));
            context.ChangeTracker.Clear();
            Assert.Equal(25, await context.Set<Order>().CountAsync(static order => order.Lines.Single().Text == "of " + order.Id, Stop));
        }
        finally
        {
            await first.Database.EnsureDeletedAsync(Stop);
        }
    }

    [Theory, MemberData(nameof(MariaDbs))]
    public Task Many_threads_get_different_keys_and_waste_none(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new AnyModel(options, Orders), static async open =>
        {
            var keys = new ConcurrentBag<int>();
            await Task.WhenAll(Enumerable.Range(0, 8).Select(number => Task.Run(
                async () =>
                {
                    await using var context = open();
                    foreach (var order in await AddAsync(context, 50, number % 2 == 0, 0))
                        keys.Add(order.Id);
                },
                Stop)));
            Assert.Equal(Enumerable.Range(1, 400), keys.Order());
            await using var last = open();
            Assert.Equal(401, await SequenceTests.NextAsync(last, "EntityFrameworkHiLoSequence"));
            Assert.Equal(400, await last.Set<Order>().CountAsync(Stop));
        });

    [Theory, MemberData(nameof(MariaDbs))]
    public async Task Databases_do_not_share_blocks_and_a_new_database_begins_again(ServerKind kind)
    {
        var contexts = new List<AnyModel>();
        foreach (var name in (string[])["hilo_one", "hilo_two"])
        {
            var context = new AnyModel(Servers.Options().UseMySql(await Servers.ConnectionString(kind, name)).Options, Orders);
            await context.Database.EnsureDeletedAsync(Stop);
            await context.Database.EnsureCreatedAsync(Stop);
            contexts.Add(context);
        }

        try
        {
            Assert.Equal([1, 2, 3], (await AddAsync(contexts[0], 3, true, 0)).Select(static order => order.Id));
            Assert.Equal([1, 2], (await AddAsync(contexts[1], 2, true, 0)).Select(static order => order.Id));
            Assert.Equal([4], (await AddAsync(contexts[0], 1, false, 0)).Select(static order => order.Id));
            contexts[0].ChangeTracker.Clear();
            await contexts[0].Database.EnsureDeletedAsync(Stop);
            await contexts[0].Database.EnsureCreatedAsync(Stop);
            Assert.Equal(Enumerable.Range(1, 12), (await AddAsync(contexts[0], 12, true, 0)).Select(static order => order.Id));

            // One context on another database.
            contexts[0].ChangeTracker.Clear();
            contexts[0].Database.SetConnectionString(contexts[1].Database.GetConnectionString());
            Assert.Equal([3], (await AddAsync(contexts[0], 1, false, 0)).Select(static order => order.Id));
        }
        finally
        {
            contexts[0].Database.SetConnectionString(await Servers.ConnectionString(kind, "hilo_one"));
            foreach (var context in contexts)
            {
                await context.Database.EnsureDeletedAsync(Stop);
                await context.DisposeAsync();
            }
        }
    }

    [Theory, MemberData(nameof(MariaDbs))]
    public Task Keys_of_every_integer_type_and_behind_a_conversion_are_made(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new AnyModel(options, Types), static async open =>
        {
            await using var context = open();
            context.AddRange(new Keyed<long>(), new Keyed<short>(), new Keyed<byte>(), new Keyed<uint>(), new Keyed<ulong>(), new Keyed<ushort>());
            context.Add(new Keyed<Number>());
            await context.AddAsync(new Keyed<Number>(), Stop);
            await context.SaveChangesAsync(Stop);
            context.ChangeTracker.Clear();
            Assert.Equal(1, (await context.Set<Keyed<long>>().SingleAsync(Stop)).Id);
            Assert.Equal(2, (await context.Set<Keyed<short>>().SingleAsync(Stop)).Id);
            Assert.Equal(3, (await context.Set<Keyed<byte>>().SingleAsync(Stop)).Id);
            Assert.Equal(4u, (await context.Set<Keyed<uint>>().SingleAsync(Stop)).Id);
            Assert.Equal(5ul, (await context.Set<Keyed<ulong>>().SingleAsync(Stop)).Id);
            Assert.Equal(6, (await context.Set<Keyed<ushort>>().SingleAsync(Stop)).Id);
            Assert.Equal([7, 8], (await context.Set<Keyed<Number>>().ToListAsync(Stop)).Select(static one => one.Id.Value).Order());
        });

    [Theory, MemberData(nameof(MariaDbs))]
    public Task A_model_with_another_block_size_has_blocks_of_its_own(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new AnyModel(options, Orders), static async open =>
        {
            await using var context = open();
            await using var other = new AnyModel(Servers.Options().UseMySql(context.Database.GetConnectionString()).Options, SingleOrders);
            Assert.Equal([1, 11], (await AddAsync(other, 2, true, 0)).Select(static order => order.Id));
            Assert.Equal([21, 22, 23], (await AddAsync(context, 3, true, 0)).Select(static order => order.Id));
            Assert.Equal([31], (await AddAsync(other, 1, true, 0)).Select(static order => order.Id));
            Assert.Equal([24], (await AddAsync(context, 1, true, 0)).Select(static order => order.Id));
        });

    [Theory, MemberData(nameof(MariaDbs))]
    public Task A_sequence_that_a_migration_creates_again_begins_again(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new AnyModel(options, Orders), static async open =>
        {
            await using var context = open();
            Assert.Equal([1, 2, 3], (await AddAsync(context, 3, true, 0)).Select(static order => order.Id));
            context.ChangeTracker.Clear();
            await using var empty = new AnyModel(Servers.Options().UseMySql(context.Database.GetConnectionString()).Options, static _ => { });
            await empty.MigrateFromAsync(context.DesignModel, Stop);
            await context.MigrateFromAsync(empty.DesignModel, Stop);
            Assert.Equal(Enumerable.Range(1, 12), (await AddAsync(context, 12, true, 0)).Select(static order => order.Id));
        });

    [Theory, MemberData(nameof(MariaDbs))]
    public Task Contexts_with_other_internal_services_share_the_blocks(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new AnyModel(options, Orders), static async open =>
        {
            await using var context = open();
            await using var other = new AnyModel(
                Servers.Options().EnableServiceProviderCaching(false).UseMySql(context.Database.GetConnectionString()).Options, Orders);
            Assert.Equal([1, 2], (await AddAsync(context, 2, true, 0)).Select(static order => order.Id));
            Assert.Equal([3, 4], (await AddAsync(other, 2, true, 0)).Select(static order => order.Id));
            Assert.Equal([5], (await AddAsync(context, 1, false, 0)).Select(static order => order.Id));
        });

    internal static void Orders(ModelBuilder model)
    {
        model.Entity<Order>().Property(static order => order.Id).UseHiLo();
        model.Entity<OrderLine>();
    }

    private static void SingleOrders(ModelBuilder model)
    {
        Orders(model);
        model.HasSequence("EntityFrameworkHiLoSequence").IncrementsBy(1);
    }

    private static void Types(ModelBuilder model)
    {
        model.UseHiLo("keys");
        model.HasSequence("keys").IncrementsBy(100);
        model.Entity<Keyed<long>>().ToTable("longs");
        model.Entity<Keyed<short>>().ToTable("shorts");
        // EF Core generates no bytes by itself.
        model.Entity<Keyed<byte>>().ToTable("bytes").Property(static one => one.Id).UseHiLo("keys");
        model.Entity<Keyed<uint>>().ToTable("uints");
        model.Entity<Keyed<ulong>>().ToTable("ulongs");
        model.Entity<Keyed<ushort>>().ToTable("ushorts");
        model.Entity<Keyed<Number>>(static keyed =>
        {
            keyed.ToTable("numbers");
            keyed.Property(static one => one.Id).HasConversion(static number => number.Value, static value => new Number(value)).ValueGeneratedOnAdd();
        });
    }

    private static async Task<List<Order>> AddAsync(DbContext context, int count, bool isAsync, int texts)
    {
        var orders = new List<Order>();
        for (var number = 0; number < count; number++)
        {
            var order = new Order();
            if (isAsync)
                await context.AddAsync(order, Stop);
            else
                context.Add(order);
            for (var line = 0; line < texts; line++)
                order.Lines.Add(new OrderLine { Text = $"of {order.Id}" });
            orders.Add(order);
        }

        Assert.Equal(count * (1 + texts), isAsync ? await context.SaveChangesAsync(Stop) : context.SaveChanges());
        return orders;
    }

    internal sealed class Order
    {
        public int Id { get; set; }

        public List<OrderLine> Lines { get; } = [];
    }

    internal sealed class OrderLine
    {
        public int Id { get; set; }

        public int OrderId { get; set; }

        public string Text { get; set; } = "";
    }

    private sealed class Keyed<TKey>
    {
        public TKey Id { get; set; } = default!;
    }

    private readonly record struct Number(int Value);
}
