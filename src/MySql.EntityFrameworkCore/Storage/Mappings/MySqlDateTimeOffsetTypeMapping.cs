using System.Data;
using System.Globalization;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Storage.Json;

namespace Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

/// <summary>Maps <see cref="DateTimeOffset"/> to datetime and timestamp, in UTC.</summary>
public sealed class MySqlDateTimeOffsetTypeMapping : DateTimeOffsetTypeMapping
{
    /// <summary>Creates a mapping.</summary>
    /// <param name="storeType">The name of the type in the database, without facets.</param>
    /// <param name="precision">The digits of a second's fraction.</param>
    public MySqlDateTimeOffsetTypeMapping(string storeType, int? precision = null)
        : this(new RelationalTypeMappingParameters(
            new CoreTypeMappingParameters(typeof(DateTimeOffset), jsonValueReaderWriter: JsonDateTimeOffsetReaderWriter.Instance), storeType,
            StoreTypePostfix.Precision, System.Data.DbType.DateTimeOffset, precision: precision))
    {
    }

    private MySqlDateTimeOffsetTypeMapping(RelationalTypeMappingParameters parameters)
        : base(parameters)
    {
    }

    /// <summary>Gets the mapping of compiled models, which they change with <c>Clone</c>.</summary>
    public static new MySqlDateTimeOffsetTypeMapping Default { get; } = new("datetime");

    /// <inheritdoc/>
    protected override RelationalTypeMapping Clone(RelationalTypeMappingParameters parameters) => new MySqlDateTimeOffsetTypeMapping(parameters);

    /// <inheritdoc/>
    protected override string GenerateNonNullSqlLiteral(object value) => TemporalLiterals.Timestamp(((DateTimeOffset)value).UtcDateTime, Precision);
}
