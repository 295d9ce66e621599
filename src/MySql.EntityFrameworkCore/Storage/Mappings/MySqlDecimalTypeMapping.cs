using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Storage.Json;

namespace Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

/// <summary>Maps <see cref="decimal"/> to decimal.</summary>
public sealed class MySqlDecimalTypeMapping : DecimalTypeMapping
{
    /// <summary>Creates a mapping.</summary>
    /// <param name="storeType">The name of the type in the database, without precision and scale.</param>
    /// <param name="precision">The number of digits.</param>
    /// <param name="scale">The number of digits behind the point.</param>
    public MySqlDecimalTypeMapping(string storeType, int? precision = 65, int? scale = 30)
        : this(new RelationalTypeMappingParameters(
            new CoreTypeMappingParameters(typeof(decimal), jsonValueReaderWriter: JsonDecimals.Instance), storeType,
            StoreTypePostfix.PrecisionAndScale, System.Data.DbType.Decimal, precision: precision, scale: scale))
    {
    }

    private MySqlDecimalTypeMapping(RelationalTypeMappingParameters parameters)
        : base(parameters)
    {
    }

    /// <summary>Gets the mapping of compiled models, which they change with <c>Clone</c>.</summary>
    public static new MySqlDecimalTypeMapping Default { get; } = new("decimal");

    /// <inheritdoc/>
    protected override RelationalTypeMapping Clone(RelationalTypeMappingParameters parameters) => new MySqlDecimalTypeMapping(parameters);
}
