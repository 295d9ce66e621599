namespace Slipstream.MySql.EntityFrameworkCore.Infrastructure;

/// <summary>Reads from a connection string how the driver writes a Guid.</summary>
internal static class GuidFormats
{
    // Each scope of an application has options of its own, mostly with the same text.
    private static Tuple<string, MySqlGuidFormat>? _last;

    public static MySqlGuidFormat Of(string? connectionString)
    {
        if (string.IsNullOrWhiteSpace(connectionString) || connectionString.StartsWith("Name=", StringComparison.OrdinalIgnoreCase))
            return MySqlGuidFormat.Default;
        if (_last is { } last && last.Item1 == connectionString)
            return last.Item2;
        var options = new MySqlConnectionStringBuilder(connectionString);
        var format = options.GuidFormat switch
        {
            MySqlGuidFormat.Default when options.OldGuids => MySqlGuidFormat.LittleEndianBinary16,
            MySqlGuidFormat.Char36 => MySqlGuidFormat.Default,
            var other => other,
        };
        _last = new(connectionString, format);
        return format;
    }
}
