using System.Collections.ObjectModel;
using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.MySql.Conversations;

namespace Slipstream.MySql;

/// <summary>Reads the rows of a command, forward only.</summary>
public sealed class MySqlDataReader : ProviderDataReader
{
    internal MySqlDataReader(ProviderCommand command, MySqlConnection connection, MySqlSession session, CommandBehavior behavior)
        : base(command, connection, session, behavior)
    {
    }

    public sbyte GetSByte(int ordinal) => GetFieldValue<sbyte>(ordinal);

    public ushort GetUInt16(int ordinal) => GetFieldValue<ushort>(ordinal);

    public uint GetUInt32(int ordinal) => GetFieldValue<uint>(ordinal);

    public ulong GetUInt64(int ordinal) => GetFieldValue<ulong>(ordinal);

    public DateOnly GetDateOnly(int ordinal) => GetFieldValue<DateOnly>(ordinal);

    public TimeOnly GetTimeOnly(int ordinal) => GetFieldValue<TimeOnly>(ordinal);

    public TimeSpan GetTimeSpan(int ordinal) => GetFieldValue<TimeSpan>(ordinal);

    public DateTimeOffset GetDateTimeOffset(int ordinal) => GetFieldValue<DateTimeOffset>(ordinal);

    public MySqlDateTime GetMySqlDateTime(int ordinal) => GetFieldValue<MySqlDateTime>(ordinal);

    public MySqlDecimal GetMySqlDecimal(int ordinal) => GetFieldValue<MySqlDecimal>(ordinal);

    public MySqlGeometry GetMySqlGeometry(int ordinal) => GetFieldValue<MySqlGeometry>(ordinal);

    public bool GetBoolean(string name) => GetBoolean(GetOrdinal(name));

    public byte GetByte(string name) => GetByte(GetOrdinal(name));

    public sbyte GetSByte(string name) => GetSByte(GetOrdinal(name));

    public short GetInt16(string name) => GetInt16(GetOrdinal(name));

    public ushort GetUInt16(string name) => GetUInt16(GetOrdinal(name));

    public int GetInt32(string name) => GetInt32(GetOrdinal(name));

    public uint GetUInt32(string name) => GetUInt32(GetOrdinal(name));

    public long GetInt64(string name) => GetInt64(GetOrdinal(name));

    public ulong GetUInt64(string name) => GetUInt64(GetOrdinal(name));

    public float GetFloat(string name) => GetFloat(GetOrdinal(name));

    public double GetDouble(string name) => GetDouble(GetOrdinal(name));

    public decimal GetDecimal(string name) => GetDecimal(GetOrdinal(name));

    public char GetChar(string name) => GetChar(GetOrdinal(name));

    public string GetString(string name) => GetString(GetOrdinal(name));

    public Guid GetGuid(string name) => GetGuid(GetOrdinal(name));

    public DateTime GetDateTime(string name) => GetDateTime(GetOrdinal(name));

    public DateTimeOffset GetDateTimeOffset(string name) => GetDateTimeOffset(GetOrdinal(name));

    public DateOnly GetDateOnly(string name) => GetDateOnly(GetOrdinal(name));

    public TimeOnly GetTimeOnly(string name) => GetTimeOnly(GetOrdinal(name));

    public TimeSpan GetTimeSpan(string name) => GetTimeSpan(GetOrdinal(name));

    public MySqlDateTime GetMySqlDateTime(string name) => GetMySqlDateTime(GetOrdinal(name));

    public MySqlDecimal GetMySqlDecimal(string name) => GetMySqlDecimal(GetOrdinal(name));

    public MySqlGeometry GetMySqlGeometry(string name) => GetMySqlGeometry(GetOrdinal(name));

    public Stream GetStream(string name) => GetStream(GetOrdinal(name));

    public TextReader GetTextReader(string name) => GetTextReader(GetOrdinal(name));

    public long GetBytes(string name, long dataOffset, byte[]? buffer, int bufferOffset, int length) => GetBytes(GetOrdinal(name), dataOffset, buffer, bufferOffset, length);

    [return: DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    public Type GetFieldType(string name) => GetFieldType(GetOrdinal(name));

    protected override DbColumn CreateColumn(int ordinal, ColumnDescription column) => new MySqlDbColumn(ordinal, column);
}
