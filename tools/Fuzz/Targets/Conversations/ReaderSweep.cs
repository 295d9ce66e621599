using System.Data.Common;
using System.Numerics;

namespace Slipstream.Fuzzing.Targets.Conversations;

/// <summary>Reads a reader as callers do: each value as object, as its own type, and as another type that may not fit.</summary>
internal sealed class ReaderSweep(uint seed, StateSet? states)
{
    private uint _random = seed | 1;

    private static readonly byte[] SomeBytes = new byte[64];
    private static readonly char[] SomeChars = new char[64];

    // Each reads one value in one way. If the type does not fit, the getter throws a documented exception.
    private static readonly Action<DbDataReader, int>[] Getters =
    [
        static (reader, i) => reader.GetBoolean(i),
        static (reader, i) => reader.GetByte(i),
        static (reader, i) => reader.GetInt16(i),
        static (reader, i) => reader.GetInt32(i),
        static (reader, i) => reader.GetInt64(i),
        static (reader, i) => reader.GetFloat(i),
        static (reader, i) => reader.GetDouble(i),
        static (reader, i) => reader.GetDecimal(i),
        static (reader, i) => reader.GetDateTime(i),
        static (reader, i) => reader.GetGuid(i),
        static (reader, i) => reader.GetString(i),
        static (reader, i) => reader.GetChar(i),
        static (reader, i) => reader.GetBytes(i, 0, null, 0, 0),
        static (reader, i) => reader.GetBytes(i, 1, SomeBytes, 3, 40),
        static (reader, i) => reader.GetChars(i, 1, SomeChars, 3, 40),
        static (reader, i) => { using var stream = reader.GetStream(i); stream.ReadExactly(new byte[Math.Min(stream.Length, 100)]); },
        static (reader, i) => { using var text = reader.GetTextReader(i); text.ReadToEnd(); },
        static (reader, i) => reader.GetFieldValue<sbyte>(i),
        static (reader, i) => reader.GetFieldValue<ushort>(i),
        static (reader, i) => reader.GetFieldValue<uint>(i),
        static (reader, i) => reader.GetFieldValue<ulong>(i),
        static (reader, i) => reader.GetFieldValue<byte[]>(i),
        static (reader, i) => reader.GetFieldValue<char[]>(i),
        static (reader, i) => reader.GetFieldValue<ReadOnlyMemory<byte>>(i),
        static (reader, i) => reader.GetFieldValue<DateOnly>(i),
        static (reader, i) => reader.GetFieldValue<TimeOnly>(i),
        static (reader, i) => reader.GetFieldValue<TimeSpan>(i),
        static (reader, i) => reader.GetFieldValue<DateTimeOffset>(i),
        static (reader, i) => reader.GetFieldValue<BigInteger>(i),
        static (reader, i) => reader.GetFieldValue<int?>(i),
        static (reader, i) => reader.GetFieldValue<Guid?>(i),
        static (reader, i) => reader.GetFieldValue<DayOfWeek>(i),
        static (reader, i) => reader.GetFieldValue<object>(i),
        static (reader, i) => reader.GetFieldValue<Version>(i),
    ];

    private static readonly Dictionary<Type, int[]> OwnGetters = new()
    {
        [typeof(bool)] = [0],
        [typeof(sbyte)] = [17, 4],
        [typeof(byte)] = [1, 4],
        [typeof(short)] = [2, 3],
        [typeof(ushort)] = [18, 3],
        [typeof(int)] = [3, 4, 7],
        [typeof(uint)] = [19, 4],
        [typeof(long)] = [4, 6],
        [typeof(ulong)] = [20],
        [typeof(float)] = [5, 6],
        [typeof(double)] = [6],
        [typeof(decimal)] = [7, 10, 28],
        [typeof(DateTime)] = [8, 24],
        [typeof(DateOnly)] = [24, 8],
        [typeof(TimeOnly)] = [25, 26],
        [typeof(TimeSpan)] = [26],
        [typeof(DateTimeOffset)] = [27],
        [typeof(Guid)] = [9, 30],
        [typeof(string)] = [10, 11, 14, 16, 22],
        [typeof(byte[])] = [12, 13, 15, 21, 23],
    };

    public void Describe(DbDataReader reader)
    {
        for (var i = 0; i < reader.FieldCount; i++)
        {
            states?.Visit(Words.Number(reader.GetFieldType(i).Name) ^ reader.GetDataTypeName(i).Length);
            if (reader.GetName(i) is null)
                throw new FuzzFinding("a column without a name");
        }

        if (reader.FieldCount == 0)
            return;
        reader.GetOrdinal(reader.GetName(reader.FieldCount - 1));
        if (Random() % 8 == 0)
            reader.GetColumnSchema();
        if (Random() % 32 == 0)
            reader.GetSchemaTable()?.Dispose();
    }

    public void Row(DbDataReader reader)
    {
        var columns = reader.FieldCount;
        for (var i = 0; i < columns; i++)
        {
            if (reader.IsDBNull(i))
                continue;
            Try(static (reader, i) => reader.GetValue(i), reader, i);
            if (OwnGetters.TryGetValue(reader.GetFieldType(i), out var own))
                Try(Getters[own[Random() % own.Length]], reader, i);
        }

        if (columns > 0 && Random() % 4 == 0)
            Try(Getters[Random() % Getters.Length], reader, (int)(Random() % columns));
    }

    public void Stream(DbDataReader reader)
    {
        var columns = reader.FieldCount;
        for (var i = 0; i < columns; i++)
        {
            if (Random() % 4 == 0)
                continue;
            if (reader.IsDBNull(i))
                continue;
            if (reader.GetFieldType(i) == typeof(byte[]))
                Try(static (reader, i) => { using var stream = reader.GetStream(i); stream.CopyTo(System.IO.Stream.Null); }, reader, i);
            else if (reader.GetFieldType(i) == typeof(string))
                Try(Getters[Random() % 2 == 0 ? 16 : 14], reader, i);
            else
                Try(static (reader, i) => reader.GetValue(i), reader, i);
        }
    }

    private void Try(Action<DbDataReader, int> getter, DbDataReader reader, int ordinal)
    {
        try
        {
            getter(reader, ordinal);
        }
        catch (Exception exception) when (Documented.OfValues(exception))
        {
            states?.Visit(Words.Number(exception.GetType().Name) ^ Words.Number(reader.GetFieldType(ordinal).Name) * 31);
        }
    }

    private uint Random()
    {
        _random ^= _random << 13;
        _random ^= _random >> 17;
        return _random ^= _random << 5;
    }
}
