using System.Data;
using System.Data.Common;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Protocol.Responses;
using Name = Slipstream.MySql.ParameterName;

namespace Slipstream.MySql;

/// <summary>
/// A value for a place in a statement: "@name" or "?name" by name, "?" by position. The type follows from the value unless
/// <see cref="DbType"/> or <see cref="MySqlDbType"/> was set. <see cref="MySqlParameter{T}"/> does not box.
/// </summary>
public class MySqlParameter : ProviderParameter, ICloneable
{
    private object? _value;
    private short _type;
    private bool _isTypeSet;

    // One more than the DbType that was set, since several stand for one MySqlDbType; 0 when none was.
    private byte _dbType;

    /// <summary>A parameter without name and value.</summary>
    public MySqlParameter()
        : base("")
    {
    }

    /// <summary>Remember that a constant 0 as the value is taken for a MySqlDbType by the compiler.</summary>
    public MySqlParameter(string? name, object? value)
        : base(name) => _value = value;

    /// <summary>A parameter with its name and the type that it is sent as.</summary>
    public MySqlParameter(string? name, MySqlDbType mySqlDbType)
        : this(name, mySqlDbType, 0)
    {
    }

    /// <summary>A parameter with its name, its type, and how much of a value is sent: characters of a text, bytes of others; 0 sends all.</summary>
    public MySqlParameter(string? name, MySqlDbType mySqlDbType, int size)
        : this(name, mySqlDbType, size, "")
    {
    }

    /// <summary>The same, for a column of a <see cref="DataTable"/>.</summary>
    public MySqlParameter(string? name, MySqlDbType mySqlDbType, int size, string? sourceColumn)
        : base(name, size, sourceColumn) => SetType(mySqlDbType);

    /// <summary>A parameter with all its properties.</summary>
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

    /// <summary>Null and DBNull.Value both are the server's NULL.</summary>
    public override object? Value
    {
        get => _value;
        set => _value = value;
    }

    /// <summary>The type that was set, or the one of the value.</summary>
    public override DbType DbType
    {
        get => _dbType != 0 ? (DbType)(_dbType - 1) : !_isTypeSet && ClrType == typeof(DateTimeOffset) ? DbType.DateTimeOffset : ParameterTypes.ToDbType(MySqlDbType);
        set
        {
            if (ParameterTypes.FromDbType(value) is { } type)
                SetType(type);
            else
                ResetDbType();
            _dbType = (byte)(value + 1);
        }
    }

    /// <summary>The type that was set, or the one of the value.</summary>
    public MySqlDbType MySqlDbType
    {
        get => _isTypeSet ? (MySqlDbType)_type : ParameterTypes.Of(ClrType);
        set => SetType(value);
    }

    /// <summary>Whether the type was set, so that the value has to follow it.</summary>
    internal bool IsTypeSet => _isTypeSet;

    /// <summary>Whether somebody said which way the value goes.</summary>
    internal bool HasDirection => IsDirectionSet;

    /// <summary>True when NULL is sent.</summary>
    internal virtual bool IsNull => _value is null or DBNull;

    /// <summary>The type of the value, null when there is none.</summary>
    internal virtual Type? ClrType => IsNull ? null : _value!.GetType();

    /// <summary>The type follows from the value again.</summary>
    public override void ResetDbType()
    {
        _isTypeSet = false;
        _dbType = 0;
    }

    /// <summary>The same name, type and value (not a copy of it), in no collection.</summary>
    public virtual MySqlParameter Clone() => new(this);

    object ICloneable.Clone() => Clone();

    /// <summary>The name without prefix and quotes.</summary>
    internal ReadOnlySpan<char> BareName => Name.Bare(ParameterName);

    /// <summary>−1 says "any size"; a size cuts no value.</summary>
    private protected override int LeastSize => -1;

    /// <inheritdoc/>
    private protected override ReadOnlySpan<char> BareOf(string name) => Name.Bare(name);

    /// <inheritdoc/>
    internal override ProviderParameter CloneParameter() => Clone();

    /// <summary>The value as a literal in SQL text, NULL included.</summary>
    internal virtual void WriteText(ByteWriter writer, LiteralRules rules, CodecSettings settings) => ParameterWriter.WriteText(writer, Sent(_value), settings, rules);

    /// <summary>The value, which is not NULL, as a prepared statement's parameter.</summary>
    internal virtual void WriteBinary(ByteWriter writer, CodecSettings settings) => ParameterWriter.WriteBinary(writer, Sent(_value), settings);

    /// <summary>Whether the value can count rows, behind LIMIT.</summary>
    internal virtual bool IsCount => ParameterWriter.IsCount(Sent(_value));

    /// <summary>The type of what <see cref="WriteBinary"/> writes.</summary>
    /// <exception cref="NotSupportedException">A value of this type cannot be sent.</exception>
    internal virtual ushort WireType(CodecSettings settings) => ParameterWriter.WireType(Sent(_value), settings);

    /// <summary>True for a value that comes in pieces: of a Stream or a TextReader. (A MemoryStream lies there already.)</summary>
    internal bool IsLong => LongSource is TextReader or Stream and not MemoryStream;

    /// <summary>The type of such a value.</summary>
    internal ushort LongType => (ushort)(LongSource is TextReader ? ColumnType.VarString : ColumnType.Blob);

    /// <summary>The only type that the value may have; null when it may have any.</summary>
    internal virtual Type? HeldType => null;

    /// <summary>The value, when it is an object.</summary>
    private protected virtual object? LongSource => _value;

    /// <summary>The pieces of a value that comes in pieces, from where it stands; null for any other.</summary>
    internal Pieces? LongPieces() => LongSource switch
    {
        null or MemoryStream => null,
        Stream stream => new StreamPieces(stream),
        TextReader reader => new TextPieces(reader),
        _ => null,
    };

    /// <summary>
    /// What is sent for a value: all of it, whatever <see cref="ProviderParameter.Size"/> says; an enumeration by its name where its type was set to CHAR or
    /// VARCHAR.
    /// </summary>
    private protected object? Sent(object? value) => _isTypeSet && value is Enum word && (MySqlDbType)_type is MySqlDbType.VarChar or MySqlDbType.String ? word.ToString("G") : value;

    private void SetType(MySqlDbType type)
    {
        _type = (short)type;
        _isTypeSet = true;
        _dbType = 0;
    }
}

/// <summary>A parameter whose value is of one type and is never boxed. (Not in MySqlConnector.)</summary>
public sealed class MySqlParameter<T> : MySqlParameter
{
    // A type that was set concerns enumerations only: numbers, dates and the like never take the way that boxes.
    private static readonly bool IsNeverChanged = typeof(T).IsValueType && !(Nullable.GetUnderlyingType(typeof(T)) ?? typeof(T)).IsEnum;

    /// <summary>A parameter without name and value.</summary>
    public MySqlParameter()
    {
    }

    /// <summary>A parameter with its name and value; null is the server's NULL.</summary>
    public MySqlParameter(string? name, T? value)
    {
        ParameterName = name;
        TypedValue = value;
    }

    /// <summary>A parameter with its name and the type that it is sent as.</summary>
    public MySqlParameter(string? name, MySqlDbType mySqlDbType)
        : base(name, mySqlDbType)
    {
    }

    private MySqlParameter(MySqlParameter<T> other)
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

    private bool IsSentAsItIs => IsNeverChanged || !IsTypeSet;

    private protected override object? LongSource => typeof(T).IsValueType ? null : TypedValue;

    internal override Type? HeldType => typeof(T) == typeof(object) ? null : typeof(T);

    internal override Type? ClrType => typeof(T) == typeof(object) ? TypedValue?.GetType() : typeof(T);

    /// <inheritdoc/>
    public override MySqlParameter Clone() => new MySqlParameter<T>(this);

    internal override void WriteText(ByteWriter writer, LiteralRules rules, CodecSettings settings)
    {
        if (IsSentAsItIs)
            ParameterWriter.WriteText(writer, TypedValue, settings, rules);
        else
            ParameterWriter.WriteText(writer, Sent(TypedValue), settings, rules);
    }

    internal override void WriteBinary(ByteWriter writer, CodecSettings settings)
    {
        if (IsSentAsItIs)
            ParameterWriter.WriteBinary(writer, TypedValue, settings);
        else
            ParameterWriter.WriteBinary(writer, Sent(TypedValue), settings);
    }

    internal override bool IsCount => IsSentAsItIs ? ParameterWriter.IsCount(TypedValue) : ParameterWriter.IsCount(Sent(TypedValue));

    internal override ushort WireType(CodecSettings settings) =>
        IsSentAsItIs ? ParameterWriter.WireType(TypedValue, settings) : ParameterWriter.WireType(Sent(TypedValue), settings);
}
