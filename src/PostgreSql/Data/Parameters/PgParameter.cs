using System.Data;
using System.Data.Common;
using Slipstream.Core.Bytes;
using Slipstream.Core.Data;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Types;

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

    // The DbType that was set, plus one: several of them are one type of the database. 0: none was set.
    private byte _dbType;
    private string? _dataTypeName;

    // The type that the server has declared or inferred for the parameter.
    private PostgresType? _derivedType;

    /// <summary>Creates a parameter without a name and a value.</summary>
    public PgParameter()
        : base("")
    {
    }

    /// <summary>Creates a parameter with a value, from which its type follows.</summary>
    /// <param name="parameterName">The name, with or without "@" or ":"; null or empty for a positional parameter.</param>
    /// <param name="value">The value. For a constant 0, the compiler chooses the constructor that takes a PgDbType: cast the constant to object.</param>
    public PgParameter(string? parameterName, object? value)
        : base(parameterName) => _value = value;

    /// <summary>Creates a parameter with a type.</summary>
    /// <param name="parameterName">The name, with or without "@" or ":"; null or empty for a positional parameter.</param>
    /// <param name="parameterType">The type. <see cref="DbType.Object"/> lets the type follow from the value.</param>
    /// <exception cref="NotSupportedException">Parameters of that type are not supported.</exception>
    public PgParameter(string? parameterName, DbType parameterType)
        : this(parameterName, parameterType, 0, "")
    {
    }

    /// <summary>Creates a parameter with a type and a size.</summary>
    /// <param name="parameterName">The name, with or without "@" or ":"; null or empty for a positional parameter.</param>
    /// <param name="parameterType">The type. <see cref="DbType.Object"/> lets the type follow from the value.</param>
    /// <param name="size">The maximum number of characters or bytes to send; 0 or −1 for all.</param>
    /// <exception cref="NotSupportedException">Parameters of that type are not supported.</exception>
    public PgParameter(string? parameterName, DbType parameterType, int size)
        : this(parameterName, parameterType, size, "")
    {
    }

    /// <summary>Creates a parameter with a type, a size and a source column.</summary>
    /// <param name="parameterName">The name, with or without "@" or ":"; null or empty for a positional parameter.</param>
    /// <param name="parameterType">The type. <see cref="DbType.Object"/> lets the type follow from the value.</param>
    /// <param name="size">The maximum number of characters or bytes to send; 0 or −1 for all.</param>
    /// <param name="sourceColumn">The column of a DataTable that provides the value.</param>
    /// <exception cref="NotSupportedException">Parameters of that type are not supported.</exception>
    public PgParameter(string? parameterName, DbType parameterType, int size, string? sourceColumn)
        : base(parameterName, size, sourceColumn) => DbType = parameterType;

    /// <summary>Creates a parameter with a type.</summary>
    /// <param name="parameterName">The name, with or without "@" or ":"; null or empty for a positional parameter.</param>
    /// <param name="parameterType">The type.</param>
    public PgParameter(string? parameterName, PgDbType parameterType)
        : this(parameterName, parameterType, 0)
    {
    }

    /// <summary>Creates a parameter with a type and a size.</summary>
    /// <param name="parameterName">The name, with or without "@" or ":"; null or empty for a positional parameter.</param>
    /// <param name="parameterType">The type.</param>
    /// <param name="size">The maximum number of characters or bytes to send; 0 or −1 for all.</param>
    public PgParameter(string? parameterName, PgDbType parameterType, int size)
        : this(parameterName, parameterType, size, "")
    {
    }

    /// <summary>Creates a parameter with a type, a size and a source column.</summary>
    /// <param name="parameterName">The name, with or without "@" or ":"; null or empty for a positional parameter.</param>
    /// <param name="parameterType">The type.</param>
    /// <param name="size">The maximum number of characters or bytes to send; 0 or −1 for all.</param>
    /// <param name="sourceColumn">The column of a DataTable that provides the value.</param>
    public PgParameter(string? parameterName, PgDbType parameterType, int size, string? sourceColumn)
        : base(parameterName, size, sourceColumn) => SetType(parameterType);

    /// <summary>Creates a parameter with all its properties.</summary>
    /// <param name="parameterName">The name, with or without "@" or ":"; null or empty for a positional parameter.</param>
    /// <param name="parameterType">The type. <see cref="DbType.Object"/> lets the type follow from the value.</param>
    /// <param name="size">The maximum number of characters or bytes to send; 0 or −1 for all.</param>
    /// <param name="sourceColumn">The column of a DataTable that provides the value.</param>
    /// <param name="direction">The direction.</param>
    /// <param name="isNullable">Whether the parameter accepts NULL.</param>
    /// <param name="precision">The maximum number of digits.</param>
    /// <param name="scale">The number of decimal places.</param>
    /// <param name="sourceVersion">The version of the DataRow that provides the value.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="NotSupportedException">Parameters of that type are not supported.</exception>
    public PgParameter(
        string? parameterName, DbType parameterType, int size, string? sourceColumn, ParameterDirection direction, bool isNullable, byte precision,
        byte scale, DataRowVersion sourceVersion, object? value)
        : this(parameterName, parameterType, size, sourceColumn) => Set(direction, isNullable, precision, scale, sourceVersion, value);

    /// <summary>Creates a parameter with all its properties.</summary>
    /// <param name="parameterName">The name, with or without "@" or ":"; null or empty for a positional parameter.</param>
    /// <param name="parameterType">The type.</param>
    /// <param name="size">The maximum number of characters or bytes to send; 0 or −1 for all.</param>
    /// <param name="sourceColumn">The column of a DataTable that provides the value.</param>
    /// <param name="direction">The direction.</param>
    /// <param name="isNullable">Whether the parameter accepts NULL.</param>
    /// <param name="precision">The maximum number of digits.</param>
    /// <param name="scale">The number of decimal places.</param>
    /// <param name="sourceVersion">The version of the DataRow that provides the value.</param>
    /// <param name="value">The value.</param>
    public PgParameter(
        string? parameterName, PgDbType parameterType, int size, string? sourceColumn, ParameterDirection direction, bool isNullable, byte precision,
        byte scale, DataRowVersion sourceVersion, object? value)
        : this(parameterName, parameterType, size, sourceColumn) => Set(direction, isNullable, precision, scale, sourceVersion, value);

    private protected PgParameter(PgParameter other)
        : base(other)
    {
        _value = other._value;
        _type = other._type;
        _isTypeSet = other._isTypeSet;
        _dataTypeName = other._dataTypeName;
        _derivedType = other._derivedType;
        _dbType = other._dbType;
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
        get => _dbType != 0 ? (DbType)(_dbType - 1) : ParameterTypes.ToDbType(PgDbType);
        set
        {
            if (ParameterTypes.FromDbType(value) is { } type)
            {
                SetType(type);
                _dbType = (byte)(value + 1);
            }
            else
                ResetDbType();
        }
    }

    /// <summary>Gets or sets the type. If it is not set, it follows from the value.</summary>
    public PgDbType PgDbType
    {
        get => _isTypeSet ? _type : ParameterTypes.FromOid(KnownType);
        set => SetType(value);
    }

    /// <summary>Gets whether the type is set, so that the value must be converted to it.</summary>
    internal bool IsTypeSet => _isTypeSet;

    /// <summary>Gets whether NULL is sent.</summary>
    internal virtual bool IsNull => _value is null or DBNull;

    /// <summary>Gets whether the value can be written only once.</summary>
    internal virtual bool IsReadOnce => _value is Stream and not MemoryStream;

    /// <summary>Gets the object id of the type that is set or that follows from the value; 0 leaves the type to the server.</summary>
    /// <param name="types">The types of the database.</param>
    /// <exception cref="NotSupportedException">The database has no type of the name that is set.</exception>
    internal uint TypeOid(TypeCatalogue types) => !_isTypeSet ? SuggestedType(types)
        : _dataTypeName is not null ? ParameterTypes.OidOf(_dataTypeName, types)
        : ParameterTypes.ToOid(_type, types);

    /// <summary>Gets the object id of the type that follows from the value.</summary>
    private protected virtual uint SuggestedType(TypeCatalogue types) => TypeOf(_value, types);

    /// <summary>
    /// Gets whether the value is sent as text: because the server infers its type, or because a string is the text of a type that is not text itself.
    /// </summary>
    internal bool IsSentAsText => _isTypeSet && (_dataTypeName is not null ? HoldsText && !ParameterTypes.IsScalar(_dataTypeName)
        : _type == PgDbType.Unknown || (!ParameterTypes.IsScalar(_type) && HoldsText));

    private protected virtual bool HoldsText => _value is string;

    /// <summary>Gets whether the type can be determined only with the types of the database.</summary>
    internal bool NeedsTypes => _isTypeSet ? _dataTypeName is not null || ParameterTypes.IsNamed(_type) : SuggestsNamedType;

    private protected virtual bool SuggestsNamedType => _value is not null and not DBNull and not Stream && !Values.TryTypeOf(_value.GetType(), out _);

    /// <summary>Takes the value of a column, which may be NULL.</summary>
    internal virtual void Take(PgRow row, int column) => Value = row.GetValue(column);

    /// <summary>Writes the length and the value in the form of type <paramref name="oid"/>. The value is not NULL.</summary>
    internal virtual void Write(ByteWriter writer, uint oid, TypeCatalogue types)
    {
        if (IsSentAsText)
            Values.Write(writer, Read(_value!, Protocol.TypeOid.Unspecified), Protocol.TypeOid.Unspecified, Size);
        else
            Values.Write(writer, Read(_value!, oid), oid, Size, types);
    }

    private protected static uint TypeOf(object? value, TypeCatalogue types) => value is Stream ? Protocol.TypeOid.Bytea : Values.TypeOf(value, types);

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

    /// <summary>
    /// Gets or sets the name of the type, as SQL writes it or as in pg_type, with its schema if the name is not unique: "mood", "shop.mood", "integer[]". If it
    /// is not set, it is the name of the type that is set or that follows from the value; null if the server infers the type.
    /// </summary>
    /// <exception cref="ArgumentNullException">The name is set to null: call <see cref="ResetDbType"/>.</exception>
    public string? DataTypeName
    {
        get => _dataTypeName ?? (_isTypeSet ? ParameterTypes.NameOf(_type) : KnownType is 0 ? null : TypeCatalogue.BuiltIn.Get(KnownType).Name);
        set
        {
            ArgumentNullException.ThrowIfNull(value);
            SetType(ParameterTypes.FromName(value));
            _dataTypeName = value;
        }
    }

    /// <summary>
    /// Gets the type that is set or that follows from the value; null if the server infers it, or if it is not built in, because only a database knows it. A
    /// parameter that <see cref="PgCommandBuilder.DeriveParameters"/> created has the type that the server reported.
    /// </summary>
    public PostgresType? PostgresType
    {
        get
        {
            if (_derivedType is not null)
                return _derivedType;
            var oid = _dataTypeName is not null ? TypeCatalogue.BuiltIn.Find(_dataTypeName)
                : !_isTypeSet ? KnownType
                : ParameterTypes.IsNamed(_type) ? 0
                : ParameterTypes.ToOid(_type, TypeCatalogue.BuiltIn);
            return oid == 0 ? null : TypeCatalogue.BuiltIn.Describe(oid);
        }
    }

    /// <summary>Gets or sets the collection of the parameter; null if it belongs to none. To set it moves the parameter to the end of another one.</summary>
    public PgParameterCollection? Collection
    {
        get => Owner as PgParameterCollection;
        set
        {
            var old = Collection;
            if (old == value)
                return;
            old?.Remove(this);
            value?.Add(this);
        }
    }

    // What is known without a connection: a type of the user is not.
    private uint KnownType
    {
        get
        {
            // An enumeration may be mapped to one of the database.
            if (Value is Enum)
                return 0;
            try
            {
                return SuggestedType(TypeCatalogue.BuiltIn);
            }
            catch (InvalidCastException)
            {
                return 0;
            }
        }
    }

    /// <summary>Resets the type, so that it follows from the value again.</summary>
    public override void ResetDbType()
    {
        _isTypeSet = false;
        _dataTypeName = null;
        _derivedType = null;
        _dbType = 0;
    }

    /// <summary>Returns a parameter with the same name, type and value (which is not copied). It belongs to no collection.</summary>
    public virtual PgParameter Clone() => new(this);

    object ICloneable.Clone() => Clone();

    /// <summary>Gets the name without its prefix.</summary>
    internal ReadOnlySpan<char> BareName => PostgreSql.ParameterName.Bare(ParameterName);

    /// <inheritdoc/>
    private protected override ReadOnlySpan<char> BareOf(string name) => PostgreSql.ParameterName.Bare(name);

    /// <inheritdoc/>
    internal override ProviderParameter CloneParameter() => Clone();

    private void Set(ParameterDirection direction, bool isNullable, byte precision, byte scale, DataRowVersion sourceVersion, object? value)
    {
        base.Direction = direction;
        base.IsNullable = isNullable;
        base.Precision = precision;
        base.Scale = scale;
        base.SourceVersion = sourceVersion;
        _value = value;
    }

    /// <summary>Sets the type that the server has reported. A domain has the <see cref="PgDbType"/> of its base type.</summary>
    internal void SetDerived(PostgresType type, string name)
    {
        SetType(ParameterTypes.FromOid(WithoutDomains(type).OID));
        if (ParameterTypes.FromOid(type.OID) == PgDbType.Unknown)
            _dataTypeName = name;
        _derivedType = type;
    }

    private static PostgresType WithoutDomains(PostgresType type) => type switch
    {
        PostgresDomainType domain => WithoutDomains(domain.BaseType),
        PostgresArrayType array => WithoutDomains(array.Element).Array ?? type,
        _ => type,
    };

    private void SetType(PgDbType type)
    {
        _type = type;
        _isTypeSet = true;
        _dataTypeName = null;
        _derivedType = null;
        _dbType = 0;
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
    /// <param name="parameterName">The name, with or without "@" or ":"; null or empty for a positional parameter.</param>
    /// <param name="value">The value.</param>
    public PgParameter(string? parameterName, T? value)
    {
        ParameterName = parameterName;
        TypedValue = value;
    }

    /// <summary>Creates a parameter with a type.</summary>
    /// <param name="parameterName">The name, with or without "@" or ":"; null or empty for a positional parameter.</param>
    /// <param name="pgDbType">The type.</param>
    public PgParameter(string? parameterName, PgDbType pgDbType)
        : base(parameterName, pgDbType)
    {
    }

    /// <summary>Creates a parameter with a type.</summary>
    /// <param name="parameterName">The name, with or without "@" or ":"; null or empty for a positional parameter.</param>
    /// <param name="dbType">The type. <see cref="DbType.Object"/> lets the type follow from the value.</param>
    /// <exception cref="NotSupportedException">Parameters of that type are not supported.</exception>
    public PgParameter(string? parameterName, DbType dbType)
        : base(parameterName, dbType)
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

    internal override void Take(PgRow row, int column)
    {
        if (row.IsNull(column))
            base.Take(row, column);
        else
            TypedValue = row.GetLastingValue<T>(column);
    }

    internal override bool IsNull => !IsNeverNull && (TypedValue is null || (!typeof(T).IsValueType && TypedValue is DBNull));

    internal override bool IsReadOnce => !typeof(T).IsValueType && TypedValue is Stream and not MemoryStream;

    // For the common value types, this is a constant when the JIT compiles it for a T.
    private protected override uint SuggestedType(TypeCatalogue types) =>
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
        : IsMappedByType && types.ForClr(typeof(T)) is { } mapped ? mapped.Oid
        : TypeOf(TypedValue, types);

    // The type of such a value follows from T alone, so the value need not be boxed.
    private static readonly bool IsMappedByType =
        IsNeverNull && typeof(T) != typeof(PgRange<DateTime>) && !typeof(T).IsEnum && !Values.TryTypeOf(typeof(T), out _);

    private protected override bool HoldsText => typeof(T) == typeof(string) || (!typeof(T).IsValueType && TypedValue is string);

    private protected override bool SuggestsNamedType =>
        !Values.TryTypeOf(typeof(T), out _) && TypedValue is not null and not DBNull and not Stream && !Values.TryTypeOf(TypedValue.GetType(), out _);

    internal override void Write(ByteWriter writer, uint oid, TypeCatalogue types)
    {
        if (IsSentAsText)
            Values.Write(writer, Read(TypedValue!, Protocol.TypeOid.Unspecified), Protocol.TypeOid.Unspecified, Size);
        else if (Size <= 0 && (typeof(T).IsValueType || Writers<T>.Instance is not null))
            Values.Write(writer, TypedValue!, oid, types);
        else
            Values.Write(writer, Read(TypedValue!, oid), oid, Size, types);
    }

    private static DateTime AsDateTime(T value) => System.Runtime.CompilerServices.Unsafe.As<T, DateTime>(ref value);

    /// <inheritdoc/>
    public override PgParameter Clone() => new PgParameter<T>(this);
}
