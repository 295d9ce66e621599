using System.Text;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>Names of types as users write them.</summary>
internal static class TypeName
{
    /// <summary>
    /// Returns the name without a length or a precision, with the synonyms of SQL replaced: "varchar(10)" becomes "character varying". Arrays end with "[]".
    /// </summary>
    public static string Normalize(string name)
    {
        name = name.Trim();
        if (name.EndsWith("[]", StringComparison.Ordinal))
            return Normalize(name[..^2]) + "[]";
        var open = name.IndexOf('(');
        if (open >= 0 && !name.Contains('"'))
        {
            var close = name.IndexOf(')', open);
            name = close < 0 ? name : new StringBuilder(name, 0, open, name.Length).Append(name, close + 1, name.Length - close - 1).ToString().Trim();
        }

        if (name == "\"char\"")
            return "char";
        if (name.Contains('"'))
            return name.Replace("\"", "", StringComparison.Ordinal);
        return name.ToLowerInvariant() switch
        {
            "int" => "integer",
            "decimal" or "dec" => "numeric",
            "float" => "double precision",
            "char" or "character" => "bpchar",
            "national character varying" or "char varying" => "character varying",
            "time" => "time without time zone",
            "timestamp" => "timestamp without time zone",
            "bit varying" => "varbit",
            _ => name,
        };
    }
}
