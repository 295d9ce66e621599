using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>Reads and writes the values of one type of the database. Immutable, and shared by all sessions of a data source.</summary>
internal abstract class DataType(PostgresType postgres)
{
    private PgConverter[] _converters = [];

    /// <summary>Gets the public description of the type.</summary>
    public PostgresType Postgres { get; } = postgres;

    public uint Oid => Postgres.OID;

    /// <summary>Gets the name for messages. It comes from the server, where any user who may create types chooses it.</summary>
    public string Name => field ??= ServerText.OneLine(Postgres.DisplayName);

    /// <summary>Gets how a row decodes the values; <see cref="ColumnKind.Coded"/> means by this object.</summary>
    public virtual ColumnKind Kind => ColumnKind.Coded;

    /// <summary>Gets whether the driver can read the binary format.</summary>
    public virtual bool HasBinary => true;

    /// <summary>Gets whether the driver requests the binary format when it can choose the format per column.</summary>
    public virtual bool IsBetterBinary => HasBinary;

    /// <summary>Gets whether a string is sent as the value's text in the binary format, too, because the two are equal.</summary>
    public virtual bool IsTextual => false;

    /// <summary>Gets the type that GetValue returns.</summary>
    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    public virtual Type ClrType => Default?.ClrType ?? OwnClrType;

    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    protected abstract Type OwnClrType { get; }

    /// <summary>Gets the converter that determines what GetValue returns; null if the type itself does.</summary>
    public PgConverter? Default { get; private set; }

    /// <summary>Gets whether a converter was added to the type.</summary>
    public bool IsConverted => _converters.Length > 0;

    /// <summary>Adds a converter. Called before the type is shared.</summary>
    public void Add(PgConverter converter, bool isDefault)
    {
        _converters = [.. _converters, converter];
        if (isDefault)
            Default = converter;
    }

    /// <summary>Reads a value, which is not NULL, as the type that GetValue returns.</summary>
    public object Read(ReadOnlySpan<byte> value, bool isBinary) =>
        Default is { } converter ? converter.ReadObject(this, value, isBinary) : ReadOwn(value, isBinary);

    /// <summary>Reads a value, which is not NULL.</summary>
    /// <returns>False if the values of the type cannot be read as <typeparamref name="T"/>.</returns>
    public bool TryRead<T>(ReadOnlySpan<byte> value, bool isBinary, [MaybeNullWhen(false)] out T result)
    {
        foreach (var converter in _converters)
        {
            if (converter is IValueReader<T> typed)
            {
                result = typed.Read(this, value, isBinary);
                return true;
            }
        }

        if (TryReadOwn(value, isBinary, out result))
            return true;
        return TryReadNullable(value, isBinary, out result);
    }

    /// <summary>Reads a value, which is not NULL, as a type that is known only at run time. Returns null if it cannot be read so.</summary>
    public object? TryReadAs(Type type, ReadOnlySpan<byte> value, bool isBinary)
    {
        foreach (var converter in _converters)
            if (converter.ClrType == type)
                return converter.ReadObject(this, value, isBinary);
        if (type == typeof(object))
            return Read(value, isBinary);
        return ElementShapes.ReaderOf(type)?.TryRead(this, value, isBinary) ?? TryReadOwnAs(type, value, isBinary);
    }

    /// <summary>Reads a value as a type that was not registered. Returns null if it cannot be read so.</summary>
    protected virtual object? TryReadOwnAs(Type type, ReadOnlySpan<byte> value, bool isBinary) => null;

    /// <summary>Writes the length and the value.</summary>
    /// <exception cref="InvalidCastException">The value cannot be converted to the type.</exception>
    public void Write(ByteWriter writer, object value)
    {
        foreach (var converter in _converters)
        {
            if (converter.ClrType.IsInstanceOfType(value))
            {
                converter.WriteObject(this, writer, value);
                return;
            }
        }

        WriteOwn(writer, value);
    }

    /// <summary>Writes the length and the value, without boxing if the type supports <typeparamref name="T"/> directly.</summary>
    /// <exception cref="InvalidCastException">The value cannot be converted to the type.</exception>
    public void Write<T>(ByteWriter writer, T value)
    {
        if (TryWriteConverted(writer, value))
            return;
        // A boxed nullable value is one of its own type, for which there may be a converter.
        var mayBeConverted = IsConverted && typeof(T).IsValueType && default(T) is null;
        if (mayBeConverted || !TryWriteOwn(writer, value))
            Write(writer, (object)value!);
    }

    /// <summary>Writes the length and the value if a converter for <typeparamref name="T"/> was added.</summary>
    /// <returns>False if there is none.</returns>
    public bool TryWriteConverted<T>(ByteWriter writer, T value)
    {
        foreach (var converter in _converters)
        {
            if (converter is IValueWriter<T> typed)
            {
                typed.Write(this, writer, value);
                return true;
            }
        }

        return false;
    }

    /// <summary>Returns whether a converter writes values of the type.</summary>
    public bool HasConverter(Type type)
    {
        foreach (var converter in _converters)
            if (converter.ClrType.IsAssignableFrom(type))
                return true;
        return false;
    }

    protected abstract object ReadOwn(ReadOnlySpan<byte> value, bool isBinary);

    protected abstract bool TryReadOwn<T>(ReadOnlySpan<byte> value, bool isBinary, [MaybeNullWhen(false)] out T result);

    protected abstract void WriteOwn(ByteWriter writer, object value);

    protected virtual bool TryWriteOwn<T>(ByteWriter writer, T value) => false;

    // A boxed value can be unboxed as its nullable type.
    private bool TryReadNullable<T>(ReadOnlySpan<byte> value, bool isBinary, [MaybeNullWhen(false)] out T result)
    {
        if (typeof(T).IsValueType && default(T) is null && Nullable.GetUnderlyingType(typeof(T)) is { } underlying)
        {
            foreach (var converter in _converters)
            {
                if (converter.ClrType == underlying)
                {
                    result = (T)converter.ReadObject(this, value, isBinary);
                    return true;
                }
            }

            if (OwnClrType == underlying)
            {
                result = (T)ReadOwn(value, isBinary);
                return true;
            }
        }

        result = default;
        return false;
    }

    /// <summary>Returns the exception for a value that cannot be sent as this type.</summary>
    protected InvalidCastException WrongType(object value) => new($"A value of type {value.GetType().Name} cannot be sent as the parameter's type {Name}: "
        + "convert the value, or change the parameter's type.");

    protected FormatException Broken(ReadOnlySpan<byte> value, bool isBinary) => Malformed.Of(Name, value, isBinary);
}

/// <summary>Reads values as <typeparamref name="T"/>.</summary>
internal interface IValueReader<T>
{
    T Read(DataType type, ReadOnlySpan<byte> value, bool isBinary);
}

/// <summary>Writes the length and a value of <typeparamref name="T"/>.</summary>
internal interface IValueWriter<T>
{
    void Write(DataType type, ByteWriter writer, T value);
}
