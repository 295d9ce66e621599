using System.Data;
using System.Data.Common;
using System.Globalization;

namespace Slipstream.Core.Data;

/// <summary>
/// The rows of an <see cref="IDataReader"/>. Numbers, dates and identifiers of a <see cref="DbDataReader"/> are not boxed. Readers that an application wrote
/// only for bulk copies often implement no more than FieldCount, Read and GetValues: a member that is not implemented is not called again.
/// </summary>
internal sealed class ReaderBulkSource<TRow>(IDataReader reader, CancellationToken cancellationToken) : BulkSource<TRow> where TRow : struct, IBulkRow
{
    // Number of digits that every System.Decimal can hold.
    private const int DecimalDigits = 28;

    private enum Getter : byte
    {
        Object,
        Boolean,
        Byte,
        Int16,
        Int32,
        Int64,
        Single,
        Double,
        Decimal,
        LongDecimal,
        DateTime,
        Guid,
        String,
    }

    private int[] _ordinals = [];
    private Getter[] _getters = [];
    private object?[]? _values;
    private bool _hasValues;
    private bool _asksForNull = true;

    public override int FieldCount => reader.FieldCount;

    public override void Map(int[] ordinals)
    {
        _ordinals = ordinals;
        _getters = new Getter[ordinals.Length];
        if (reader is not DbDataReader)
        {
            _values = new object?[reader.FieldCount];
            return;
        }

        for (var i = 0; i < ordinals.Length; i++)
            _getters[i] = GetterOf(ordinals[i]);
    }

    public override bool MoveNext()
    {
        _hasValues = false;
        return reader.Read();
    }

    public override ValueTask<bool> MoveNextAsync()
    {
        _hasValues = false;
        return reader is DbDataReader asynchronous ? new(asynchronous.ReadAsync(cancellationToken)) : new(reader.Read());
    }

    public override void Write(TRow row)
    {
        for (var i = 0; i < _ordinals.Length; i++)
        {
            if (_getters[i] == Getter.Object)
                row.Write(ValueOf(_ordinals[i]));
            else if (IsNull(i))
                row.WriteNull();
            else
                Write(row, i);
        }
    }

    private void Write(TRow row, int i)
    {
        switch (_getters[i])
        {
            case Getter.Int32: Write(row, i, static (reader, ordinal) => reader.GetInt32(ordinal)); break;
            case Getter.Int64: Write(row, i, static (reader, ordinal) => reader.GetInt64(ordinal)); break;
            case Getter.String: Write(row, i, static (reader, ordinal) => reader.GetString(ordinal)); break;
            case Getter.DateTime: Write(row, i, static (reader, ordinal) => reader.GetDateTime(ordinal)); break;
            case Getter.Decimal: Write(row, i, static (reader, ordinal) => reader.GetDecimal(ordinal)); break;
            case Getter.Boolean: Write(row, i, static (reader, ordinal) => reader.GetBoolean(ordinal)); break;
            case Getter.Double: Write(row, i, static (reader, ordinal) => reader.GetDouble(ordinal)); break;
            case Getter.Guid: Write(row, i, static (reader, ordinal) => reader.GetGuid(ordinal)); break;
            case Getter.Int16: Write(row, i, static (reader, ordinal) => reader.GetInt16(ordinal)); break;
            case Getter.Byte: Write(row, i, static (reader, ordinal) => reader.GetByte(ordinal)); break;
            case Getter.Single: Write(row, i, static (reader, ordinal) => reader.GetFloat(ordinal)); break;
            case Getter.LongDecimal: WriteLongDecimal(row, reader.GetString(_ordinals[i])); break;
            default: row.Write(ValueOf(_ordinals[i])); break;
        }
    }

    private void Write<T>(TRow row, int i, Func<IDataReader, int, T> get)
    {
        T value;
        try
        {
            value = get(reader, _ordinals[i]);
        }
        catch (Exception exception) when (IsNotOffered(exception) || exception is InvalidCastException)
        {
            _getters[i] = Getter.Object;
            row.Write(ValueOf(_ordinals[i]));
            return;
        }
        catch (OverflowException) when (_getters[i] == Getter.Decimal && reader is ProviderDataReader)
        {
            row.Write(reader.GetString(_ordinals[i]));
            return;
        }

        row.Write(value);
    }

    // As a number if it can be represented exactly, otherwise as its digits.
    private static void WriteLongDecimal(TRow row, string digits)
    {
        var significant = digits.AsSpan();
        if (significant.Contains('.'))
            significant = significant.TrimEnd('0').TrimEnd('.');
        // Every decimal can hold 28 digits, at most 28 of them after the decimal point.
        if (significant.TrimStart("-0.").Length <= DecimalDigits && significant.Length - significant.IndexOf('.') - 1 <= DecimalDigits + 1
            && decimal.TryParse(significant, NumberStyles.Number, CultureInfo.InvariantCulture, out var number))
        {
            row.Write(number);
        }
        else
            row.Write(digits);
    }

    private bool IsNull(int i)
    {
        if (_asksForNull)
        {
            try
            {
                return reader.IsDBNull(_ordinals[i]);
            }
            catch (Exception exception) when (IsNotOffered(exception))
            {
                _asksForNull = false;
            }
        }

        // Typed getters cannot return NULL.
        Array.Fill(_getters, Getter.Object);
        return false;
    }

    private object? ValueOf(int ordinal)
    {
        if (_values is null)
        {
            try
            {
                return reader.GetValue(ordinal);
            }
            catch (Exception exception) when (IsNotOffered(exception))
            {
                _values = new object?[reader.FieldCount];
            }
        }

        if (!_hasValues)
        {
            try
            {
                reader.GetValues(_values!);
            }
            catch (Exception exception) when (IsNotOffered(exception))
            {
                for (var i = 0; i < _values.Length; i++)
                    _values[i] = reader.GetValue(i);
            }

            _hasValues = true;
        }

        return _values[ordinal];
    }

    private Getter GetterOf(int ordinal)
    {
        Type type;
        try
        {
            type = reader.GetFieldType(ordinal);
        }
        catch (Exception exception) when (IsNotOffered(exception))
        {
            return Getter.Object;
        }

        if (type == typeof(decimal))
            return reader is ProviderDataReader own && own.GetColumnSchema()[ordinal].NumericPrecision > DecimalDigits ? Getter.LongDecimal : Getter.Decimal;
        return GetterOf(type);
    }

    private static bool IsNotOffered(Exception exception) => exception is NotSupportedException or NotImplementedException;

    private static Getter GetterOf(Type type) => type switch
    {
        _ when type == typeof(int) => Getter.Int32,
        _ when type == typeof(long) => Getter.Int64,
        _ when type == typeof(string) => Getter.String,
        _ when type == typeof(DateTime) => Getter.DateTime,
        _ when type == typeof(bool) => Getter.Boolean,
        _ when type == typeof(double) => Getter.Double,
        _ when type == typeof(Guid) => Getter.Guid,
        _ when type == typeof(short) => Getter.Int16,
        _ when type == typeof(byte) => Getter.Byte,
        _ when type == typeof(float) => Getter.Single,
        _ => Getter.Object,
    };
}
