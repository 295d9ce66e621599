using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata.Builders;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live.Procedures;

/// <summary>Types and hierarchies that stored procedures save, and what is refused.</summary>
public sealed class ProcedureModelTests
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public Task Output_parameters_return_values_of_all_types(ServerKind kind) => Depot.WithAsync(
        kind, BuildSamples,
        [
            """
            CREATE PROCEDURE sample_insert(
                OUT p_id int, OUT p_flag tinyint(1), OUT p_large bigint unsigned, OUT p_price decimal(20,4), OUT p_single float, OUT p_double double,
                OUT p_day date, OUT p_moment datetime(6), OUT p_span time(6), OUT p_key char(36), OUT p_bytes varbinary(20), OUT p_code varchar(20),
                OUT p_kind varchar(20))
            BEGIN
                INSERT INTO Samples () VALUES ();
                SELECT Id, Flag, Large, Price, Single, `Double`, Day, Moment, Span, `Key`, Bytes, Code, Kind
                INTO p_id, p_flag, p_large, p_price, p_single, p_double, p_day, p_moment, p_span, p_key, p_bytes, p_code, p_kind
                FROM Samples WHERE Id = LAST_INSERT_ID();
            END
            """,
        ],
        static async open =>
        {
            await using var context = open();
            var sample = new Sample();
            context.Add(sample);
            await context.SaveChangesAsync(Stop);
            await using var other = open();
            Assert.Equivalent(await other.Set<Sample>().SingleAsync(Stop), sample, strict: true);
            Assert.Equal((true, ulong.MaxValue, 12.3400m, 1.1f, 0.1), (sample.Flag, sample.Large, sample.Price, sample.Single, sample.Double));
            Assert.Equal(new DateTime(2020, 1, 2, 3, 4, 5).AddTicks(1234560), sample.Moment);
            Assert.Equal(new TimeSpan(-30, 0, 0), sample.Span);
            Assert.Equal(DayOfWeek.Friday, sample.Kind);
            Assert.Null(sample.Code);
        });

    [Theory, MemberData(nameof(Kinds))]
    public Task One_procedure_saves_all_types_of_a_table(ServerKind kind) => Depot.WithAsync(
        kind, BuildHierarchy,
        [
            """
            CREATE PROCEDURE part_insert(OUT p_id int, p_kind varchar(21), p_name longtext, p_length int, OUT p_rank int, p_color longtext)
            BEGIN
                INSERT INTO Parts (Discriminator, Name, Length, Color) VALUES (p_kind, p_name, p_length, p_color);
                SET p_id = LAST_INSERT_ID();
                SELECT `Rank` INTO p_rank FROM Parts WHERE Id = p_id;
            END
            """,
        ],
        static async open =>
        {
            await using var context = open();
            context.AddRange(new Beam { Name = "b", Length = 5 }, new Paint { Name = "p", Color = "red" });
            await context.SaveChangesAsync(Stop);
            Assert.Equal(4, Assert.Single(context.Set<Beam>().Local).Rank);
            context.ChangeTracker.Clear();
            Assert.Equal(("b", 5, 4), (await context.Set<Beam>().SingleAsync(Stop)) is var beam ? (beam.Name, beam.Length, beam.Rank) : default);
            Assert.Equal(("p", "red"), (await context.Set<Paint>().SingleAsync(Stop)) is var paint ? (paint.Name, paint.Color) : default);
        });

    [Theory, MemberData(nameof(Kinds))]
    public async Task What_a_procedure_does_not_return_is_named(ServerKind kind)
    {
        Assert.Equal(
            "The stored procedure 'crate_insert' returned no result set, but the model maps result columns. Let the procedure end with a SELECT of these "
                + "columns, or map them to output parameters.",
            await FailureAsync("CREATE PROCEDURE crate_insert(p_name longtext) INSERT INTO Crates (Name) VALUES (p_name)"));
        Assert.Equal(
            "The stored procedure 'crate_insert' returned a result set of 1 column(s), but the model maps 2. Change the SELECT of the procedure, or the calls "
                + "of HasResultColumn.",
            await FailureAsync("CREATE PROCEDURE crate_insert(p_name longtext) SELECT 1"));
        Assert.Equal(
            "The stored procedure 'crate_update' did not return the number of rows that it changed. Let it return ROW_COUNT(), or remove "
                + "HasRowsAffectedParameter or HasRowsAffectedResultColumn.",
            await FailureAsync(
                "CREATE PROCEDURE crate_insert(p_name longtext) SELECT 'a', 1",
                "CREATE PROCEDURE crate_update(p_id int, p_name longtext, OUT p_code longtext, OUT p_count int) SET p_code = ''"));

        async Task<string> FailureAsync(params string[] procedures)
        {
            var message = "";
            await Depot.WithAsync(kind, BuildWrong, procedures, async open =>
            {
                await using var context = open();
                var crate = new Pallet { Name = "first" };
                context.Add(crate);
                if (procedures.Length > 1)
                {
                    await context.SaveChangesAsync(Stop);
                    Assert.Equal((1, "a"), (crate.Id, crate.Code));
                    crate.Name = "second";
                }

                message = (await Assert.ThrowsAsync<DbUpdateException>(() => context.SaveChangesAsync(Stop))).InnerException!.Message;
            });
            return message;
        }
    }

    [Fact]
    public void What_procedures_cannot_do_is_refused_with_the_model()
    {
        Assert.Equal(
            "The stored procedure 'crate_delete' of the entity type 'Crate' has HasRowsAffectedReturnValue, but procedures of MySQL and MariaDB have no return "
                + "value. Use HasRowsAffectedParameter or HasRowsAffectedResultColumn instead.",
            Refusal(static model => model.Entity<Crate>().DeleteUsingStoredProcedure(
                "crate_delete", static call => call.HasOriginalValueParameter(static c => c.Id).HasRowsAffectedReturnValue())));
        Assert.Equal(
            "The stored procedure 'crate_delete' of the entity type 'Crate' has the schema 'store'. MySQL and MariaDB have no schemas inside a database. "
                + "Remove it, or choose Ignore or Translate with SchemaBehavior in the options of UseMySql.",
            Refusal(static model => model.Entity<Crate>().DeleteUsingStoredProcedure(
                "crate_delete", "store", static call => call.HasOriginalValueParameter(static c => c.Id))));
    }

    // EF Core would not save the complex type, and not call the procedure for the owned one.
    [Fact]
    public void A_document_of_an_entity_type_that_procedures_save_is_refused()
    {
        const string message = "The entity type 'DetailedCrate' has the JSON document 'Details', which cannot be a parameter of the stored procedure "
            + "'crate_insert'. Store it in a property of type string, or save the entity type without stored procedures.";
        Assert.Equal(message, Refusal(static model => Insert(model.Entity<DetailedCrate>()).ComplexProperty(static c => c.Details, static d => d.ToJson())));
        Assert.Equal(message, Refusal(static model => Insert(model.Entity<DetailedCrate>()).OwnsOne(static c => c.Details, static d => d.ToJson())));

        static EntityTypeBuilder<DetailedCrate> Insert(EntityTypeBuilder<DetailedCrate> crate)
        {
            crate.Metadata.SetTableName("Crates");
            return crate.InsertUsingStoredProcedure("crate_insert", static call => call
                .HasParameter(static c => c.Name).HasParameter(static c => c.Id, static p => p.IsOutput()));
        }
    }

    private static string Refusal(Action<ModelBuilder> build)
    {
        using var context = new AnyModel(Servers.Options().UseMySql("Server=none;Database=none", ServerVersion.Parse("9.7.0")).Options, build);
        return Assert.Throws<InvalidOperationException>(() => context.Model).Message;
    }

    private static void BuildSamples(ModelBuilder model) => model.Entity<Sample>(static sample =>
    {
        sample.ToTable("Samples");
        sample.Property(static s => s.Flag).HasDefaultValueSql("1");
        sample.Property(static s => s.Large).HasDefaultValueSql("18446744073709551615");
        sample.Property(static s => s.Price).HasPrecision(20, 4).HasDefaultValueSql("12.34");
        sample.Property(static s => s.Single).HasDefaultValueSql("1.1");
        sample.Property(static s => s.Double).HasDefaultValueSql("0.1");
        sample.Property(static s => s.Day).HasDefaultValueSql("'2020-02-29'");
        sample.Property(static s => s.Moment).HasDefaultValueSql("'2020-01-02 03:04:05.123456'");
        sample.Property(static s => s.Span).HasDefaultValueSql("'-30:00:00'");
        sample.Property(static s => s.Key).HasDefaultValueSql("'a2f3e3f0-0000-4000-8000-000000000001'");
        sample.Property(static s => s.Bytes).HasMaxLength(20).HasDefaultValueSql("x'01FF00'");
        sample.Property(static s => s.Code).HasMaxLength(20).HasDefaultValueSql("NULL");
        sample.Property(static s => s.Kind).HasConversion<string>().HasMaxLength(20).HasDefaultValueSql("'Friday'");
        sample.InsertUsingStoredProcedure("sample_insert", static call => call
            .HasParameter(static s => s.Id, static p => p.IsOutput()).HasParameter(static s => s.Flag, static p => p.IsOutput())
            .HasParameter(static s => s.Large, static p => p.IsOutput()).HasParameter(static s => s.Price, static p => p.IsOutput())
            .HasParameter(static s => s.Single, static p => p.IsOutput()).HasParameter(static s => s.Double, static p => p.IsOutput())
            .HasParameter(static s => s.Day, static p => p.IsOutput()).HasParameter(static s => s.Moment, static p => p.IsOutput())
            .HasParameter(static s => s.Span, static p => p.IsOutput()).HasParameter(static s => s.Key, static p => p.IsOutput())
            .HasParameter(static s => s.Bytes, static p => p.IsOutput()).HasParameter(static s => s.Code, static p => p.IsOutput())
            .HasParameter(static s => s.Kind, static p => p.IsOutput()));
    });

    private static void BuildHierarchy(ModelBuilder model)
    {
        model.Entity<Beam>().Property(static b => b.Rank).HasDefaultValue(4);
        model.Entity<Paint>();
        model.Entity<Part>().ToTable("Parts").InsertUsingStoredProcedure("part_insert", static call => call
            .HasParameter(static p => p.Id, static p => p.IsOutput()).HasParameter("Discriminator").HasParameter(static p => p.Name)
            .HasParameter(nameof(Beam.Length)).HasParameter(nameof(Beam.Rank), static p => p.IsOutput()).HasParameter(nameof(Paint.Color)));
    }

    private static void BuildWrong(ModelBuilder model)
    {
        model.Entity<Pallet>().ToTable("Crates").Ignore(static p => p.Version).Property(static p => p.Code).HasComputedColumnSql("UPPER(Name)");
        model.Entity<Pallet>()
            .InsertUsingStoredProcedure("crate_insert", static call => call
                .HasParameter(static c => c.Name).HasResultColumn(static c => c.Code).HasResultColumn(static c => c.Id))
            .UpdateUsingStoredProcedure("crate_update", static call => call
                .HasOriginalValueParameter(static c => c.Id).HasParameter(static c => c.Name)
                .HasParameter(static c => c.Code, static p => p.IsOutput()).HasRowsAffectedParameter());
    }

    private sealed class Sample
    {
        public int Id { get; set; }

        public bool? Flag { get; set; }

        public ulong Large { get; set; }

        public decimal Price { get; set; }

        public float Single { get; set; }

        public double Double { get; set; }

        public DateOnly Day { get; set; }

        public DateTime Moment { get; set; }

        public TimeSpan Span { get; set; }

        public Guid Key { get; set; }

        public byte[] Bytes { get; set; } = null!;

        public string? Code { get; set; }

        public DayOfWeek? Kind { get; set; }
    }

    private sealed class DetailedCrate
    {
        public int Id { get; set; }

        public string Name { get; set; } = "";

        public Details Details { get; set; } = new();
    }

    private sealed class Details
    {
        public string Text { get; set; } = "";
    }

    private class Part
    {
        public int Id { get; set; }

        public string Name { get; set; } = "";
    }

    private sealed class Beam : Part
    {
        public int Length { get; set; }

        public int Rank { get; set; }
    }

    private sealed class Paint : Part
    {
        public string? Color { get; set; }
    }
}
