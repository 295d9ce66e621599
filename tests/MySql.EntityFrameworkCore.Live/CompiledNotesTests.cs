using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>A compiled model keeps what queries and row versions need, and nothing that only migrations need.</summary>
public sealed class CompiledNotesTests
{
    private static readonly Lazy<IModel> Compiled = new(Compile);

    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public Task A_list_in_one_parameter_is_compared_by_the_collation_of_the_column(ServerKind kind) => WithNotesAsync(kind, static async open =>
    {
        await using var notes = open();
        notes.AddRange(new Note { Text = "strasse" }, new Note { Text = "STRASSE" }, new Note { Text = "other" });
        await notes.SaveChangesAsync(Stop);
        string[] sought = ["STRASSE", "x"];
        var found = notes.Set<Note>().Where(n => EF.Parameter(sought).Contains(n.Text)).OrderBy(static n => n.Id);
        Assert.Equal(["strasse", "STRASSE"], await found.Select(static n => n.Text).ToListAsync(Stop));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task A_row_version_of_bytes_shows_conflicts_and_grows(ServerKind kind) => WithNotesAsync(kind, static async open =>
    {
        await using var notes = open();
        var note = new Note { Text = "first" };
        notes.Add(note);
        await notes.SaveChangesAsync(Stop);
        var before = note.Version;
        await using (var others = open())
        {
            var same = await others.Set<Note>().SingleAsync(Stop);
            Assert.Equal(before, same.Version);
            same.Text = "second";
            await others.SaveChangesAsync(Stop);
            Assert.True(before.AsSpan().SequenceCompareTo(same.Version) < 0);
        }

        note.Text = "third";
        await Assert.ThrowsAsync<DbUpdateConcurrencyException>(() => notes.SaveChangesAsync(Stop));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Tables_have_no_annotations_of_migrations(ServerKind kind) => WithNotesAsync(kind, static async open =>
    {
        await using var notes = open();
        var table = notes.Model.GetRelationalModel().Tables.Single();
        Assert.Empty(table.GetAnnotations());
        Assert.Empty(table.FindColumn("Text")!.GetAnnotations());
        Assert.Empty(table.Indexes.Single().GetAnnotations());
    });

    private static IModel Compile()
    {
        using var notes = new Notes(Servers.Options<Notes>().UseMySql(ServerVersion.Parse("9.7.0-mysql")).Options);
        return ModelCompiler.Compile(notes, isNative: true);
    }

    private static Task WithNotesAsync(ServerKind kind, Func<Func<Notes>, Task> test) => Servers.WithDatabaseAsync(
        kind, static options => new Notes(new DbContextOptionsBuilder(options).UseModel(Compiled.Value).Options), test);
}

/// <summary>A context whose compiled model is used.</summary>
public sealed class Notes(DbContextOptions options) : DbContext(options)
{
    protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.UseCollation("utf8mb4_bin").Entity<Note>(static note =>
    {
        note.ToTable("Notes");
        note.Property(static n => n.Text).HasMaxLength(20).UseCollation("utf8mb4_swedish_ci");
        note.Property(static n => n.Version).IsRowVersion();
        note.HasIndex(static n => n.Text).HasPrefixLength(5);
    });
}

/// <summary>A text with a row version of bytes.</summary>
public sealed class Note
{
    public int Id { get; set; }

    public string Text { get; set; } = "";

    public byte[] Version { get; set; } = [];
}
