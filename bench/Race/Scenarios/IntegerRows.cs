using System.Collections;
using System.Data.Common;

namespace Slipstream.Race.Scenarios;

/// <summary>The rows of the insert race as a reader, for bulk interfaces that take one: three consecutive integers each.</summary>
internal sealed class IntegerRows(int rows) : DbDataReader
{
    private static readonly string[] Names = ["a", "b", "c"];
    private int _row = -1;

    public override int FieldCount => Names.Length;

    public override int Depth => 0;

    public override bool HasRows => rows > 0;

    public override bool IsClosed => false;

    public override int RecordsAffected => -1;

    public override object this[int ordinal] => GetInt32(ordinal);

    public override object this[string name] => GetInt32(GetOrdinal(name));

    public override bool Read() => ++_row < rows;

    public override bool NextResult() => false;

    public override int GetInt32(int ordinal) => _row * Names.Length + ordinal;

    public override long GetInt64(int ordinal) => GetInt32(ordinal);

    public override object GetValue(int ordinal) => GetInt32(ordinal);

    public override T GetFieldValue<T>(int ordinal) => typeof(T) == typeof(int) ? (T)(object)GetInt32(ordinal) : base.GetFieldValue<T>(ordinal);

    public override int GetValues(object[] values)
    {
        var count = Math.Min(values.Length, Names.Length);
        for (var i = 0; i < count; i++)
            values[i] = GetInt32(i);
        return count;
    }

    public override string GetName(int ordinal) => Names[ordinal];

    public override int GetOrdinal(string name) => Array.IndexOf(Names, name);

    public override Type GetFieldType(int ordinal) => typeof(int);

    public override string GetDataTypeName(int ordinal) => "int";

    public override bool IsDBNull(int ordinal) => false;

    public override IEnumerator GetEnumerator() => new DbEnumerator(this);

    public override string GetString(int ordinal) => throw new InvalidCastException("every column is an int");

    public override bool GetBoolean(int ordinal) => throw new InvalidCastException("every column is an int");

    public override byte GetByte(int ordinal) => throw new InvalidCastException("every column is an int");

    public override char GetChar(int ordinal) => throw new InvalidCastException("every column is an int");

    public override DateTime GetDateTime(int ordinal) => throw new InvalidCastException("every column is an int");

    public override decimal GetDecimal(int ordinal) => GetInt32(ordinal);

    public override double GetDouble(int ordinal) => GetInt32(ordinal);

    public override float GetFloat(int ordinal) => GetInt32(ordinal);

    public override Guid GetGuid(int ordinal) => throw new InvalidCastException("every column is an int");

    public override short GetInt16(int ordinal) => checked((short)GetInt32(ordinal));

    public override long GetBytes(int ordinal, long dataOffset, byte[]? buffer, int bufferOffset, int length) =>
        throw new InvalidCastException("every column is an int");

    public override long GetChars(int ordinal, long dataOffset, char[]? buffer, int bufferOffset, int length) =>
        throw new InvalidCastException("every column is an int");
}
