using System.Collections.Concurrent;
using System.Text;

namespace Slipstream.MySql.Statements;

/// <summary>The stored programs that a data source has called, and the query for their parameters.</summary>
internal sealed class StoredPrograms
{
    // A data source that calls more programs than this generates their names: the table is cleared.
    private const int Most = 1000;

    // Created with the first call: a program compiled ahead of time has no code for a dictionary with such keys.
    private ConcurrentDictionary<(string Database, string Name, bool IsFunction), StoredProgram>? _known;

    /// <summary>The columns of the query of <see cref="QueryFor"/>, in their order.</summary>
    public const string Columns = "PARAMETER_MODE, PARAMETER_NAME, DATA_TYPE, DTD_IDENTIFIER, CHARACTER_MAXIMUM_LENGTH, NUMERIC_PRECISION, NUMERIC_SCALE";

    /// <summary>Returns the program, or null if it is unknown.</summary>
    /// <param name="database">The session's default database.</param>
    /// <param name="name">The name as the command's text has it.</param>
    /// <param name="isFunction">True for a function. A function and a procedure may have the same name.</param>
    public StoredProgram? Find(string database, string name, bool isFunction) => _known?.GetValueOrDefault((database, name, isFunction));

    public void Remember(string database, string name, bool isFunction, StoredProgram program)
    {
        var known = _known ?? Interlocked.CompareExchange(ref _known, new(), null) ?? _known;
        if (known.Count >= Most)
            known.Clear();
        known[(database, name, isFunction)] = program;
    }

    public void Forget(string database, string name, bool isFunction) => _known?.TryRemove((database, name, isFunction), out _);

    /// <summary>Removes all programs, because a schema has changed.</summary>
    public void ForgetAll()
    {
        if (_known is { IsEmpty: false } known)
            known.Clear();
    }

    /// <summary>Splits a name into its two parts, without quotes. The database is null if the name does not contain one.</summary>
    public static (string? Database, string Name) Split(string name)
    {
        var rest = name.AsSpan().Trim();
        var first = TakePart(ref rest);
        if (rest is not ['.', ..])
            return (null, first);
        rest = rest[1..].TrimStart();
        return (first, TakePart(ref rest));
    }

    /// <summary>Appends a name in backticks.</summary>
    public static void AppendQuoted(StringBuilder text, ReadOnlySpan<char> name)
    {
        text.Append('`');
        foreach (var character in name)
            text.Append(character == '`' ? "``" : character.ToString());
        text.Append('`');
    }

    /// <summary>Returns the query for the declaration of a program.</summary>
    public static string QueryFor(string name, bool isFunction)
    {
        var text = new StringBuilder($"SELECT {Columns} FROM information_schema.PARAMETERS WHERE ");
        AppendWhere(text, name, isFunction);
        return text.Append(" ORDER BY ORDINAL_POSITION").ToString();
    }

    /// <summary>
    /// Appends an assignment that fails with ER_SUBQUERY_NO_1_ROW unless the procedure has exactly these parameters, all of them IN. Before a CALL, it prevents
    /// the server from running a procedure that was replaced. (A DO would only warn on MariaDB.)
    /// </summary>
    public static void AppendGuard(StringBuilder text, string name, List<string> parameters)
    {
        text.Append($"SET @`slipstream.guard` = IF((SELECT COUNT(*) = {parameters.Count} AND SUM((ORDINAL_POSITION, PARAMETER_NAME, PARAMETER_MODE) IN (");
        for (var i = 0; i < parameters.Count; i++)
        {
            text.Append(i > 0 ? ", (" : "(").Append(i + 1).Append(", ");
            AppendText(text, parameters[i]);
            text.Append(", 'IN')");
        }

        text.Append($")) = {parameters.Count} FROM information_schema.PARAMETERS WHERE ");
        AppendWhere(text, name, isFunction: false);
        text.Append("), NULL, (SELECT 1 UNION SELECT 2)); ");
    }

    private static void AppendWhere(StringBuilder text, string name, bool isFunction)
    {
        var (database, bare) = Split(name);
        text.Append("SPECIFIC_SCHEMA = ");
        if (database is null)
            text.Append("DATABASE()");
        else
            AppendText(text, database);
        text.Append(" AND SPECIFIC_NAME = ");
        AppendText(text, bare);
        text.Append(isFunction ? " AND ROUTINE_TYPE = 'FUNCTION'" : " AND ROUTINE_TYPE = 'PROCEDURE'");
    }

    // The meaning of a backslash depends on sql_mode and the character set, so a text that contains one is written in hexadecimal.
    private static void AppendText(StringBuilder text, string value)
    {
        if (value.Contains('\\'))
            text.Append("_utf8mb4 0x").Append(Convert.ToHexString(Encoding.UTF8.GetBytes(value)));
        else
            text.Append('\'').Append(value.Replace("'", "''", StringComparison.Ordinal)).Append('\'');
    }

    private static string TakePart(ref ReadOnlySpan<char> rest)
    {
        if (rest is not ['`' or '"', ..])
        {
            var end = rest.IndexOf('.');
            var part = (end < 0 ? rest : rest[..end]).TrimEnd().ToString();
            rest = end < 0 ? default : rest[end..];
            return part;
        }

        var quote = rest[0];
        var text = new StringBuilder();
        var at = 1;
        while (at < rest.Length)
        {
            // A doubled quote belongs to the name; a single quote ends it.
            if (rest[at] == quote && (at + 1 == rest.Length || rest[++at] != quote))
                break;
            text.Append(rest[at++]);
        }

        rest = rest[(at < rest.Length && rest[at] != quote ? at : rest.Length)..].TrimStart();
        return text.ToString();
    }
}
