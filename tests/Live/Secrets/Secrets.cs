using System.Buffers;

namespace Slipstream.Live.Secrets;

/// <summary>What may not be heard, and how it is recognised.</summary>
internal static class Secrets
{
    /// <summary>In every password and token that a test makes up: may be in no text at all.</summary>
    public const string Secret = "cAnArY-secret";

    /// <summary>In every value of a parameter: may be in no text of the driver. The server's own error messages may quote it ("Duplicate entry …").</summary>
    public const string Value = "cAnArY-value";

    // A word this short could be anywhere. The lab's own passwords are longer.
    private const int ShortestPassword = 8;

    private static SearchValues<string>? _passwords;
    private static int _known;

    /// <summary>Null when the text holds no secret; else which one it is, in other words.</summary>
    public static string? Find(string? text, bool isServers = false)
    {
        if (string.IsNullOrEmpty(text))
            return null;
        if (text.Contains(Secret, StringComparison.Ordinal))
            return "a test's password";
        if (!isServers && text.Contains(Value, StringComparison.Ordinal))
            return "a parameter's value";
        if (_passwords is null || _known != LiveServers.Passwords.Count)
        {
            _known = LiveServers.Passwords.Count;
            _passwords = SearchValues.Create(LiveServers.Passwords.Keys.Where(static password => password.Length >= ShortestPassword).ToArray(), StringComparison.Ordinal);
        }

        return text.AsSpan().ContainsAny(_passwords) ? LiveServers.Passwords.First(pair => pair.Key.Length >= ShortestPassword && text.Contains(pair.Key, StringComparison.Ordinal)).Value : null;
    }
}
