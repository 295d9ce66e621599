using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Slipstream.Lab;
using Slipstream.MySql.EntityFrameworkCore.Live.JsonUpdates;

namespace Slipstream.MySql.EntityFrameworkCore.Live.Generators;

/// <summary>Default values of columns: the server accepts them, and a row that is inserted without values has them.</summary>
public sealed class DefaultTests
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    public static TheoryData<ServerKind, int> KindsAndValues { get; } = new(
        from kind in Servers.Kinds from number in Enumerable.Range(0, 4) select (kind.Data, number));

    [Theory, MemberData(nameof(KindsAndValues))]
    public async Task A_default_of_each_type_is_the_value_of_a_new_row(ServerKind kind, int number) =>
        await Servers.WithDatabaseAsync(kind, options => new Constants(options, number), async create =>
        {
            await using var context = create();
            await context.Database.ExecuteSqlAsync($"INSERT INTO `Rows` (`Id`) VALUES (1)", Stop);
            var row = await context.Rows.SingleAsync(Stop);
            var expected = Values.Of(number);
            foreach (var property in typeof(Values).GetProperties())
                Assert.Equal(InUtc(property.GetValue(expected)), InUtc(property.GetValue(row.Values)));
        });

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_default_in_SQL_is_the_value_of_a_new_row(ServerKind kind) =>
        await Servers.WithDatabaseAsync(kind, static options => new Expressions(options), async create =>
        {
            await using var context = create();
            await context.Database.ExecuteSqlAsync($"INSERT INTO `Rows` (`Id`) VALUES (1)", Stop);
            var row = await context.Rows.SingleAsync(Stop);
            Assert.Equal(("abc", "[]", "it's", "a(b", null), (row.Long, row.Json, row.Quoted, row.Short, row.Null));
            Assert.Equal((7, -1, 2.5m), (row.Sum, row.Negative, row.Fraction));
            Assert.InRange(row.Tomorrow - row.Now, TimeSpan.FromHours(23), TimeSpan.FromHours(25));
            Assert.InRange(row.Later - row.Now, TimeSpan.FromHours(23), TimeSpan.FromHours(25));
            Assert.NotEqual(Guid.Empty, row.Guid);
        });

    // A DateTimeOffset is a moment in UTC in the database.
    private static object? InUtc(object? value) => value is DateTimeOffset moment ? moment.UtcDateTime : value;

    private sealed class Constants(DbContextOptions options, int number) : DbContext(options)
    {
        public DbSet<ConstantRow> Rows => Set<ConstantRow>();

        protected override void OnConfiguring(DbContextOptionsBuilder optionsBuilder) =>
            optionsBuilder.ReplaceService<IModelCacheKeyFactory, ByNumber>();

        protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.Entity<ConstantRow>(row =>
        {
            row.Property(static r => r.Id).ValueGeneratedNever();
            row.ComplexProperty(static r => r.Values);
            var type = row.Metadata.FindComplexProperty(nameof(ConstantRow.Values))!.ComplexType;
            JsonUpdateContext.Convert(type);
            foreach (var property in type.GetProperties())
                property.SetDefaultValue(property.PropertyInfo!.GetValue(Values.Of(number)));
        });

        private sealed class ByNumber : IModelCacheKeyFactory
        {
            public object Create(DbContext context, bool designTime) => (((Constants)context).Number, designTime);
        }

        private int Number => number;
    }

    private sealed class ConstantRow
    {
        public int Id { get; set; }

        public Values Values { get; set; } = new();
    }

    private sealed class Expressions(DbContextOptions options) : DbContext(options)
    {
        public DbSet<ExpressionRow> Rows => Set<ExpressionRow>();

        protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.Entity<ExpressionRow>(static row =>
        {
            row.Property(static r => r.Id).ValueGeneratedNever();
            row.Property(static r => r.Long).HasDefaultValueSql("'abc'");
            row.Property(static r => r.Json).HasColumnType("json").HasDefaultValueSql("'[]'");
            row.Property(static r => r.Quoted).HasMaxLength(10).HasDefaultValueSql("'it''s'");
            row.Property(static r => r.Short).HasMaxLength(10).HasDefaultValueSql("'a(b'");
            row.Property(static r => r.Null).HasDefaultValueSql("NULL");
            row.Property(static r => r.Sum).HasDefaultValueSql("(3) + (4)");
            row.Property(static r => r.Negative).HasDefaultValueSql("-1");
            row.Property(static r => r.Fraction).HasPrecision(4, 2).HasDefaultValueSql("2.5");
            row.Property(static r => r.Now).HasDefaultValueSql("CURRENT_TIMESTAMP(6)");
            row.Property(static r => r.Tomorrow).HasDefaultValueSql("NOW() + INTERVAL 1 DAY");
            row.Property(static r => r.Later).HasDefaultValueSql("current_timestamp + interval 1 day");
            row.Property(static r => r.Changed).HasDefaultValueSql("CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)");
            row.Property(static r => r.Guid).HasDefaultValueSql("UUID()");
        });
    }

    private sealed class ExpressionRow
    {
        public int Id { get; set; }

        public string Long { get; set; } = "";

        public string Json { get; set; } = "";

        public string Quoted { get; set; } = "";

        public string Short { get; set; } = "";

        public string? Null { get; set; }

        public int Sum { get; set; }

        public int Negative { get; set; }

        public decimal Fraction { get; set; }

        public DateTime Now { get; set; }

        public DateTime Tomorrow { get; set; }

        public DateTime Later { get; set; }

        public DateTime Changed { get; set; }

        public Guid Guid { get; set; }
    }
}
