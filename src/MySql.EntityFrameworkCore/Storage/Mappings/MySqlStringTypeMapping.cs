using System.Text;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Storage.Json;

namespace Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

/// <summary>Maps <see cref="string"/> to the character types, enum, set and json.</summary>
public sealed class MySqlStringTypeMapping : StringTypeMapping
{
    private readonly bool _noBackslashEscapes;

    /// <summary>Creates a mapping.</summary>
    /// <param name="storeType">The name of the type in the database, without its size.</param>
    /// <param name="size">The size in characters.</param>
    /// <param name="fixedLength">Whether the type has a fixed length.</param>
    /// <param name="noBackslashEscapes">Whether the server's SQL mode has NO_BACKSLASH_ESCAPES.</param>
    public MySqlStringTypeMapping(string storeType, int? size = null, bool fixedLength = false, bool noBackslashEscapes = false)
        : this(
            new RelationalTypeMappingParameters(
                new CoreTypeMappingParameters(typeof(string), jsonValueReaderWriter: JsonStringReaderWriter.Instance), storeType,
                size is null ? StoreTypePostfix.None : StoreTypePostfix.Size, fixedLength ? System.Data.DbType.StringFixedLength : System.Data.DbType.String,
                unicode: true, size: size, fixedLength: fixedLength),
            noBackslashEscapes)
    {
    }

    private MySqlStringTypeMapping(RelationalTypeMappingParameters parameters, bool noBackslashEscapes)
        : base(parameters) => _noBackslashEscapes = noBackslashEscapes;

    /// <summary>Gets the mapping of compiled models, which they change with <c>Clone</c>.</summary>
    public static new MySqlStringTypeMapping Default { get; } = new("longtext");

    /// <inheritdoc/>
    protected override RelationalTypeMapping Clone(RelationalTypeMappingParameters parameters) => new MySqlStringTypeMapping(parameters, _noBackslashEscapes);

    /// <inheritdoc/>
    protected override string GenerateNonNullSqlLiteral(object value) => Literal((string)value, _noBackslashEscapes);

    /// <summary>Writes a text as a literal.</summary>
    internal static string Literal(string value, bool noBackslashEscapes)
    {
        var builder = new StringBuilder(value.Length + 2).Append('\'');
        foreach (var character in value)
            builder.Append(character switch
            {
                '\'' => "''",
                '\\' when !noBackslashEscapes => @"\\",
                // Migrations are edited and versioned as text: line ends would change in it.
                '\n' when !noBackslashEscapes => @"\n",
                '\r' when !noBackslashEscapes => @"\r",
                '\0' when !noBackslashEscapes => @"\0",
                _ => null,
            } is { } escaped ? escaped : character.ToString());
        return builder.Append('\'').ToString();
    }
}
