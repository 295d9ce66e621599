using System.ComponentModel.DataAnnotations;
using System.ComponentModel.DataAnnotations.Schema;
using Microsoft.EntityFrameworkCore;

namespace Slipstream.MySql.EntityFrameworkCore.Tests.Switching;

/// <summary>
/// A model of 40 tables with what Pomelo's users write. CatalogModelSnapshot.cs is what the tools wrote for it with Pomelo 9.0.0 on EF Core 9; this source was
/// the same there.
/// </summary>
public class Catalog(DbContextOptions options) : DbContext(options)
{
    protected override void OnModelCreating(ModelBuilder modelBuilder)
    {
        Types(modelBuilder);
        Texts(modelBuilder);
        Values(modelBuilder);
        Relations(modelBuilder);
        Hierarchies(modelBuilder);
        Rows(modelBuilder);
    }

    private static void Types(ModelBuilder modelBuilder)
    {
        modelBuilder.Entity<Numbers>(e => e.Property(x => x.Money).HasPrecision(12, 3));
        modelBuilder.Entity<NullableNumbers>(e => e.Property(x => x.Money).HasColumnType("decimal(10,2)"));
        modelBuilder.Entity<Times>(e =>
        {
            e.Property(x => x.Coarse).HasPrecision(0);
            e.Property(x => x.Finer).HasPrecision(3);
            e.Property(x => x.OldType).HasColumnType("timestamp");
        });
        modelBuilder.Entity<Guids>(e => e.Property(x => x.Bytes).HasColumnType("binary(16)"));
        modelBuilder.Entity<Bytes>(e =>
        {
            e.Property(x => x.Id).HasMaxLength(16).IsFixedLength();
            e.Property(x => x.Large).HasMaxLength(100_000);
        });
        modelBuilder.Entity<Enums>(e => e.Property(x => x.AsText).HasConversion<string>().HasMaxLength(20));
        modelBuilder.Entity<Versions>(e => e.Property(x => x.Bytes).IsRowVersion());
        modelBuilder.Entity<Stamps>(e => e.Property(x => x.Stamp).IsRowVersion());
        modelBuilder.Entity<SmallKey>();
        modelBuilder.Entity<UnsignedKey>();
    }

    private static void Texts(ModelBuilder modelBuilder)
    {
        modelBuilder.Entity<Words>(e =>
        {
            e.Property(x => x.Fixed).HasMaxLength(4).IsFixedLength();
            e.Property(x => x.Ansi).IsUnicode(false).HasMaxLength(30);
            e.Property(x => x.Long).HasMaxLength(40_000);
            e.Property(x => x.Medium).HasColumnType("mediumtext");
            e.Property(x => x.Set).HasColumnType("set('a','b')");
            e.HasIndex(x => x.Indexed);
        });
        modelBuilder.Entity<TextKey>();
        modelBuilder.Entity<LatinTable>(e =>
        {
            e.HasCharSet("latin1");
            e.Property(x => x.Utf).HasCharSet("utf8mb4");
        });
        modelBuilder.Entity<CollatedTable>(e => e.UseCollation("utf8mb4_unicode_ci"));
        modelBuilder.Entity<CollatedColumn>(e =>
        {
            e.Property(x => x.Binary).UseCollation("utf8mb4_bin");
            e.Property(x => x.Latin).HasCharSet("latin1").UseCollation("latin1_german1_ci");
        });
        modelBuilder.Entity<TableOnly>(e => e.HasCharSet("latin1", DelegationModes.ApplyToTables));
        modelBuilder.Entity<Searched>(e =>
        {
            e.HasIndex(x => x.Title).IsFullText();
            e.HasIndex(x => x.Body).HasPrefixLength(50);
        });
        modelBuilder.Entity<PrefixedKey>(e => e.HasKey(x => x.Name).HasName("PK_Short"));
        modelBuilder.Entity<Options>(e => e.HasTableOption("ROW_FORMAT", "DYNAMIC"));
    }

    private static void Values(ModelBuilder modelBuilder)
    {
        modelBuilder.Entity<Defaults>(e =>
        {
            e.Property(x => x.Number).HasDefaultValue(7);
            e.Property(x => x.Text).HasDefaultValue("it's").HasMaxLength(30);
            e.Property(x => x.Created).HasDefaultValueSql("CURRENT_TIMESTAMP(6)");
            e.Property(x => x.Flag).HasDefaultValue(true);
            e.Property(x => x.Amount).HasDefaultValue(1.5m).HasPrecision(5, 2);
            e.Property(x => x.Day).HasDefaultValue(new DateOnly(2020, 1, 2));
        });
        modelBuilder.Entity<Computed>(e =>
        {
            e.Property(x => x.Stored).HasComputedColumnSql("`Number` + 1", stored: true);
            e.Property(x => x.Virtual).HasComputedColumnSql("`Number` * 2", stored: false);
        });
        modelBuilder.Entity<Commented>(e =>
        {
            e.ToTable(t => t.HasComment("All 'of' it"));
            e.Property(x => x.Text).HasComment("a comment");
        });
        modelBuilder.Entity<Checked>(e => e.ToTable(t => t.HasCheckConstraint("CK_Checked_Number", "`Number` > 0")));
        modelBuilder.Entity<Renamed>(e =>
        {
            e.ToTable("renamed_table");
            e.Property(x => x.Value).HasColumnName("the_value").HasColumnOrder(1);
            e.Property<string>("Shadow").HasMaxLength(10);
            e.Ignore(x => x.Left);
        });
        modelBuilder.Entity<NotGenerated>(e => e.Property(x => x.Id).ValueGeneratedNever());
        modelBuilder.Entity<OtherGenerated>(e =>
        {
            e.Property(x => x.Number).UseMySqlIdentityColumn();
            e.HasAlternateKey(x => x.Number);
            e.Property(x => x.Id).ValueGeneratedNever();
        });
        modelBuilder.Entity<Touched>(e => e.Property(x => x.At).UseMySqlComputedColumn());
    }

    private static void Relations(ModelBuilder modelBuilder)
    {
        modelBuilder.Entity<Author>(e => e.HasAlternateKey(x => x.Code));
        modelBuilder.Entity<Book>(e =>
        {
            e.HasOne(x => x.Author).WithMany(x => x.Books).OnDelete(DeleteBehavior.Restrict);
            e.HasOne(x => x.Editor).WithMany().HasForeignKey(x => x.EditorId).OnDelete(DeleteBehavior.SetNull);
            e.HasMany(x => x.Genres).WithMany(x => x.Books);
            e.HasIndex(x => new { x.Title, x.Year }).IsUnique().IsDescending(false, true);
            e.OwnsOne(x => x.Size);
            e.OwnsMany(x => x.Editions, o => o.ToTable("Editions"));
        });
        modelBuilder.Entity<Genre>(e => e.HasOne(x => x.Parent).WithMany().OnDelete(DeleteBehavior.NoAction));
        modelBuilder.Entity<Loan>(e => e.HasKey(x => new { x.BookId, x.Number }));
        modelBuilder.Entity<Reader>(e => e.ComplexProperty(x => x.Home));
        modelBuilder.Entity<Card>(e => e.HasOne(x => x.Reader).WithOne().HasForeignKey<Card>(x => x.ReaderId));
        modelBuilder.Entity<Overview>(e => e.HasNoKey().ToView("overview"));
    }

    private static void Hierarchies(ModelBuilder modelBuilder)
    {
        modelBuilder.Entity<Animal>();
        modelBuilder.Entity<Cat>();
        modelBuilder.Entity<Dog>();
        modelBuilder.Entity<Vehicle>().UseTptMappingStrategy();
        modelBuilder.Entity<Car>().ToTable("Cars");
        modelBuilder.Entity<Truck>().ToTable("Trucks");
        modelBuilder.Entity<Shape>(e =>
        {
            e.UseTpcMappingStrategy();
            e.Property(x => x.Id).ValueGeneratedNever();
        });
        modelBuilder.Entity<Circle>().ToTable("Circles");
        modelBuilder.Entity<Square>().ToTable("Squares");
    }

    private static void Rows(ModelBuilder modelBuilder)
    {
        modelBuilder.Entity<Genre>().HasData(new Genre { Id = 1, Name = "Crime\nand \\ punishment" }, new Genre { Id = 2, Name = "Poetry's" });
        modelBuilder.Entity<Times>().HasData(new Times
        {
            Id = 1, At = new(2020, 1, 2, 3, 4, 5), Offset = new(2020, 1, 2, 3, 4, 5, TimeSpan.Zero), Lasts = TimeSpan.FromHours(-2), Time = new(1, 2),
            Day = new(2020, 1, 2), OldType = new(2020, 1, 2),
        });
        modelBuilder.Entity<Guids>().HasData(new Guids { Id = new(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11) });
        modelBuilder.Entity<Numbers>().HasData(new Numbers
        {
            Id = 1, Double = 2.5, Single = 1.5f, Money = 3.125m, Byte = 1, ULong = ulong.MaxValue, Char = 'x', Bool = true,
        });
    }
}

public class Numbers
{
    public int Id { get; set; }

    public bool Bool { get; set; }

    public sbyte SByte { get; set; }

    public byte Byte { get; set; }

    public short Short { get; set; }

    public ushort UShort { get; set; }

    public uint UInt { get; set; }

    public long Long { get; set; }

    public ulong ULong { get; set; }

    public float Single { get; set; }

    public double Double { get; set; }

    public decimal Money { get; set; }

    public decimal Any { get; set; }

    public char Char { get; set; }
}

public class NullableNumbers
{
    public long Id { get; set; }

    public bool? Bool { get; set; }

    public int? Int { get; set; }

    public ulong? ULong { get; set; }

    public float? Single { get; set; }

    public double? Double { get; set; }

    public decimal? Money { get; set; }
}

public class Times
{
    public int Id { get; set; }

    public DateTime At { get; set; }

    public DateTime? Maybe { get; set; }

    public DateTime Coarse { get; set; }

    public DateTime Finer { get; set; }

    public DateTime OldType { get; set; }

    public DateTimeOffset Offset { get; set; }

    public TimeSpan Lasts { get; set; }

    public TimeOnly Time { get; set; }

    public DateOnly Day { get; set; }
}

public class Guids
{
    public Guid Id { get; set; }

    public Guid? Maybe { get; set; }

    public byte[]? Bytes { get; set; }
}

public class Bytes
{
    public byte[] Id { get; set; } = [];

    public byte[]? Any { get; set; }

    [MaxLength(20)]
    public byte[] Few { get; set; } = [];

    public byte[]? Large { get; set; }
}

public enum Level
{
    Low,
    High,
}

public class Enums
{
    public int Id { get; set; }

    public Level AsNumber { get; set; }

    public Level? Maybe { get; set; }

    public Level AsText { get; set; }
}

public class Versions
{
    public int Id { get; set; }

    public byte[] Bytes { get; set; } = [];
}

public class Stamps
{
    public int Id { get; set; }

    public DateTime Stamp { get; set; }
}

public class SmallKey
{
    public short Id { get; set; }
}

public class UnsignedKey
{
    public uint Id { get; set; }
}

public class Words
{
    public int Id { get; set; }

    public string Any { get; set; } = "";

    public string? Maybe { get; set; }

    [MaxLength(100)]
    public string Short { get; set; } = "";

    public string Fixed { get; set; } = "";

    public string Ansi { get; set; } = "";

    public string Long { get; set; } = "";

    public string Medium { get; set; } = "";

    public string Set { get; set; } = "";

    public string Indexed { get; set; } = "";
}

public class TextKey
{
    public string Id { get; set; } = "";
}

public class LatinTable
{
    public int Id { get; set; }

    public string Text { get; set; } = "";

    public string Utf { get; set; } = "";
}

public class CollatedTable
{
    public int Id { get; set; }

    public string Text { get; set; } = "";
}

public class CollatedColumn
{
    public int Id { get; set; }

    public string Binary { get; set; } = "";

    public string Latin { get; set; } = "";
}

public class TableOnly
{
    public int Id { get; set; }

    public string Text { get; set; } = "";
}

public class Searched
{
    public int Id { get; set; }

    public string Title { get; set; } = "";

    public string Body { get; set; } = "";
}

public class PrefixedKey
{
    [MaxLength(500)]
    public string Name { get; set; } = "";
}

public class Options
{
    public int Id { get; set; }
}

public class Defaults
{
    public int Id { get; set; }

    public int Number { get; set; }

    public string Text { get; set; } = "";

    public DateTime Created { get; set; }

    public bool Flag { get; set; }

    public decimal Amount { get; set; }

    public DateOnly Day { get; set; }
}

public class Computed
{
    public int Id { get; set; }

    public int Number { get; set; }

    public int Stored { get; set; }

    public int? Virtual { get; set; }
}

public class Commented
{
    public int Id { get; set; }

    public string? Text { get; set; }
}

public class Checked
{
    public int Id { get; set; }

    public int Number { get; set; }
}

public class Renamed
{
    public int Id { get; set; }

    public int Value { get; set; }

    [NotMapped]
    public int NotMapped { get; set; }

    public int Left { get; set; }
}

public class NotGenerated
{
    public int Id { get; set; }
}

public class OtherGenerated
{
    public int Id { get; set; }

    public long Number { get; set; }
}

public class Touched
{
    public int Id { get; set; }

    public DateTime At { get; set; }
}

public class Author
{
    public int Id { get; set; }

    [MaxLength(12)]
    public string Code { get; set; } = "";

    public List<Book> Books { get; } = [];
}

public class Book
{
    public int Id { get; set; }

    [MaxLength(200)]
    public string Title { get; set; } = "";

    public int Year { get; set; }

    public int AuthorId { get; set; }

    public Author Author { get; set; } = null!;

    public int? EditorId { get; set; }

    public Author? Editor { get; set; }

    public List<Genre> Genres { get; } = [];

    public Size Size { get; set; } = new();

    public List<Edition> Editions { get; } = [];
}

public class Size
{
    public int Width { get; set; }

    public int? Height { get; set; }
}

public class Edition
{
    public int Number { get; set; }

    public string? Isbn { get; set; }
}

public class Genre
{
    public int Id { get; set; }

    public string Name { get; set; } = "";

    public int? ParentId { get; set; }

    public Genre? Parent { get; set; }

    public List<Book> Books { get; } = [];
}

public class Loan
{
    public int BookId { get; set; }

    public int Number { get; set; }

    public Book Book { get; set; } = null!;

    public Guid ReaderId { get; set; }

    public Reader Reader { get; set; } = null!;
}

public class Reader
{
    public Guid Id { get; set; }

    public string Name { get; set; } = "";

    public Address Home { get; set; } = new();
}

public class Address
{
    public string Street { get; set; } = "";

    public int Number { get; set; }
}

public class Card
{
    public int Id { get; set; }

    public Guid ReaderId { get; set; }

    public Reader Reader { get; set; } = null!;
}

public class Overview
{
    public string? Title { get; set; }

    public int Loans { get; set; }
}

public class Animal
{
    public int Id { get; set; }

    public string Name { get; set; } = "";
}

public class Cat : Animal
{
    public int Lives { get; set; }
}

public class Dog : Animal
{
    public string? Trick { get; set; }
}

public class Vehicle
{
    public int Id { get; set; }

    public string Plate { get; set; } = "";
}

public class Car : Vehicle
{
    public int Seats { get; set; }
}

public class Truck : Vehicle
{
    public double Load { get; set; }
}

public abstract class Shape
{
    public int Id { get; set; }

    public string Color { get; set; } = "";
}

public class Circle : Shape
{
    public double Radius { get; set; }
}

public class Square : Shape
{
    public double Side { get; set; }
}
