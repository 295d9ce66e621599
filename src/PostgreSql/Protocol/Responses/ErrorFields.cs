using System.Globalization;
using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Responses;

/// <summary>All fields of an ErrorResponse or NoticeResponse. Source: PostgreSQL 18, 54.8 "Error and Notice Message Fields".</summary>
internal sealed class ErrorFields
{
    /// <summary>S: ERROR, FATAL, PANIC, WARNING, NOTICE, DEBUG, INFO or LOG, in the server's language.</summary>
    public string Severity { get; private set; } = "";

    /// <summary>V: the same, never translated. Servers before 9.6 do not send it.</summary>
    public string InvariantSeverity { get; private set; } = "";

    /// <summary>C: the SQLSTATE, five characters.</summary>
    public string SqlState { get; private set; } = "";

    /// <summary>M</summary>
    public string MessageText { get; private set; } = "";

    /// <summary>D</summary>
    public string? Detail { get; private set; }

    /// <summary>H</summary>
    public string? Hint { get; private set; }

    /// <summary>P: where in the statement, counted in characters from 1; 0 when not known.</summary>
    public int Position { get; private set; }

    /// <summary>p: the same for <see cref="InternalQuery"/>.</summary>
    public int InternalPosition { get; private set; }

    /// <summary>q: the text of a command that the server made itself, for example in a function.</summary>
    public string? InternalQuery { get; private set; }

    /// <summary>W: the call stack of functions.</summary>
    public string? Where { get; private set; }

    /// <summary>s</summary>
    public string? SchemaName { get; private set; }

    /// <summary>t</summary>
    public string? TableName { get; private set; }

    /// <summary>c</summary>
    public string? ColumnName { get; private set; }

    /// <summary>d</summary>
    public string? DataTypeName { get; private set; }

    /// <summary>n</summary>
    public string? ConstraintName { get; private set; }

    /// <summary>F: of the server's own source code.</summary>
    public string? File { get; private set; }

    /// <summary>L</summary>
    public string? Line { get; private set; }

    /// <summary>R</summary>
    public string? Routine { get; private set; }

    /// <summary>FATAL and PANIC: the server closes the session.</summary>
    public bool EndsSession => (InvariantSeverity.Length == 0 ? Severity : InvariantSeverity) is "FATAL" or "PANIC";

    internal static ErrorFields Read(ref ByteReader reader)
    {
        var fields = new ErrorFields();
        while (reader.Byte() is not 0 and var field && !reader.Failed)
            fields.Set(field, reader.TextToZero());
        return fields;
    }

    // "Since more field types might be added in future, frontends should silently ignore fields of unrecognized type."
    private void Set(byte field, string text)
    {
        switch ((char)field)
        {
            case 'S': Severity = text; break;
            case 'V': InvariantSeverity = text; break;
            case 'C': SqlState = text; break;
            case 'M': MessageText = text; break;
            case 'D': Detail = text; break;
            case 'H': Hint = text; break;
            case 'P': Position = Number(text); break;
            case 'p': InternalPosition = Number(text); break;
            case 'q': InternalQuery = text; break;
            case 'W': Where = text; break;
            case 's': SchemaName = text; break;
            case 't': TableName = text; break;
            case 'c': ColumnName = text; break;
            case 'd': DataTypeName = text; break;
            case 'n': ConstraintName = text; break;
            case 'F': File = text; break;
            case 'L': Line = text; break;
            case 'R': Routine = text; break;
            default: break;
        }
    }

    private static int Number(string text) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : 0;
}
