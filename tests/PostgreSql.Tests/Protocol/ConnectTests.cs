using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Protocol.Connect;

namespace Slipstream.PostgreSql.Tests.Protocol;

public class ConnectTests
{
    [Fact]
    public void Startup_has_no_type_and_counts_itself()
    {
        var writer = new ByteWriter();
        StartupMessage.Write(writer, [new("user", "u"), new("database", "d")]);
        Assert.Equal([0, 0, 0, 27, 0, 3, 0, 0, .. "user\0u\0database\0d\0\0"u8], writer.Written.ToArray());
    }

    [Fact]
    public void Startup_refuses_a_zero_character_and_leaves_nothing_behind()
    {
        var writer = new ByteWriter();
        Assert.Throws<ArgumentException>(() => StartupMessage.Write(writer, [new("user", "u\0superuser")]));
        Assert.Equal(0, writer.Length);
    }

    [Fact]
    public void Ssl_request_is_the_magic_number()
    {
        var writer = new ByteWriter();
        SslRequest.Write(writer);
        Assert.Equal([0, 0, 0, 8, 0x04, 0xD2, 0x16, 0x2F], writer.Written.ToArray());
    }

    [Fact]
    public void Cancel_request_carries_a_key_of_any_length()
    {
        var writer = new ByteWriter();
        CancelRequest.Write(writer, new BackendKeyData(1, [1, 2, 3, 4, 5, 6]));
        Assert.Equal([0, 0, 0, 18, 0x04, 0xD2, 0x16, 0x2E, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6], writer.Written.ToArray());
    }

    [Fact]
    public void Password_and_sasl_messages_share_their_type()
    {
        var writer = new ByteWriter();
        PasswordMessage.Write(writer, "pw"u8);
        SaslInitialResponse.Write(writer, "M", "ab"u8);
        SaslResponse.Write(writer, "cd"u8);
        Assert.Equal([.. "p\0\0\0\u0007pw\0"u8, .. "p\0\0\0\u000CM\0\0\0\0\u0002ab"u8, .. "p\0\0\0\u0006cd"u8], writer.Written.ToArray());
    }

    [Fact]
    public void Reads_the_mechanisms_offered()
    {
        var request = Cut.Read([0, 0, 0, 10, .. "SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0"u8], AuthenticationRequest.Read);
        Assert.Equal(AuthenticationKind.Sasl, request.Kind);
        Assert.Equal(["SCRAM-SHA-256-PLUS", "SCRAM-SHA-256"], request.Mechanisms);
    }

    [Fact]
    public void Refuses_an_endless_list_of_mechanisms()
    {
        var body = new List<byte> { 0, 0, 0, 10 };
        for (var i = 0; i < 17; i++)
            body.AddRange("X\0"u8);
        Cut.Refuse([.. body, 0], AuthenticationRequest.Read);
    }

    [Fact]
    public void Reads_the_salt_of_md5() =>
        Assert.Equal([9, 8, 7, 6], Cut.Read([0, 0, 0, 5, 9, 8, 7, 6], AuthenticationRequest.Read).Data);

    [Fact]
    public void Reads_a_parameter_status() =>
        Assert.Equal(new ParameterStatus("TimeZone", "UTC"), Cut.Read([.. "TimeZone\0UTC\0"u8], ParameterStatus.Read));

    [Fact]
    public void Reads_a_key_of_four_bytes()
    {
        var key = Cut.Read([0, 0, 1, 0, 1, 2, 3, 4], BackendKeyData.Read);
        Assert.Equal(256, key.ProcessId);
        Assert.Equal([1, 2, 3, 4], key.SecretKey);
    }

    [Theory]
    [InlineData(new byte[] { 0, 0x40, 0, 0 }, false)]
    [InlineData(new byte[] { 0, 0x40, 0, 1 }, true)]
    [InlineData(new byte[] { 0x7F, 0xFF, 0xFF, 0xFF }, true)]
    [InlineData(new byte[] { 0x80, 0, 0, 1 }, true)]
    public void A_process_id_that_no_process_has_is_a_poolers(byte[] id, bool isInvented) =>
        Assert.Equal(isInvented, Cut.Read([.. id, 1, 2, 3, 4], BackendKeyData.Read).IsInvented);

    [Theory]
    [InlineData(32, true)]
    [InlineData(256, true)]
    [InlineData(257, false)]
    public void Reads_longer_keys_up_to_the_documents_limit(int length, bool allowed)
    {
        var reader = new ByteReader(new byte[4 + length]);
        var key = BackendKeyData.Read(ref reader);
        Assert.Equal(allowed, !reader.Failed);
        if (allowed)
            Assert.Equal(length, key.SecretKey.Length);
    }

    [Fact]
    public void Reads_what_the_server_does_not_know()
    {
        var answer = Cut.Read([0, 0, 0, 0, 0, 0, 0, 1, .. "_pq_.x\0"u8], NegotiateProtocolVersion.Read);
        Assert.Equal(["_pq_.x"], answer.UnknownOptions);
        Cut.Refuse([0, 0, 0, 0, 0x7F, 0, 0, 0], NegotiateProtocolVersion.Read);
    }
}
