using System.Text;

namespace Slipstream.PostgreSql.State;

/// <summary>The settings that a session had after its login, of those that a client may send then.</summary>
internal sealed class LoginSettings
{
    // What the driver sends, and what the option Options may contain and a pooler can know, because the server reports it.
    private static readonly string[] Names =
        ["client_encoding", "DateStyle", "TimeZone", "application_name", "IntervalStyle", "standard_conforming_strings", "search_path"];

    // The driver always sends these. A server whose administrator changes the defaults keeps them in a session.
    private const int Sent = 2;

    // In the order of the names; null if the server did not report the setting.
    private readonly string?[] _values = new string?[Names.Length];

    private byte[]? _calls;

    /// <summary>Copies the values of the login, because the server reports changes later.</summary>
    /// <param name="reported">The settings that the server reported.</param>
    /// <param name="searchPath">The search_path that the client sent; empty if it sent none. Servers before PostgreSQL 18 do not report it.</param>
    public LoginSettings(Dictionary<string, string> reported, string searchPath)
    {
        for (var i = 0; i < Names.Length; i++)
            _values[i] = reported.GetValueOrDefault(Names[i]);
        if (searchPath.Length > 0)
            _values[^1] ??= searchPath;
    }

    /// <summary>Returns whether the session still has the values that the driver always sends.</summary>
    public bool Holds(Dictionary<string, string> reported)
    {
        for (var i = 0; i < Sent; i++)
            if (_values[i] is { } value && reported.GetValueOrDefault(Names[i]) != value)
                return false;
        return true;
    }

    /// <summary>Gets the calls that restore the values, each after a comma: the rest of a SELECT.</summary>
    public byte[] Calls => _calls ??= WriteCalls();

    private byte[] WriteCalls()
    {
        var text = new StringBuilder();
        for (var i = 0; i < Names.Length; i++)
            if (_values[i] is { } value)
                text.Append(",pg_catalog.set_config('").Append(Names[i]).Append("',").Append(Quote(value)).Append(",false)");
        return Encoding.UTF8.GetBytes(text.ToString());
    }

    // An E string has the same meaning under every value of standard_conforming_strings.
    private static string Quote(string value) =>
        $"E'{value.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("'", "''", StringComparison.Ordinal)}'";
}
