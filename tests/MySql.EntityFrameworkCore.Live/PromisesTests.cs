using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>What the documentation promises of values in JSON, boolean columns and sequences.</summary>
public sealed class PromisesTests
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public Task A_query_that_looks_into_JSON_for_what_SQL_cannot_read_is_refused(ServerKind kind) => WithYardAsync(kind, static async yard =>
    {
        yard.Add(new Tool { Facts = new() { Time = TimeSpan.FromDays(3), Moment = new(2026, 1, 1, 12, 0, 0, TimeSpan.FromHours(5)), Bytes = [1, 2, 3] } });
        await yard.SaveChangesAsync(Stop);
        yard.ChangeTracker.Clear();
        var refusal = await Assert.ThrowsAsync<InvalidOperationException>(() => yard.Tools.CountAsync(static t => t.Facts.Time > TimeSpan.FromHours(5), Stop));
        Assert.Contains("TimeSpan in JSON cannot be read by SQL", refusal.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<InvalidOperationException>(() => yard.Tools.Select(static t => t.Facts.Time).ToListAsync(Stop));
        await Assert.ThrowsAsync<InvalidOperationException>(() => yard.Tools.OrderBy(static t => t.Facts.Moment).ToListAsync(Stop));
        byte[] sought = [1, 2, 3];
        Assert.Equal(1, await yard.Tools.CountAsync(t => t.Facts.Bytes == sought, Stop));
        var tool = await yard.Tools.SingleAsync(Stop);
        Assert.Equal((TimeSpan.FromDays(3), TimeSpan.FromHours(5)), (tool.Facts.Time, tool.Facts.Moment.Offset));

        Assert.Equal(1, await yard.Tools.ExecuteUpdateAsync(static set => set.SetProperty(static t => t.Facts.Count, 7), Stop));
        tool.Facts.Time = TimeSpan.FromDays(-4);
        await yard.SaveChangesAsync(Stop);
        yard.ChangeTracker.Clear();
        Assert.Equal(TimeSpan.FromDays(-4), (await yard.Tools.SingleAsync(Stop)).Facts.Time);
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task A_boolean_column_is_compared_so_that_an_index_is_used(ServerKind kind) => WithYardAsync(kind, static async yard =>
    {
        yard.AddRange(new Tool { IsSharp = true }, new Tool(), new Tool { IsSharp = true });
        await yard.SaveChangesAsync(Stop);
        var sharp = yard.Tools.Where(static t => t.IsSharp);
        Assert.Contains("`IsSharp` = TRUE", sharp.ToQueryString(), StringComparison.Ordinal);
        Assert.Equal(2, await sharp.CountAsync(Stop));
        var blunt = yard.Tools.Where(static t => !t.IsSharp && t.Id > 0);
        Assert.Contains("`IsSharp` = FALSE", blunt.ToQueryString(), StringComparison.Ordinal);
        Assert.Equal(1, await blunt.CountAsync(Stop));
    });

    [Fact]
    public Task A_boolean_column_is_not_compared_if_the_option_says_so() => WithYardAsync(
        ServerKind.MySql,
        static yard =>
        {
            Assert.DoesNotContain("= TRUE", yard.Tools.Where(static t => t.IsSharp).ToQueryString(), StringComparison.Ordinal);
            return Task.CompletedTask;
        },
        static options => options.EnableIndexOptimizedBooleanColumns(false));

    [Theory, InlineData(ServerKind.MariaDb), InlineData(ServerKind.MariaDb11)]
    public Task Sequences_are_created(ServerKind kind) => Servers.WithDatabaseAsync(kind, static options => new YardWithSequences(options), static async open =>
    {
        await using var yard = open();
        Assert.Equal("5 8", await NextAsync("usual", 2));
        Assert.Equal("1 2 1", await NextAsync("round", 3));

        async Task<string> NextAsync(string name, int times)
        {
            var values = new List<long>();
            var sql = "SELECT NEXT VALUE FOR " + name + " AS Value";
            while (values.Count < times)
                values.AddRange(await yard.Database.SqlQueryRaw<long>(sql).ToListAsync(Stop));
            return string.Join(' ', values);
        }
    });

    private static Task WithYardAsync(ServerKind kind, Func<Yard, Task> test, Action<MySqlDbContextOptionsBuilder>? optionsAction = null) =>
        Servers.WithDatabaseAsync(
            kind, static options => new Yard(options),
            async open =>
            {
                await using var yard = open();
                await test(yard);
            },
            optionsAction);

    private sealed class Yard(DbContextOptions options) : DbContext(options)
    {
        public DbSet<Tool> Tools => Set<Tool>();

        protected override void OnModelCreating(ModelBuilder modelBuilder)
        {
            modelBuilder.Entity<Tool>().ComplexProperty(static tool => tool.Facts, static facts => facts.ToJson());
            modelBuilder.Entity<Tool>().HasIndex(static tool => tool.IsSharp);
        }
    }

    private sealed class YardWithSequences(DbContextOptions options) : DbContext(options)
    {
        protected override void OnModelCreating(ModelBuilder modelBuilder)
        {
            modelBuilder.HasSequence<long>("usual").StartsAt(5).IncrementsBy(3);
            modelBuilder.HasSequence<int>("round").HasMin(1).HasMax(2).IsCyclic();
        }
    }

    private sealed class Tool
    {
        public int Id { get; set; }

        public bool IsSharp { get; set; }

        public Facts Facts { get; set; } = new();
    }

    private sealed class Facts
    {
        public TimeSpan Time { get; set; }

        public DateTimeOffset Moment { get; set; }

        public byte[] Bytes { get; set; } = [];

        public int Count { get; set; }
    }
}
