using System.Security.Authentication;

namespace Slipstream.MySql.Options;

/// <summary>The words of the option TLS Version: "TLS 1.2, TLS 1.3", also "Tlsv1.3", "TLS12".</summary>
internal static class TlsVersions
{
    /// <summary>What the text names; <see cref="SslProtocols.None"/> (the operating system decides) when it is empty or names nothing that is safe.</summary>
    public static SslProtocols Parse(string text)
    {
        var all = SslProtocols.None;
        foreach (var part in Parts(text))
            all |= Version(part) ?? SslProtocols.None;
        return all;
    }

    /// <summary>Why the text cannot be obeyed; null when it can.</summary>
    public static string? Refusal(string text)
    {
        foreach (var part in Parts(text))
        {
            if (Version(part) is null)
                return "TLS versions are written as 'TLS 1.2' and 'TLS 1.3', separated by commas.";
        }

        // Older versions in the list are skipped, as every server that is still maintained speaks a newer one; alone they leave nothing.
        return text.Trim(' ', '(', ')').Length > 0 && Parse(text) == SslProtocols.None ? "TLS 1.0 and TLS 1.1 are broken. Allow TLS 1.2 or TLS 1.3." : null;
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
