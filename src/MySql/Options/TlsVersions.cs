using System.Security.Authentication;

namespace Slipstream.MySql.Options;

/// <summary>Reads the option TLS Version: "TLS 1.2, TLS 1.3", also "Tlsv1.3", "TLS12".</summary>
internal static class TlsVersions
{
    /// <summary>
    /// Returns the versions in the text. Returns <see cref="SslProtocols.None"/> (the operating system decides) if the text is empty or contains no secure
    /// version.
    /// </summary>
    public static SslProtocols Parse(string text)
    {
        var all = SslProtocols.None;
        foreach (var part in Parts(text))
            all |= Version(part) ?? SslProtocols.None;
        return all;
    }

    /// <summary>Returns why the text is refused, or null if it is valid.</summary>
    public static string? Refusal(string text)
    {
        foreach (var part in Parts(text))
        {
            if (Version(part) is null)
                return "TLS versions are written as 'TLS 1.2' and 'TLS 1.3', separated by commas.";
        }

        // Older versions in the list are skipped, because every maintained server supports a newer one. If only older versions are listed, none is left.
        return text.Trim(' ', '(', ')').Length > 0 && Parse(text) == SslProtocols.None ? "TLS 1.0 and TLS 1.1 are not secure. Allow TLS 1.2 or TLS 1.3." : null;
    }

    private static string[] Parts(string text) => text.Trim(' ', '(', ')').Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);

    private static SslProtocols? Version(string word)
    {
        var digits = word.ToUpperInvariant().Replace("TLS", "", StringComparison.Ordinal).TrimStart(' ', 'V').Replace(".", "", StringComparison.Ordinal);
        return digits switch
        {
            "12" => SslProtocols.Tls12,
            "13" => SslProtocols.Tls13,
            "1" or "10" or "11" or "" => SslProtocols.None,
            _ => null,
        };
    }
}
