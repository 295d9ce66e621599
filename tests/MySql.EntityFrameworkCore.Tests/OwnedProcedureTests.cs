using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata;

namespace Slipstream.MySql.EntityFrameworkCore.Tests;

/// <summary>The key of an owned type is that of its owner. The server does not generate it a second time.</summary>
public sealed class OwnedProcedureTests
{
    [Fact]
    public void A_stored_procedure_of_an_owned_type_receives_the_key_of_the_owner()
    {
        using var books = new Books(new DbContextOptionsBuilder().UseMySql("Server=none;Database=none", ServerVersion.Parse("9.7.0")).Options);
        var book = books.Model.FindEntityType(typeof(Book))!;
        Assert.Equal(ValueGenerated.OnAdd, book.FindProperty(nameof(Book.Id))!.ValueGenerated);
        foreach (var name in (string[])[nameof(Book.Title), nameof(Book.Subtitle)])
        {
            var label = book.FindNavigation(name)!.TargetEntityType;
            Assert.Equal(["BookId"], label.FindPrimaryKey()!.Properties.Select(static property => property.Name));
            Assert.Equal(ValueGenerated.Never, label.FindProperty(nameof(Label.BookId))!.ValueGenerated);
        }
    }

    private sealed class Books(DbContextOptions options) : DbContext(options)
    {
        protected override void OnModelCreating(ModelBuilder modelBuilder)
        {
            modelBuilder.Entity<Book>().OwnsOne(static b => b.Title, static label =>
            {
                label.InsertUsingStoredProcedure(static p => p.HasParameter(static l => l.Text).HasParameter(static l => l.BookId));
                label.UpdateUsingStoredProcedure(static p => p.HasParameter(static l => l.Text).HasOriginalValueParameter(static l => l.BookId));
                label.DeleteUsingStoredProcedure(static p => p.HasOriginalValueParameter(static l => l.BookId));
            });
            modelBuilder.Entity<Book>().OwnsOne(static b => b.Subtitle);
        }
    }

    private sealed class Book
    {
        public int Id { get; set; }

        public Label Title { get; set; } = new();

        public Label? Subtitle { get; set; }
    }

    private sealed class Label
    {
        public string Text { get; set; } = "";

        public int BookId { get; set; }
    }
}
