using System.Data;
using System.Data.Common;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conventions;
using Slipstream.MySql.Protocol.Responses;
using Name = Slipstream.MySql.ParameterName;

namespace Slipstream.MySql;

/// <summary>
/// A value for a placeholder in a statement: "@name" or "?name" by name, "?" by position. The value determines the type unless <see cref="DbType"/> or
/// <see cref="MySqlDbType"/> was set. <see cref="MySqlParameter{T}"/> does not box its value.
/// </summary>
public class MySqlParameter : ProviderParameter, ICloneable
{
    private object? _value;
    private short _type;
    private bool _isTypeSet;

    // The DbType that was set plus one, since several DbTypes map to one MySqlDbType; 0 if none was set.
    private byte _dbType;

    /// <summary>Creates a parameter without name and value.</summary>
    public MySqlParameter()
        : base("")
    {
    }

    /// <summary>Creates a parameter with its name and value.</summary>
    /// <remarks>The compiler converts a constant 0 as the value to <see cref="MySqlDbType"/>. Cast it to object.</remarks>
    /// <param name="name">The name, with or without its prefix.</param>
    /// <param name="value">The value; null is NULL.</param>
    public MySqlParameter(string? name, object? value)
        : base(name)
    {
        _value = value;
        NoteType();
    }

    /// <summary>Creates a parameter with its name and type.</summary>
    /// <param name="name">The name, with or without its prefix.</param>
    /// <param name="mySqlDbType">The type that the value is sent as.</param>
    public MySqlParameter(string? name, MySqlDbType mySqlDbType)
        : this(name, mySqlDbType, 0)
    {
    }

    /// <summary>Creates a parameter with its name, type and size.</summary>
    /// <param name="name">The name, with or without its prefix.</param>
    /// <param name="mySqlDbType">The type that the value is sent as.</param>
    /// <param name="size">The declared size: characters of a text, bytes of other types. The driver sends the whole value whatever the size.</param>
    public MySqlParameter(string? name, MySqlDbType mySqlDbType, int size)
        : this(name, mySqlDbType, size, "")
    {
    }

    /// <summary>Creates a parameter with its name, type and size, for a column of a <see cref="DataTable"/>.</summary>
    /// <param name="name">The name, with or without its prefix.</param>
    /// <param name="mySqlDbType">The type that the value is sent as.</param>
    /// <param name="size">The declared size: characters of a text, bytes of other types. The driver sends the whole value whatever the size.</param>
    /// <param name="sourceColumn">The column of a <see cref="DataTable"/> from which a data adapter takes the value.</param>
    public MySqlParameter(string? name, MySqlDbType mySqlDbType, int size, string? sourceColumn)
        : base(name, size, sourceColumn) => SetType(mySqlDbType);

    /// <summary>Creates a parameter with all its properties.</summary>
    /// <param name="name">The name, with or without its prefix.</param>
    /// <param name="mySqlDbType">The type that the value is sent as.</param>
    /// <param name="size">The declared size: characters of a text, bytes of other types. The driver sends the whole value whatever the size.</param>
    /// <param name="direction">The direction.</param>
    /// <param name="isNullable">Whether the value may be null. The driver does not use it.</param>
    /// <param name="precision">The number of digits of a decimal number. The driver does not use it.</param>
    /// <param name="scale">The number of digits after the decimal point. The driver does not use it.</param>
    /// <param name="sourceColumn">The column of a <see cref="DataTable"/> from which a data adapter takes the value.</param>
    /// <param name="sourceVersion">The version of the row from which a data adapter takes the value.</param>
    /// <param name="value">The value; null is NULL.</param>
    public MySqlParameter(
        string? name, MySqlDbType mySqlDbType, int size, ParameterDirection direction, bool isNullable, byte precision, byte scale,
        string? sourceColumn, DataRowVersion sourceVersion, object? value)
        : this(name, mySqlDbType, size, sourceColumn)
    {
        base.Direction = direction;
        base.IsNullable = isNullable;
        _value = value;
        base.Precision = precision;
        base.Scale = scale;
        base.SourceVersion = sourceVersion;
    }

    private protected MySqlParameter(MySqlParameter other)
        : base(other)
    {
        _value = other._value;
        _type = other._type;
        _isTypeSet = other._isTypeSet;
        _dbType = other._dbType;
    }

    /// <summary>Gets or sets the value. Null and <see cref="DBNull"/> are both NULL.</summary>
    public override object? Value
    {
        get => _value;
        set
        {
            _value = value;
            NoteType();
        }
    }

    /// <summary>Gets or sets the type. Default: the type of the value.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is not a member of <see cref="System.Data.DbType"/>.</exception>
    public override DbType DbType
    {
        get =>
            _dbType != 0
                ? (DbType)(_dbType - 1)
                : !_isTypeSet && ClrType == typeof(DateTimeOffset)
                ? DbType.DateTimeOffset
                : ParameterTypes.ToDbType(MySqlDbType);
        set
        {
            if (ParameterTypes.FromDbType(value) is { } type)
                SetType(type);
            else
                ResetDbType();
            _dbType = (byte)(value + 1);
        }
    }

    /// <summary>Gets or sets the type. Default: the type of the value.</summary>
    public MySqlDbType MySqlDbType
    {
        get =>
            _isTypeSet
                ? (MySqlDbType)_type
                : _dbType == (byte)DbType.Object + 1 && ThisAssembly.Conventions.KnowsFewerParameterTypes
                ? MySqlDbType.Vector
                : ThisAssembly.Conventions.KeepsParameterTypes && _type != 0
                ? (MySqlDbType)_type
                : ParameterTypes.Of(ClrType);
        set => SetType(value);
    }

    /// <summary>Whether the type was set explicitly.</summary>
    internal bool IsTypeSet => _isTypeSet;

    /// <summary>Whether the direction was set explicitly.</summary>
    internal bool HasDirection => IsDirectionSet;

    /// <summary>Whether the driver sends NULL.</summary>
    internal virtual bool IsNull => _value is null or DBNull;

    /// <summary>The type of the value; null if there is no value.</summary>
    internal virtual Type? ClrType => IsNull ? null : _value!.GetType();

    /// <summary>Clears the type that was set: the value determines the type again.</summary>
    public override void ResetDbType()
    {
        _isTypeSet = false;
        _dbType = 0;
        if (ThisAssembly.Conventions.KeepsParameterTypes)
            _type = (short)ParameterTypes.Unknown;
    }

    /// <summary>
    /// Creates a parameter with the same name, type, value and other properties. The value itself is not copied. The clone does not belong to a collection.
    /// </summary>
    /// <returns>The new parameter.</returns>
    public virtual MySqlParameter Clone() => new(this);

    object ICloneable.Clone() => Clone();

    /// <summary>The name without prefix and quotes.</summary>
    internal ReadOnlySpan<char> BareName => Name.Bare(ParameterName);

    /// <inheritdoc/>
    private protected override ReadOnlySpan<char> BareOf(string name) => Name.Bare(name);

    /// <inheritdoc/>
    internal override ProviderParameter CloneParameter() => Clone();

    /// <summary>Writes the value as a literal of SQL text, including NULL.</summary>
    internal virtual void WriteText(ByteWriter writer, LiteralRules rules, CodecSettings settings) =>
        ParameterWriter.WriteText(writer, Sent(_value), settings, rules);

    /// <summary>Writes the value, which must not be NULL, as a parameter of a prepared statement.</summary>
    internal virtual void WriteBinary(ByteWriter writer, CodecSettings settings) => ParameterWriter.WriteBinary(writer, Sent(_value), settings);

    /// <summary>Whether the value can be a row count after LIMIT.</summary>
    internal virtual bool IsCount => ParameterWriter.IsCount(Sent(_value));

    /// <summary>Returns the type of the value that <see cref="WriteBinary"/> writes.</summary>
    /// <exception cref="NotSupportedException">The driver cannot send values of this type.</exception>
    internal virtual ushort WireType(CodecSettings settings) => ParameterWriter.WireType(Sent(_value), settings);

    /// <summary>Whether the value is sent in pieces: a Stream or TextReader, but not a MemoryStream, which is in memory already.</summary>
    internal bool IsLong => LongSource is TextReader or Stream and not MemoryStream;

    /// <summary>The wire type of a value that is sent in pieces.</summary>
    internal ushort LongType => (ushort)(LongSource is TextReader ? ColumnType.VarString : ColumnType.Blob);

    /// <summary>The only type that the value may have; null for any type.</summary>
    internal virtual Type? HeldType => null;

    /// <summary>The value, if it is an object.</summary>
    private protected virtual object? LongSource => _value;

    /// <summary>Returns the pieces of a value that is sent in pieces, from its current position; null for other values.</summary>
    internal Pieces? LongPieces() => LongSource switch
    {
        null or MemoryStream => null,
        Stream stream => new StreamPieces(stream),
        TextReader reader => new TextPieces(reader),
        _ => null,
    };

    /// <summary>
    /// Returns what the driver sends for a value. It sends an enumeration by name if the type was set to CHAR or VARCHAR. It sends the whole value whatever
    /// <see cref="ProviderParameter.Size"/> is.
    /// </summary>
    private protected object? Sent(object? value) =>
        _isTypeSet && value is Enum word && (MySqlDbType)_type is MySqlDbType.VarChar or MySqlDbType.String ? word.ToString("G") : value;

    private void NoteType()
    {
        if (ThisAssembly.Conventions.KeepsParameterTypes && !_isTypeSet && !IsNull)
            _type = (short)ParameterTypes.Of(ClrType);
    }

    private void SetType(MySqlDbType type)
    {
        _type = (short)type;
        _isTypeSet = true;
        _dbType = 0;
    }
}

/// <summary>A parameter whose value has one type and is never boxed. (Not in MySqlConnector.)</summary>
/// <typeparam name="T">The type of the value.</typeparam>
public sealed class MySqlParameter<T> : MySqlParameter
{
    // A type that was set matters only for enumerations. Numbers, dates and other value types never use the code that boxes.
    private static readonly bool IsNeverChanged = typeof(T).IsValueType && !(Nullable.GetUnderlyingType(typeof(T)) ?? typeof(T)).IsEnum;

    /// <summary>Creates a parameter without name and value.</summary>
    public MySqlParameter()
    {
    }

    /// <summary>Creates a parameter with its name and value.</summary>
    /// <param name="name">The name, with or without its prefix.</param>
    /// <param name="value">The value; null is NULL.</param>
    public MySqlParameter(string? name, T? value)
    {
        ParameterName = name;
        TypedValue = value;
    }

    /// <summary>Creates a parameter with its name and type.</summary>
    /// <param name="name">The name, with or without its prefix.</param>
    /// <param name="mySqlDbType">The type that the value is sent as.</param>
    public MySqlParameter(string? name, MySqlDbType mySqlDbType)
        : base(name, mySqlDbType)
    {
    }

    private MySqlParameter(MySqlParameter<T> other)
        : base(other) => TypedValue = other.TypedValue;

    /// <summary>Gets or sets the value without boxing it. Null is NULL.</summary>
    public T? TypedValue { get; set; }

    /// <summary>Gets or sets the value, boxed. Null and <see cref="DBNull"/> set the default of <typeparamref name="T"/>.</summary>
    /// <exception cref="InvalidCastException">The value has another type.</exception>
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

    // Computed once, so that the check does not box a value.
    private static readonly bool IsNeverNull = typeof(T).IsValueType && default(T) is not null;

    internal override bool IsNull => !IsNeverNull && (TypedValue is null || (!typeof(T).IsValueType && TypedValue is DBNull));

    private bool IsSentUnchanged => IsNeverChanged || !IsTypeSet;

    private protected override object? LongSource => typeof(T).IsValueType ? null : TypedValue;

    internal override Type? HeldType => typeof(T) == typeof(object) ? null : typeof(T);

    internal override Type? ClrType => typeof(T) == typeof(object) ? TypedValue?.GetType() : typeof(T);

    /// <inheritdoc/>
    public override MySqlParameter Clone() => new MySqlParameter<T>(this);

    internal override void WriteText(ByteWriter writer, LiteralRules rules, CodecSettings settings)
    {
        if (IsSentUnchanged)
            ParameterWriter.WriteText(writer, TypedValue, settings, rules);
        else
            ParameterWriter.WriteText(writer, Sent(TypedValue), settings, rules);
    }

    internal override void WriteBinary(ByteWriter writer, CodecSettings settings)
    {
        if (IsSentUnchanged)
            ParameterWriter.WriteBinary(writer, TypedValue, settings);
        else
            ParameterWriter.WriteBinary(writer, Sent(TypedValue), settings);
    }

    internal override bool IsCount => IsSentUnchanged ? ParameterWriter.IsCount(TypedValue) : ParameterWriter.IsCount(Sent(TypedValue));

    internal override ushort WireType(CodecSettings settings) =>
        IsSentUnchanged ? ParameterWriter.WireType(TypedValue, settings) : ParameterWriter.WireType(Sent(TypedValue), settings);
}
