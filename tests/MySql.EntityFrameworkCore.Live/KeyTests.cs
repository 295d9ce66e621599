using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>Keys that are converted, and savepoints that a program names.</summary>
public sealed class KeyTests(ShopFixture fixture) : IClassFixture<ShopFixture>
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_number_that_is_stored_as_text_has_no_AUTO_INCREMENT(ServerKind kind) =>
        await Servers.WithDatabaseAsync(kind, static options => new Words(options), async create =>
        {
            await using var words = create();
            words.AddRange(new Word { Id = 7, Text = "seven" }, new Word { Id = 8, Text = "eight" });
            await words.SaveChangesAsync(Stop);
            words.ChangeTracker.Clear();
            Assert.Equal("eight", (await words.Set<Word>().SingleAsync(static w => w.Id == 8, Stop)).Text);
        });

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_maximum_length_of_minus_one_is_none(ServerKind kind) =>
        await Servers.WithDatabaseAsync(kind, static options => new Words(options), async create =>
        {
            await using var words = create();
            var text = new string('ä', 70_000);
            words.Add(new Word { Id = 9, Text = text, Bytes = new byte[70_000] });
            await words.SaveChangesAsync(Stop);
            words.ChangeTracker.Clear();
            var word = await words.Set<Word>().SingleAsync(Stop);
            Assert.Equal((text, 70_000), (word.Text, word.Bytes.Length));
        });

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_savepoint_that_is_released_is_gone(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        await using var transaction = await shop.Database.BeginTransactionAsync(Stop);
        await transaction.CreateSavepointAsync("mine", Stop);
        await transaction.RollbackToSavepointAsync("mine", Stop);
        await transaction.ReleaseSavepointAsync("mine", Stop);
        await Assert.ThrowsAsync<MySqlException>(() => transaction.RollbackToSavepointAsync("mine", Stop));
        transaction.CreateSavepoint("mine");
        transaction.ReleaseSavepoint("mine");
        Assert.Throws<MySqlException>(() => transaction.RollbackToSavepoint("mine"));
    }

    private sealed class Words(DbContextOptions options) : DbContext(options)
    {
        protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.Entity<Word>(static word =>
        {
            word.Property(static w => w.Id).HasConversion<string>().HasMaxLength(20);
            word.Property(static w => w.Text).HasMaxLength(-1);
            word.Property(static w => w.Bytes).HasMaxLength(-1);
        });
    }

    private sealed class Word
    {
        public int Id { get; set; }

        public string Text { get; set; } = "";

        public byte[] Bytes { get; set; } = [];
    }
}
