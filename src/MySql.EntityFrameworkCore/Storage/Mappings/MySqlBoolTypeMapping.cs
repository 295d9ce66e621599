using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Storage.Json;

namespace Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

/// <summary>Maps <see cref="bool"/> to tinyint(1) and bit(1).</summary>
public sealed class MySqlBoolTypeMapping : BoolTypeMapping
{
    /// <summary>Creates a mapping.</summary>
    /// <param name="storeType">The name of the type in the database, without its size.</param>
    /// <param name="size">The size.</param>
    public MySqlBoolTypeMapping(string storeType, int? size = 1)
        : this(new RelationalTypeMappingParameters(
            new CoreTypeMappingParameters(typeof(bool), jsonValueReaderWriter: JsonBoolReaderWriter.Instance), storeType,
            size is null ? StoreTypePostfix.None : StoreTypePostfix.Size, System.Data.DbType.Boolean, size: size))
    {
    }

    private MySqlBoolTypeMapping(RelationalTypeMappingParameters parameters)
        : base(parameters)
    {
    }

    /// <summary>Gets the mapping of compiled models, which they change with <c>Clone</c>.</summary>
    public static new MySqlBoolTypeMapping Default { get; } = new("tinyint");

    /// <inheritdoc/>
    protected override RelationalTypeMapping Clone(RelationalTypeMappingParameters parameters) => new MySqlBoolTypeMapping(parameters);

    /// <inheritdoc/>
    protected override string GenerateNonNullSqlLiteral(object value) => (bool)value ? "TRUE" : "FALSE";
}
