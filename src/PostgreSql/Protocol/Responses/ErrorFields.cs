using System.Globalization;
using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;

namespace Slipstream.PostgreSql.Protocol.Responses;

/// <summary>The fields of an ErrorResponse or NoticeResponse, by their letters. Source: PostgreSQL 18, 54.8 "Error and Notice Message Fields".</summary>
internal sealed class ErrorFields(IReadOnlyDictionary<char, string> fields)
{
    /// <summary>The most fields. A server sends up to 18. Without a limit, a message full of fields would need many times its length in memory.</summary>
    private const int MaxFields = 64;

    /// <summary>The most characters that are kept of a field. RAISE may put whole documents into a field, but the limit is below the longest message.</summary>
    private const int LongestField = 1 << 20;

    /// <summary>Gets ERROR, FATAL, PANIC, WARNING, NOTICE, DEBUG, INFO or LOG, in the server's language.</summary>
    public string Severity => Text('S') ?? "";

    /// <summary>Gets the severity, never translated. Servers before 9.6 do not send it.</summary>
    public string InvariantSeverity => Text('V') ?? Severity;

    /// <summary>Gets the SQLSTATE, five characters; empty if the server sent something else.</summary>
    public string SqlState => ServerText.SqlState(Text('C') ?? "");

    public string MessageText => Text('M') ?? "";

    public string? Detail => Text('D');

    public string? Hint => Text('H');

    /// <summary>Gets the position of the error in the statement, in characters from 1; 0 if unknown.</summary>
    public int Position => Number('P');

    /// <summary>Gets the position in <see cref="InternalQuery"/>, in characters from 1; 0 if unknown.</summary>
    public int InternalPosition => Number('p');

    /// <summary>Gets the text of a command that the server generated, for example in a function.</summary>
    public string? InternalQuery => Text('q');

    /// <summary>Gets the call stack of functions.</summary>
    public string? Where => Text('W');

    public string? SchemaName => Text('s');

    public string? TableName => Text('t');

    public string? ColumnName => Text('c');

    public string? DataTypeName => Text('d');

    public string? ConstraintName => Text('n');

    /// <summary>Gets the file of the server's source code. <see cref="Line"/> and <see cref="Routine"/> refer to the same code.</summary>
    public string? File => Text('F');

    public string? Line => Text('L');

    public string? Routine => Text('R');

    /// <summary>Gets whether the severity is FATAL or PANIC, after which the server closes the session.</summary>
    public bool EndsSession => InvariantSeverity is "FATAL" or "PANIC";

    /// <summary>Returns the fields with these values; null, or 0 for a position, for those that are missing.</summary>
    public static ErrorFields Of(
        string messageText, string severity, string invariantSeverity, string sqlState, string? detail, string? hint, int position, int internalPosition,
        string? internalQuery, string? where, string? schemaName, string? tableName, string? columnName, string? dataTypeName, string? constraintName,
        string? file, string? line, string? routine)
    {
        var fields = new Dictionary<char, string>();
        Add('M', messageText);
        Add('S', severity);
        Add('V', invariantSeverity);
        Add('C', sqlState);
        Add('D', detail);
        Add('H', hint);
        Add('P', position > 0 ? position.ToString(CultureInfo.InvariantCulture) : null);
        Add('p', internalPosition > 0 ? internalPosition.ToString(CultureInfo.InvariantCulture) : null);
        Add('q', internalQuery);
        Add('W', where);
        Add('s', schemaName);
        Add('t', tableName);
        Add('c', columnName);
        Add('d', dataTypeName);
        Add('n', constraintName);
        Add('F', file);
        Add('L', line);
        Add('R', routine);
        return new(fields);

        void Add(char field, string? value)
        {
            if (value is not null)
                fields[field] = value;
        }
    }

    public ServerError ToServerError() => new(0, SqlState, MessageText) { Fields = fields };

    // "Since more field types might be added in future, frontends should silently ignore fields of unrecognized type": they are kept, but not used.
    internal static ErrorFields Read(ref ByteReader reader)
    {
        var fields = new Dictionary<char, string>();
        while (reader.Byte() is not 0 and var field)
        {
            if (fields.Count == MaxFields)
                reader.Fail();
            fields[(char)field] = ServerText.Printable(reader.TextToZero(), LongestField);
        }

        return new(fields);
    }

    private string? Text(char field) => fields.TryGetValue(field, out var text) ? text : null;

    private int Number(char field) => int.TryParse(Text(field), NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : 0;
}
