using System.Collections.ObjectModel;
using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Sessions;

namespace Slipstream.MySql;

/// <summary>Reads the rows of a command, forward only.</summary>
public sealed class MySqlDataReader : ProviderDataReader
{
    internal MySqlDataReader(ProviderCommand command, MySqlSession session, CommandBehavior behavior)
        : base(command, session, behavior)
    {
    }

    /// <summary>The value as a signed 8-bit number.</summary>
    public sbyte GetSByte(int ordinal) => GetFieldValue<sbyte>(ordinal);

    /// <summary>The value as a 16-bit number without sign.</summary>
    public ushort GetUInt16(int ordinal) => GetFieldValue<ushort>(ordinal);

    /// <summary>The value as a 32-bit number without sign.</summary>
    public uint GetUInt32(int ordinal) => GetFieldValue<uint>(ordinal);

    /// <summary>The value as a 64-bit number without sign.</summary>
    public ulong GetUInt64(int ordinal) => GetFieldValue<ulong>(ordinal);

    /// <summary>The value as a date; a time of day is dropped.</summary>
    public DateOnly GetDateOnly(int ordinal) => GetFieldValue<DateOnly>(ordinal);

    /// <summary>The value as a time of day: 0 to 23:59:59.999999.</summary>
    public TimeOnly GetTimeOnly(int ordinal) => GetFieldValue<TimeOnly>(ordinal);

    /// <summary>The value as a TIME, −838:59:59 to 838:59:59.</summary>
    public TimeSpan GetTimeSpan(int ordinal) => GetFieldValue<TimeSpan>(ordinal);

    /// <summary>The value as a moment in UTC, with the offset 0, whatever DateTimeKind says.</summary>
    public DateTimeOffset GetDateTimeOffset(int ordinal) => GetFieldValue<DateTimeOffset>(ordinal);

    /// <summary>The value as a date and time, zero dates included.</summary>
    public MySqlDateTime GetMySqlDateTime(int ordinal) => GetFieldValue<MySqlDateTime>(ordinal);

    /// <summary>The value as a DECIMAL of up to 65 digits.</summary>
    public MySqlDecimal GetMySqlDecimal(int ordinal) => GetFieldValue<MySqlDecimal>(ordinal);

    /// <summary>The value as a geometry: SRID and WKB.</summary>
    public MySqlGeometry GetMySqlGeometry(int ordinal) => GetFieldValue<MySqlGeometry>(ordinal);

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public bool GetBoolean(string name) => GetBoolean(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public byte GetByte(string name) => GetByte(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public sbyte GetSByte(string name) => GetSByte(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public short GetInt16(string name) => GetInt16(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public ushort GetUInt16(string name) => GetUInt16(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public int GetInt32(string name) => GetInt32(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public uint GetUInt32(string name) => GetUInt32(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public long GetInt64(string name) => GetInt64(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public ulong GetUInt64(string name) => GetUInt64(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public float GetFloat(string name) => GetFloat(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public double GetDouble(string name) => GetDouble(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public decimal GetDecimal(string name) => GetDecimal(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public char GetChar(string name) => GetChar(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public string GetString(string name) => GetString(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public Guid GetGuid(string name) => GetGuid(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public DateTime GetDateTime(string name) => GetDateTime(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public DateTimeOffset GetDateTimeOffset(string name) => GetDateTimeOffset(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public DateOnly GetDateOnly(string name) => GetDateOnly(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public TimeOnly GetTimeOnly(string name) => GetTimeOnly(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public TimeSpan GetTimeSpan(string name) => GetTimeSpan(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public MySqlDateTime GetMySqlDateTime(string name) => GetMySqlDateTime(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public MySqlDecimal GetMySqlDecimal(string name) => GetMySqlDecimal(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public MySqlGeometry GetMySqlGeometry(string name) => GetMySqlGeometry(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public Stream GetStream(string name) => GetStream(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public TextReader GetTextReader(string name) => GetTextReader(GetOrdinal(name));

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    public long GetBytes(string name, long dataOffset, byte[]? buffer, int bufferOffset, int length) => GetBytes(GetOrdinal(name), dataOffset, buffer, bufferOffset, length);

    /// <summary>As the getter of the same name by ordinal, for the column of this name: exactly so written first, then without regard to case.</summary>
    [return: DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    public Type GetFieldType(string name) => GetFieldType(GetOrdinal(name));

    /// <inheritdoc/>
    private protected override DbColumn CreateColumn(int ordinal, ColumnDescription column) => new MySqlDbColumn(ordinal, column);
}
