using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Migrations.Operations;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>Models and migrations as applications have them: defaults, owned collections, types by name, names in documents.</summary>
public sealed class UsualModelsTests
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public Task A_part_of_a_document_is_written_under_any_name(ServerKind kind) => WithAsync(
        kind, static options => new Names(options), static async context =>
    {
        var sheet = new Sheet();
        context.Add(sheet);
        await context.SaveChangesAsync(Stop);
        sheet.Body.Lines.Add(new() { Bracketed = "added" });
        await context.SaveChangesAsync(Stop);
        // One at a time: what two changes have in common is written as a whole.
        Action<Body>[] changes =
        [
            static body => body.Dotted = "dotted", static body => body.Kebab = "kebab", static body => body.Quoted = "quoted",
            static body => body.Slashed = "slashed", static body => body.Inner.Spaced = "spaced", static body => body.Lines[0].Bracketed = "bracketed",
            static body => body.Lines[0].Numbers = [1, 2],
        ];
        foreach (var change in changes)
        {
            change(sheet.Body);
            await context.SaveChangesAsync(Stop);
        }

        context.ChangeTracker.Clear();
        var read = (await context.Set<Sheet>().SingleAsync(Stop)).Body;
        Assert.Equal(
            ("dotted", "kebab", "quoted", "slashed", "spaced", "bracketed", 2),
            (read.Dotted, read.Kebab, read.Quoted, read.Slashed, read.Inner.Spaced, read.Lines[0].Bracketed, read.Lines[0].Numbers.Length));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Decimals_in_documents_keep_their_digits(ServerKind kind) => WithAsync(
        kind, static options => new Names(options), static async context =>
    {
        decimal[] amounts =
            [
                0, 1.5m, -12345678901234567.89m, 0.1234567890123456789m, 1234567890123456.78m, 999999999999999m, 0.1234567890123456m, decimal.MaxValue,
                decimal.MinValue, 1.10m,
            ];
        foreach (var amount in amounts)
            context.Add(new Sheet { Body = { Amount = amount, Amounts = [amount] } });
        await context.SaveChangesAsync(Stop);
        context.ChangeTracker.Clear();
        var read = await context.Set<Sheet>().OrderBy(static sheet => sheet.Id).ToListAsync(Stop);
        Assert.Equal(amounts, read.Select(static sheet => sheet.Body.Amount));
        Assert.Equal(amounts, read.Select(static sheet => sheet.Body.Amounts[0]));
        Assert.Equal(1, await context.Set<Sheet>().CountAsync(static sheet => sheet.Body.Amount == -12345678901234567.89m, Stop));
        Assert.Equal(5, await context.Set<Sheet>().CountAsync(static sheet => sheet.Body.Amount > 1, Stop));
        read[0].Body.Amount = 12345678901234567.89m;
        await context.SaveChangesAsync(Stop);
        context.ChangeTracker.Clear();
        Assert.Equal(12345678901234567.89m, (await context.Set<Sheet>().OrderBy(static sheet => sheet.Id).FirstAsync(Stop)).Body.Amount);
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Collections_of_values_filter_rows(ServerKind kind) => WithAsync(
        kind, static options => new Lists(options), static async context =>
    {
        int[][] rows = [[3, 1, 2], [], [0, -1, 0], [5], [1, 2, 3, 4], [2, 2], [7, 8, 9]];
        foreach (var row in rows)
            context.Add(new ListRow { Ints = [.. row], Maybe = [.. row.Select(static i => i == 0 ? (int?)null : i)], Part = row.Length / 4.0 });
        await context.SaveChangesAsync(Stop);
        var lists = context.Set<ListRow>();
        var two = 2;
        Assert.Equal([1, 5, 6], await IdsAsync(lists.Where(static r => r.Ints.Contains(2))));
        Assert.Equal([1, 5, 6], await IdsAsync(lists.Where(r => r.Ints.Contains(two))));
        Assert.Equal([1, 5, 6], await IdsAsync(lists.Where(static r => r.Ints.Any(i => i == 2))));
        Assert.Equal([2, 3, 4, 7], await IdsAsync(lists.Where(static r => !r.Ints.Contains(2))));
        Assert.Equal([3], await IdsAsync(lists.Where(static r => r.Maybe.Contains(null))));
        Assert.Equal([1, 2, 4, 5, 6, 7], await IdsAsync(lists.Where(static r => !r.Maybe.Contains(null))));
        Assert.Equal([1, 2, 4, 5, 6, 7], await IdsAsync(lists.Where(static r => r.Maybe.All(i => i != null))));
        Assert.Equal([2, 4], await IdsAsync(lists.Where(static r => r.Ints.All(i => i == 5))));
        Assert.Equal(3, await lists.CountAsync(static r => r.Ints.Contains(2), Stop));
        Assert.Equal(16 / 4.0, await lists.SumAsync(static r => r.Part, Stop));
        int[] few = [1, 7, 2, 2];
        Assert.Equal([3, 4, 5, 6], (await lists.Select(static r => r.Id).Except(few).ToListAsync(Stop)).Order());
        Assert.Equal([1, 2, 7], (await lists.Select(static r => r.Id).Intersect(few).ToListAsync(Stop)).Order());
        Assert.Equal([1, 2, 3, 4, 5, 6, 7], (await lists.Select(static r => r.Id).Union(few).ToListAsync(Stop)).Order());
        Assert.Equal(3, await lists.Where(static r => r.Ints.Contains(2)).ExecuteDeleteAsync(Stop));
        Assert.Equal([2, 3, 4, 7], await IdsAsync(lists));

        static async Task<List<int>> IdsAsync(IQueryable<ListRow> found) => await found.OrderBy(static r => r.Id).Select(static r => r.Id).ToListAsync(Stop);
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Types_by_name_and_constant_defaults_are_created(ServerKind kind) => WithAsync(
        kind, static options => new Times(options), static async context =>
    {
        var columns = await context.Database.SqlQueryRaw<string>(
            "SELECT CONCAT(column_name, ' ', column_type) AS Value FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 'Moments' "
                + "AND column_name NOT IN ('Id') ORDER BY column_name").ToListAsync(Stop);
        Assert.Equal(
            [
                "Added timestamp(3)", "Changed timestamp(6)", "Day date", "Default datetime(6)", "DefaultDay date", "DefaultSpan time(6)",
                "DefaultTime time(6)", "Exact datetime", "Milli datetime(3)", "Short time(2)", "Stamp timestamp", "Usual datetime(6)",
            ],
            columns);
        var moment = new Moment { Day = new(2024, 5, 6), Exact = new(2024, 5, 6, 7, 8, 9), Milli = new(2024, 5, 6, 7, 8, 9, 123), Stamp = new(2024, 1, 2) };
        context.Add(moment);
        await context.SaveChangesAsync(Stop);
        context.ChangeTracker.Clear();
        var read = await context.Set<Moment>().SingleAsync(Stop);
        Assert.Equal((moment.Day, moment.Exact, moment.Milli, moment.Stamp), (read.Day, read.Exact, read.Milli, read.Stamp));
        Assert.Equal(
            (new DateTime(2020, 1, 2), new DateOnly(2020, 1, 3), new TimeOnly(4, 5), TimeSpan.FromHours(30)),
            (read.Default, read.DefaultDay, read.DefaultTime, read.DefaultSpan));
        Assert.True(read.Added > new DateTime(2024, 1, 1) && read.Changed > new DateTime(2024, 1, 1));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task A_collection_of_owned_entities_has_a_table(ServerKind kind) => WithAsync(
        kind, static options => new Owners(options), static async context =>
    {
        context.AddRange(new Owner { Things = { new() { Name = "a" }, new() { Name = "b" } } }, new Owner { Things = { new() { Name = "c" } } });
        await context.SaveChangesAsync(Stop);
        context.ChangeTracker.Clear();
        var owners = await context.Set<Owner>().ToListAsync(Stop);
        Assert.Equal("a,b,c", string.Join(',', owners.SelectMany(static o => o.Things).Select(static t => t.Name).Order()));
        Assert.Equal("latin1", (await context.Database.SqlQueryRaw<string>(
            "SELECT character_set_name AS Value FROM information_schema.columns WHERE table_schema = DATABASE() AND column_name = 'Old'")
            .ToListAsync(Stop))[0]);
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task A_required_column_is_added_and_a_column_becomes_required(ServerKind kind) =>
        WithAsync(kind, static options => new Owners(options), static async context =>
        {
            await context.Database.ExecuteSqlRawAsync("CREATE TABLE old (Id int PRIMARY KEY, Name longtext NULL)", Stop);
            await context.Database.ExecuteSqlRawAsync("INSERT INTO old VALUES (1, NULL), (2, 'b')", Stop);
            var commands = context.GetService<IMigrationsSqlGenerator>().Generate(
                [
                    new AddColumnOperation
                    {
                        Table = "old", Name = "At", ClrType = typeof(DateTime), ColumnType = "datetime(6)", DefaultValue = default(DateTime),
                    },
                    new AlterColumnOperation
                    {
                        Table = "old", Name = "Name", ClrType = typeof(string), ColumnType = "longtext", DefaultValue = "",
                        OldColumn = new AddColumnOperation { ClrType = typeof(string), ColumnType = "longtext", IsNullable = true },
                    },
                ]);
            foreach (var command in commands)
                await context.Database.ExecuteSqlRawAsync(command.CommandText, Stop);
            Assert.Equal(["", "b"], await context.Database.SqlQueryRaw<string>("SELECT Name AS Value FROM old ORDER BY Id").ToListAsync(Stop));
        });

    private static Task WithAsync<TContext>(ServerKind kind, Func<DbContextOptions, TContext> create, Func<TContext, Task> test)
        where TContext : DbContext =>
        Servers.WithDatabaseAsync(kind, create, async open =>
        {
            await using var context = open();
            await test(context);
        });

    private sealed class Names(DbContextOptions options) : DbContext(options)
    {
        protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.Entity<Sheet>().OwnsOne(static sheet => sheet.Body, static body =>
        {
            body.ToJson();
            body.Property(static b => b.Dotted).HasJsonPropertyName("a.b");
            body.Property(static b => b.Kebab).HasJsonPropertyName("first-name");
            body.Property(static b => b.Quoted).HasJsonPropertyName("it's so");
            body.Property(static b => b.Slashed).HasJsonPropertyName("☃/*");
            body.OwnsOne(static b => b.Inner, static inner =>
            {
                inner.HasJsonPropertyName("in.ner");
                inner.Property(static i => i.Spaced).HasJsonPropertyName("1 two");
            });
            body.OwnsMany(static b => b.Lines, static line =>
            {
                line.HasJsonPropertyName("all lines");
                line.Property(static l => l.Bracketed).HasJsonPropertyName("$[0]");
            });
        });
    }

    private sealed class Sheet
    {
        public int Id { get; set; }

        public Body Body { get; set; } = new();
    }

    private sealed class Body
    {
        public decimal Amount { get; set; }

        public List<decimal> Amounts { get; set; } = [];

        public string Dotted { get; set; } = "";

        public string Kebab { get; set; } = "";

        public string Quoted { get; set; } = "";

        public string Slashed { get; set; } = "";

        public Inner Inner { get; set; } = new();

        public List<Line> Lines { get; } = [];
    }

    private sealed class Inner
    {
        public string Spaced { get; set; } = "";
    }

    private sealed class Line
    {
        public string Bracketed { get; set; } = "";

        public int[] Numbers { get; set; } = [];
    }

    private sealed class Times(DbContextOptions options) : DbContext(options)
    {
        protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.Entity<Moment>(static moment =>
        {
            moment.ToTable("Moments");
            moment.Property(static m => m.Day).HasColumnType("date");
            moment.Property(static m => m.Exact).HasColumnType("datetime");
            moment.Property(static m => m.Milli).HasColumnType("datetime(3)");
            moment.Property(static m => m.Short).HasColumnType("time(2)");
            moment.Property(static m => m.Stamp).HasColumnType("timestamp");
            moment.Property(static m => m.Default).HasDefaultValue(new DateTime(2020, 1, 2));
            moment.Property(static m => m.DefaultDay).HasDefaultValue(new DateOnly(2020, 1, 3));
            moment.Property(static m => m.DefaultTime).HasDefaultValue(new TimeOnly(4, 5));
            moment.Property(static m => m.DefaultSpan).HasDefaultValue(TimeSpan.FromHours(30));
            moment.Property(static m => m.Added).ValueGeneratedOnAdd().HasColumnType("timestamp(3)");
            moment.Property(static m => m.Changed).ValueGeneratedOnAddOrUpdate().HasColumnType("timestamp(6)");
        });
    }

    private sealed class Moment
    {
        public int Id { get; set; }

        public DateTime Day { get; set; }

        public DateTime Exact { get; set; }

        public DateTime Milli { get; set; }

        public TimeSpan Short { get; set; }

        public DateTime Stamp { get; set; }

        public DateTime Usual { get; set; } = new(2024, 1, 1);

        public DateTime Default { get; set; }

        public DateOnly DefaultDay { get; set; }

        public TimeOnly DefaultTime { get; set; }

        public TimeSpan DefaultSpan { get; set; }

        public DateTime Added { get; set; }

        public DateTime Changed { get; set; }
    }

    private sealed class Owners(DbContextOptions options) : DbContext(options)
    {
        protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.Entity<Owner>(static owner =>
        {
            owner.UseCollation("utf8mb4_bin");
            owner.Property(static o => o.Old).HasCharSet("latin1");
            owner.OwnsMany(static o => o.Things, static thing => thing.ToTable("Things"));
        });
    }

    private sealed class Owner
    {
        public int Id { get; set; }

        public string Old { get; set; } = "";

        public List<Thing> Things { get; } = [];
    }

    private sealed class Thing
    {
        public string Name { get; set; } = "";
    }

    private sealed class Lists(DbContextOptions options) : DbContext(options)
    {
        protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.Entity<ListRow>();
    }

    private sealed class ListRow
    {
        public int Id { get; set; }

        public List<int> Ints { get; set; } = [];

        public List<int?> Maybe { get; set; } = [];

        public double Part { get; set; }
    }
}
