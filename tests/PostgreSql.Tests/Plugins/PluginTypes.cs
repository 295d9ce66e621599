using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Tests.Plugins;

/// <summary>The types of a database with the mappings of a plug-in, without a server.</summary>
internal sealed class PluginTypes(Action<PgDataSourceBuilder> use, params string[] extensionTypes)
{
    private const uint FirstOid = 20000;

    /// <summary>Gets the types, in which those of an extension are in the schema "ext".</summary>
    public TypeCatalogue Catalogue { get; } = new(Mappings(use), [.. extensionTypes.SelectMany(static (name, index) => (TypeDefinition[])
    [
        new(FirstOid + (uint)index * 2, "ext", name, TypeCategory.Base, 0),
        new(FirstOid + (uint)index * 2 + 1, "ext", "_" + name, TypeCategory.Array, FirstOid + (uint)index * 2)
        {
            Delimiter = name.StartsWith("geo", StringComparison.Ordinal) ? (byte)':' : (byte)',',
        },
    ])]);

    public static TypeMappings Mappings(Action<PgDataSourceBuilder> use)
    {
        var builder = new PgDataSourceBuilder("Host=localhost");
        use(builder);
        return builder.Mappings;
    }

    public DataType this[string name] => Catalogue.Get(Catalogue.Find(name));

    /// <summary>Returns the bytes of a value without its length, which they must have.</summary>
    public byte[] Write<T>(string type, T value)
        where T : notnull
    {
        var boxed = new ByteWriter();
        this[type].Write(boxed, (object)value);
        var typed = new ByteWriter();
        this[type].Write(typed, value);
        Assert.Equal(boxed.Written.ToArray(), typed.Written.ToArray());
        var reader = new ByteReader(typed.Written);
        Assert.Equal(reader.Int32BigEndian(), reader.Remaining);
        return reader.Rest().ToArray();
    }

    public T Read<T>(string type, ReadOnlySpan<byte> bytes, bool isBinary = true) => this[type].TryRead<T>(bytes, isBinary, out var value)
        ? value
        : throw new InvalidOperationException($"{type} cannot be read as {typeof(T)}.");

    public T ReadText<T>(string type, string text) => Read<T>(type, System.Text.Encoding.UTF8.GetBytes(text), isBinary: false);

    /// <summary>Checks both formats of a value, and that no part of its binary format is a value.</summary>
    public void Check<T>(string type, T value, string hex, string text)
        where T : notnull
    {
        var bytes = Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal));
        Assert.Equal(bytes, Write(type, value));
        CheckRead(type, value, hex, text);
    }

    public void CheckRead<T>(string type, T value, string hex, string text)
        where T : notnull
    {
        var bytes = Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal));
        Assert.Equal(value, Read<T>(type, bytes));
        Assert.Equal(value, ReadText<T>(type, text));
        for (var length = 0; length < bytes.Length; length++)
            Assert.Throws<FormatException>(() => Read<T>(type, bytes.AsSpan(0, length)));
        Assert.Throws<FormatException>(() => Read<T>(type, [.. bytes, 0]));
    }

    /// <summary>Checks the binary format of a range.</summary>
    public void CheckRange<T>(string type, T value, string hex)
        where T : notnull
    {
        var bytes = Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal));
        Assert.Equal(bytes, Write(type, value));
        Assert.Equal(value, Read<T>(type, bytes));
        Assert.Equal(value, this[type].Read(bytes, isBinary: true));
    }

    /// <summary>Changes each byte, and checks that the value is refused or another one.</summary>
    public void CheckBroken<T>(string type, byte[] bytes, bool isBinary)
    {
        for (var at = 0; at < bytes.Length; at++)
        {
            foreach (var wrong in new byte[] { 0, 1, 0x20, 0x31, 0x7F, 0x80, 0xFF })
            {
                var broken = (byte[])bytes.Clone();
                broken[at] = wrong;
                try
                {
                    Read<T>(type, broken, isBinary);
                }
                catch (Exception exception) when (exception is FormatException or InvalidCastException)
                {
                    // Refused, in one of the two documented ways.
                }
            }
        }
    }
}
