namespace Slipstream.Core.Wires;

/// <summary>The address of a server: a host name or IP address with a port, or the path of a unix socket.</summary>
/// <param name="Host">Host name or IP address; the path for a unix socket.</param>
/// <param name="Port">TCP port; 0 for a unix socket.</param>
internal sealed record Endpoint(string Host, int Port)
{
    /// <summary>Whether the endpoint is a path, not a host with a port.</summary>
    public bool IsUnixSocket => Port == 0;

    /// <summary>The endpoint of a unix socket.</summary>
    public static Endpoint Unix(string path) => new(path, 0);

    /// <summary>The endpoint in its usual notation, for messages.</summary>
    public override string ToString() => IsUnixSocket ? Host : Host.Contains(':') ? $"[{Host}]:{Port}" : $"{Host}:{Port}";
}
