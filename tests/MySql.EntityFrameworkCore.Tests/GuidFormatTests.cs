using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Tests;

/// <summary>
/// The column types of a Guid with each GUID Format. The expectations are what Pomelo 9.0.0 answered, but for char(32) without Char32: there, it writes 36
/// characters.
/// </summary>
public class GuidFormatTests
{
    private const string Text = "'00112233-4455-6677-8899-aabbccddeeff'";
    private const string Digits = "'00112233445566778899aabbccddeeff'";
    private const string OrderOfText = "X'00112233445566778899AABBCCDDEEFF'";
    private const string LittleEndian = "X'33221100554477668899AABBCCDDEEFF'";
    private const string TimeSwap = "X'66774455001122338899AABBCCDDEEFF'";

    public static TheoryData<string, string, string, string> Formats => new()
    {
        { "", "char(36)", Text, LittleEndian },
        { "GUID Format=Default", "char(36)", Text, LittleEndian },
        { "GUID Format=Char36", "char(36)", Text, LittleEndian },
        { "GUID Format=Char32", "char(32)", Digits, LittleEndian },
        { "GUID Format=None", "varchar(36)", Text, LittleEndian },
        { "GUID Format=Binary16", "binary(16)", OrderOfText, OrderOfText },
        { "GUID Format=TimeSwapBinary16", "binary(16)", TimeSwap, TimeSwap },
        { "GUID Format=LittleEndianBinary16", "binary(16)", LittleEndian, LittleEndian },
        { "Old Guids=true", "binary(16)", LittleEndian, LittleEndian },
    };

    [Theory, MemberData(nameof(Formats))]
    public void The_format_decides_the_type_of_a_Guid_and_the_order_of_its_bytes(
        string format, string defaultType, string defaultLiteral, string bytes)
    {
        using var context = new Empty(format);
        var mappings = context.GetService<IRelationalTypeMappingSource>();
        Check(mappings.FindMapping(typeof(Guid))!, defaultType, defaultLiteral);
        Check(mappings.FindMapping(typeof(Guid), "binary(16)")!, "binary(16)", bytes);
        Check(mappings.FindMapping(typeof(Guid), "char(36)")!, "char(36)", Text);
        Check(mappings.FindMapping(typeof(Guid), "char(32)")!, "char(32)", Digits);
    }

    private static void Check(RelationalTypeMapping mapping, string type, string literal)
    {
        var guid = Guid.Parse("00112233-4455-6677-8899-aabbccddeeff");
        Assert.Equal(type, mapping.StoreType);
        Assert.Equal(literal, mapping.GenerateSqlLiteral(guid));
        if (mapping.Converter is { } converter)
            Assert.Equal(guid, converter.ConvertFromProvider(converter.ConvertToProvider(guid)));
    }

    private sealed class Empty(string format) : DbContext
    {
        protected override void OnConfiguring(DbContextOptionsBuilder options) => options
            .ConfigureWarnings(static warnings => warnings.Ignore(Microsoft.EntityFrameworkCore.Diagnostics.CoreEventId.ManyServiceProvidersCreatedWarning))
            .UseMySql("Server=localhost;Database=nothing;" + format, ServerVersion.Parse("8.0.36-mysql"));
    }
}
