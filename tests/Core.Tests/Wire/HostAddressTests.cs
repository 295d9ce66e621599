using System.Net;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Wires;

public class HostAddressTests
{
    [Theory]
    [InlineData("127.0.0.1")]
    [InlineData("0.0.0.0")]
    [InlineData("255.255.255.255")]
    [InlineData("10.20.30.40")]
    [InlineData("010.0.0.1")]
    [InlineData("256.0.0.1")]
    [InlineData("1.2.3")]
    [InlineData("1.2.3.")]
    [InlineData("1.2.3.4.")]
    [InlineData("1.2.3.4.5")]
    [InlineData("1.2.3.4567")]
    [InlineData(".1.2.3")]
    [InlineData("1..2.3")]
    [InlineData("0x7f.1")]
    [InlineData("2130706433")]
    [InlineData("::1")]
    [InlineData("fe80::1%1")]
    [InlineData("localhost")]
    [InlineData("1.2.3.4 ")]
    [InlineData("١.2.3.4")]
    [InlineData("")]
    public void A_host_written_as_a_number_is_read_as_the_runtime_reads_it(string host) =>
        Assert.Equal(IPAddress.TryParse(host, out var address) ? address : null, HostAddress.Parse(host));
}
