using System.Text;
using Slipstream.Core.Statements;

namespace Slipstream.PostgreSql.Replication;

/// <summary>Writes names and values into commands of the replication protocol. Source: PostgreSQL 18, 54.4 "Streaming Replication Protocol".</summary>
internal static class ReplicationNames
{
    /// <summary>Returns the name of a slot, quoted. Upper case becomes lower case, as in a command without quotes: a slot's name has no upper case.</summary>
    public static string Slot(string name, string parameter)
    {
        ArgumentException.ThrowIfNullOrEmpty(name, parameter);
        return Quoted(Names.Checked(name, "replication slot's name", parameter).ToLowerInvariant());
    }

    /// <summary>Returns a name, quoted.</summary>
    public static string Quoted(string name) => $"\"{name.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";

    /// <summary>Returns a value, quoted.</summary>
    public static string Literal(string value) => $"'{value.Replace("'", "''", StringComparison.Ordinal)}'";

    /// <summary>Returns the options of a plug-in, in parentheses; an empty string without options.</summary>
    public static string Options(IEnumerable<KeyValuePair<string, string?>>? options)
    {
        if (options is null)
            return "";
        var text = new StringBuilder();
        foreach (var (name, value) in options)
        {
            text.Append(text.Length == 0 ? " (" : ", ").Append(Quoted(Names.Checked(name, "option's name", nameof(options))));
            if (value is not null)
                text.Append(' ').Append(Literal(Names.Checked(value, "option's value", nameof(options))));
        }

        return text.Length == 0 ? "" : text.Append(')').ToString();
    }
}
