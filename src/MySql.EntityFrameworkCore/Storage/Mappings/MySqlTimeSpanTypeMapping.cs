using System.Data;
using System.Globalization;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Storage.Json;

namespace Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

/// <summary>Maps <see cref="TimeSpan"/> to time, which holds up to 838:59:59.</summary>
public sealed class MySqlTimeSpanTypeMapping : TimeSpanTypeMapping
{
    /// <summary>Creates a mapping.</summary>
    /// <param name="storeType">The name of the type in the database, without facets.</param>
    /// <param name="precision">The digits of a second's fraction.</param>
    public MySqlTimeSpanTypeMapping(string storeType, int? precision = null)
        : this(new RelationalTypeMappingParameters(
            new CoreTypeMappingParameters(typeof(TimeSpan), jsonValueReaderWriter: JsonTimeSpanReaderWriter.Instance), storeType,
            StoreTypePostfix.Precision, System.Data.DbType.Time, precision: precision))
    {
    }

    private MySqlTimeSpanTypeMapping(RelationalTypeMappingParameters parameters)
        : base(parameters)
    {
    }

    /// <summary>Gets the mapping of compiled models, which they change with <c>Clone</c>.</summary>
    public static new MySqlTimeSpanTypeMapping Default { get; } = new("time");

    /// <inheritdoc/>
    protected override RelationalTypeMapping Clone(RelationalTypeMappingParameters parameters) => new MySqlTimeSpanTypeMapping(parameters);

    /// <inheritdoc/>
    protected override string GenerateNonNullSqlLiteral(object value) => TemporalLiterals.Time((TimeSpan)value, Precision);
}
