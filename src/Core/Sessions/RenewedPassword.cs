namespace Slipstream.Core.Sessions;

/// <summary>
/// A password that the application has set after the data source was created. The openers of sessions keep it, which must not keep the data source.
/// </summary>
internal sealed class RenewedPassword
{
    private volatile string? _value;

    /// <summary>Sets the password of sessions that are opened from now on; null for that of the settings.</summary>
    public void Set(string? password) => _value = password;

    /// <summary>Returns the password; null if none was set.</summary>
    public string? Read() => _value;
}
