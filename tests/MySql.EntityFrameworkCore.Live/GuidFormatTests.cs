using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>Guids in columns of each type, with each GUID Format of the connection string.</summary>
public class GuidFormatTests
{
    private static readonly Guid Given = Guid.Parse("00112233-4455-6677-8899-aabbccddeeff");
    private static readonly Guid Other = Guid.Parse("0f8fad5b-d9cb-469f-a165-708677289501");

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    public static TheoryData<ServerKind, string, string> Formats
    {
        get
        {
            TheoryData<ServerKind, string, string> rows = [];
            foreach (var kind in Servers.Kinds.Select(static row => row.Data))
            {
                rows.Add(kind, "", "33221100554477668899AABBCCDDEEFF");
                rows.Add(kind, "GUID Format=Char32", "33221100554477668899AABBCCDDEEFF");
                rows.Add(kind, "GUID Format=None", "33221100554477668899AABBCCDDEEFF");
                rows.Add(kind, "GUID Format=Binary16", "00112233445566778899AABBCCDDEEFF");
                rows.Add(kind, "GUID Format=TimeSwapBinary16", "66774455001122338899AABBCCDDEEFF");
                rows.Add(kind, "Old Guids=true", "33221100554477668899AABBCCDDEEFF");
            }

            return rows;
        }
    }

    [Theory, MemberData(nameof(Formats))]
    public async Task A_Guid_is_stored_found_and_shown_in_a_column_of_each_type(ServerKind kind, string format, string bytes)
    {
        var builder = Servers.Options().UseMySql(await Servers.ConnectionString(kind, Guid.NewGuid().ToString("N")[..12]) + ";" + format);
        await using var first = new Context(builder.Options);
        await first.Database.EnsureCreatedAsync(Stop);
        try
        {
            first.AddRange(new Item(Given, Given, Given, Given) { List = [Given] }, new Item(Other, Other, Other, Other));
            await first.SaveChangesAsync(Stop);
            await using var context = new Context(builder.Options);
            Assert.Equal(bytes, await context.Database.SqlQuery<string>($"SELECT HEX(`Bytes`) AS `Value` FROM `Item` WHERE `Number` = 1").SingleAsync(Stop));
            var items = context.Set<Item>();
            var item = await items.SingleAsync(i => i.Id == Given, Stop);
            Assert.Equal((Given, Given, Given, Given), (item.Id, item.Bytes, item.Text, item.Own));
            Assert.Equal([Given], item.List);
            Guid[] both = [Given, Guid.Empty];
            Assert.Equal(1, await items.CountAsync(i => both.Contains(i.Id) && both.Contains(i.Bytes) && both.Contains(i.Text) && both.Contains(i.Own), Stop));
            Assert.Equal(1, await items.CountAsync(i => i.Bytes == Given && i.Text == Given && i.Own == Given && i.Id != Other, Stop));
            Assert.Equal(2, await items.CountAsync(
                static i => i.Bytes == i.Text && i.Own == i.Text && i.Id == i.Bytes && i.Own == i.Bytes && i.Id == i.Text, Stop));
            Assert.Equal(
                [Other.ToString(), Given.ToString()],
                await items.OrderByDescending(static i => i.Number).Select(static i => i.Bytes.ToString()).ToListAsync(Stop));
            Assert.Equal(1, await items.CountAsync(i => i.Bytes.ToString() == Given.ToString() && i.Own.ToString() == Given.ToString(), Stop));
            Assert.NotEqual(Guid.Empty, await items.Where(static i => i.Number == 1).Select(static i => Guid.NewGuid()).SingleAsync(Stop));
            item.Bytes = Other;
            await context.SaveChangesAsync(Stop);
            Assert.Equal(2, await items.CountAsync(i => i.Bytes == Other, Stop));
        }
        finally
        {
            await first.Database.EnsureDeletedAsync(Stop);
        }
    }

    private sealed class Context(DbContextOptions options) : DbContext(options)
    {
        protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.Entity<Item>(static item =>
        {
            item.HasKey(static i => i.Id);
            item.Property(static i => i.Number).ValueGeneratedOnAdd();
            item.HasAlternateKey(static i => i.Number);
            item.Property(static i => i.Bytes).HasColumnType("binary(16)");
            item.Property(static i => i.Text).HasColumnType("char(36)");
            item.Property(static i => i.Own).HasColumnType("binary(16)").HasConversion(static g => g.ToByteArray(true), static b => new Guid(b, true));
        });
    }

    private sealed record Item(Guid Id, Guid Bytes, Guid Text, Guid Own)
    {
        public int Number { get; set; }

        public Guid Bytes { get; set; } = Bytes;

        public List<Guid> List { get; set; } = [];
    }
}
