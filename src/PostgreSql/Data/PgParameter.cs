using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql;

/// <summary>
/// A value for a place in a statement: "@name" or ":name" by name, "$1" by position (without a name). The type follows from the value unless
/// <see cref="DbType"/> or <see cref="PgDbType"/> was set. <see cref="PgParameter{T}"/> does not box.
/// </summary>
public class PgParameter : DbParameter, ICloneable
{
    private string _name;
    private object? _value;
    private Rarities? _rarities;
    private int _size;
    private PgDbType _type;
    private bool _isTypeSet;
    private bool _isNullable;
    private byte _direction = (byte)ParameterDirection.Input;

    public PgParameter() => _name = "";

    /// <summary>Remember that a constant 0 as the value is taken for a PgDbType by the compiler.</summary>
    public PgParameter(string? name, object? value)
    {
        _name = name ?? "";
        _value = value;
    }

    public PgParameter(string? name, DbType parameterType)
        : this(name, parameterType, 0, "")
    {
    }

    public PgParameter(string? name, DbType parameterType, int size)
        : this(name, parameterType, size, "")
    {
    }

    public PgParameter(string? name, DbType parameterType, int size, string? sourceColumn)
    {
        _name = name ?? "";
        DbType = parameterType;
        _size = size;
        if (!string.IsNullOrEmpty(sourceColumn))
            Rare.SourceColumn = sourceColumn;
    }

    public PgParameter(string? name, PgDbType parameterType)
        : this(name, parameterType, 0)
    {
    }

    public PgParameter(string? name, PgDbType parameterType, int size)
        : this(name, parameterType, size, "")
    {
    }

    public PgParameter(string? name, PgDbType parameterType, int size, string? sourceColumn)
    {
        _name = name ?? "";
        SetType(parameterType);
        _size = size;
        if (!string.IsNullOrEmpty(sourceColumn))
            Rare.SourceColumn = sourceColumn;
    }

    public PgParameter(
        string? name, PgDbType parameterType, int size, ParameterDirection direction, bool isNullable, byte precision, byte scale,
        string? sourceColumn, DataRowVersion sourceVersion, object? value)
        : this(name, parameterType, size, sourceColumn)
    {
        SetDirection(direction);
        _isNullable = isNullable;
        _value = value;
        Rare.Precision = precision;
        Rare.Scale = scale;
        Rare.SourceVersion = sourceVersion;
    }

    private protected PgParameter(PgParameter other)
    {
        _name = other._name;
        _value = other._value;
        _size = other._size;
        _type = other._type;
        _isTypeSet = other._isTypeSet;
        _isNullable = other._isNullable;
        _direction = other._direction;
        _rarities = other._rarities?.Clone();
    }

    /// <summary>"" for a positional parameter. The prefix does not matter.</summary>
    [AllowNull]
    public override string ParameterName
    {
        get => _name;
        set
        {
            var old = _name;
            _name = value ?? "";
            Collection?.Renamed(this, old);
        }
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

    public override ParameterDirection Direction
    {
        get => (ParameterDirection)_direction;
        set => SetDirection(value);
    }

    public override bool IsNullable
    {
        get => _isNullable;
        set => _isNullable = value;
    }

    /// <summary>The most characters or bytes of the value that are sent; 0 sends all.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is negative.</exception>
    public override int Size
    {
        get => _size;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _size = value;
        }
    }

    public override byte Precision
    {
        get => _rarities?.Precision ?? 0;
        set => Rare.Precision = value;
    }

    public override byte Scale
    {
        get => _rarities?.Scale ?? 0;
        set => Rare.Scale = value;
    }

    [AllowNull]
    public override string SourceColumn
    {
        get => _rarities?.SourceColumn ?? "";
        set => Rare.SourceColumn = value ?? "";
    }

    public override bool SourceColumnNullMapping
    {
        get => _rarities?.SourceColumnNullMapping ?? false;
        set => Rare.SourceColumnNullMapping = value;
    }

    public override DataRowVersion SourceVersion
    {
        get => _rarities?.SourceVersion ?? DataRowVersion.Current;
        set => Rare.SourceVersion = value;
    }

    /// <summary>Whether the type was set, so that the value has to follow it.</summary>
    internal bool IsTypeSet => _isTypeSet;

    /// <summary>True when NULL is sent.</summary>
    internal virtual bool IsNull => _value is null or DBNull;

    /// <summary>The server's number of the type that was set, or of the one that the value suggests; 0 leaves it to the server.</summary>
    internal uint TypeOid => _isTypeSet ? ParameterTypes.ToOid(_type) : SuggestedType;

    /// <summary>What the value suggests.</summary>
    internal virtual uint SuggestedType => Values.TypeOf(_value);

    /// <summary>True when the value is sent as text, for the server to make of it what it infers.</summary>
    internal bool IsInferred => _isTypeSet && _type == PgDbType.Unknown;

    /// <summary>Appends length and value, which is not NULL, in the form of type <paramref name="oid"/>.</summary>
    internal virtual void Write(ByteWriter writer, uint oid) => Values.Write(writer, _value!, oid, _size);

    /// <summary>The value, as <see cref="Value"/>.</summary>
    public object? PgValue
    {
        get => Value;
        set => Value = value;
    }

    /// <summary>The type's name in SQL that was set or that the value suggests; "unknown" when the server infers it.</summary>
    public string DataTypeName => Protocol.TypeOid.NameOf(TypeOid) ?? "unknown";

    /// <summary>The name without prefix.</summary>
    internal ReadOnlySpan<char> BareName => PostgreSql.ParameterName.Bare(_name);

    /// <summary>Who must hear of a new name; null in none.</summary>
    internal PgParameterCollection? Collection { get; set; }

    private Rarities Rare => _rarities ??= new();

    /// <summary>The type follows from the value again.</summary>
    public override void ResetDbType() => _isTypeSet = false;

    /// <summary>The same name, type and value (not a copy of it), in no collection.</summary>
    public virtual PgParameter Clone() => new(this);

    object ICloneable.Clone() => Clone();

    private void SetType(PgDbType type)
    {
        _type = type;
        _isTypeSet = true;
    }

    private void SetDirection(ParameterDirection direction) => _direction = direction is
        ParameterDirection.Input or ParameterDirection.Output or ParameterDirection.InputOutput or ParameterDirection.ReturnValue
        ? (byte)direction
        : throw new ArgumentOutOfRangeException(nameof(direction), direction, "There is no such direction.");

    // What data adapters need and commands do not: apart, so that a parameter of a command stays small.
    private sealed class Rarities
    {
        public string SourceColumn { get; set; } = "";

        public DataRowVersion SourceVersion { get; set; } = DataRowVersion.Current;

        public bool SourceColumnNullMapping { get; set; }

        public byte Precision { get; set; }

        public byte Scale { get; set; }

        public Rarities Clone() => (Rarities)MemberwiseClone();
    }
}

/// <summary>A parameter whose value is of one type and is never boxed.</summary>
public sealed class PgParameter<T> : PgParameter
{
    public PgParameter()
    {
    }

    public PgParameter(string? name, T? value)
    {
        ParameterName = name;
        TypedValue = value;
    }

    public PgParameter(string? name, PgDbType parameterType)
        : base(name, parameterType)
    {
    }

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

    internal override bool IsNull => TypedValue is null or DBNull;

    // For a value type of the usual kind a constant when this is compiled for a T.
    internal override uint SuggestedType =>
        typeof(T) == typeof(int) ? Protocol.TypeOid.Int4
        : typeof(T) == typeof(long) ? Protocol.TypeOid.Int8
        : typeof(T) == typeof(string) ? Protocol.TypeOid.Text
        : typeof(T) == typeof(bool) ? Protocol.TypeOid.Bool
        : typeof(T) == typeof(short) ? Protocol.TypeOid.Int2
        : typeof(T) == typeof(double) ? Protocol.TypeOid.Float8
        : typeof(T) == typeof(float) ? Protocol.TypeOid.Float4
        : typeof(T) == typeof(decimal) ? Protocol.TypeOid.Numeric
        : typeof(T) == typeof(Guid) ? Protocol.TypeOid.Uuid
        : typeof(T) == typeof(byte[]) ? Protocol.TypeOid.Bytea
        : typeof(T) == typeof(DateOnly) ? Protocol.TypeOid.Date
        : typeof(T) == typeof(TimeOnly) ? Protocol.TypeOid.Time
        : typeof(T) == typeof(TimeSpan) ? Protocol.TypeOid.Interval
        : Values.TypeOf(TypedValue);

    internal override void Write(ByteWriter writer, uint oid)
    {
        if (Size == 0 && typeof(T).IsValueType)
            Values.Write(writer, TypedValue!, oid);
        else
            Values.Write(writer, TypedValue!, oid, Size);
    }

    public override PgParameter Clone() => new PgParameter<T>(this);
}
