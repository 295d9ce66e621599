using System.Data;
using System.Globalization;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Storage.Json;

namespace Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

/// <summary>Maps <see cref="TimeOnly"/> to time.</summary>
public sealed class MySqlTimeOnlyTypeMapping : TimeOnlyTypeMapping
{
    /// <summary>Creates a mapping.</summary>
    /// <param name="storeType">The name of the type in the database, without facets.</param>
    /// <param name="precision">The digits of a second's fraction.</param>
    public MySqlTimeOnlyTypeMapping(string storeType, int? precision = null)
        : this(new RelationalTypeMappingParameters(
            new CoreTypeMappingParameters(typeof(TimeOnly), jsonValueReaderWriter: JsonTimeOnlyReaderWriter.Instance), storeType,
            StoreTypePostfix.Precision, System.Data.DbType.Time, precision: precision))
    {
    }

    private MySqlTimeOnlyTypeMapping(RelationalTypeMappingParameters parameters)
        : base(parameters)
    {
    }

    /// <summary>Gets the mapping of compiled models, which they change with <c>Clone</c>.</summary>
    public static new MySqlTimeOnlyTypeMapping Default { get; } = new("time");

    /// <inheritdoc/>
    protected override RelationalTypeMapping Clone(RelationalTypeMappingParameters parameters) => new MySqlTimeOnlyTypeMapping(parameters);

    /// <inheritdoc/>
    protected override string GenerateNonNullSqlLiteral(object value) => TemporalLiterals.Time(((TimeOnly)value).ToTimeSpan(), Precision);
}
