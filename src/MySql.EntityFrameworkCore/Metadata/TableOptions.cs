namespace Slipstream.MySql.EntityFrameworkCore.Metadata;

/// <summary>The options of a table as one text: name=value, separated by commas. A comma inside is written twice.</summary>
internal static class TableOptions
{
    private const string DoubledComma = "\u0001";

    public static Dictionary<string, string> Read(string? text)
    {
        var options = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        if (string.IsNullOrEmpty(text))
            return options;
        foreach (var part in text.Replace(",,", DoubledComma, StringComparison.Ordinal).Split(','))
        {
            var pair = part.Replace(DoubledComma, ",", StringComparison.Ordinal);
            var separator = pair.IndexOf('=', StringComparison.Ordinal);
            options[separator < 0 ? pair : pair[..separator]] = separator < 0 ? "" : pair[(separator + 1)..];
        }

        return options;
    }

    public static string? Write(Dictionary<string, string> options) => options.Count == 0
        ? null
        : string.Join(',', options.Select(static option => $"{option.Key}={option.Value}".Replace(",", ",,", StringComparison.Ordinal)));
}
