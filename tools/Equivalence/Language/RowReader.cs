using System.Data;

namespace Slipstream.Equivalence.Language;

/// <summary>The rows of a bulk copy as a reader, which can throw before a given row.</summary>
internal sealed class RowReader(string[] columns, object[][] rows, int breaksAt) : IDataReader
{
    private int _at = -1;

    public int FieldCount => columns.Length;

    public int Depth => 0;

    public bool IsClosed => false;

    public int RecordsAffected => -1;

    public object this[int i] => GetValue(i);

    public object this[string name] => GetValue(GetOrdinal(name));

    public bool Read()
    {
        _at++;
        if (_at == breaksAt)
            throw new InvalidDataException("the enumerator broke");
        return _at < rows.Length;
    }

    public object GetValue(int i) => rows[_at][i];

    public int GetValues(object[] values)
    {
        rows[_at].CopyTo(values, 0);
        return FieldCount;
    }

    public bool IsDBNull(int i) => GetValue(i) is DBNull;

    public string GetName(int i) => columns[i];

    public int GetOrdinal(string name) => Array.IndexOf(columns, name);

    public Type GetFieldType(int i) => rows.Length > 0 && rows[0][i] is not DBNull and var value ? value.GetType() : typeof(object);

    public string GetDataTypeName(int i) => GetFieldType(i).Name;

    public bool GetBoolean(int i) => (bool)GetValue(i);

    public byte GetByte(int i) => (byte)GetValue(i);

    public long GetBytes(int i, long fieldOffset, byte[]? buffer, int bufferoffset, int length) => throw new NotSupportedException();

    public char GetChar(int i) => (char)GetValue(i);

    public long GetChars(int i, long fieldoffset, char[]? buffer, int bufferoffset, int length) => throw new NotSupportedException();

    public IDataReader GetData(int i) => throw new NotSupportedException();

    public DateTime GetDateTime(int i) => (DateTime)GetValue(i);

    public decimal GetDecimal(int i) => (decimal)GetValue(i);

    public double GetDouble(int i) => (double)GetValue(i);

    public float GetFloat(int i) => (float)GetValue(i);

    public Guid GetGuid(int i) => (Guid)GetValue(i);

    public short GetInt16(int i) => (short)GetValue(i);

    public int GetInt32(int i) => (int)GetValue(i);

    public long GetInt64(int i) => (long)GetValue(i);

    public string GetString(int i) => (string)GetValue(i);

    public DataTable? GetSchemaTable() => null;

    public bool NextResult() => false;

    public void Close()
    {
    }

    public void Dispose()
    {
    }
}
