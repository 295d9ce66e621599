using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Connect;
using Slipstream.MySql.Tests.Support;

namespace Slipstream.MySql.Tests.Protocol.Connect;

public class ConnectTests
{
    private static readonly byte[] Nonce = [.. Enumerable.Range(65, 20).Select(i => (byte)i)];

    [Theory]
    [InlineData("8.0.22", false, false)]
    [InlineData("8.0.23", true, false)]
    [InlineData("8.0.25-15", true, false)]
    [InlineData("8.0.26", true, true)]
    [InlineData("9.7.4-2", true, true)]
    [InlineData("11.8.2-MariaDB", true, false)]
    public void Attributes_are_taken_where_they_are_announced_and_work_in_both_protocols(string version, bool announced, bool expected)
    {
        var capabilities = Capabilities.MySql | (announced ? Capabilities.QueryAttributes : Capabilities.None);
        Assert.Equal(expected, new InitialHandshake(version, 1, Nonce, capabilities, 45, ServerStatus.None, "mysql_native_password").TakesAttributes);
    }

    [Fact]
    public void Reads_the_greeting_of_mysql()
    {
        var greeting = Greeting("9.7.0", 0xDFFFFFFF, 0xFFFFFFFF, 21, "caching_sha2_password");

        var handshake = Cut.Whole(greeting, InitialHandshake.Read);

        Assert.Equal("9.7.0", handshake.ServerVersion);
        Assert.Equal(0x01020304u, handshake.ConnectionId);
        Assert.Equal(Nonce, handshake.Nonce);
        Assert.Equal((Capabilities)0xDFFFFFFF, handshake.Capabilities);
        Assert.Equal(255, handshake.CharacterSet);
        Assert.Equal(ServerStatus.Autocommit, handshake.Status);
        Assert.Equal("caching_sha2_password", handshake.Plugin);
        Assert.False(handshake.IsMariaDb);
        Cut.Everywhere(greeting, InitialHandshake.Read, InsidePlugin(greeting, handshake));
    }

    [Theory]
    [InlineData("5.5.5-10.11.19-MariaDB-0+deb12u1", "10.11.19-MariaDB-0+deb12u1")]
    [InlineData("11.8.2-MariaDB", "11.8.2-MariaDB")]
    public void Reads_the_greeting_of_mariadb_with_its_extended_capabilities(string sent, string version)
    {
        var greeting = Greeting(sent, 0x81FFF7FE, 0x1F, 21, "mysql_native_password");

        var handshake = Cut.Whole(greeting, InitialHandshake.Read);

        Assert.Equal(version, handshake.ServerVersion);
        Assert.True(handshake.IsMariaDb);
        Assert.True(handshake.Capabilities.HasFlag(Capabilities.CacheMetadata | Capabilities.BulkOperations));
        Cut.Everywhere(greeting, InitialHandshake.Read, InsidePlugin(greeting, handshake));
    }

    [Fact]
    public void A_plugins_name_may_lack_the_zero_at_its_end()
    {
        var greeting = Greeting("5.5.8", 0xDFFFFFFF, 0, 21, "mysql_native_password")[..^1];
        var handshake = Cut.Whole(greeting, InitialHandshake.Read);
        Assert.Equal("mysql_native_password", handshake.Plugin);
        Assert.Equal(Nonce, handshake.Nonce);
    }

    [Fact]
    public void A_server_without_plugins_means_the_native_password()
    {
        var greeting = Greeting("5.1.73", (uint)(Capabilities.Protocol41 | Capabilities.SecureConnection | Capabilities.MySql), 0, 0, null);
        Assert.Equal("mysql_native_password", Cut.Whole(greeting, InitialHandshake.Read).Plugin);
        Assert.Equal(Nonce, Cut.Whole(greeting, InitialHandshake.Read).Nonce);
    }

    [Theory]
    [InlineData(9)]
    [InlineData(11)]
    [InlineData((byte)'S')]
    public void Another_protocol_version_fails(byte version)
    {
        var greeting = Greeting("9.7.0", 0xDFFFFFFF, 0, 21, "x");
        greeting[0] = version;
        var reader = new ByteReader(greeting);
        InitialHandshake.Read(ref reader);
        Assert.True(reader.Failed);
    }

    [Fact]
    public void A_nonce_length_that_lies_fails()
    {
        var greeting = Greeting("9.7.0", 0xDFFFFFFF, 0, 255, null);
        var reader = new ByteReader(greeting);
        InitialHandshake.Read(ref reader);
        Assert.True(reader.Failed);
    }

    [Fact]
    public void Writes_the_request_for_tls()
    {
        var writer = new ByteWriter();
        SslRequest.Write(writer, Capabilities.Ssl | Capabilities.Protocol41 | Capabilities.CacheMetadata, 45);
        Assert.Equal("000A0000" + "00000040" + "2D" + new string('0', 38) + "10000000", Convert.ToHexString(writer.Written));
    }

    [Fact]
    public void Writes_the_response_with_everything()
    {
        var writer = new ByteWriter();
        const Capabilities All = Capabilities.Protocol41 | Capabilities.PluginAuthentication | Capabilities.LengthEncodedAuthentication
            | Capabilities.ConnectWithDatabase | Capabilities.ConnectionAttributes;
        HandshakeResponse.Write(writer, All, 45, "root", [1, 2, 3], "db", "p", ConnectionAttributes.Encode([new("_os", "Linux"), new("x", "")]));

        var reader = new ByteReader(writer.Written);
        Assert.Equal((uint)All, reader.UInt32());
        Assert.Equal(SslRequest.MaxPacketSize, reader.UInt32());
        Assert.Equal(45, reader.Byte());
        Assert.Equal(new byte[23], reader.Bytes(23));
        Assert.Equal("root", reader.TextToZero());
        Assert.Equal([1, 2, 3], reader.LengthEncodedBytes().ToArray());
        Assert.Equal("db", reader.TextToZero());
        Assert.Equal("p", reader.TextToZero());
        var attributes = new ByteReader(reader.LengthEncodedBytes());
        Assert.Equal(
            ["_os", "Linux", "x", ""],
            new[] { attributes.LengthEncodedText(), attributes.LengthEncodedText(), attributes.LengthEncodedText(), attributes.LengthEncodedText() });
        Assert.Equal((0, 0, false, false), (reader.Remaining, attributes.Remaining, reader.Failed, attributes.Failed));
    }

    [Fact]
    public void Leaves_out_what_the_capabilities_do_not_announce()
    {
        var writer = new ByteWriter();
        HandshakeResponse.Write(writer, Capabilities.Protocol41 | Capabilities.SecureConnection, 45, "u", [9], "db", "p", [1, 2]);
        Assert.Equal("7500" + "0109", Convert.ToHexString(writer.Written[32..]));
        Assert.Throws<ArgumentException>(() => HandshakeResponse.Write(writer, Capabilities.Protocol41, 45, "u", new byte[256], "", "", []));
    }

    [Theory]
    [InlineData("a\0b", "", "p")]
    [InlineData("a", "d\0", "p")]
    public void A_zero_in_a_name_is_refused_before_it_shifts_what_follows(string user, string database, string plugin)
    {
        var error = Assert.Throws<ArgumentException>(() => HandshakeResponse.Write(
            new ByteWriter(), Capabilities.ConnectWithDatabase | Capabilities.PluginAuthentication, 45, user, [], database, plugin, []));
        Assert.Contains("NUL character", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Reads_the_request_to_switch()
    {
        byte[] packet = [.. "mysql_native_password\0"u8, .. Nonce, 0];
        var request = Cut.Whole(packet, AuthSwitchRequest.Read);
        Assert.Equal("mysql_native_password", request.Plugin);
        Assert.Equal(Nonce, request.Data);
        // After the name, any length of data is possible.
        Cut.Everywhere(packet.AsSpan(0, 22), AuthSwitchRequest.Read);
        Assert.Equal(new byte[32], Cut.Whole((byte[])[.. "client_ed25519\0"u8, .. new byte[32]], AuthSwitchRequest.Read).Data);
    }

    [Theory]
    [InlineData("03", true, false)]
    [InlineData("04", false, true)]
    [InlineData("0304", false, false)]
    [InlineData("2D2D", false, false)]
    public void Reads_more_data(string data, bool fast, bool full)
    {
        var reader = new ByteReader(Convert.FromHexString(data));
        var more = AuthMoreData.Read(ref reader);
        Assert.False(reader.Failed);
        Assert.Equal((fast, full, data), (more.IsFastSuccess, more.IsFullAuthenticationNeeded, Convert.ToHexString(more.Data)));
    }

    [Fact]
    public void More_data_without_data_fails()
    {
        var reader = new ByteReader([]);
        AuthMoreData.Read(ref reader);
        Assert.True(reader.Failed);
    }

    // A name without its final zero is accepted; an empty name is not a name.
    private static int[] InsidePlugin(byte[] greeting, InitialHandshake handshake) =>
        [.. Enumerable.Range(greeting.Length - handshake.Plugin.Length, handshake.Plugin.Length)];

    private static byte[] Greeting(string version, uint capabilities, uint extended, byte nonceLength, string? plugin)
    {
        var writer = new ByteWriter();
        writer.Byte(10);
        writer.TextAndZero(version);
        writer.UInt32(0x01020304);
        writer.Bytes(Nonce.AsSpan(0, 8));
        writer.Byte(0);
        writer.UInt16((ushort)capabilities);
        writer.Byte(255);
        writer.UInt16(2);
        writer.UInt16((ushort)(capabilities >> 16));
        writer.Byte(nonceLength);
        writer.Zeros(6);
        writer.UInt32(extended);
        writer.Bytes(Nonce.AsSpan(8));
        writer.Byte(0);
        if (plugin is not null)
            writer.Bytes(Encoding.ASCII.GetBytes(plugin + "\0"));
        return writer.Written.ToArray();
    }
}
