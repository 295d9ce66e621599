using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Storage.ValueConversion;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Storage;

/// <summary>
/// The column types of a Guid. As in Pomelo's provider, the option GUID Format of the connection string decides the default type and the order of bytes. The
/// driver writes a Guid as this option says, so a column of another form gets a converted value. Compiled models contain the conversions as code: they call
/// public methods of System only.
/// </summary>
internal sealed class GuidMappings
{
    private static readonly ValueConverter<Guid, string> Text = new(static value => value.ToString("D"), static text => new Guid(text));
    private static readonly ValueConverter<Guid, string> Digits = new(static value => value.ToString("N"), static text => new Guid(text));

    private static readonly ValueConverter<Guid, byte[]> OrderOfText = new(static value => value.ToByteArray(true), static bytes => new Guid(bytes, true));
    private static readonly ValueConverter<Guid, byte[]> LittleEndian = new(static value => value.ToByteArray(), static bytes => new Guid(bytes));

#pragma warning disable CA1845 // an expression tree has no spans
    // The parts of the text in the order third, second, first, as UUID_TO_BIN(x, 1) puts them.
    private static readonly ValueConverter<Guid, byte[]> TimeSwap = new(
        static value => Convert.FromHexString(
            value.ToString("N").Substring(12, 4) + value.ToString("N").Substring(8, 4) + value.ToString("N").Substring(0, 8)
                + value.ToString("N").Substring(16)),
        static bytes => new Guid(
            Convert.ToHexString(bytes).Substring(8, 8) + Convert.ToHexString(bytes).Substring(4, 4) + Convert.ToHexString(bytes).Substring(0, 4)
                + Convert.ToHexString(bytes).Substring(16)));
#pragma warning restore CA1845

    public GuidMappings(MySqlGuidFormat format)
    {
        // Without a binary format, the bytes are those of Guid.ToByteArray(), which the driver reads, too.
        Binary = (RelationalTypeMapping)new MySqlByteArrayTypeMapping("binary", 16, true).WithComposedConverter(format switch
        {
            MySqlGuidFormat.Binary16 => OrderOfText,
            MySqlGuidFormat.TimeSwapBinary16 => TimeSwap,
            _ => LittleEndian,
        });
        var isText = format is MySqlGuidFormat.Default or MySqlGuidFormat.Char36 or MySqlGuidFormat.None;
        Uuid = isText ? new MySqlGuidTypeMapping("uuid", null) : Of(new("uuid"), Text);
        Char = isText ? MySqlGuidTypeMapping.Default : Of(new("char", 36, true), Text);
        Char32 = Of(new("char", 32, true), Digits);
        Default = format switch
        {
            MySqlGuidFormat.Default or MySqlGuidFormat.Char36 => Char,
            MySqlGuidFormat.Char32 => Char32,
            MySqlGuidFormat.None => Of(new("varchar", 36), Text),
            _ => Binary,
        };
    }

    /// <summary>Gets the type of a Guid without a column type.</summary>
    public RelationalTypeMapping Default { get; }

    /// <summary>Gets char(36).</summary>
    public RelationalTypeMapping Char { get; }

    /// <summary>Gets char(32), which has no room for hyphens.</summary>
    public RelationalTypeMapping Char32 { get; }

    /// <summary>Gets MariaDB's uuid.</summary>
    public RelationalTypeMapping Uuid { get; }

    /// <summary>Gets binary(16).</summary>
    public RelationalTypeMapping Binary { get; }

    private static RelationalTypeMapping Of(MySqlStringTypeMapping text, ValueConverter converter) =>
        (RelationalTypeMapping)text.WithComposedConverter(converter);
}
