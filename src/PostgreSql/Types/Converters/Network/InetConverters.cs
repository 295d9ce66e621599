using System.Net;

namespace Slipstream.PostgreSql.Types;

/// <summary>Converts inet to and from <see cref="IPAddress"/>. The netmask is not part of the .NET value.</summary>
internal sealed class IPAddressConverter : PgConverter<IPAddress>
{
    public override IPAddress Read(ref PgValueReader reader) => NetworkAddress.Read(ref reader).Address;

    public override void Write(ref PgValueWriter writer, IPAddress value) =>
        NetworkAddress.Write(ref writer, value, NetworkText.FullNetmask(value), isCidr: false);
}

/// <summary>Converts inet to and from an address and the number of bits of its network.</summary>
internal sealed class AddressWithBitsConverter : PgConverter<(IPAddress Address, int Subnet)>
{
    public override (IPAddress Address, int Subnet) Read(ref PgValueReader reader) => NetworkAddress.Read(ref reader);

    public override void Write(ref PgValueWriter writer, (IPAddress Address, int Subnet) value) =>
        NetworkAddress.Write(ref writer, NetworkAddress.Required(value.Address, "(IPAddress, int)"), checked((byte)value.Subnet), isCidr: false);
}

/// <summary>Converts inet to and from <see cref="PgInet"/>.</summary>
internal sealed class InetConverter : PgConverter<PgInet>
{
    public override PgInet Read(ref PgValueReader reader)
    {
        var (address, netmask) = NetworkAddress.Read(ref reader);
        return new(address, netmask);
    }

    public override void Write(ref PgValueWriter writer, PgInet value) =>
        NetworkAddress.Write(ref writer, NetworkAddress.Required(value.Address, nameof(PgInet)), value.Netmask, isCidr: false);
}
