using System.Globalization;

namespace Slipstream.Core.Topology;

/// <summary>One server of a data source at one moment, as the driver knows it. It does not change.</summary>
public sealed class HostDescription
{
    internal HostDescription(string host, int port) => (Host, Port) = (host, port);

    /// <summary>Gets the host's name or IP address as in the connection string; the path for a unix socket.</summary>
    public string Host { get; }

    /// <summary>Gets the TCP port; 0 for a unix socket.</summary>
    public int Port { get; }

    /// <summary>
    /// Gets what the server may be used for. Of several servers that accept writes (Galera), only the one that the driver uses for writes is
    /// <see cref="HostRole.Primary"/>; the others are replicas.
    /// </summary>
    /// <value>The role of the last answer, even if the server does not answer any more: look at <see cref="State"/>, too.</value>
    public HostRole Role { get; internal init; }

    /// <summary>Gets whether the server answers.</summary>
    public HostState State { get; internal init; }

    /// <summary>Gets how far a replica is behind its primary; null if unknown. PostgreSQL only.</summary>
    public TimeSpan? Lag { get; internal init; }

    /// <summary>Gets the smoothed time between a question for the server's role and its answer; null before the first answer.</summary>
    public TimeSpan? RoundTripTime { get; internal init; }

    /// <summary>Gets when the server reached its role and state, by the clock of this machine.</summary>
    public DateTimeOffset Since { get; internal init; }

    /// <summary>Gets the text of the last error; null if there was none since the last answer. It contains no secret, and at most 500 characters.</summary>
    public string? LastError { get; internal init; }

    /// <summary>
    /// Gets whether connections may use the server: it answers, or only one session or question was lost, and its role is
    /// <see cref="HostRole.Primary"/>, <see cref="HostRole.Replica"/> or <see cref="HostRole.ReadOnly"/>.
    /// </summary>
    public bool IsUsable => HostStatus.IsInUse(State) && HostStatus.MayServe(Role);

    /// <summary>Gets the host and the port in the usual notation, such as <c>db1.example:5432</c>; the path for a unix socket.</summary>
    public string Address => Port == 0 ? Host : string.Create(CultureInfo.InvariantCulture, $"{(Host.Contains(':') ? $"[{Host}]" : Host)}:{Port}");

    /// <summary>Returns the address, the role, the state and the lag, for logs.</summary>
    /// <returns>The text, such as <c>db1.example:5432 Replica Up, lag 0.012 s</c>.</returns>
    public override string ToString() => Lag is { } lag
        ? string.Create(CultureInfo.InvariantCulture, $"{Address} {Role} {State}, lag {lag.TotalSeconds:0.###} s")
        : $"{Address} {Role} {State}";
}
