using System.Globalization;
using System.Linq.Expressions;
using System.Text.Json;
using Microsoft.EntityFrameworkCore.Storage.Json;

namespace Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

/// <summary>
/// Reads and writes decimals in JSON. MySQL stores a number with a fraction, or with more than 20 digits, as a double: one with more than 15 digits is written
/// as a string, which every server keeps and converts.
/// </summary>
public sealed class JsonDecimals : JsonValueReaderWriter<decimal>
{
    internal const int DigitsOfDouble = 15;

    private JsonDecimals()
    {
    }

    /// <summary>Gets the only instance.</summary>
    public static JsonDecimals Instance { get; } = new();

    /// <inheritdoc/>
    public override Expression ConstructorExpression => Expression.Property(null, typeof(JsonDecimals), nameof(Instance));

    /// <inheritdoc/>
    public override decimal FromJsonTyped(ref Utf8JsonReaderManager manager, object? existingObject = null) =>
        manager.CurrentReader.TokenType == JsonTokenType.String
            ? decimal.Parse(manager.CurrentReader.GetString()!, NumberStyles.Float, CultureInfo.InvariantCulture)
            : manager.CurrentReader.GetDecimal();

    /// <inheritdoc/>
    public override void ToJsonTyped(Utf8JsonWriter writer, decimal value)
    {
        ArgumentNullException.ThrowIfNull(writer);
        var text = value.ToString(CultureInfo.InvariantCulture);
        var digits = text.AsSpan().TrimStart("-0.");
        if (digits.Length - digits.Count('.') <= DigitsOfDouble)
            writer.WriteNumberValue(value);
        else
            writer.WriteStringValue(text);
    }
}
