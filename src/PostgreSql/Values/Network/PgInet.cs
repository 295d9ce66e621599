using System.Net;

namespace Slipstream.PostgreSql;

/// <summary>
/// An IP address and the number of bits of its network: PostgreSQL's type inet. If the network does not matter, use <see cref="IPAddress"/>.
/// </summary>
public readonly struct PgInet : IEquatable<PgInet>
{
    /// <summary>Creates an address with a netmask. The server checks the netmask.</summary>
    /// <param name="address">The address.</param>
    /// <param name="netmask">The number of bits of the network: 0 to 32 for IPv4, 0 to 128 for IPv6.</param>
    /// <exception cref="ArgumentNullException">The address is null.</exception>
    public PgInet(IPAddress address, byte netmask) => (Address, Netmask) = (address ?? throw new ArgumentNullException(nameof(address)), netmask);

    /// <summary>Creates an address without a network: the netmask has 32 bits (IPv4) or 128 bits (IPv6).</summary>
    /// <param name="address">The address.</param>
    /// <exception cref="ArgumentNullException">The address is null.</exception>
    public PgInet(IPAddress address) : this(address, NetworkText.FullNetmask(address))
    {
    }

    /// <summary>Creates an address from text, such as <c>192.168.1.5</c> or <c>192.168.1.5/24</c>.</summary>
    /// <param name="addr">The text. Without a slash, the netmask has 32 bits (IPv4) or 128 bits (IPv6).</param>
    /// <exception cref="ArgumentNullException">The text is null.</exception>
    /// <exception cref="FormatException">The text has another format.</exception>
    public PgInet(string addr)
    {
        ArgumentNullException.ThrowIfNull(addr);
        (Address, Netmask) = NetworkText.Parse(addr, requiresNetmask: false);
    }

    /// <summary>Gets the address.</summary>
    public IPAddress Address { get; }

    /// <summary>Gets the number of bits of the network.</summary>
    public byte Netmask { get; }

    /// <summary>Returns the address without the netmask.</summary>
    /// <param name="inet">The value.</param>
    public static explicit operator IPAddress(PgInet inet) => inet.Address;

    /// <summary>Returns an address with a netmask of 32 bits (IPv4) or 128 bits (IPv6).</summary>
    /// <param name="ip">The address.</param>
    /// <exception cref="ArgumentNullException">The address is null.</exception>
    public static implicit operator PgInet(IPAddress ip) => new(ip);

    /// <summary>Returns the network's first address, with its netmask.</summary>
    /// <param name="cidr">The network.</param>
    public static implicit operator PgInet(IPNetwork cidr) => new(cidr.BaseAddress, (byte)cidr.PrefixLength);

    /// <summary>Returns whether address and netmask are equal.</summary>
    /// <param name="left">The first value.</param>
    /// <param name="right">The second value.</param>
    /// <returns>True if they are equal.</returns>
    public static bool operator ==(PgInet left, PgInet right) => left.Equals(right);

    /// <summary>Returns whether the values differ.</summary>
    /// <param name="left">The first value.</param>
    /// <param name="right">The second value.</param>
    /// <returns>True if they differ.</returns>
    public static bool operator !=(PgInet left, PgInet right) => !left.Equals(right);

    /// <summary>Returns whether address and netmask are equal.</summary>
    /// <param name="other">The other value.</param>
    /// <returns>True if they are equal.</returns>
    public bool Equals(PgInet other) => Equals(Address, other.Address) && Netmask == other.Netmask;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is PgInet other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Address, Netmask);

    /// <summary>Returns the address and the netmask.</summary>
    /// <param name="address">The address.</param>
    /// <param name="netmask">The number of bits of the network.</param>
    public void Deconstruct(out IPAddress address, out byte netmask) => (address, netmask) = (Address, Netmask);

    /// <summary>Returns the value in PostgreSQL's text format, without the netmask if it has all bits, such as <c>192.168.1.5/24</c>.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => Address is not null && Netmask == NetworkText.FullNetmask(Address) ? Address.ToString() : $"{Address}/{Netmask}";
}
