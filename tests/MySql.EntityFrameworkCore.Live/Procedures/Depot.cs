using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live.Procedures;

/// <summary>A model whose entities are saved by stored procedures of every form, and those procedures.</summary>
internal static class Depot
{
    private static readonly string[] Texts =
    [
        """
        CREATE PROCEDURE crate_insert(p_name longtext, OUT p_id int)
        BEGIN INSERT INTO Crates (Name) VALUES (p_name); SET p_id = LAST_INSERT_ID(); END
        """,
        """
        CREATE PROCEDURE crate_update(p_id int, p_name longtext, OUT p_count int)
        BEGIN UPDATE Crates SET Name = p_name WHERE Id = p_id; SET p_count = ROW_COUNT(); END
        """,
        "CREATE PROCEDURE crate_delete(p_id int) DELETE FROM Crates WHERE Id = p_id",
        """
        CREATE PROCEDURE pallet_insert(p_name longtext)
        BEGIN INSERT INTO Pallets (Name) VALUES (p_name); SELECT Id, Code, Version, 'more' FROM Pallets WHERE Id = LAST_INSERT_ID();
        SELECT 'unknown', 1; SELECT 2; END
        """,
        """
        CREATE PROCEDURE pallet_update(p_id int, p_version int, p_name longtext)
        BEGIN UPDATE Pallets SET Name = p_name, Version = Version + 1 WHERE Id = p_id AND Version = p_version;
        SELECT Version, Code FROM Pallets WHERE Id = p_id AND Version = p_version + 1; END
        """,
        "CREATE PROCEDURE pallet_delete(p_id int, p_version int) BEGIN DELETE FROM Pallets WHERE Id = p_id AND Version = p_version; SELECT ROW_COUNT(); END",
        """
        CREATE PROCEDURE label_insert(OUT p_id int, INOUT p_text varchar(40), OUT p_version timestamp(6))
        BEGIN SET p_text = COALESCE(p_text, 'default ☃'); INSERT INTO Labels (Text) VALUES (p_text); SET p_id = LAST_INSERT_ID();
        SELECT Version INTO p_version FROM Labels WHERE Id = p_id; END
        """,
        """
        CREATE PROCEDURE label_update(p_id int, INOUT p_version timestamp(6), p_text varchar(40), OUT p_count int)
        BEGIN UPDATE Labels SET Text = p_text, Version = Version + INTERVAL 1 SECOND WHERE Id = p_id AND Version = p_version; SET p_count = ROW_COUNT();
        SELECT Version INTO p_version FROM Labels WHERE Id = p_id; END
        """,
    ];

    /// <summary>Runs a test on a database with the procedures.</summary>
    public static Task WithAsync(ServerKind kind, Func<Func<AnyModel>, Task> test) => WithAsync(kind, Build, Texts, test);

    public static Task WithAsync(ServerKind kind, Action<ModelBuilder> build, string[] procedures, Func<Func<AnyModel>, Task> test) =>
        Servers.WithDatabaseAsync(kind, options => new AnyModel(options, build), async open =>
        {
            await using (var context = open())
                foreach (var text in procedures)
                    await context.Database.ExecuteSqlRawAsync(text);
            await test(open);
        });

    public static void Build(ModelBuilder model)
    {
        model.Entity<Crate>().ToTable("Crates")
            .InsertUsingStoredProcedure("crate_insert", static call => call
                .HasParameter(static c => c.Name).HasParameter(static c => c.Id, static p => p.IsOutput()))
            .UpdateUsingStoredProcedure("crate_update", static call => call
                .HasOriginalValueParameter(static c => c.Id).HasParameter(static c => c.Name).HasRowsAffectedParameter())
            .DeleteUsingStoredProcedure("crate_delete", static call => call.HasOriginalValueParameter(static c => c.Id));
        model.Entity<Pallet>(static pallet =>
        {
            pallet.ToTable("Pallets").Property(static p => p.Code).HasComputedColumnSql("CONCAT(UPPER(Name), Version)");
            pallet.Property(static p => p.Version).HasDefaultValue(1).ValueGeneratedOnAddOrUpdate().IsConcurrencyToken();
            pallet.InsertUsingStoredProcedure("pallet_insert", static call => call
                    .HasParameter(static p => p.Name).HasResultColumn(static p => p.Id).HasResultColumn(static p => p.Code)
                    .HasResultColumn(static p => p.Version))
                .UpdateUsingStoredProcedure("pallet_update", static call => call
                    .HasOriginalValueParameter(static p => p.Id).HasOriginalValueParameter(static p => p.Version).HasParameter(static p => p.Name)
                    .HasResultColumn(static p => p.Version).HasResultColumn(static p => p.Code))
                .DeleteUsingStoredProcedure("pallet_delete", static call => call
                    .HasOriginalValueParameter(static p => p.Id).HasOriginalValueParameter(static p => p.Version).HasRowsAffectedResultColumn());
        });
        model.Entity<Label>(static label =>
        {
            label.ToTable("Labels").Property(static l => l.Text).HasMaxLength(40).ValueGeneratedOnAdd();
            label.Property(static l => l.Version).HasColumnType("timestamp(6)").HasDefaultValueSql("'2020-01-01 00:00:00.250000'")
                .ValueGeneratedOnAddOrUpdate().IsConcurrencyToken();
            label.InsertUsingStoredProcedure("label_insert", static call => call
                    .HasParameter(static l => l.Id, static p => p.IsOutput()).HasParameter(static l => l.Text, static p => p.IsInputOutput())
                    .HasParameter(static l => l.Version, static p => p.IsOutput()))
                .UpdateUsingStoredProcedure("label_update", static call => call
                    .HasOriginalValueParameter(static l => l.Id).HasOriginalValueParameter(static l => l.Version, static p => p.IsInputOutput())
                    .HasParameter(static l => l.Text).HasRowsAffectedParameter());
        });
        model.Entity<Slip>().ToTable("Slips").Property(static s => s.Length).HasComputedColumnSql("CHAR_LENGTH(Text)");
    }
}

/// <summary>Output parameter, number of rows in a parameter.</summary>
internal sealed class Crate
{
    public int Id { get; set; }

    public string Name { get; set; } = "";
}

/// <summary>Result columns, number of rows in a result column, a version that the procedure checks.</summary>
internal sealed class Pallet
{
    public int Id { get; set; }

    public string Name { get; set; } = "";

    public int Version { get; set; }

    public string Code { get; set; } = "";
}

/// <summary>Parameters for input and output, one of them with the original value.</summary>
internal sealed class Label
{
    public int Id { get; set; }

    public string? Text { get; set; }

    public DateTime Version { get; set; }
}

/// <summary>Saved without procedures.</summary>
internal sealed class Slip
{
    public int Id { get; set; }

    public string Text { get; set; } = "";

    public int Length { get; set; }
}
