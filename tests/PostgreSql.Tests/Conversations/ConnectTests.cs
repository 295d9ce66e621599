using System.Security.Cryptography;
using System.Text;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Authentication;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Options;

namespace Slipstream.PostgreSql.Tests.Conversations;

public class ConnectTests
{
    private static readonly byte[] WelcomesAnybody =
        [.. Says.AuthenticationOk, .. Says.Status("server_version", "15.18 (Debian)"), .. Says.Status("TimeZone", "UTC"), .. Says.KeyData, .. Says.Ready()];

    [Theory]
    [InlineData(int.MaxValue)]
    [InlineData(3)]
    [InlineData(1)]
    public void Learns_the_sessions_settings_and_key(int pieces)
    {
        var (connect, server) = Run(WelcomesAnybody, "SSL Mode=Disable;Application Name=app;Search Path=s;Timezone=UTC;Options=-c x=y", pieces);
        Assert.Null(connect.Error);
        Assert.Equal("15.18 (Debian)", connect.Parameters["server_version"]);
        Assert.Equal(7, connect.Key!.ProcessId);
        var heard = Encoding.UTF8.GetString([.. server.Heard]);
        Assert.Contains(
            "user\0u\0database\0d\0client_encoding\0UTF8\0DateStyle\0ISO\0application_name\0app\0search_path\0s\0TimeZone\0UTC\0options\0-c x=y\0\0", heard);
    }

    [Fact]
    public void Goes_on_in_clear_text_when_tls_is_only_preferred()
    {
        var (connect, server) = Run([(byte)'N', .. WelcomesAnybody], "SSL Mode=Prefer", pieces: 1);
        Assert.Null(connect.Error);
        Assert.Equal([0, 0, 0, 8, 0x04, 0xD2, 0x16, 0x2F], server.Heard[..8]);
    }

    [Theory]
    [InlineData("Require")]
    [InlineData("VerifyCA")]
    [InlineData("VerifyFull")]
    public void Sends_nothing_more_when_demanded_tls_is_not_offered(string mode)
    {
        var server = new ScriptedServer([(byte)'N']);
        var error = Assert.Throws<WireException>(() => Run(server, $"SSL Mode={mode}"));
        Assert.Equal(WireFailure.TlsNotOffered, error.Failure);
        Assert.Equal(8, server.Heard.Count);
    }

    [Fact]
    public void Does_not_show_an_error_that_came_before_tls()
    {
        var error = Assert.Throws<WireException>(() => Run(Says.Error("00000", "call this number"), "SSL Mode=Require"));
        Assert.DoesNotContain("call this number", error.Message);
    }

    [Fact]
    public void Refuses_bytes_between_the_request_for_tls_and_its_handshake() =>
        Assert.Throws<ProtocolException>(() => Run([(byte)'S', .. WelcomesAnybody], "SSL Mode=Require"));

    [Fact]
    public void Keeps_the_servers_refusal()
    {
        var (connect, _) = Run(Says.Error("28P01", "no", "FATAL"), "SSL Mode=Disable");
        Assert.Equal("28P01", connect.Error!.SqlState);
    }

    [Theory]
    [InlineData("Require Auth=ScramSHA256")]
    [InlineData("Require Auth=!None")]
    [InlineData("Channel Binding=Require;SSL Mode=Prefer")]
    public void A_server_that_asks_for_nothing_is_refused_when_something_is_demanded(string options)
    {
        byte[] says = options.Contains("Prefer") ? [(byte)'N', .. WelcomesAnybody] : WelcomesAnybody;
        var error = Assert.Throws<WireException>(() => Run(says, options.Contains("SSL") ? options : options + ";SSL Mode=Disable", pieces: 1));
        Assert.Equal(WireFailure.Forbidden, error.Failure);
    }

    [Fact]
    public void Md5_is_answered_only_when_allowed()
    {
        byte[] says = [.. Says.Message('R', [0, 0, 0, 5, 1, 2, 3, 4]), .. WelcomesAnybody];
        var refused = new ScriptedServer(says);
        Assert.Equal(WireFailure.Forbidden, Assert.Throws<WireException>(() => Run(refused, "SSL Mode=Disable")).Failure);
        Assert.DoesNotContain("md5", Encoding.Latin1.GetString([.. refused.Heard]));

        var (connect, server) = Run(says, "SSL Mode=Disable;Require Auth=MD5");
        Assert.Null(connect.Error);
        Assert.Contains(Encoding.ASCII.GetString(Md5Password.Answer("u", "pencil", [1, 2, 3, 4])), Encoding.Latin1.GetString([.. server.Heard]));
    }

    [Theory]
    [InlineData(nameof(PeerTrust.None), "", false)]
    [InlineData(nameof(PeerTrust.None), "Require Auth=Password", false)]
    [InlineData(nameof(PeerTrust.Loopback), "", false)]
    [InlineData(nameof(PeerTrust.Loopback), "Require Auth=Password", true)]
    [InlineData(nameof(PeerTrust.UnixSocket), "", true)]
    public void The_password_itself_goes_only_to_whom_it_may(string trust, string options, bool goes)
    {
        var server = new ScriptedServer([.. Says.Message('R', [0, 0, 0, 3]), .. WelcomesAnybody]) { Trust = Enum.Parse<PeerTrust>(trust) };
        if (goes)
            Assert.Null(Run(server, "SSL Mode=Disable;" + options).Error);
        else
            Assert.Equal(WireFailure.Forbidden, Assert.Throws<WireException>(() => Run(server, "SSL Mode=Disable;" + options)).Failure);
        Assert.Equal(goes, Encoding.Latin1.GetString([.. server.Heard]).Contains("pencil"));
    }

    [Fact]
    public void A_server_that_skips_its_own_proof_is_refused()
    {
        byte[] says = [.. Says.Message('R', [0, 0, 0, 10, .. "SCRAM-SHA-256\0\0"u8]), .. WelcomesAnybody];
        var error = Assert.Throws<WireException>(() => Run(says, "SSL Mode=Disable"));
        Assert.Equal(WireFailure.Forbidden, error.Failure);
    }

    [Fact]
    public void Scram_is_spoken_to_its_end()
    {
        var transport = new ScramServer("pencil");
        var connect = Run(transport, "SSL Mode=Disable");
        Assert.Null(connect.Error);
        Assert.Equal("pencil", transport.Knows);
    }

    [Fact]
    public void A_server_that_never_comes_to_an_end_is_left()
    {
        var says = new List<byte>(Says.AuthenticationOk);
        for (var i = 0; i < 1100; i++)
            says.AddRange(Says.Status($"n{i}", "v"));
        Assert.Throws<ProtocolException>(() => Run([.. says], "SSL Mode=Disable"));
    }

    [Theory]
    [InlineData("HTTP/1.1 400 Bad Request\r\n")]
    [InlineData("R\0\u0010\0\0")]
    [InlineData("R\0\0\0\u0003")]
    [InlineData("Z\0\0\0\u0005I")]
    [InlineData("D\0\0\0\u0006\0\0")]
    [InlineData("R\0\0\0\u0008\0\0\0\u000B")]
    public void Whoever_speaks_another_protocol_is_found_out(string says)
    {
        var error = Assert.ThrowsAny<Exception>(() => Run(Encoding.Latin1.GetBytes(says), "SSL Mode=Disable"));
        Assert.True(error is ProtocolException or WireException { Failure: WireFailure.Forbidden }, error.ToString());
    }

    private static (Connect Connect, ScriptedServer Server) Run(byte[] says, string options, int pieces = int.MaxValue)
    {
        var server = new ScriptedServer(says, pieces);
        return (Run(server, options), server);
    }

    private static Connect Run(ITransport server, string options)
    {
        var settings = PgSettings.Parse($"Host=h;Username=u;Password=pencil;Database=d;{options}");
        var connect = new Connect(settings, new ScramKeyCache(), server);
        BlockingPump.Run(connect, new Wire(server));
        return connect;
    }

    /// <summary>A server that knows one password, and answers what it receives.</summary>
    private sealed class ScramServer(string password) : ITransport
    {
        private readonly Queue<byte> _says = new();
        private string _clientFirst = "";
        private string _serverFirst = "";

        public string? Knows { get; private set; }

        public bool IsReadable => false;

        public bool HasWaitedAsynchronously => false;

        public PeerTrust Trust => PeerTrust.None;

        public string Peer => "scram:5432";

        public void Send(ReadOnlySpan<byte> bytes)
        {
            var text = Encoding.ASCII.GetString(bytes);
            if (!text.Contains("r=", StringComparison.Ordinal))
                Say(Says.Message('R', [0, 0, 0, 10, .. "SCRAM-SHA-256\0\0"u8]));
            else if (!text.Contains(",p=", StringComparison.Ordinal))
            {
                _clientFirst = text[text.IndexOf("n=,r=", StringComparison.Ordinal)..];
                _serverFirst = "r=" + _clientFirst["n=,r=".Length..] + "SERVER,s=AQIDBA==,i=4096";
                Say(Says.Message('R', [0, 0, 0, 11, .. Encoding.ASCII.GetBytes(_serverFirst)]));
            }
            else
                Verify(text[text.IndexOf("c=", StringComparison.Ordinal)..]);
        }

        private void Verify(string clientFinal)
        {
            var proofAt = clientFinal.IndexOf(",p=", StringComparison.Ordinal);
            var keys = ScramKeys.Make(Encoding.UTF8.GetBytes(password), [1, 2, 3, 4], 4096);
            var authMessage = Encoding.ASCII.GetBytes($"{_clientFirst},{_serverFirst},{clientFinal[..proofAt]}");
            var key = HMACSHA256.HashData(keys.StoredKey, authMessage);
            var proof = Convert.FromBase64String(clientFinal[(proofAt + 3)..]);
            for (var i = 0; i < key.Length; i++)
                key[i] ^= proof[i];
            Assert.Equal(keys.StoredKey, SHA256.HashData(key));
            Knows = password;
            Say(Says.Message('R', [0, 0, 0, 12, .. Encoding.ASCII.GetBytes("v=" + Convert.ToBase64String(HMACSHA256.HashData(keys.ServerKey, authMessage)))]));
            Say(WelcomesAnybody);
        }

        private void Say(byte[] message)
        {
            foreach (var one in message)
                _says.Enqueue(one);
        }

        public int Receive(Span<byte> room)
        {
            var count = 0;
            while (count < room.Length && _says.TryDequeue(out var one))
                room[count++] = one;
            return count;
        }

        public ValueTask<int> ReceiveAsync(Memory<byte> room) => new(Receive(room.Span));

        public ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
        {
            Send(bytes.Span);
            return default;
        }

        public ITransport Upgrade() => throw new NotSupportedException("This server has no TLS.");

        public ValueTask<ITransport> UpgradeAsync() => throw new NotSupportedException("This server has no TLS.");

        public void Shutdown()
        {
        }

        public void Dispose()
        {
        }
    }
}
