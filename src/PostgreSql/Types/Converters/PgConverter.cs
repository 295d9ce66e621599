using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql;

/// <summary>
/// Converts values of a type of the database to and from a .NET type. Derive from <see cref="PgConverter{T}"/>, and register the converter with
/// MapType of <see cref="PgDataSourceBuilder"/>.
/// </summary>
public abstract class PgConverter
{
    private protected PgConverter()
    {
    }

    /// <summary>Gets the .NET type.</summary>
    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    public abstract Type ClrType { get; }

    internal abstract object ReadObject(DataType type, ReadOnlySpan<byte> value, bool isBinary);

    internal abstract void WriteObject(DataType type, ByteWriter writer, object value);
}

/// <summary>Converts values of a type of the database to and from <typeparamref name="T"/>. One converter serves all sessions, so it has no state.</summary>
/// <typeparam name="T">The .NET type.</typeparam>
public abstract class PgConverter<
    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)] T>
    : PgConverter, IValueReader<T>, IValueWriter<T>
    where T : notnull
{
    /// <summary>Creates a converter.</summary>
    protected PgConverter() => ElementShapes.Register<T>();

    /// <inheritdoc/>
    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    public sealed override Type ClrType => typeof(T);

    /// <summary>
    /// Reads a value, which is not NULL. The server sends the binary or the text format (<see cref="PgValueReader.IsBinary"/>); a converter must read both,
    /// because the first execution of a command receives text.
    /// </summary>
    /// <param name="reader">The bytes of the value.</param>
    /// <returns>The value.</returns>
    /// <exception cref="FormatException">The bytes are not a value of the type: throw it with <see cref="PgValueReader.Fail"/>.</exception>
    /// <exception cref="InvalidCastException">The .NET type cannot represent the value.</exception>
    public abstract T Read(ref PgValueReader reader);

    /// <summary>Writes a value in the binary format, without its length.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The value; not null.</param>
    /// <exception cref="ArgumentException">The database cannot represent the value.</exception>
    public abstract void Write(ref PgValueWriter writer, T value);

    T IValueReader<T>.Read(DataType type, ReadOnlySpan<byte> value, bool isBinary) => ReadFrom(type, value, isBinary);

    void IValueWriter<T>.Write(DataType type, ByteWriter writer, T value) => WriteTo(type, writer, value);

    internal virtual T ReadFrom(DataType type, ReadOnlySpan<byte> value, bool isBinary)
    {
        var reader = new PgValueReader(value, isBinary, type.Name);
        var result = Read(ref reader);
        if (reader.Remaining != 0)
            reader.Fail();
        return result;
    }

    // Writes the length and the value.
    internal virtual void WriteTo(DataType type, ByteWriter writer, T value)
    {
        var start = NestedValue.Begin(writer);
        var target = new PgValueWriter(writer);
        Write(ref target, value);
        NestedValue.End(writer, start);
    }

    internal sealed override object ReadObject(DataType type, ReadOnlySpan<byte> value, bool isBinary) => ReadFrom(type, value, isBinary);

    internal sealed override void WriteObject(DataType type, ByteWriter writer, object value) => WriteTo(type, writer, (T)value);
}
