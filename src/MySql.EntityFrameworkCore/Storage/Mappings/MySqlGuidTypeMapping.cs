using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Storage.Json;

namespace Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

/// <summary>Maps <see cref="Guid"/> to char(36), as its text, and to MariaDB's uuid.</summary>
public sealed class MySqlGuidTypeMapping : GuidTypeMapping
{
    /// <summary>Creates a mapping.</summary>
    /// <param name="storeType">The name of the type in the database, without its size.</param>
    /// <param name="size">The size in characters.</param>
    public MySqlGuidTypeMapping(string storeType, int? size = 36)
        : this(new RelationalTypeMappingParameters(
            new CoreTypeMappingParameters(typeof(Guid), jsonValueReaderWriter: JsonGuidReaderWriter.Instance), storeType,
            size is null ? StoreTypePostfix.None : StoreTypePostfix.Size, System.Data.DbType.Guid, size: size, fixedLength: size is not null))
    {
    }

    private MySqlGuidTypeMapping(RelationalTypeMappingParameters parameters)
        : base(parameters)
    {
    }

    /// <summary>Gets the mapping of compiled models, which they change with <c>Clone</c>.</summary>
    public static new MySqlGuidTypeMapping Default { get; } = new("char");

    /// <inheritdoc/>
    protected override RelationalTypeMapping Clone(RelationalTypeMappingParameters parameters) => new MySqlGuidTypeMapping(parameters);

    /// <inheritdoc/>
    protected override string GenerateNonNullSqlLiteral(object value) => $"'{(Guid)value:D}'";
}
