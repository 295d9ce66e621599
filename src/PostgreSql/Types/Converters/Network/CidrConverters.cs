using System.Net;

namespace Slipstream.PostgreSql.Types;

/// <summary>Converts cidr to and from <see cref="IPNetwork"/>.</summary>
internal sealed class IPNetworkConverter : PgConverter<IPNetwork>
{
    public override IPNetwork Read(ref PgValueReader reader)
    {
        var (address, netmask) = NetworkAddress.Read(ref reader);
        return new(address, netmask);
    }

    public override void Write(ref PgValueWriter writer, IPNetwork value) =>
        NetworkAddress.Write(ref writer, value.BaseAddress, (byte)value.PrefixLength, isCidr: true);
}

/// <summary>Converts cidr to and from <see cref="PgCidr"/>.</summary>
internal sealed class CidrConverter : PgConverter<PgCidr>
{
    public override PgCidr Read(ref PgValueReader reader)
    {
        var (address, netmask) = NetworkAddress.Read(ref reader);
        return new(address, netmask);
    }

    public override void Write(ref PgValueWriter writer, PgCidr value) =>
        NetworkAddress.Write(ref writer, NetworkAddress.Required(value.Address, nameof(PgCidr)), value.Netmask, isCidr: true);
}
