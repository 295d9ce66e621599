using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>SaveChanges reads and compares values in the form in which the server stores them.</summary>
public sealed class StoredFormTests
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    // As text, a FLOAT has six digits.
    [Theory, MemberData(nameof(Kinds))]
    public Task A_float_that_the_server_computes_comes_back_whole(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new Forms(options), static async open =>
        {
            await using var forms = open();
            var form = new Form { Number = 50331651 };
            forms.Add(form);
            await forms.SaveChangesAsync(Stop);
            Assert.Equal(16777218f, form.Third);
            form.Number = 37037.037f;
            await forms.SaveChangesAsync(Stop);
            Assert.Equal(37037.037f / 3, form.Third);
            Assert.Equal(form.Third, await forms.Set<Form>().Select(static f => f.Third).SingleAsync(Stop));
        });

    // MySQL stores a document in a form of its own, and compares it with a text as with a string of JSON.
    [Theory, MemberData(nameof(Kinds))]
    public Task A_text_of_json_shows_conflicts(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new Forms(options), static async open =>
        {
            await using var forms = open();
            var form = new Form { Document = """{"name": "x", "id": 1.50}""" };
            forms.Add(form);
            await forms.SaveChangesAsync(Stop);
            form.Number = 1;
            await forms.SaveChangesAsync(Stop);
            form.Document = "[1]";
            await forms.SaveChangesAsync(Stop);

            await using var others = open();
            var same = await others.Set<Form>().SingleAsync(Stop);
            same.Document = null;
            await others.SaveChangesAsync(Stop);
            form.Number = 2;
            await Assert.ThrowsAsync<DbUpdateConcurrencyException>(() => forms.SaveChangesAsync(Stop));
            forms.Remove(form);
            await Assert.ThrowsAsync<DbUpdateConcurrencyException>(() => forms.SaveChangesAsync(Stop));
            others.Remove(same);
            await others.SaveChangesAsync(Stop);
        });

    private sealed class Forms(DbContextOptions options) : DbContext(options)
    {
        protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.Entity<Form>(static form =>
        {
            form.Property(static f => f.Third).HasComputedColumnSql("`Number` / 3", stored: true);
            form.Property(static f => f.Document).HasColumnType("json").IsConcurrencyToken();
        });
    }

    private sealed class Form
    {
        public int Id { get; set; }

        public float Number { get; set; }

        public float Third { get; set; }

        public string? Document { get; set; }
    }
}
