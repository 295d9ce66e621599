namespace Slipstream.Core.Wires;

/// <summary>Where a server listens: a host name or address with a port, or a unix socket's path.</summary>
/// <param name="Host">Name or address; the socket's path for a unix socket.</param>
/// <param name="Port">TCP port; 0 for a unix socket.</param>
internal sealed record Endpoint(string Host, int Port)
{
    /// <summary>Whether it is a path and not a host with a port.</summary>
    public bool IsUnixSocket => Port == 0;

    /// <summary>The unix socket at a path.</summary>
    public static Endpoint Unix(string path) => new(path, 0);

    /// <summary>As people write it: for messages.</summary>
    public override string ToString() => IsUnixSocket ? Host : Host.Contains(':') ? $"[{Host}]:{Port}" : $"{Host}:{Port}";
}
