using System.Net;

namespace Slipstream.PostgreSql;

/// <summary>
/// An IP network: PostgreSQL's type cidr. <see cref="IPNetwork"/> is .NET's own type for it, which the driver also reads and writes.
/// </summary>
public readonly struct PgCidr : IEquatable<PgCidr>
{
    /// <summary>Creates a network. The server checks the netmask.</summary>
    /// <param name="address">The first address. The server refuses an address with bits outside the netmask.</param>
    /// <param name="netmask">The number of bits of the network: 0 to 32 for IPv4, 0 to 128 for IPv6.</param>
    /// <exception cref="ArgumentNullException">The address is null.</exception>
    public PgCidr(IPAddress address, byte netmask) => (Address, Netmask) = (address ?? throw new ArgumentNullException(nameof(address)), netmask);

    /// <summary>Creates a network from text, such as <c>192.168.1.0/24</c>.</summary>
    /// <param name="addr">The text, with the netmask.</param>
    /// <exception cref="ArgumentNullException">The text is null.</exception>
    /// <exception cref="FormatException">The text has another format.</exception>
    public PgCidr(string addr)
    {
        ArgumentNullException.ThrowIfNull(addr);
        (Address, Netmask) = NetworkText.Parse(addr, requiresNetmask: true);
    }

    /// <summary>Gets the first address.</summary>
    public IPAddress Address { get; }

    /// <summary>Gets the number of bits of the network.</summary>
    public byte Netmask { get; }

    /// <summary>Returns the same address and netmask as <see cref="PgInet"/>.</summary>
    /// <param name="cidr">The network.</param>
    public static implicit operator PgInet(PgCidr cidr) => new(cidr.Address, cidr.Netmask);

    /// <summary>Returns the address without the netmask.</summary>
    /// <param name="cidr">The network.</param>
    public static explicit operator IPAddress(PgCidr cidr) => cidr.Address;

    /// <summary>Returns whether address and netmask are equal.</summary>
    /// <param name="left">The first value.</param>
    /// <param name="right">The second value.</param>
    /// <returns>True if they are equal.</returns>
    public static bool operator ==(PgCidr left, PgCidr right) => left.Equals(right);

    /// <summary>Returns whether the values differ.</summary>
    /// <param name="left">The first value.</param>
    /// <param name="right">The second value.</param>
    /// <returns>True if they differ.</returns>
    public static bool operator !=(PgCidr left, PgCidr right) => !left.Equals(right);

    /// <summary>Returns whether address and netmask are equal.</summary>
    /// <param name="other">The other value.</param>
    /// <returns>True if they are equal.</returns>
    public bool Equals(PgCidr other) => Equals(Address, other.Address) && Netmask == other.Netmask;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is PgCidr other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Address, Netmask);

    /// <summary>Returns the address and the netmask.</summary>
    /// <param name="address">The address.</param>
    /// <param name="netmask">The number of bits of the network.</param>
    public void Deconstruct(out IPAddress address, out byte netmask) => (address, netmask) = (Address, Netmask);

    /// <summary>Returns the value in PostgreSQL's text format, such as <c>192.168.1.0/24</c>.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => $"{Address}/{Netmask}";
}
