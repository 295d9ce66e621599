using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Scaffolding;
using Microsoft.EntityFrameworkCore.Scaffolding.Metadata;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.Lab;
using Slipstream.MySql.EntityFrameworkCore.Scaffolding;

namespace Slipstream.MySql.EntityFrameworkCore.Live.Keys;

/// <summary>Sequences of MariaDB as defaults and keys, in migrations, snapshots and scaffolding.</summary>
public sealed class SequenceTests
{
    private static readonly string[] OfFirst =
        ["a bigint 1 +1", "b bigint 5 +3 <= 100 cycles", "c bigint 1 -1", "d bigint -8 +1 >= -10", "e bigint 1 +1 <= 2147483647"];

    public static TheoryData<ServerKind> MariaDbs { get; } = [ServerKind.MariaDb, ServerKind.MariaDb11];

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(MariaDbs))]
    public Task Keys_and_numbers_come_from_sequences_and_are_returned(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new AnyModel(options, Bills), static async open =>
        {
            await using var context = open();
            var bills = Enumerable.Range(1, 3).Select(static number => new Bill { Text = $"bill {number}", Lines = { new() { Amount = number } } }).ToList();
            bills.Add(new Bill { Id = 1000, Number = 7, Text = "given" });
            context.AddRange(bills);
            await context.SaveChangesAsync(Stop);
            Assert.Equal([1, 2, 3, 1000], bills.Select(static b => b.Id));
            Assert.Equal([500, 505, 510, 7], bills.Select(static b => b.Number).Order().OrderByDescending(static n => n >= 500));
            Assert.Equal([1, 2, 3], bills.Take(3).Select(static b => b.Lines[0].BillId));
            context.ChangeTracker.Clear();
            Assert.Equal(
                ["1 bill 1 1", "2 bill 2 2", "3 bill 3 3"],
                (await context.Set<Bill>().Where(static b => b.Id < 1000).OrderBy(static b => b.Id).Include(static b => b.Lines).ToListAsync(Stop))
                    .Select(static b => $"{b.Id} {b.Text} {b.Lines.Single().Amount}"));
            var bare = new Bill { Text = "sync" };
            context.Add(bare);
            context.SaveChanges();
            Assert.Equal((4, 515), (bare.Id, bare.Number));
        });

    [Theory, MemberData(nameof(MariaDbs))]
    public Task Tables_of_one_hierarchy_share_a_sequence(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new AnyModel(options, Animals), static async open =>
        {
            await using var context = open();
            var animals = new Animal[] { new Cat(), new Dog(), new Cat(), new Dog(), new Dog() };
            context.AddRange(animals);
            await context.SaveChangesAsync(Stop);
            Assert.Equal([1, 2, 3, 4, 5], animals.Select(static a => a.Id).Order());
            context.ChangeTracker.Clear();
            Assert.Equal(5, (await context.Set<Animal>().ToListAsync(Stop)).Count);
        });

    [Theory, MemberData(nameof(MariaDbs))]
    public Task Migrations_create_alter_restart_and_drop_sequences(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new AnyModel(options, static _ => { }), static async open =>
        {
            await using var empty = open();
            var options = empty.GetService<IDbContextOptions>();
            await using var first = new AnyModel((DbContextOptions)options, FirstSequences);
            await using var second = new AnyModel((DbContextOptions)options, SecondSequences);
            await first.MigrateFromAsync(null, Stop);
            Assert.Equal(OfFirst, Read(first));
            Assert.Equal("1 0 -1", $"{await NextAsync(first, "c")} {await NextAsync(first, "c")} {await NextAsync(first, "c")}");
            Assert.Equal(-8, await NextAsync(first, "d"));

            await second.MigrateFromAsync(first.DesignModel, Stop);
            Assert.Equal(
                ["a bigint 50 +2 >= 40", "c bigint 1 -1", "f bigint 1 +1", "new_b bigint 5 +3 <= 100 cycles"], Read(second).Order(StringComparer.Ordinal));
            Assert.Equal("50 52", $"{await NextAsync(second, "a")} {await NextAsync(second, "a")}");
            Assert.Equal(5, await NextAsync(second, "new_b"));

            await first.MigrateFromAsync(second.DesignModel, Stop);
            Assert.Equal(OfFirst, Read(first));
            Assert.Equal(1, await NextAsync(first, "a"));
        });

    // A changed name in the model drops a sequence and creates another. RenameSequence in a migration repeats no value.
    [Theory, MemberData(nameof(MariaDbs))]
    public Task A_renamed_sequence_goes_on(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new AnyModel(options, FirstSequences), static async open =>
        {
            await using var context = open();
            Assert.Equal(1, await NextAsync(context, "a"));
            var migration = new MigrationBuilder(context.Database.ProviderName);
            migration.RenameSequence("a", newName: "renamed `a`");
            migration.RenameSequence("c", newName: "c");
            await context.GetService<IMigrationCommandExecutor>().ExecuteNonQueryAsync(
                context.GetService<IMigrationsSqlGenerator>().Generate(migration.Operations, context.DesignModel),
                context.GetService<IRelationalConnection>(), Stop);
            // The server gives up the values that it has cached, 1000 of them.
            Assert.Equal(1001, await NextAsync(context, "renamed ``a``"));
            Assert.Equal(1, await NextAsync(context, "c"));
            await Assert.ThrowsAsync<MySqlException>(() => NextAsync(context, "a"));
        });

    [Theory, MemberData(nameof(MariaDbs))]
    public Task A_default_by_a_sequence_is_scaffolded_without_the_database(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new AnyModel(options, Bills), static async open =>
        {
            await using var context = open();
            var model = new MySqlDatabaseModelFactory().Create(context.Database.GetConnectionString()!, new DatabaseModelFactoryOptions());
            Assert.Equal(["BillSequence bigint 1 +1", "numbers bigint 500 +5"], model.Sequences.Select(Describe));
            var bills = model.Tables.Single(static table => table.Name == "Bill");
            Assert.Equal(
                ["Id nextval(`BillSequence`)", "Number nextval(`numbers`)", "Text "], bills.Columns.Select(static c => $"{c.Name} {c.DefaultValueSql}"));
            Assert.Equal(["Bill", "Line"], model.Tables.Select(static table => table.Name));
        });

    [Fact]
    public void Snapshots_describe_the_same_model()
    {
        foreach (var build in (Action<ModelBuilder>[])[Bills, Animals, FirstSequences, HiLoTests.Orders, AllHiLo, Named])
        {
            using var context = new AnyModel(Servers.Options().UseMySql(ServerVersion.Parse("11.8.2-mariadb")).Options, build);
            var (model, code) = context.ReadSnapshot();
            Assert.True(context.DifferencesFrom(model).Count == 0, code);
        }

        using var hiLo = new AnyModel(Servers.Options().UseMySql(ServerVersion.Parse("11.8.2-mariadb")).Options, Named);
        var text = hiLo.ReadSnapshot().Code;
        Assert.Contains(".UseHiLo(", text, StringComparison.Ordinal);
        Assert.Contains("\"mine\"", text, StringComparison.Ordinal);
        Assert.Contains(".UseSequence(", text, StringComparison.Ordinal);
        Assert.DoesNotContain("HiLoSequenceName", text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_server_without_sequences_refuses_the_model()
    {
        foreach (var build in (Action<ModelBuilder>[])[Bills, FirstSequences, HiLoTests.Orders])
        {
            using var context = new AnyModel(Servers.Options().UseMySql(ServerVersion.Parse("9.7.0-mysql")).Options, build);
            var refusal = Assert.Throws<InvalidOperationException>(() => context.Model).Message;
            Assert.Contains("9.7.0-mysql has no sequences", refusal, StringComparison.Ordinal);
            Assert.Contains("AUTO_INCREMENT", refusal, StringComparison.Ordinal);
        }
    }

    // As at design time: a migration can be added, and its SQL cannot be written yet.
    [Fact]
    public void Without_a_version_the_model_is_accepted_and_the_SQL_asks_for_the_version()
    {
        using var context = new AnyModel(Servers.Options().UseMySql().Options, Bills);
        Assert.Equal(5, context.DifferencesFrom(null).Count(static one => one.GetType().Name.StartsWith("Create", StringComparison.Ordinal)));
        var refusal = Assert.Throws<NotSupportedException>(() => context.SqlFrom(null)).Message;
        Assert.Contains("Give UseMySql a ServerVersion", refusal, StringComparison.Ordinal);
    }

    [Fact]
    public void Properties_that_are_not_integers_are_refused()
    {
        using var context = new AnyModel(
            Servers.Options().UseMySql(ServerVersion.Parse("11.8.2-mariadb")).Options,
            static model => model.Entity<Bill>().Property(static b => b.Text).UseSequence());
        Assert.Contains("'Bill.Text' of type String", Assert.Throws<InvalidOperationException>(() => context.Model).Message, StringComparison.Ordinal);
        using var backwards = new AnyModel(
            Servers.Options().UseMySql(ServerVersion.Parse("11.8.2-mariadb")).Options,
            static model =>
            {
                model.HasSequence("down").IncrementsBy(-2);
                model.Entity<Bill>().Property(static b => b.Id).UseHiLo("down");
            });
        Assert.Contains("increment -2", Assert.Throws<InvalidOperationException>(() => backwards.Model).Message, StringComparison.Ordinal);
    }

    internal static async Task<long> NextAsync(DbContext context, string sequence)
    {
        var sql = "SELECT NEXT VALUE FOR `" + sequence + "` AS `Value`";
        return (await context.Database.SqlQueryRaw<long>(sql).ToListAsync(Stop)).Single();
    }

    private static IEnumerable<string> Read(DbContext context) => new MySqlDatabaseModelFactory()
        .Create(context.Database.GetConnectionString()!, new DatabaseModelFactoryOptions()).Sequences.Select(Describe);

    private static string Describe(DatabaseSequence sequence) =>
        $"{sequence.Name} {sequence.StoreType} {sequence.StartValue} {sequence.IncrementBy:+0;-0}"
            + (sequence.MinValue is { } least ? $" >= {least}" : "") + (sequence.MaxValue is { } most ? $" <= {most}" : "")
            + (sequence.IsCyclic == true ? " cycles" : "");

    private static void Bills(ModelBuilder model)
    {
        model.HasSequence("numbers").StartsAt(500).IncrementsBy(5);
        model.Entity<Bill>().Property(static b => b.Id).UseSequence();
        model.Entity<Bill>().Property(static b => b.Number).HasDefaultValueSql("NEXT VALUE FOR numbers");
        model.Entity<Line>();
    }

    private static void Animals(ModelBuilder model)
    {
        model.Entity<Animal>().UseTpcMappingStrategy();
        model.Entity<Cat>();
        model.Entity<Dog>();
        model.UseKeySequences("_keys");
    }

    private static void AllHiLo(ModelBuilder model)
    {
        model.UseHiLo("all");
        model.Entity<Bill>();
    }

    private static void Named(ModelBuilder model)
    {
        model.Entity<Bill>().Property(static b => b.Id).UseHiLo("mine");
        model.Entity<Line>().Property(static l => l.Id).UseSequence("lines");
    }

    private static void FirstSequences(ModelBuilder model)
    {
        model.HasSequence("a");
        model.HasSequence("b").StartsAt(5).IncrementsBy(3).HasMax(100).IsCyclic();
        model.HasSequence("c").IncrementsBy(-1);
        model.HasSequence("d").StartsAt(-8).HasMin(-10);
        model.HasSequence<int>("e");
    }

    private static void SecondSequences(ModelBuilder model)
    {
        model.HasSequence("a").StartsAt(50).IncrementsBy(2).HasMin(40);
        model.HasSequence("new_b").StartsAt(5).IncrementsBy(3).HasMax(100).IsCyclic();
        model.HasSequence("c").IncrementsBy(-1);
        model.HasSequence("f");
    }

    private sealed class Bill
    {
        public int Id { get; set; }

        public long Number { get; set; }

        public string Text { get; set; } = "";

        public List<Line> Lines { get; } = [];
    }

    private sealed class Line
    {
        public int Id { get; set; }

        public int BillId { get; set; }

        public int Amount { get; set; }
    }

    private abstract class Animal
    {
        public int Id { get; set; }
    }

    private sealed class Cat : Animal;

    private sealed class Dog : Animal;
}
