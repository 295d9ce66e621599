using System.Globalization;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Storage.Json;

namespace Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

/// <summary>Maps <see cref="float"/> to float. Its literals have an exponent: without one, the server would take them for decimals.</summary>
public sealed class MySqlFloatTypeMapping : FloatTypeMapping
{
    /// <summary>Creates a mapping.</summary>
    /// <param name="storeType">The name of the type in the database.</param>
    public MySqlFloatTypeMapping(string storeType)
        : this(new RelationalTypeMappingParameters(
            new CoreTypeMappingParameters(typeof(float), jsonValueReaderWriter: JsonFloatReaderWriter.Instance), storeType,
            StoreTypePostfix.PrecisionAndScale, System.Data.DbType.Single))
    {
    }

    private MySqlFloatTypeMapping(RelationalTypeMappingParameters parameters)
        : base(parameters)
    {
    }

    /// <summary>Gets the mapping of compiled models, which they change with <c>Clone</c>.</summary>
    public static new MySqlFloatTypeMapping Default { get; } = new("float");

    /// <inheritdoc/>
    protected override RelationalTypeMapping Clone(RelationalTypeMappingParameters parameters) => new MySqlFloatTypeMapping(parameters);

    /// <inheritdoc/>
    protected override void ConfigureParameter(System.Data.Common.DbParameter parameter)
    {
        if (parameter?.Value is not float number)
            return;
        parameter.DbType = System.Data.DbType.Double;
        parameter.Value = (double)number;
    }

    /// <inheritdoc/>
    protected override string GenerateNonNullSqlLiteral(object value)
    {
        var number = Convert.ToDouble(value, CultureInfo.InvariantCulture);
        if (!double.IsFinite(number))
            throw new ArgumentException($"The type {StoreType} holds no {number.ToString(CultureInfo.InvariantCulture)}.", nameof(value));
        // The server widens the column to compare it, so the literal is the widened number, too.
        var text = number.ToString("R", CultureInfo.InvariantCulture);
        return text.Contains('E', StringComparison.Ordinal) ? text : text + "e0";
    }
}
