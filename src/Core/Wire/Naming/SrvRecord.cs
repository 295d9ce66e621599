namespace Slipstream.Core.Wires;

/// <summary>A server of a service. Source: RFC 2782, "The format of the SRV RR".</summary>
/// <param name="Priority">Servers with a lower number are preferred.</param>
/// <param name="Weight">Among servers with the same priority, those with a higher number get more clients.</param>
/// <param name="Port">The TCP port.</param>
/// <param name="Target">The host's name in lower case, without the final dot.</param>
internal sealed record SrvRecord(ushort Priority, ushort Weight, ushort Port, string Target);
