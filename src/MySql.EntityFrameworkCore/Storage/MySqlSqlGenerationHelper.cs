using System.Text;
using System.Text.RegularExpressions;
using Microsoft.EntityFrameworkCore.Storage;
using Pomelo.EntityFrameworkCore.MySql.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Storage;

/// <summary>Writes names: in backticks, with the schema as the options say.</summary>
internal sealed partial class MySqlSqlGenerationHelper(RelationalSqlGenerationHelperDependencies dependencies, MySqlSingletonOptions options)
    : RelationalSqlGenerationHelper(dependencies)
{
    public override string StartTransactionStatement => "START TRANSACTION" + StatementTerminator;

    public override string EscapeIdentifier(string identifier) => identifier.Replace("`", "``", StringComparison.Ordinal);

    public override void EscapeIdentifier(StringBuilder builder, string identifier)
    {
        var start = builder.Length;
        builder.Append(identifier).Replace("`", "``", start, identifier.Length);
    }

    public override string DelimitIdentifier(string identifier) => $"`{EscapeIdentifier(identifier)}`";

    public override void DelimitIdentifier(StringBuilder builder, string identifier)
    {
        builder.Append('`');
        EscapeIdentifier(builder, identifier);
        builder.Append('`');
    }

    public override string DelimitIdentifier(string name, string? schema)
    {
        var builder = new StringBuilder();
        DelimitIdentifier(builder, name, schema);
        return builder.ToString();
    }

    public override void DelimitIdentifier(StringBuilder builder, string name, string? schema)
    {
        if (!string.IsNullOrEmpty(schema) && options.Values.SchemaBehavior == MySqlSchemaBehavior.Throw)
        {
            DelimitIdentifier(builder, schema);
            builder.Append('.');
        }

        DelimitIdentifier(builder, NameOf(name, schema));
    }

    public override string DelimitJsonPathElement(string pathElement) => QuoteInPath(pathElement);

    /// <summary>
    /// Returns a name of a document as paths take it: as it is, or in quotes if it is not an identifier of ECMAScript. MySQL Reference Manual, "JSON Path
    /// Syntax".
    /// </summary>
    public static string QuoteInPath(string name) => Identifier().IsMatch(name)
        ? name
        : $"\"{name.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal)}\"";

    /// <summary>The name of an object in the database: its schema's name may be part of it.</summary>
    public string NameOf(string name, string? schema) =>
        !string.IsNullOrEmpty(schema) && options.Values is { SchemaBehavior: MySqlSchemaBehavior.Translate, SchemaNameTranslator: { } translator }
            ? translator(schema, name)
            : name;

    [GeneratedRegex("^[A-Za-z_][A-Za-z0-9_]*$")]
    private static partial Regex Identifier();
}
