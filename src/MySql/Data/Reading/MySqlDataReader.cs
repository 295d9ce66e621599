using System.Collections.ObjectModel;
using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.MySql.Conventions;
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

    /// <summary>
    /// Gets what each statement did whose result the reader has passed, in order: also statements without rows, such as an UPDATE between two queries. A stored
    /// procedure adds an entry for each of its results, and one for the CALL. At most 65,536 entries are kept. (Not in MySqlConnector.)
    /// </summary>
    /// <value>A new list; after <c>NextResult</c> has returned false, it has the entries of all statements.</value>
    /// <exception cref="InvalidOperationException">The reader is closed.</exception>
    public IReadOnlyList<MySqlStatementResult> StatementResults
    {
        get
        {
            var outcomes = Outcomes;
            var results = new MySqlStatementResult[outcomes.Count];
            for (var i = 0; i < results.Length; i++)
                results[i] = new(outcomes[i]);
            return results;
        }
    }

    /// <summary>Gets the value of a column as a signed 8-bit integer.</summary>
    /// <param name="ordinal">The zero-based ordinal of the column.</param>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidCastException">The value is NULL or cannot be converted.</exception>
    public sbyte GetSByte(int ordinal) => GetFieldValue<sbyte>(ordinal);

    /// <summary>Gets the value of a column as an unsigned 16-bit integer.</summary>
    /// <param name="ordinal">The zero-based ordinal of the column.</param>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidCastException">The value is NULL or cannot be converted.</exception>
    public ushort GetUInt16(int ordinal) => GetFieldValue<ushort>(ordinal);

    /// <summary>Gets the value of a column as an unsigned 32-bit integer.</summary>
    /// <param name="ordinal">The zero-based ordinal of the column.</param>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidCastException">The value is NULL or cannot be converted.</exception>
    public uint GetUInt32(int ordinal) => GetFieldValue<uint>(ordinal);

    /// <summary>Gets the value of a column as an unsigned 64-bit integer.</summary>
    /// <param name="ordinal">The zero-based ordinal of the column.</param>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidCastException">The value is NULL or cannot be converted.</exception>
    public ulong GetUInt64(int ordinal) => GetFieldValue<ulong>(ordinal);

    /// <summary>Gets the value of a column as a date, without its time of day.</summary>
    /// <param name="ordinal">The zero-based ordinal of the column.</param>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidCastException">The value is NULL or cannot be converted.</exception>
    public DateOnly GetDateOnly(int ordinal) => GetFieldValue<DateOnly>(ordinal);

    /// <summary>Gets the value of a column as a time of day from 0:00 to 23:59:59.999999.</summary>
    /// <param name="ordinal">The zero-based ordinal of the column.</param>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidCastException">The value is NULL or cannot be converted.</exception>
    public TimeOnly GetTimeOnly(int ordinal) => GetFieldValue<TimeOnly>(ordinal);

    /// <summary>Gets the value of a column as a TIME from −838:59:59 to 838:59:59.</summary>
    /// <param name="ordinal">The zero-based ordinal of the column.</param>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidCastException">The value is NULL or cannot be converted.</exception>
    public TimeSpan GetTimeSpan(int ordinal) => GetFieldValue<TimeSpan>(ordinal);

    /// <summary>Gets the value of a column as a point in time in UTC, with offset 0 whatever DateTimeKind is.</summary>
    /// <param name="ordinal">The zero-based ordinal of the column.</param>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidCastException">The value is NULL or cannot be converted.</exception>
    public DateTimeOffset GetDateTimeOffset(int ordinal) => GetFieldValue<DateTimeOffset>(ordinal);

    /// <summary>Gets the value of a column as a date and time, including zero dates.</summary>
    /// <param name="ordinal">The zero-based ordinal of the column.</param>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidCastException">The value is NULL or cannot be converted.</exception>
    public MySqlDateTime GetMySqlDateTime(int ordinal) => GetFieldValue<MySqlDateTime>(ordinal);

    /// <summary>Gets the value of a column as a DECIMAL of up to 65 digits.</summary>
    /// <param name="ordinal">The zero-based ordinal of the column.</param>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidCastException">The value is NULL or cannot be converted.</exception>
    public MySqlDecimal GetMySqlDecimal(int ordinal) => GetFieldValue<MySqlDecimal>(ordinal);

    /// <summary>Gets the value of a column as a geometry: SRID and WKB.</summary>
    /// <param name="ordinal">The zero-based ordinal of the column.</param>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidCastException">The value is NULL or cannot be converted.</exception>
    public MySqlGeometry GetMySqlGeometry(int ordinal) => GetFieldValue<MySqlGeometry>(ordinal);

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public bool GetBoolean(string name) => GetBoolean(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public byte GetByte(string name) => GetByte(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public sbyte GetSByte(string name) => GetSByte(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public short GetInt16(string name) => GetInt16(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public ushort GetUInt16(string name) => GetUInt16(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public int GetInt32(string name) => GetInt32(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public uint GetUInt32(string name) => GetUInt32(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public long GetInt64(string name) => GetInt64(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public ulong GetUInt64(string name) => GetUInt64(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public float GetFloat(string name) => GetFloat(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public double GetDouble(string name) => GetDouble(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public decimal GetDecimal(string name) => GetDecimal(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public char GetChar(string name) => GetChar(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public string GetString(string name) => GetString(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public Guid GetGuid(string name) => GetGuid(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public DateTime GetDateTime(string name) => GetDateTime(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public DateTimeOffset GetDateTimeOffset(string name) => GetDateTimeOffset(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public DateOnly GetDateOnly(string name) => GetDateOnly(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public TimeOnly GetTimeOnly(string name) => GetTimeOnly(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public TimeSpan GetTimeSpan(string name) => GetTimeSpan(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public MySqlDateTime GetMySqlDateTime(string name) => GetMySqlDateTime(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public MySqlDecimal GetMySqlDecimal(string name) => GetMySqlDecimal(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public MySqlGeometry GetMySqlGeometry(string name) => GetMySqlGeometry(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public Stream GetStream(string name) => GetStream(GetOrdinal(name));

    /// <summary>
    /// Gets the value of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The value.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public TextReader GetTextReader(string name) => GetTextReader(GetOrdinal(name));

    /// <summary>Copies bytes of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.</summary>
    /// <param name="name">The column's name.</param>
    /// <param name="dataOffset">The offset in the value, in bytes.</param>
    /// <param name="buffer">The destination; null to get the length of the value.</param>
    /// <param name="bufferOffset">The offset in the destination, in bytes.</param>
    /// <param name="length">The most bytes to copy.</param>
    /// <returns>The number of copied bytes, or the length of the value in bytes if <paramref name="buffer"/> is null.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    public long GetBytes(string name, long dataOffset, byte[]? buffer, int bufferOffset, int length) =>
        GetBytes(GetOrdinal(name), dataOffset, buffer, bufferOffset, length);

    /// <summary>
    /// Gets the CLR type of a column by name, like the overload with an ordinal. The lookup first compares the exact spelling, then ignores case.
    /// </summary>
    /// <param name="name">The column's name.</param>
    /// <returns>The type.</returns>
    /// <exception cref="IndexOutOfRangeException">There is no column with this name.</exception>
    [return: DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    public Type GetFieldType(string name) => GetFieldType(GetOrdinal(name));

    /// <inheritdoc/>
    private protected override DbColumn CreateColumn(int ordinal, ColumnDescription column) =>
        new MySqlDbColumn(ordinal, column, ThisAssembly.Conventions.DescribesColumnsCoarsely ? ((MySqlRow)Described).TableInQuery(ordinal) : null);

    /// <inheritdoc/>
    private protected override object NoNumber => ThisAssembly.Conventions.DescribesColumnsCoarsely ? 0 : base.NoNumber;
}
