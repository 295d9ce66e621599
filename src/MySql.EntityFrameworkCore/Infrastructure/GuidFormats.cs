namespace Slipstream.MySql.EntityFrameworkCore.Infrastructure;

/// <summary>Reads from a connection string how the driver writes a Guid.</summary>
internal static class GuidFormats
{
    public static MySqlGuidFormat Of(string? connectionString)
    {
        if (string.IsNullOrWhiteSpace(connectionString) || connectionString.StartsWith("Name=", StringComparison.OrdinalIgnoreCase))
            return MySqlGuidFormat.Default;
        var options = new MySqlConnectionStringBuilder(connectionString);
        return options.GuidFormat switch
        {
            MySqlGuidFormat.Default or MySqlGuidFormat.Char36 when options.OldGuids => MySqlGuidFormat.LittleEndianBinary16,
            MySqlGuidFormat.Char36 => MySqlGuidFormat.Default,
            var format => format,
        };
    }
}
