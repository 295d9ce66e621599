using System.Data.Common;
using System.Globalization;

namespace Slipstream.Tool.Bench;

/// <summary>A parameter of the query: <c>name=value</c> or <c>name:type=value</c>.</summary>
internal sealed record BenchParameter(string Name, object? Value)
{
    /// <exception cref="ToolException">The text has no name, or the value is not of the type.</exception>
    public static BenchParameter Parse(string text)
    {
        var equals = text.IndexOf('=', StringComparison.Ordinal);
        if (equals < 1)
            throw new ToolException($"--parameter: '{text}' is not name=value.", "Write --parameter id=42 or --parameter name:text=42.");
        var (name, value) = (text[..equals], text[(equals + 1)..]);
        var colon = name.IndexOf(':', StringComparison.Ordinal);
        var type = colon < 0 ? null : name[(colon + 1)..].ToLowerInvariant();
        if (colon >= 0)
            name = name[..colon];
        try
        {
            return new BenchParameter(name, type is null ? Inferred(value) : Typed(type, value));
        }
        catch (Exception exception) when (exception is FormatException or OverflowException)
        {
            throw new ToolException($"--parameter {name}: the value is not of the type '{type}'.");
        }
    }

    public void AddTo(DbCommand command)
    {
        var parameter = command.CreateParameter();
        (parameter.ParameterName, parameter.Value) = (Name, Value ?? DBNull.Value);
        command.Parameters.Add(parameter);
    }

    private static object Inferred(string value)
    {
        if (int.TryParse(value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var small))
            return small;
        if (long.TryParse(value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var large))
            return large;
        if (decimal.TryParse(value, NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var exact))
            return exact;
        return bool.TryParse(value, out var truth) ? truth : value;
    }

    private static object? Typed(string type, string value) => type switch
    {
        "int" => int.Parse(value, CultureInfo.InvariantCulture),
        "long" => long.Parse(value, CultureInfo.InvariantCulture),
        "decimal" => decimal.Parse(value, CultureInfo.InvariantCulture),
        "double" => double.Parse(value, CultureInfo.InvariantCulture),
        "bool" => bool.Parse(value),
        "text" => value,
        "date" => DateTime.Parse(value, CultureInfo.InvariantCulture),
        "guid" => Guid.Parse(value),
        "null" => null,
        _ => throw new ToolException($"--parameter: there is no type '{type}'.", "Types are int, long, decimal, double, bool, text, date, guid and null."),
    };
}
