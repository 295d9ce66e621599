using System.Data;
using System.Data.Common;
using Slipstream.Core.Bytes;
using Slipstream.Core.Data;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql;

/// <summary>
/// A parameter of a command: "@name" or ":name" by name, "$1" by position (without a name). "@0" and ":1" are names if a parameter has such a name; otherwise
/// they are an operator and a slice. The type follows from the value unless <see cref="DbType"/> or <see cref="PgDbType"/> is set.
/// <see cref="PgParameter{T}"/> does not box its value.
/// </summary>
public class PgParameter : ProviderParameter, ICloneable
{
    private object? _value;
    private PgDbType _type;
    private bool _isTypeSet;

    /// <summary>Creates a parameter without a name and a value.</summary>
    public PgParameter()
        : base("")
    {
    }

    /// <summary>Creates a parameter with a value, from which its type follows.</summary>
    /// <param name="name">The name, with or without "@" or ":"; null or empty for a positional parameter.</param>
    /// <param name="value">The value. For a constant 0, the compiler chooses the constructor that takes a PgDbType: cast the constant to object.</param>
    public PgParameter(string? name, object? value)
        : base(name) => _value = value;

    /// <summary>Creates a parameter with a type.</summary>
    /// <param name="name">The name, with or without "@" or ":"; null or empty for a positional parameter.</param>
    /// <param name="parameterType">The type. <see cref="DbType.Object"/> lets the type follow from the value.</param>
    /// <exception cref="NotSupportedException">Parameters of that type are not supported.</exception>
    public PgParameter(string? name, DbType parameterType)
        : this(name, parameterType, 0, "")
    {
    }

    /// <summary>Creates a parameter with a type and a size.</summary>
    /// <param name="name">The name, with or without "@" or ":"; null or empty for a positional parameter.</param>
    /// <param name="parameterType">The type. <see cref="DbType.Object"/> lets the type follow from the value.</param>
    /// <param name="size">The maximum number of characters or bytes to send; 0 or −1 for all.</param>
    /// <exception cref="NotSupportedException">Parameters of that type are not supported.</exception>
    public PgParameter(string? name, DbType parameterType, int size)
        : this(name, parameterType, size, "")
    {
    }

    /// <summary>Creates a parameter with a type, a size and a source column.</summary>
    /// <param name="name">The name, with or without "@" or ":"; null or empty for a positional parameter.</param>
    /// <param name="parameterType">The type. <see cref="DbType.Object"/> lets the type follow from the value.</param>
    /// <param name="size">The maximum number of characters or bytes to send; 0 or −1 for all.</param>
    /// <param name="sourceColumn">The column of a DataTable that provides the value.</param>
    /// <exception cref="NotSupportedException">Parameters of that type are not supported.</exception>
    public PgParameter(string? name, DbType parameterType, int size, string? sourceColumn)
        : base(name, size, sourceColumn) => DbType = parameterType;

    /// <summary>Creates a parameter with a type.</summary>
    /// <param name="name">The name, with or without "@" or ":"; null or empty for a positional parameter.</param>
    /// <param name="parameterType">The type.</param>
    public PgParameter(string? name, PgDbType parameterType)
        : this(name, parameterType, 0)
    {
    }

    /// <summary>Creates a parameter with a type and a size.</summary>
    /// <param name="name">The name, with or without "@" or ":"; null or empty for a positional parameter.</param>
    /// <param name="parameterType">The type.</param>
    /// <param name="size">The maximum number of characters or bytes to send; 0 or −1 for all.</param>
    public PgParameter(string? name, PgDbType parameterType, int size)
        : this(name, parameterType, size, "")
    {
    }

    /// <summary>Creates a parameter with a type, a size and a source column.</summary>
    /// <param name="name">The name, with or without "@" or ":"; null or empty for a positional parameter.</param>
    /// <param name="parameterType">The type.</param>
    /// <param name="size">The maximum number of characters or bytes to send; 0 or −1 for all.</param>
    /// <param name="sourceColumn">The column of a DataTable that provides the value.</param>
    public PgParameter(string? name, PgDbType parameterType, int size, string? sourceColumn)
        : base(name, size, sourceColumn) => SetType(parameterType);

    /// <summary>Creates a parameter with all its properties.</summary>
    /// <param name="name">The name, with or without "@" or ":"; null or empty for a positional parameter.</param>
    /// <param name="parameterType">The type.</param>
    /// <param name="size">The maximum number of characters or bytes to send; 0 or −1 for all.</param>
    /// <param name="direction">The direction.</param>
    /// <param name="isNullable">Whether the parameter accepts NULL.</param>
    /// <param name="precision">The maximum number of digits.</param>
    /// <param name="scale">The number of decimal places.</param>
    /// <param name="sourceColumn">The column of a DataTable that provides the value.</param>
    /// <param name="sourceVersion">The version of the DataRow that provides the value.</param>
    /// <param name="value">The value.</param>
    public PgParameter(
        string? name, PgDbType parameterType, int size, ParameterDirection direction, bool isNullable, byte precision, byte scale,
        string? sourceColumn, DataRowVersion sourceVersion, object? value)
        : this(name, parameterType, size, sourceColumn)
    {
        base.Direction = direction;
        base.IsNullable = isNullable;
        _value = value;
        base.Precision = precision;
        base.Scale = scale;
        base.SourceVersion = sourceVersion;
    }

    private protected PgParameter(PgParameter other)
        : base(other)
    {
        _value = other._value;
        _type = other._type;
        _isTypeSet = other._isTypeSet;
    }

    /// <summary>Gets or sets the value. Both null and <see cref="DBNull.Value"/> are NULL.</summary>
    public override object? Value
    {
        get => _value;
        set => _value = value;
    }

    /// <summary>Gets or sets the type. If it is not set, it follows from the value.</summary>
    /// <exception cref="NotSupportedException">Parameters of that type are not supported.</exception>
    public override DbType DbType
    {
        get => ParameterTypes.ToDbType(PgDbType);
        set
        {
            if (ParameterTypes.FromDbType(value) is { } type)
                SetType(type);
            else
                ResetDbType();
        }
    }

    /// <summary>Gets or sets the type. If it is not set, it follows from the value.</summary>
    public PgDbType PgDbType
    {
        get => _isTypeSet ? _type : ParameterTypes.FromOid(SuggestedType);
        set => SetType(value);
    }

    /// <summary>Gets whether the type is set, so that the value must be converted to it.</summary>
    internal bool IsTypeSet => _isTypeSet;

    /// <summary>Gets whether NULL is sent.</summary>
    internal virtual bool IsNull => _value is null or DBNull;

    /// <summary>Gets whether the value can be written only once.</summary>
    internal virtual bool IsReadOnce => _value is Stream and not MemoryStream;

    /// <summary>Gets the object id of the type that is set or that follows from the value; 0 leaves the type to the server.</summary>
    internal uint TypeOid => _isTypeSet ? ParameterTypes.ToOid(_type) : SuggestedType;

    /// <summary>Gets the object id of the type that follows from the value.</summary>
    internal virtual uint SuggestedType => TypeOf(_value);

    /// <summary>Gets whether the value is sent as text, so that the server infers its type.</summary>
    internal bool IsInferred => _isTypeSet && _type == PgDbType.Unknown;

    /// <summary>Writes the length and the value in the form of type <paramref name="oid"/>. The value is not NULL.</summary>
    internal virtual void Write(ByteWriter writer, uint oid) => Values.Write(writer, Read(_value!, oid), oid, Size);

    private protected static uint TypeOf(object? value) => value is Stream ? Protocol.TypeOid.Bytea : Values.TypeOf(value);

    // A stream is read to its end, because the length precedes the value in the message.
    private protected static object Read(object value, uint oid)
    {
        if (oid is Protocol.TypeOid.Int4 or Protocol.TypeOid.Int8 || value is MemoryStream || value is not Stream stream)
            return value;
        using var bytes = new MemoryStream();
        stream.CopyTo(bytes);
        return new ReadOnlyMemory<byte>(bytes.GetBuffer(), 0, (int)bytes.Length);
    }

    /// <summary>Gets or sets the value; the same as <see cref="Value"/>.</summary>
    public object? PgValue
    {
        get => Value;
        set => Value = value;
    }

    /// <summary>Gets the SQL name of the type that is set or that follows from the value; "unknown" if the server infers it.</summary>
    public string DataTypeName => Protocol.TypeOid.NameOf(TypeOid) ?? "unknown";

    /// <summary>Resets the type, so that it follows from the value again.</summary>
    public override void ResetDbType() => _isTypeSet = false;

    /// <summary>Returns a parameter with the same name, type and value (which is not copied). It belongs to no collection.</summary>
    public virtual PgParameter Clone() => new(this);

    object ICloneable.Clone() => Clone();

    /// <summary>Gets the name without its prefix.</summary>
    internal ReadOnlySpan<char> BareName => PostgreSql.ParameterName.Bare(ParameterName);

    /// <inheritdoc/>
    private protected override ReadOnlySpan<char> BareOf(string name) => PostgreSql.ParameterName.Bare(name);

    /// <inheritdoc/>
    internal override ProviderParameter CloneParameter() => Clone();

    private void SetType(PgDbType type)
    {
        _type = type;
        _isTypeSet = true;
    }
}

/// <summary>A parameter with a value of a fixed type, which is never boxed.</summary>
/// <typeparam name="T">The value's type.</typeparam>
public sealed class PgParameter<T> : PgParameter
{
    /// <summary>Creates a parameter without a name and a value.</summary>
    public PgParameter()
    {
    }

    /// <summary>Creates a parameter with a value, from which its type follows.</summary>
    /// <param name="name">The name, with or without "@" or ":"; null or empty for a positional parameter.</param>
    /// <param name="value">The value.</param>
    public PgParameter(string? name, T? value)
    {
        ParameterName = name;
        TypedValue = value;
    }

    /// <summary>Creates a parameter with a type.</summary>
    /// <param name="name">The name, with or without "@" or ":"; null or empty for a positional parameter.</param>
    /// <param name="parameterType">The type.</param>
    public PgParameter(string? name, PgDbType parameterType)
        : base(name, parameterType)
    {
    }

    /// <summary>Creates a parameter with a type.</summary>
    /// <param name="name">The name, with or without "@" or ":"; null or empty for a positional parameter.</param>
    /// <param name="parameterType">The type. <see cref="DbType.Object"/> lets the type follow from the value.</param>
    /// <exception cref="NotSupportedException">Parameters of that type are not supported.</exception>
    public PgParameter(string? name, DbType parameterType)
        : base(name, parameterType)
    {
    }

    private PgParameter(PgParameter<T> other)
        : base(other) => TypedValue = other.TypedValue;

    /// <summary>Gets or sets the value; null is NULL.</summary>
    public T? TypedValue { get; set; }

    /// <summary>Gets or sets the value, boxed.</summary>
    /// <exception cref="InvalidCastException">The value is set to one of another type.</exception>
    public override object? Value
    {
        get => TypedValue;
        set => TypedValue = value switch
        {
            null or DBNull => default,
            T typed => typed,
            _ => throw new InvalidCastException($"The parameter '{ParameterName}' takes values of type {typeof(T).Name}, not {value.GetType().Name}."),
        };
    }

    // Computed once, so that the check boxes no value.
    private static readonly bool IsNeverNull = typeof(T).IsValueType && default(T) is not null;

    internal override bool IsNull => !IsNeverNull && (TypedValue is null || (!typeof(T).IsValueType && TypedValue is DBNull));

    internal override bool IsReadOnce => !typeof(T).IsValueType && TypedValue is Stream and not MemoryStream;

    // For the common value types, this is a constant when the JIT compiles it for a T.
    internal override uint SuggestedType =>
        typeof(T) == typeof(int) || typeof(T) == typeof(int?) ? Protocol.TypeOid.Int4
        : typeof(T) == typeof(long) || typeof(T) == typeof(long?) ? Protocol.TypeOid.Int8
        : typeof(T) == typeof(string) ? Protocol.TypeOid.Text
        : typeof(T) == typeof(bool) || typeof(T) == typeof(bool?) ? Protocol.TypeOid.Bool
        : typeof(T) == typeof(short) || typeof(T) == typeof(short?) ? Protocol.TypeOid.Int2
        : typeof(T) == typeof(double) || typeof(T) == typeof(double?) ? Protocol.TypeOid.Float8
        : typeof(T) == typeof(float) || typeof(T) == typeof(float?) ? Protocol.TypeOid.Float4
        : typeof(T) == typeof(decimal) || typeof(T) == typeof(decimal?) ? Protocol.TypeOid.Numeric
        : typeof(T) == typeof(Guid) || typeof(T) == typeof(Guid?) ? Protocol.TypeOid.Uuid
        : typeof(T) == typeof(byte[]) ? Protocol.TypeOid.Bytea
        : typeof(T) == typeof(DateOnly) || typeof(T) == typeof(DateOnly?) ? Protocol.TypeOid.Date
        : typeof(T) == typeof(DateTime) ? Values.TypeOf(AsDateTime(TypedValue!))
        : typeof(T) == typeof(TimeOnly) || typeof(T) == typeof(TimeOnly?) ? Protocol.TypeOid.Time
        : typeof(T) == typeof(TimeSpan) || typeof(T) == typeof(TimeSpan?) ? Protocol.TypeOid.Interval
        : TypeOf(TypedValue);

    internal override void Write(ByteWriter writer, uint oid)
    {
        if (Size <= 0 && typeof(T).IsValueType)
            Values.Write(writer, TypedValue!, oid);
        else
            Values.Write(writer, Read(TypedValue!, oid), oid, Size);
    }

    private static DateTime AsDateTime(T value) => System.Runtime.CompilerServices.Unsafe.As<T, DateTime>(ref value);

    /// <inheritdoc/>
    public override PgParameter Clone() => new PgParameter<T>(this);
}
