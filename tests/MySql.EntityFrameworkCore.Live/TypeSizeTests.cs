using Microsoft.EntityFrameworkCore;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>A column type without a length gets the maximum length of its property.</summary>
public sealed class TypeSizeTests
{
    private static readonly string[] Texts = ["varchar", "char", "varchar(20)", "text"];
    private static readonly string[] Bytes = ["varbinary", "binary(16)", "blob"];

    [Fact]
    public void Types_of_texts_and_bytes_get_the_maximum_length()
    {
        using var context = new AnyModel(Servers.Options().UseMySql(ServerVersion.Parse("9.7.0-mysql")).Options, Build);
        Assert.Equal(["varchar(64)", "char(64)", "varchar(20)", "text"], Texts.Select(type => ColumnType(context, type)));
        Assert.Equal(["varbinary(64)", "binary(16)", "blob"], Bytes.Select(type => ColumnType(context, type)));
    }

    private static string ColumnType(AnyModel context, string name) => context.Model.FindEntityType("Row")!.FindProperty(name)!.GetColumnType();

    private static void Build(ModelBuilder model) => model.Entity("Row", static row =>
    {
        row.Property<int>("Id");
        foreach (var type in Texts)
            row.Property<string>(type).HasColumnType(type).HasMaxLength(64);
        foreach (var type in Bytes)
            row.Property<byte[]>(type).HasColumnType(type).HasMaxLength(64);
    });
}
