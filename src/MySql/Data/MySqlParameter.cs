using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Codecs;

namespace Slipstream.MySql;

/// <summary>
/// A value for a place in a statement: "@name" or "?name" by name, "?" by position. The type follows from the value unless
/// <see cref="DbType"/> or <see cref="MySqlDbType"/> was set. <see cref="MySqlParameter{T}"/> does not box.
/// </summary>
public class MySqlParameter : DbParameter, ICloneable
{
    private string _name;
    private object? _value;
    private Rarities? _rarities;
    private int _size;
    private short _type;
    private bool _isTypeSet;
    private bool _isNullable;
    private byte _direction = (byte)ParameterDirection.Input;

    public MySqlParameter() => _name = "";

    /// <summary>Remember that a constant 0 as the value is taken for a MySqlDbType by the compiler.</summary>
    public MySqlParameter(string? name, object? value)
    {
        _name = name ?? "";
        _value = value;
    }

    public MySqlParameter(string? name, MySqlDbType mySqlDbType)
        : this(name, mySqlDbType, 0)
    {
    }

    public MySqlParameter(string? name, MySqlDbType mySqlDbType, int size)
        : this(name, mySqlDbType, size, "")
    {
    }

    public MySqlParameter(string? name, MySqlDbType mySqlDbType, int size, string? sourceColumn)
    {
        _name = name ?? "";
        SetType(mySqlDbType);
        _size = size;
        if (!string.IsNullOrEmpty(sourceColumn))
            Rare.SourceColumn = sourceColumn;
    }

    public MySqlParameter(
        string? name, MySqlDbType mySqlDbType, int size, ParameterDirection direction, bool isNullable, byte precision, byte scale,
        string? sourceColumn, DataRowVersion sourceVersion, object? value)
        : this(name, mySqlDbType, size, sourceColumn)
    {
        SetDirection(direction);
        _isNullable = isNullable;
        _value = value;
        Rare.Precision = precision;
        Rare.Scale = scale;
        Rare.SourceVersion = sourceVersion;
    }

    private protected MySqlParameter(MySqlParameter other)
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

    /// <summary>"" for a positional parameter. The prefix and quotes do not matter.</summary>
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
        get => ParameterTypes.ToDbType(MySqlDbType);
        set
        {
            if (ParameterTypes.FromDbType(value) is { } type)
                SetType(type);
            else
                ResetDbType();
        }
    }

    /// <summary>The type that was set, or the one of the value.</summary>
    public MySqlDbType MySqlDbType
    {
        get => _isTypeSet ? (MySqlDbType)_type : ParameterTypes.Of(ClrType);
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

    /// <summary>The most characters or bytes of the value that are sent; 0 and −1 send all.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is less than −1.</exception>
    public override int Size
    {
        get => _size;
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, -1);
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

    /// <summary>The type of the value, null when there is none.</summary>
    internal virtual Type? ClrType => IsNull ? null : _value!.GetType();

    /// <summary>The name without prefix and quotes.</summary>
    internal ReadOnlySpan<char> BareName => MySql.ParameterName.Bare(_name);

    /// <summary>Who must hear of a new name; null in none.</summary>
    internal MySqlParameterCollection? Collection { get; set; }

    private Rarities Rare => _rarities ??= new();

    /// <summary>The type follows from the value again.</summary>
    public override void ResetDbType() => _isTypeSet = false;

    /// <summary>The same name, type and value (not a copy of it), in no collection.</summary>
    public virtual MySqlParameter Clone() => new(this);

    object ICloneable.Clone() => Clone();

    /// <summary>The value as a literal in SQL text, NULL included.</summary>
    internal virtual void WriteText(ByteWriter writer, LiteralRules rules, CodecSettings settings) => ParameterWriter.WriteText(writer, Sent(_value), settings, rules);

    /// <summary>The value, which is not NULL, as a prepared statement's parameter.</summary>
    internal virtual void WriteBinary(ByteWriter writer, CodecSettings settings) => ParameterWriter.WriteBinary(writer, Sent(_value), settings);

    /// <summary>The type of what <see cref="WriteBinary"/> writes.</summary>
    /// <exception cref="NotSupportedException">A value of this type cannot be sent.</exception>
    internal virtual ushort WireType(CodecSettings settings) => ParameterWriter.WireType(Sent(_value), settings);

    /// <summary>What is sent for a value: cut to <see cref="Size"/>; an enumeration by its name where its type was set to a string.</summary>
    private protected object? Sent(object? value)
    {
        if (_isTypeSet && value is Enum word && ParameterTypes.IsText((MySqlDbType)_type))
            value = word.ToString("G");
        return _size <= 0 ? value : value switch
        {
            string text when text.Length > _size => text[..WholeCharacters(text)],
            char[] text when text.Length > _size => text.AsMemory(0, WholeCharacters(text)),
            ReadOnlyMemory<char> text when text.Length > _size => text[..WholeCharacters(text.Span)],
            Memory<char> text when text.Length > _size => text[..WholeCharacters(text.Span)],
            StringBuilder text when text.Length > _size => text.ToString(0, _size),
            byte[] bytes when bytes.Length > _size => bytes.AsMemory(0, _size),
            ReadOnlyMemory<byte> bytes when bytes.Length > _size => bytes[.._size],
            Memory<byte> bytes when bytes.Length > _size => bytes[.._size],
            ArraySegment<byte> bytes when bytes.Count > _size => bytes[.._size],
            _ => value,
        };
    }

    // Half a surrogate pair is no character: the server would store a replacement mark.
    private int WholeCharacters(ReadOnlySpan<char> text) => char.IsHighSurrogate(text[_size - 1]) ? _size - 1 : _size;

    private void SetType(MySqlDbType type)
    {
        _type = (short)type;
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

/// <summary>A parameter whose value is of one type and is never boxed. (Not in MySqlConnector.)</summary>
public sealed class MySqlParameter<T> : MySqlParameter
{
    // The size concerns texts and bytes only, a type that was set enumerations only: numbers, dates and the like never take the way that boxes.
    private static readonly bool IsNeverChanged = typeof(T).IsValueType && !typeof(T).IsEnum && ParameterTypes.IsOfFixedSize(ParameterTypes.Of(typeof(T)));

    public MySqlParameter()
    {
    }

    public MySqlParameter(string? name, T? value)
    {
        ParameterName = name;
        TypedValue = value;
    }

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

    internal override bool IsNull => TypedValue is null or DBNull;

    private bool IsSentAsItIs => IsNeverChanged || (Size <= 0 && !IsTypeSet);

    internal override Type? ClrType => typeof(T) == typeof(object) ? TypedValue?.GetType() : typeof(T);

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

    internal override ushort WireType(CodecSettings settings) =>
        IsSentAsItIs ? ParameterWriter.WireType(TypedValue, settings) : ParameterWriter.WireType(Sent(TypedValue), settings);
}
