using System.Globalization;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Storage.Json;

namespace Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

/// <summary>Maps <see cref="DateOnly"/> to date.</summary>
public sealed class MySqlDateOnlyTypeMapping : DateOnlyTypeMapping
{
    /// <summary>Creates the mapping.</summary>
    public MySqlDateOnlyTypeMapping()
        : this(new RelationalTypeMappingParameters(
            new CoreTypeMappingParameters(typeof(DateOnly), jsonValueReaderWriter: JsonDateOnlyReaderWriter.Instance), "date",
            dbType: System.Data.DbType.Date))
    {
    }

    private MySqlDateOnlyTypeMapping(RelationalTypeMappingParameters parameters)
        : base(parameters)
    {
    }

    /// <summary>Gets the mapping of compiled models, which they change with <c>Clone</c>.</summary>
    public static new MySqlDateOnlyTypeMapping Default { get; } = new();

    /// <inheritdoc/>
    protected override RelationalTypeMapping Clone(RelationalTypeMappingParameters parameters) => new MySqlDateOnlyTypeMapping(parameters);

    /// <inheritdoc/>
    protected override string GenerateNonNullSqlLiteral(object value) =>
        $"DATE '{((DateOnly)value).ToString("yyyy-MM-dd", CultureInfo.InvariantCulture)}'";
}
