using System.Security.Cryptography;
using System.Text;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Authentication;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Options;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.State;
using Slipstream.PostgreSql.Types;

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

    [Fact]
    public void Types_are_loaded_after_the_login()
    {
        var types = new TypeSource(TypeMappings.None, TypeLoadingOptions.Default);
        Assert.Null(Load(types, [.. TypeRow("20000", "e", "0", "mood"), .. Says.Complete("SELECT 1"), .. Says.Ready()]).Error);
        Assert.Equal("public.mood", types.Current.Describe(20000).DisplayName);
    }

    [Fact]
    public void A_server_without_these_catalogues_has_no_types_of_its_own()
    {
        var types = new TypeSource(TypeMappings.None, TypeLoadingOptions.Default);
        Assert.Null(Load(types, [.. Says.Error("42P01", "there is no pg_range"), .. Says.Ready()]).Error);
        Assert.True(types.Current.IsLoaded);
    }

    // Otherwise the data source would have no types until it ends, because of one moment in which they were locked.
    [Theory]
    [InlineData("55P03")]
    [InlineData("57014")]
    [InlineData("53200")]
    [InlineData("40P01")]
    public void An_error_that_passes_does_not_leave_the_data_source_without_types(string sqlState)
    {
        var types = new TypeSource(TypeMappings.None, TypeLoadingOptions.Default);
        Assert.Equal(sqlState, Load(types, [.. Says.Error(sqlState, "not now"), .. Says.Ready()]).Error?.SqlState);
        Assert.True(types.MustLoad);
        Assert.Null(Load(types, [.. TypeRow("20000", "e", "0", "mood"), .. Says.Complete("SELECT 1"), .. Says.Ready()]).Error);
        Assert.Equal("public.mood", types.Current.Describe(20000).DisplayName);
    }

    [Theory]
    [InlineData("R\0\0\0\u0008\0\0\0\u0003")]
    [InlineData("R\0\0\0\u0008\0\0\0\0")]
    [InlineData("K\0\0\0\u000C\0\0\0\u0007abcd")]
    [InlineData("G\0\0\0\u0007\0\0\0")]
    [InlineData("T\0\0\0\u0006\0\0")]
    [InlineData("D\0\0\0\u0006\0\0")]
    [InlineData("1\0\0\0\u0005x")]
    [InlineData("2\0\0\0\u0004")]
    [InlineData("Z\0\0\0\u0005I")]
    [InlineData("A\0\0\0\u0004")]
    public void While_types_are_loaded_the_server_may_send_nothing_else(string says) => Assert.Throws<ProtocolException>(
        () => Load(new(TypeMappings.None, TypeLoadingOptions.Default), [.. Encoding.Latin1.GetBytes(says), .. Says.Complete("SELECT 0"), .. Says.Ready()]));

    [Fact]
    public void While_types_are_loaded_the_server_cannot_report_settings_without_end()
    {
        var says = new List<byte>();
        for (var i = 0; i < 1100; i++)
            says.AddRange(Says.Status($"n{i}", "v"));
        Assert.Throws<ProtocolException>(() => Load(new(TypeMappings.None, TypeLoadingOptions.Default), [.. says]));
    }

    [Theory]
    [InlineData(500_001, 4)]
    [InlineData(1_200, 60_000)]
    public void Types_without_end_are_refused_before_they_fill_the_memory(int rows, int length)
    {
        var loading = new TypeLoading(TypeLoadingOptions.Default, "18.0");
        var body = TypeRow("20000", "c", "0", new string('x', length))[5..];
        loading.TryTake(BackendMessage.ParseComplete, []);
        loading.TryTake(BackendMessage.BindComplete, []);
        for (var i = 1; i < rows && (long)i * body.Length <= 64 << 20; i++)
            Assert.True(loading.TryTake(BackendMessage.DataRow, body));
        Assert.Contains("NoTypeLoading", Assert.Throws<ProtocolException>(() => loading.TryTake(BackendMessage.DataRow, body)).Message);
        Assert.Single(loading.Types);
    }

    private static byte[] TypeRow(string oid, string kind, string related, string name) => Says.TextRow("1", oid, kind, related, name, "public");

    private static Connect Load(TypeSource types, byte[] says)
    {
        var server = new ScriptedServer([.. WelcomesAnybody, .. Says.ParseComplete, .. Says.BindComplete, .. says]);
        var connect = new Connect(
            PgSettings.Parse("Host=h;Username=u;Password=pencil;Database=d;SSL Mode=Disable"), new ScramKeyCache(), server, default, types);
        BlockingPump.Run(connect, new Wire(server));
        return connect;
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

    [Fact]
    public void Kerberos_exchanges_tokens_for_the_service_that_the_options_name()
    {
        var (tokens, services) = (new Tokens("one", "two"), new List<string>());
        var server = new ScriptedServer([.. Gss(7), .. Gss(8, "its proof"), .. WelcomesAnybody]);
        RunKerberos(server, tokens, "Kerberos Service Name=pg", services);
        Assert.Equal(["pg/h"], services);
        Assert.Equal(["", "its proof"], tokens.Came);
        Assert.True(tokens.IsDisposed);
        var heard = Encoding.UTF8.GetString([.. server.Heard]);
        Assert.EndsWith("p\0\0\0\u0007onep\0\0\0\u0007two", heard);
    }

    [Theory]
    [InlineData("", "one", "GSS")]
    [InlineData("Require Auth=SSPI", "", "Require Auth=GSS")]
    [InlineData("Require Auth=!GSS", "", "Require Auth=GSS")]
    public void Kerberos_is_refused_without_a_proof_of_the_server_or_where_an_option_forbids_it(string options, string sent, string message)
    {
        var server = new ScriptedServer([.. Gss(7), .. WelcomesAnybody]);
        var failure = Assert.Throws<WireException>(() => RunKerberos(server, new Tokens("one", "two"), options, []));
        Assert.Equal(WireFailure.Forbidden, failure.Failure);
        Assert.Contains(sent.Length > 0 ? "proved its identity" : message, failure.Message);
        Assert.Equal(sent.Length > 0, Encoding.UTF8.GetString([.. server.Heard]).Contains("one", StringComparison.Ordinal));
    }

    [Fact]
    public void Kerberos_that_fails_here_says_what_to_do()
    {
        var failure = Assert.Throws<WireException>(() => RunKerberos(new ScriptedServer(Gss(9)), new Tokens(), "", []));
        Assert.Contains("UnknownCredentials", failure.Message);
        Assert.Contains("kinit", failure.Message);
    }

    [Fact]
    public void More_tokens_than_the_exchange_has_are_refused() => Assert.Throws<ProtocolException>(
        () => RunKerberos(new ScriptedServer([.. Gss(7), .. Gss(8, "a"), .. Gss(8, "b"), .. WelcomesAnybody]), new Tokens("one", "two"), "", []));

    private static byte[] Gss(byte kind, string data = "") => Says.Message('R', [0, 0, 0, kind, .. Encoding.UTF8.GetBytes(data)]);

    private static void RunKerberos(ITransport server, Tokens tokens, string options, List<string> services)
    {
        var connect = new Connect(
            PgSettings.Parse($"Host=h;Username=u;Database=d;SSL Mode=Disable;{options}"), new ScramKeyCache(), server, new(Negotiate: service =>
            {
                services.Add(service);
                return tokens;
            }));
        BlockingPump.Run(connect, new Wire(server));
        Assert.Null(connect.Error);
    }

    private sealed class Tokens(params string[] tokens) : INegotiation
    {
        private int _next;

        public List<string> Came { get; } = [];

        public bool IsDisposed { get; private set; }

        public bool IsCompleted => tokens.Length > 0 && _next == tokens.Length;

        public byte[]? Next(ReadOnlySpan<byte> incoming, out string? problem)
        {
            Came.Add(Encoding.UTF8.GetString(incoming));
            problem = tokens.Length == 0 ? "UnknownCredentials" : null;
            return problem is null ? Encoding.UTF8.GetBytes(tokens[_next++]) : null;
        }

        public void Dispose() => IsDisposed = true;
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
