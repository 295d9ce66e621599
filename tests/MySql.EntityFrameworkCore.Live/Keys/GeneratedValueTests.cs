using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.ChangeTracking;
using Microsoft.EntityFrameworkCore.Metadata;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live.Keys;

/// <summary>Which values are sent, generated and read back, for every combination of when a value is generated and what a value of the program means.</summary>
public sealed class GeneratedValueTests
{
    private const string Default = "by default";

    private static readonly List<Case> Cases =
    [
        .. from when in Enum.GetValues<ValueGenerated>()
        from before in Enum.GetValues<PropertySaveBehavior>()
        from after in Enum.GetValues<PropertySaveBehavior>()
        select new Case(when, before, after),
    ];

    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public Task An_insert_sends_or_generates_each_value(ServerKind kind) => WithNotesAsync(kind, static async open =>
    {
        // Several rows of one INSERT, and one alone.
        foreach (var count in (int[])[1, 3])
        {
            foreach (var isSet in (bool[])[false, true])
            {
                await using var context = open();
                var entries = Enumerable.Range(0, count).Select(_ => context.Add(new Note())).ToList();
                foreach (var entry in entries)
                    foreach (var one in Cases)
                        if (isSet && one.Before != PropertySaveBehavior.Throw)
                            entry.Property(one.Name).CurrentValue = "mine";
                await context.SaveChangesAsync(Stop);
                foreach (var entry in entries)
                {
                    var stored = await entry.GetDatabaseValuesAsync(Stop);
                    foreach (var one in Cases)
                    {
                        var value = isSet && one.Before != PropertySaveBehavior.Throw ? "mine" : null;
                        var isSent = one.Before == PropertySaveBehavior.Save && (value is not null || !one.OnAdd);
                        var expected = isSent ? value : Default;
                        Assert.Equal($"{one.Name} {expected}", $"{one.Name} {stored![one.Name]}");
                        Assert.Equal($"{one.Name} {(one.OnAdd ? expected : value)}", $"{one.Name} {entry.Property(one.Name).CurrentValue}");
                    }
                }
            }
        }
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task An_update_sends_or_reads_each_value(ServerKind kind) => WithNotesAsync(kind, static async open =>
    {
        foreach (var which in (Func<Case, bool>[])[static _ => false, static one => one.After != PropertySaveBehavior.Throw,
            static one => one.After == PropertySaveBehavior.Ignore, static one => one.After == PropertySaveBehavior.Save])
        {
            await using var context = open();
            var entry = context.Add(new Note());
            await context.SaveChangesAsync(Stop);
            // Another program changes the row, which shows what is read.
            var sql = "UPDATE Notes SET " + string.Join(", ", Cases.Select(static one => $"{one.Name} = 'theirs'")) + " WHERE Id = {0}";
            await context.Database.ExecuteSqlRawAsync(sql, [entry.Entity.Id], Stop);
            var before = Cases.ToDictionary(static one => one.Name, one => entry.Property(one.Name).CurrentValue as string);
            entry.Entity.Text = "changed";
            foreach (var one in Cases.Where(which))
                entry.Property(one.Name).CurrentValue = "new";
            await context.SaveChangesAsync(Stop);
            var stored = await entry.GetDatabaseValuesAsync(Stop);
            Assert.Equal("changed", stored![nameof(Note.Text)]);
            foreach (var one in Cases)
            {
                var isChanged = which(one);
                var isSent = isChanged && one.After == PropertySaveBehavior.Save;
                var expected = isSent ? "new" : "theirs";
                Assert.Equal($"{one.Name} {expected}", $"{one.Name} {stored[one.Name]}");
                var isRead = one.OnUpdate && !isSent;
                var inMemory = isRead ? expected : isChanged ? "new" : before[one.Name];
                Assert.Equal($"{one.Name} {inMemory}", $"{one.Name} {entry.Property(one.Name).CurrentValue}");
            }
        }
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task A_value_that_must_not_be_set_is_refused(ServerKind kind) => WithNotesAsync(kind, static async open =>
    {
        await using var context = open();
        foreach (var one in Cases.Where(static one => one.Before == PropertySaveBehavior.Throw))
        {
            context.Add(new Note()).Property(one.Name).CurrentValue = "mine";
            await Assert.ThrowsAsync<InvalidOperationException>(() => context.SaveChangesAsync(Stop));
            context.ChangeTracker.Clear();
        }

        var entry = context.Add(new Note());
        await context.SaveChangesAsync(Stop);
        foreach (var one in Cases.Where(static one => one.After == PropertySaveBehavior.Throw))
        {
            entry.Property(one.Name).CurrentValue = "mine";
            await Assert.ThrowsAsync<InvalidOperationException>(() => context.SaveChangesAsync(Stop));
            await entry.ReloadAsync(Stop);
        }

        Assert.Equal(1, await context.Set<Note>().CountAsync(Stop));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Defaults_of_all_types_are_read_and_can_be_replaced(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new AnyModel(options, BuildTypes), static async open =>
        {
            await using var context = open();
            var (generated, given) = (new Kept(), new Kept());
            given.Flag = false;
            given.Number = -1;
            given.Maybe = 0;
            given.Amount = 1.25m;
            given.Share = 0.5f;
            given.Key = Guid.NewGuid();
            given.Day = new(2021, 2, 3);
            given.Span = TimeSpan.FromHours(50);
            given.Created = given.Changed = new(2022, 3, 4, 5, 6, 7);
            given.Kind = DayOfWeek.Monday;
            given.Bytes = [];
            context.AddRange(generated, given);
            await context.SaveChangesAsync(Stop);
            Assert.Equal(
                (true, 7, 8, 2.5m, 1.1f, new DateOnly(2020, 1, 2), new TimeSpan(1, 2, 3), DayOfWeek.Friday),
                (generated.Flag, generated.Number, generated.Maybe, generated.Amount, generated.Share, generated.Day, generated.Span, generated.Kind));
            Assert.Equal([1, 255], generated.Bytes);
            Assert.NotEqual(Guid.Empty, generated.Key);
            Assert.InRange(generated.Created, new DateTime(2024, 1, 1), DateTime.MaxValue);
            Assert.Equal(generated.Created, generated.Changed);
            Assert.Equal((14, 15), (generated.Doubled, generated.Stored));
            Assert.Equal((-2, -1 + 8), (given.Doubled, given.Stored));
            await SameAsync();

            // ON UPDATE sets the moment, unless the update does.
            var (created, changed) = (generated.Created, generated.Changed);
            generated.Number = 20;
            given.Number = 30;
            given.Changed = new(2001, 1, 1);
            await context.SaveChangesAsync(Stop);
            Assert.Equal((created, 40, 28), (generated.Created, generated.Doubled, generated.Stored));
            Assert.InRange(generated.Changed, changed, DateTime.MaxValue);
            Assert.NotEqual(changed, generated.Changed);
            Assert.Equal((new DateTime(2001, 1, 1), 60), (given.Changed, given.Doubled));
            await SameAsync();

            async Task SameAsync()
            {
                await using var other = open();
                foreach (var read in await other.Set<Kept>().ToListAsync(Stop))
                    Assert.Equivalent(read, read.Id == given.Id ? given : generated, strict: true);
            }
        });

    [Theory, MemberData(nameof(Kinds))]
    public Task Keys_are_generated_or_given(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new AnyModel(options, BuildKeys), async open =>
        {
            await using var context = open();
            var numbers = new Keyed<int>[] { new(), new() { Id = 40 }, new(), new() { Id = 20 }, new() };
            context.AddRange(numbers);
            var guids = new Keyed<Guid>[] { new(), new() { Id = Guid.NewGuid() } };
            context.AddRange(guids);
            context.AddRange(new Keyed<string> { Id = "given" }, new Keyed<long> { Id = -5 });
            await context.SaveChangesAsync(Stop);
            Assert.Equal(5, numbers.Select(static n => n.Id).Distinct().Count());
            Assert.Equal((40, 20), (numbers[1].Id, numbers[3].Id));
            Assert.DoesNotContain(Guid.Empty, guids.Select(static g => g.Id));
            context.ChangeTracker.Clear();
            Assert.Equal(numbers.Select(static n => n.Id).Order(), (await context.Set<Keyed<int>>().ToListAsync(Stop)).Select(static n => n.Id).Order());
            Assert.Equal(guids.Select(static n => n.Id).Order(), (await context.Set<Keyed<Guid>>().ToListAsync(Stop)).Select(static n => n.Id).Order());
            Assert.Equal("given", (await context.Set<Keyed<string>>().SingleAsync(Stop)).Id);
            Assert.Equal(-5, (await context.Set<Keyed<long>>().SingleAsync(Stop)).Id);

            // A key by a default of the server. MySQL cannot return it.
            var made = context.Add(new Keyed<short>());
            if (kind == ServerKind.MySql)
            {
                var refusal = await Assert.ThrowsAsync<NotSupportedException>(() => context.SaveChangesAsync(Stop));
                Assert.Contains("The server makes the value of the key column 'shorts.Id'", refusal.Message, StringComparison.Ordinal);
                made.Entity.Id = 3;
            }

            await context.SaveChangesAsync(Stop);
            Assert.Equal(kind == ServerKind.MySql ? 3 : 9, made.Entity.Id);
        });

    [Theory, MemberData(nameof(Kinds))]
    public Task A_number_that_a_trigger_counts_is_a_row_version(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new AnyModel(options, BuildVersion), static async open =>
        {
            await using var context = open();
            await context.Database.ExecuteSqlRawAsync(
                "CREATE TRIGGER count_version BEFORE UPDATE ON Counted FOR EACH ROW SET NEW.Version = OLD.Version + 1", Stop);
            var counted = new Counted { Text = "one" };
            context.Add(counted);
            await context.SaveChangesAsync(Stop);
            Assert.Equal(1, counted.Version);
            counted.Text = "two";
            await context.SaveChangesAsync(Stop);
            Assert.Equal(2, counted.Version);
            await using var other = open();
            (await other.Set<Counted>().SingleAsync(Stop)).Text = "three";
            await other.SaveChangesAsync(Stop);
            counted.Text = "four";
            var conflict = await Assert.ThrowsAsync<DbUpdateConcurrencyException>(() => context.SaveChangesAsync(Stop));
            Assert.Same(counted, Assert.Single(conflict.Entries).Entity);
        });

    private static void BuildVersion(ModelBuilder model) =>
        model.Entity<Counted>().ToTable("Counted").Property(static c => c.Version).HasDefaultValue(1L).IsRowVersion();

    private static Task WithNotesAsync(ServerKind kind, Func<Func<AnyModel>, Task> test) =>
        Servers.WithDatabaseAsync(kind, static options => new AnyModel(options, BuildNotes), test);

    private static void BuildNotes(ModelBuilder model) => model.Entity<Note>(static note =>
    {
        note.ToTable("Notes");
        foreach (var one in Cases)
        {
            var property = note.Property<string?>(one.Name).HasMaxLength(20).HasDefaultValue(Default).Metadata;
            property.ValueGenerated = one.When;
            property.SetBeforeSaveBehavior(one.Before);
            property.SetAfterSaveBehavior(one.After);
        }
    });

    private static void BuildTypes(ModelBuilder model) => model.Entity<Kept>(static kept =>
    {
        kept.Property(static k => k.Flag).HasDefaultValue(true).HasSentinel(true);
        kept.Property(static k => k.Number).HasDefaultValue(7);
        kept.Property(static k => k.Maybe).HasDefaultValueSql("8");
        kept.Property(static k => k.Amount).HasPrecision(10, 3).HasDefaultValue(2.5m);
        kept.Property(static k => k.Share).HasDefaultValue(1.1f);
        kept.Property(static k => k.Key).HasDefaultValueSql("(UUID())");
        kept.Property(static k => k.Day).HasDefaultValue(new DateOnly(2020, 1, 2));
        kept.Property(static k => k.Span).HasDefaultValue(new TimeSpan(1, 2, 3));
        kept.Property(static k => k.Created).ValueGeneratedOnAdd();
        kept.Property(static k => k.Changed).ValueGeneratedOnAddOrUpdate();
        kept.Property(static k => k.Changed).Metadata.SetBeforeSaveBehavior(PropertySaveBehavior.Save);
        kept.Property(static k => k.Changed).Metadata.SetAfterSaveBehavior(PropertySaveBehavior.Save);
        kept.Property(static k => k.Kind).HasConversion<string>().HasMaxLength(20).HasDefaultValue(DayOfWeek.Friday);
        kept.Property(static k => k.Bytes).HasMaxLength(20).HasDefaultValue(new byte[] { 1, 255 });
        kept.Property(static k => k.Doubled).HasComputedColumnSql("Number * 2");
        kept.Property(static k => k.Stored).HasComputedColumnSql("Number + 8", stored: true);
    });

    private static void BuildKeys(ModelBuilder model)
    {
        model.Entity<Keyed<int>>().ToTable("ints");
        model.Entity<Keyed<Guid>>().ToTable("guids");
        model.Entity<Keyed<string>>().ToTable("strings");
        model.Entity<Keyed<long>>().ToTable("longs").Property(static one => one.Id).ValueGeneratedNever();
        model.Entity<Keyed<short>>().ToTable("shorts").Property(static one => one.Id).HasDefaultValue((short)9);
    }

    private sealed record Case(ValueGenerated When, PropertySaveBehavior Before, PropertySaveBehavior After)
    {
        public string Name => $"{When}_{Before}_{After}";

        public bool OnAdd => When.HasFlag(ValueGenerated.OnAdd);

        public bool OnUpdate => When.HasFlag(ValueGenerated.OnUpdate);
    }

    private sealed class Note
    {
        public int Id { get; set; }

        public string Text { get; set; } = "";
    }

    private sealed class Keyed<TKey>
    {
        public TKey Id { get; set; } = default!;
    }

    private sealed class Counted
    {
        public int Id { get; set; }

        public string Text { get; set; } = "";

        public long Version { get; set; }
    }

    private sealed class Kept
    {
        public int Id { get; set; }

        public bool Flag { get; set; } = true;

        public int Number { get; set; }

        public int? Maybe { get; set; }

        public decimal Amount { get; set; }

        public float Share { get; set; }

        public Guid Key { get; set; }

        public DateOnly Day { get; set; }

        public TimeSpan Span { get; set; }

        public DateTime Created { get; set; }

        public DateTime Changed { get; set; }

        public DayOfWeek? Kind { get; set; }

        public byte[]? Bytes { get; set; }

        public int Doubled { get; set; }

        public int Stored { get; set; }
    }
}
