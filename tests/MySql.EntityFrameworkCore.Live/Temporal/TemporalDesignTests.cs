using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Design;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Scaffolding;
using Microsoft.Extensions.DependencyInjection;
using Slipstream.Lab;
using Slipstream.MySql.EntityFrameworkCore.Design;
using Slipstream.MySql.EntityFrameworkCore.Live.Keys;

namespace Slipstream.MySql.EntityFrameworkCore.Live.Temporal;

/// <summary>Migrations, snapshots and scaffolding of temporal tables.</summary>
public sealed class TemporalDesignTests
{
    public static TheoryData<ServerKind> MariaDbs => SequenceTests.MariaDbs;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(MariaDbs))]
    public Task A_table_becomes_temporal_changes_and_becomes_an_ordinary_one(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new AnyModel(options, static _ => { }), static async open =>
        {
            await using var empty = open();
            var options = (DbContextOptions)empty.GetService<IDbContextOptions>();
            await using var plain = new AnyModel(options, Plain);
            await using var temporal = new AnyModel(options, Temporal);
            await using var changed = new AnyModel(options, Changed);
            await plain.MigrateFromAsync(null, Stop);
            plain.Add(new Thing { Name = "first" });
            await plain.SaveChangesAsync(Stop);
            await temporal.Database.OpenConnectionAsync(Stop);
            await temporal.MigrateFromAsync(plain.DesignModel, Stop);
            Assert.Equal("ERROR", await HistoryAsync(temporal));
            var thing = await temporal.Set<Thing>().SingleAsync(Stop);
            thing.Name = "second";
            await temporal.SaveChangesAsync(Stop);
            Assert.Equal(["first", "second"], await temporal.Set<Thing>().TemporalAll().Select(static t => t.Name).Order().ToListAsync(Stop));

            // A renamed table with other columns, an index and a renamed column of the period.
            await changed.Database.OpenConnectionAsync(Stop);
            await changed.MigrateFromAsync(temporal.DesignModel, Stop);
            Assert.Equal("ERROR", await HistoryAsync(changed));
            Assert.Equal(
                ["first 7", "second 7"],
                await changed.Set<Thing>().TemporalAll().Select(static t => t.Name + " " + EF.Property<int>(t, "Size")).Order().ToListAsync(Stop));
            Assert.Equal(2, await changed.Set<Thing>().TemporalAll().CountAsync(static t => EF.Property<DateTime>(t, "PeriodStart").Year > 2020, Stop));

            await temporal.MigrateFromAsync(changed.DesignModel, Stop);
            Assert.Equal(2, await temporal.Set<Thing>().TemporalAll().CountAsync(Stop));
            await plain.MigrateFromAsync(temporal.DesignModel, Stop);
            plain.ChangeTracker.Clear();
            Assert.Equal("second", (await plain.Set<Thing>().SingleAsync(Stop)).Name);
            Assert.Equal(
                ["things BASE TABLE"],
                await plain.Database.SqlQuery<string>(
                    $"SELECT CONCAT(TABLE_NAME, ' ', TABLE_TYPE) AS `Value` FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()").ToListAsync(Stop));
            // In one step, and back.
            await changed.MigrateFromAsync(plain.DesignModel, Stop);
            Assert.Equal(1, await changed.Set<Thing>().TemporalAll().CountAsync(Stop));
            await plain.MigrateFromAsync(changed.DesignModel, Stop);
            Assert.Equal(1, await plain.Set<Thing>().CountAsync(Stop));
        });

    [Theory, MemberData(nameof(MariaDbs))]
    public Task Temporal_tables_are_scaffolded(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new AnyModel(options, TemporalTests.Staff), static async open =>
        {
            await using var staff = open();
            await staff.Database.ExecuteSqlRawAsync("CREATE TABLE implied (id INT PRIMARY KEY, code INT UNIQUE) WITH SYSTEM VERSIONING", Stop);
            var services = new ServiceCollection().AddEntityFrameworkDesignTimeServices();
            new MySqlDesignTimeServices().ConfigureDesignTimeServices(services);
            using var provider = services.BuildServiceProvider();
            using var scope = provider.CreateScope();
            var code = scope.ServiceProvider.GetRequiredService<IReverseEngineerScaffolder>().ScaffoldModel(
                staff.Database.GetConnectionString()!, new DatabaseModelFactoryOptions(), new ModelReverseEngineerOptions(),
                new ModelCodeGenerationOptions
                {
                    ContextName = "Read", SuppressConnectionStringWarning = true, RootNamespace = "Read", ModelNamespace = "Read",
                });
            var context = string.Concat(code.ContextFile.Code.Split((char[]?)null));
            Assert.Contains(
                ".ToTable(tb=>tb.IsTemporal(ttb=>{ttb.HasPeriodStart(\"PeriodStart\").HasColumnName(\"row_start\");"
                    + "ttb.HasPeriodEnd(\"PeriodEnd\").HasColumnName(\"row_end\");}))",
                context, StringComparison.Ordinal);
            Assert.Contains("ttb.HasPeriodStart(\"since\").HasColumnName(\"since\");", context, StringComparison.Ordinal);
            Assert.DoesNotContain("MySql:", context, StringComparison.Ordinal);
            Assert.Contains("entity.HasIndex(e=>e.Code,\"code\").IsUnique();", context, StringComparison.Ordinal);
            Assert.All(code.AdditionalFiles, static file => Assert.DoesNotContain("DateTime", file.Code, StringComparison.Ordinal));

            // A table whose columns of the period are the server's own.
            await using var implied = new AnyModel((DbContextOptions)staff.GetService<IDbContextOptions>(), Implied);
            implied.Add(new Thing { Id = 5, Name = "6" });
            await implied.SaveChangesAsync(Stop);
            await implied.Set<Thing>().ExecuteUpdateAsync(static set => set.SetProperty(static t => t.Name, "7"), Stop);
            Assert.Equal(
                ["6", "7"],
                await implied.Set<Thing>().TemporalAll().OrderBy(static t => EF.Property<DateTime>(t, "PeriodStart")).Select(static t => t.Name)
                    .ToListAsync(Stop));
        });

    [Theory, MemberData(nameof(MariaDbs))]
    public Task An_idempotent_script_makes_a_table_temporal(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new AnyModel(options, Plain), static async open =>
        {
            await using var plain = open();
            await using var temporal = new AnyModel((DbContextOptions)plain.GetService<IDbContextOptions>(), Temporal);
            var commands = temporal.GetService<IMigrationsSqlGenerator>().Generate(
                temporal.DifferencesFrom(plain.DesignModel), temporal.DesignModel, MigrationsSqlGenerationOptions.Idempotent);
            var script = "DELIMITER //\nCREATE PROCEDURE up()\nBEGIN\n" + string.Concat(commands.Select(static c => c.CommandText))
                + "\nEND //\nDELIMITER ;\nCALL up();\n";
            await using var connection = new MySqlConnection(plain.Database.GetConnectionString());
            await connection.OpenAsync(Stop);
            await new MySqlScript(connection, script).ExecuteAsync(Stop);
            Assert.Equal(0, await temporal.Set<Thing>().TemporalAll().CountAsync(Stop));
        });

    [Fact]
    public void Snapshots_describe_the_same_model()
    {
        foreach (var build in (Action<ModelBuilder>[])[Temporal, Changed, TemporalTests.Staff])
        {
            using var context = new AnyModel(MariaDb, build);
            var (model, code) = context.ReadSnapshot();
            Assert.True(context.DifferencesFrom(model).Count == 0, code);
            Assert.Contains("tb.IsTemporal(ttb =>", code, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void The_SQL_is_that_of_MariaDB()
    {
        using var temporal = new AnyModel(MariaDb, Temporal);
        Assert.Contains(
            "`PeriodEnd` timestamp(6) GENERATED ALWAYS AS ROW END INVISIBLE,", temporal.SqlFrom(null), StringComparison.Ordinal);
        Assert.Contains("PERIOD FOR SYSTEM_TIME (`PeriodStart`, `PeriodEnd`)", temporal.SqlFrom(null), StringComparison.Ordinal);
        Assert.EndsWith("WITH SYSTEM VERSIONING;", temporal.SqlFrom(null).TrimEnd(), StringComparison.Ordinal);
        var sql = temporal.Set<Thing>().TemporalAsOf(new DateTime(2026, 1, 2, 3, 4, 5, 678, DateTimeKind.Utc)).Where(static t => t.Id == 1).ToQueryString();
        Assert.Contains("FROM `things` FOR SYSTEM_TIME ALL WHERE UNIX_TIMESTAMP(`PeriodStart`) <= 1767323045.6780000 AND", sql, StringComparison.Ordinal);
    }

    [Fact]
    public void A_server_without_temporal_tables_refuses_the_model_and_a_version_that_is_unknown_the_SQL()
    {
        using var mySql = new AnyModel(Servers.Options().UseMySql(ServerVersion.Parse("9.7.0-mysql")).Options, Temporal);
        Assert.Contains(
            "9.7.0-mysql does not have system-versioned tables", Assert.Throws<InvalidOperationException>(() => mySql.Model).Message, StringComparison.Ordinal);
        using var unknown = new AnyModel(Servers.Options().UseMySql().Options, Temporal);
        Assert.Contains(
            "Give UseMySql a ServerVersion", Assert.Throws<NotSupportedException>(() => unknown.SqlFrom(null)).Message, StringComparison.Ordinal);
        Assert.Contains(
            "does not have system-versioned tables",
            Assert.Throws<InvalidOperationException>(() => unknown.Set<Thing>().TemporalAll().ToQueryString()).Message, StringComparison.Ordinal);
    }

    [Theory, InlineData("TPT", "in one table"), InlineData("derived", "inherits from 'Animal'"), InlineData("owned", "in the table of its owner"),
        InlineData("type", "it must be a DateTime"), InlineData("view", "read a view")]
    public void Models_that_cannot_be_are_refused(string what, string text)
    {
        using var context = new AnyModel(MariaDb, what switch
        {
            "TPT" => static model =>
            {
                model.Entity<Animal>().UseTptMappingStrategy().ToTable(static table => table.IsTemporal());
                model.Entity<Cat>();
            },
            "derived" => static model =>
            {
                model.Entity<Animal>();
                model.Entity<Cat>().ToTable(static table => table.IsTemporal());
            },
            "owned" => static model => model.Entity<Owner>().OwnsOne(static o => o.Thing).ToTable(static table => table.IsTemporal()),
            "type" => static model =>
                model.Entity<Thing>().ToTable(static table => table.IsTemporal()).Property<DateTime>("PeriodEnd").HasColumnType("datetime(6)"),
            _ => static model => model.Entity<Thing>().ToTable("things", static table => table.IsTemporal()).ToView("view"),
        });
        Assert.Contains(text, Assert.Throws<InvalidOperationException>(() => context.Model).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_existing_column_does_not_become_one_of_the_period()
    {
        using var before = new AnyModel(MariaDb, static model => model.Entity<Thing>().ToTable("things").Property<DateTime>("PeriodStart"));
        using var after = new AnyModel(MariaDb, Temporal);
        Assert.Contains(
            "both columns of its period", Assert.Throws<NotSupportedException>(() => after.SqlFrom(before.DesignModel)).Message, StringComparison.Ordinal);
    }

    private static DbContextOptions MariaDb => Servers.Options().UseMySql("Server=x;Database=x", ServerVersion.Parse("11.8.2-mariadb")).Options;

    private static Task<string> HistoryAsync(DbContext context) =>
        context.Database.SqlQuery<string>($"SELECT @@system_versioning_alter_history AS `Value`").SingleAsync(Stop);

    private static void Plain(ModelBuilder model) => model.Entity<Thing>().ToTable("things");

    private static void Temporal(ModelBuilder model) => model.Entity<Thing>().ToTable("things", static table => table.IsTemporal());

    private static void Changed(ModelBuilder model) => model.Entity<Thing>(static thing =>
    {
        thing.ToTable("items", static table => table.IsTemporal(static period => period.HasPeriodStart("PeriodStart").HasColumnName("since")));
        thing.Property<int>("Size").HasDefaultValue(7);
        thing.Property(static t => t.Name).HasMaxLength(100);
        thing.HasIndex(static t => t.Name);
    });

    private static void Implied(ModelBuilder model) => model.Entity<Thing>(static thing =>
    {
        thing.ToTable("implied", static table => table.IsTemporal(static period =>
        {
            period.HasPeriodStart("PeriodStart").HasColumnName("row_start");
            period.HasPeriodEnd("PeriodEnd").HasColumnName("row_end");
        }));
        thing.Property(static t => t.Id).HasColumnName("id").ValueGeneratedNever();
        thing.Property(static t => t.Name).HasColumnName("code").HasConversion<int>();
    });

    private sealed class Thing
    {
        public int Id { get; set; }

        public string Name { get; set; } = "";
    }

    private sealed class Owner
    {
        public int Id { get; set; }

        public Thing Thing { get; set; } = null!;
    }

    private class Animal
    {
        public int Id { get; set; }
    }

    private sealed class Cat : Animal;
}
