using System.Data;
using System.Data.Common;
using Slipstream.Core.Bytes;
using Slipstream.Core.Data;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql;

/// <summary>
/// A value for a place in a statement: "@name" or ":name" by name, "$1" by position (without a name). "@0" and ":1" are names where a parameter is called so;
/// elsewhere they are an operator and a slice. The type follows from the value unless
/// <see cref="DbType"/> or <see cref="PgDbType"/> was set. <see cref="PgParameter{T}"/> does not box.
/// </summary>
public class PgParameter : ProviderParameter, ICloneable
{
    private object? _value;
    private PgDbType _type;
    private bool _isTypeSet;

    /// <summary>A parameter with what is given; the type is found from the value when it is not set.</summary>
    public PgParameter()
        : base("")
    {
    }

    /// <summary>Remember that a constant 0 as the value is taken for a PgDbType by the compiler.</summary>
    public PgParameter(string? name, object? value)
        : base(name) => _value = value;

    /// <summary>A parameter with what is given; the type is found from the value when it is not set.</summary>
    public PgParameter(string? name, DbType parameterType)
        : this(name, parameterType, 0, "")
    {
    }

    /// <summary>A parameter with what is given; the type is found from the value when it is not set.</summary>
    public PgParameter(string? name, DbType parameterType, int size)
        : this(name, parameterType, size, "")
    {
    }

    /// <summary>A parameter with what is given; the type is found from the value when it is not set.</summary>
    public PgParameter(string? name, DbType parameterType, int size, string? sourceColumn)
        : base(name, size, sourceColumn) => DbType = parameterType;

    /// <summary>A parameter with what is given; the type is found from the value when it is not set.</summary>
    public PgParameter(string? name, PgDbType parameterType)
        : this(name, parameterType, 0)
    {
    }

    /// <summary>A parameter with what is given; the type is found from the value when it is not set.</summary>
    public PgParameter(string? name, PgDbType parameterType, int size)
        : this(name, parameterType, size, "")
    {
    }

    /// <summary>A parameter with what is given; the type is found from the value when it is not set.</summary>
    public PgParameter(string? name, PgDbType parameterType, int size, string? sourceColumn)
        : base(name, size, sourceColumn) => SetType(parameterType);

    /// <summary>A parameter with what is given; the type is found from the value when it is not set.</summary>
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

    /// <summary>Null and DBNull.Value both are the server's NULL.</summary>
    public override object? Value
    {
        get => _value;
        set => _value = value;
    }

    /// <summary>The type that was set, or the one of the value.</summary>
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

    /// <summary>The type that was set, or the one of the value.</summary>
    public PgDbType PgDbType
    {
        get => _isTypeSet ? _type : ParameterTypes.FromOid(SuggestedType);
        set => SetType(value);
    }

    /// <summary>Whether the type was set, so that the value has to follow it.</summary>
    internal bool IsTypeSet => _isTypeSet;

    /// <summary>True when NULL is sent.</summary>
    internal virtual bool IsNull => _value is null or DBNull;

    /// <summary>True when writing the value uses it up.</summary>
    internal virtual bool IsReadOnce => _value is Stream and not MemoryStream;

    /// <summary>The server's number of the type that was set, or of the one that the value suggests; 0 leaves it to the server.</summary>
    internal uint TypeOid => _isTypeSet ? ParameterTypes.ToOid(_type) : SuggestedType;

    /// <summary>What the value suggests.</summary>
    internal virtual uint SuggestedType => TypeOf(_value);

    /// <summary>True when the value is sent as text, for the server to make of it what it infers.</summary>
    internal bool IsInferred => _isTypeSet && _type == PgDbType.Unknown;

    /// <summary>Appends length and value, which is not NULL, in the form of type <paramref name="oid"/>.</summary>
    internal virtual void Write(ByteWriter writer, uint oid) => Values.Write(writer, Read(_value!, oid), oid, Size);

    /// <summary>−1 sends all, as 0 does: mappers set it for long texts.</summary>
    private protected override int LeastSize => -1;

    private protected static uint TypeOf(object? value) => value is Stream ? Protocol.TypeOid.Bytea : Values.TypeOf(value);

    // A stream is read to its end: the message in front of the value says how long it is.
    private protected static object Read(object value, uint oid)
    {
        if (oid is Protocol.TypeOid.Int4 or Protocol.TypeOid.Int8 || value is MemoryStream || value is not Stream stream)
            return value;
        using var bytes = new MemoryStream();
        stream.CopyTo(bytes);
        return new ReadOnlyMemory<byte>(bytes.GetBuffer(), 0, (int)bytes.Length);
    }

    /// <summary>The value, as <see cref="Value"/>.</summary>
    public object? PgValue
    {
        get => Value;
        set => Value = value;
    }

    /// <summary>The type's name in SQL that was set or that the value suggests; "unknown" when the server infers it.</summary>
    public string DataTypeName => Protocol.TypeOid.NameOf(TypeOid) ?? "unknown";

    /// <summary>The type follows from the value again.</summary>
    public override void ResetDbType() => _isTypeSet = false;

    /// <summary>The same name, type and value (not a copy of it), in no collection.</summary>
    public virtual PgParameter Clone() => new(this);

    object ICloneable.Clone() => Clone();

    /// <summary>The name without prefix and quotes.</summary>
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

/// <summary>A parameter whose value is of one type and is never boxed.</summary>
public sealed class PgParameter<T> : PgParameter
{
    /// <summary>A parameter with what is given; the type is found from the value when it is not set.</summary>
    public PgParameter()
    {
    }

    /// <summary>A parameter with what is given; the type is found from the value when it is not set.</summary>
    public PgParameter(string? name, T? value)
    {
        ParameterName = name;
        TypedValue = value;
    }

    /// <summary>A parameter with what is given; the type is found from the value when it is not set.</summary>
    public PgParameter(string? name, PgDbType parameterType)
        : base(name, parameterType)
    {
    }

    /// <summary>A parameter with what is given; the type is found from the value when it is not set.</summary>
    public PgParameter(string? name, DbType parameterType)
        : base(name, parameterType)
    {
    }

    private PgParameter(PgParameter<T> other)
        : base(other) => TypedValue = other.TypedValue;

    /// <summary>The value; null is the server's NULL.</summary>
    public T? TypedValue { get; set; }

    /// <summary>The value, boxed.</summary>
    /// <exception cref="InvalidCastException">What is set is of another type.</exception>
    public override object? Value
    {
        get => TypedValue;
        set => TypedValue = value switch
        {
            null or DBNull => default,
            T typed => typed,
            _ => throw new InvalidCastException($"The parameter '{ParameterName}' holds {typeof(T).Name}, not {value.GetType().Name}."),
        };
    }

    // Found out once, so that no value is boxed for the question.
    private static readonly bool IsNeverNull = typeof(T).IsValueType && default(T) is not null;

    internal override bool IsNull => !IsNeverNull && (TypedValue is null || (!typeof(T).IsValueType && TypedValue is DBNull));

    internal override bool IsReadOnce => !typeof(T).IsValueType && TypedValue is Stream and not MemoryStream;

    // For a value type of the usual kind a constant when this is compiled for a T.
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
