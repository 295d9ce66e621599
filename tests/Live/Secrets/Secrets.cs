using System.Buffers;

namespace Slipstream.Live.Secrets;

/// <summary>The texts that must stay secret, and how to recognise them.</summary>
internal static class Secrets
{
    /// <summary>Part of every password and token that a test makes up: must be in no text.</summary>
    public const string Secret = "cAnArY-secret";

    /// <summary>Part of every parameter value: must be in no text of the driver. The server's own error messages may quote it ("Duplicate entry …").</summary>
    public const string Value = "cAnArY-value";

    // A word this short could be anywhere. The lab's own passwords are longer.
    private const int ShortestPassword = 8;

    private static SearchValues<string>? _passwords;
    private static int _known;

    /// <summary>Returns null if the text contains no secret; otherwise a description of the secret.</summary>
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
            _passwords = SearchValues.Create(
                LiveServers.Passwords.Keys.Where(static password => password.Length >= ShortestPassword).ToArray(), StringComparison.Ordinal);
        }

        return text.AsSpan().ContainsAny(_passwords)
            ? LiveServers.Passwords.First(pair => pair.Key.Length >= ShortestPassword && text.Contains(pair.Key, StringComparison.Ordinal)).Value
            : null;
    }
}
