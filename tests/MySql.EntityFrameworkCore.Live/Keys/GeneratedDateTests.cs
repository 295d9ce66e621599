using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live.Keys;

/// <summary>A DateTime that the server generates, in columns that hold no time, and in columns of other types.</summary>
public sealed class GeneratedDateTests
{
    private static readonly DateTime Seventh = new(2020, 1, 7);
    private static readonly DateTime Eighth = new(2020, 1, 8);

    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_generated_date_is_the_date_of_the_server(ServerKind kind) =>
        await Servers.WithDatabaseAsync(kind, static options => new Diary(options), static async create =>
        {
            await using var diary = create();
            var given = new DateTime(2001, 2, 3);
            var (page, other) = (new Page { Text = Seventh }, new Page { Text = Eighth, Day = given });
            diary.AddRange(page, other);
            await diary.SaveChangesAsync(Stop);
            var today = await diary.Database.SqlQuery<DateTime>($"SELECT CURRENT_DATE AS `Value`").SingleAsync(Stop);
            // Midnight may pass between the two statements.
            Assert.Contains(page.Day, (DateTime[])[today, today.AddDays(-1)]);
            Assert.Equal(given, other.Day);
            diary.ChangeTracker.Clear();
            var pages = await diary.Pages.OrderBy(static p => p.Id).ToListAsync(Stop);
            Assert.Equal([(Seventh, page.Day), (Eighth, given)], pages.Select(static p => (p.Text, p.Day)));
        });

    [Fact]
    public async Task Only_columns_with_a_time_are_set_on_update_and_no_column_without_a_clock_is_generated()
    {
        await using var diary = new Diary(Servers.Options().UseMySql(await Servers.ConnectionString(ServerKind.MySql, "dates")).Options);
        var script = diary.Database.GenerateCreateScript();
        Assert.Contains("`Day` date NOT NULL DEFAULT (CURRENT_DATE)", script, StringComparison.Ordinal);
        Assert.Contains("`Changed` date NULL,", script, StringComparison.Ordinal);
        Assert.Contains("`Text` varchar(40) CHARACTER SET utf8mb4 NOT NULL,", script, StringComparison.Ordinal);
        Assert.Contains("`Ticks` bigint NULL,", script, StringComparison.Ordinal);
        Assert.Contains("`Moment` datetime(6) NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)", script, StringComparison.Ordinal);
    }

    private sealed class Diary(DbContextOptions options) : DbContext(options)
    {
        public DbSet<Page> Pages => Set<Page>();

        protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.Entity<Page>(static page =>
        {
            page.Property(static p => p.Day).HasColumnType("date").ValueGeneratedOnAdd();
            page.Property(static p => p.Changed).HasColumnType("date").ValueGeneratedOnAddOrUpdate();
            page.Property(static p => p.Text).HasConversion<string>().HasMaxLength(40).ValueGeneratedOnAdd();
            page.Property(static p => p.Ticks).HasConversion<long>().ValueGeneratedOnAdd();
            page.Property(static p => p.Moment).ValueGeneratedOnAddOrUpdate();
        });
    }

    private sealed class Page
    {
        public int Id { get; set; }

        public DateTime Day { get; set; }

        public DateTime? Changed { get; set; }

        public DateTime Text { get; set; }

        public DateTime? Ticks { get; set; }

        public DateTime? Moment { get; set; }
    }
}
