using System.Globalization;
using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;

namespace Slipstream.PostgreSql.Protocol.Responses;

/// <summary>All fields of an ErrorResponse or NoticeResponse, by their letters. Source: PostgreSQL 18, 54.8 "Error and Notice Message Fields".</summary>
internal sealed class ErrorFields(IReadOnlyDictionary<char, string> fields)
{
    /// <summary>A server sends up to 18; a message of nothing but fields must not fill memory many times over.</summary>
    private const int MaxFields = 64;

    /// <summary>RAISE may put whole documents into a field, but not every length that a message can have.</summary>
    private const int LongestField = 1 << 20;

    /// <summary>ERROR, FATAL, PANIC, WARNING, NOTICE, DEBUG, INFO or LOG, in the server's language.</summary>
    public string Severity => Text('S') ?? "";

    /// <summary>The same, never translated. Servers before 9.6 do not send it.</summary>
    public string InvariantSeverity => Text('V') ?? Severity;

    /// <summary>The SQLSTATE, five characters; empty when what came is none.</summary>
    public string SqlState => ServerText.SqlState(Text('C') ?? "");

    public string MessageText => Text('M') ?? "";

    public string? Detail => Text('D');

    public string? Hint => Text('H');

    /// <summary>Where in the statement, counted in characters from 1; 0 when not known.</summary>
    public int Position => Number('P');

    /// <summary>The same for <see cref="InternalQuery"/>.</summary>
    public int InternalPosition => Number('p');

    /// <summary>The text of a command that the server made itself, for example in a function.</summary>
    public string? InternalQuery => Text('q');

    /// <summary>The call stack of functions.</summary>
    public string? Where => Text('W');

    public string? SchemaName => Text('s');

    public string? TableName => Text('t');

    public string? ColumnName => Text('c');

    public string? DataTypeName => Text('d');

    public string? ConstraintName => Text('n');

    /// <summary>Of the server's own source code, as <see cref="Line"/> and <see cref="Routine"/>.</summary>
    public string? File => Text('F');

    public string? Line => Text('L');

    public string? Routine => Text('R');

    /// <summary>FATAL and PANIC: the server closes the session.</summary>
    public bool EndsSession => InvariantSeverity is "FATAL" or "PANIC";

    public ServerError ToServerError() => new(0, SqlState, MessageText) { Fields = fields };

    // "Since more field types might be added in future, frontends should silently ignore fields of unrecognized type": they are kept, and nobody asks.
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
