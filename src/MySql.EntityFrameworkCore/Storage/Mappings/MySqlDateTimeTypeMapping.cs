using System.Data;
using System.Globalization;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Storage.Json;

namespace Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

/// <summary>Maps <see cref="DateTime"/> to datetime and timestamp.</summary>
public sealed class MySqlDateTimeTypeMapping : DateTimeTypeMapping
{
    /// <summary>Creates a mapping.</summary>
    /// <param name="storeType">The name of the type in the database, without facets.</param>
    /// <param name="precision">The digits of a second's fraction.</param>
    public MySqlDateTimeTypeMapping(string storeType, int? precision = null)
        : this(new RelationalTypeMappingParameters(
            new CoreTypeMappingParameters(typeof(DateTime), jsonValueReaderWriter: JsonDateTimeReaderWriter.Instance), storeType,
            StoreTypePostfix.Precision, System.Data.DbType.DateTime, precision: precision))
    {
    }

    private MySqlDateTimeTypeMapping(RelationalTypeMappingParameters parameters)
        : base(parameters)
    {
    }

    /// <summary>Gets the mapping of compiled models, which they change with <c>Clone</c>.</summary>
    public static new MySqlDateTimeTypeMapping Default { get; } = new("datetime");

    /// <inheritdoc/>
    protected override RelationalTypeMapping Clone(RelationalTypeMappingParameters parameters) => new MySqlDateTimeTypeMapping(parameters);

    /// <inheritdoc/>
    protected override string GenerateNonNullSqlLiteral(object value) => TemporalLiterals.Timestamp((DateTime)value, Precision);
}
