using System.Net;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>
/// A server requests every authentication method, under every setting of Require Auth and Channel Binding, over every kind of connection. The client does not
/// answer a method that is not allowed, and sends the password itself only where that is permitted.
/// </summary>
public sealed class RequireAuthTests : PgPeerTests
{
    private static readonly byte[] Cleartext = Encoding.UTF8.GetBytes(Password);
    private static readonly X509Certificate2 Untrusted = Certificates.Untrusted;

    // The number in the request, the word of Require Auth, and the data that follows.
    private static readonly (string Word, int Kind, byte[] Data)[] Questions =
    [
        ("None", 0, []), ("Password", 3, []), ("MD5", 5, "salt"u8.ToArray()), ("ScramSHA256", 10, [.. PgWords.Text("SCRAM-SHA-256"), 0]),
        ("ScramSHA256 bound", 10, [.. PgWords.Text("SCRAM-SHA-256-PLUS"), 0]), ("", 2, []), ("", 6, []), ("", 7, []), ("", 9, []),
        ("", 10, [.. PgWords.Text("SCRAM-SHA-1"), 0]), ("", 11, []), ("", 12, []),
    ];

    private static readonly Dictionary<string, string[]> Settings = new()
    {
        [""] = ["None", "Password", "ScramSHA256", "ScramSHA256 bound"],
        ["ScramSHA256"] = ["ScramSHA256", "ScramSHA256 bound"],
        ["MD5"] = ["MD5"],
        ["Password"] = ["Password"],
        ["None"] = ["None"],
        ["MD5, ScramSHA256"] = ["MD5", "ScramSHA256", "ScramSHA256 bound"],
        ["!Password"] = ["None", "ScramSHA256", "ScramSHA256 bound"],
        ["!None, !Password"] = ["ScramSHA256", "ScramSHA256 bound"],
        ["!ScramSHA256"] = ["None", "Password"],
        ["Channel Binding=Require"] = ["ScramSHA256 bound"],
        ["Channel Binding=Require;Require Auth=Password, MD5, None"] = [],
        ["Channel Binding=Disable"] = ["None", "Password", "ScramSHA256"],
    };

    private static readonly string[] Peers = ["network in clear", "network in TLS that nobody verified", "loopback in clear", "verified TLS"];

    public static TheoryData<string, string, bool> Matrix
    {
        get
        {
            var rows = new TheoryData<string, string, bool>();
            foreach (var peer in Peers)
                foreach (var setting in Settings.Keys)
                    if (peer.Contains("TLS") || !setting.Contains("Binding=Require"))
                        rows.Add(peer, setting, (rows.Count + peer.Length) % 2 == 1);
            return rows;
        }
    }

    [Theory]
    [MemberData(nameof(Matrix))]
    public async Task What_is_not_allowed_is_not_answered_and_the_password_goes_only_where_it_may(string kind, string setting, bool asynchronously)
    {
        var address = kind.StartsWith("network", StringComparison.Ordinal) ? LoginAddress() : IPAddress.Loopback;
        var isTls = kind.Contains("TLS");
        foreach (var (word, number, data) in Questions)
        {
            var mayHavePassword = kind == "verified TLS" || (kind == "loopback in clear" && setting == "Password");
            var isAllowed = Settings[setting].Contains(word) && (word != "Password" || mayHavePassword) && (word != "ScramSHA256 bound" || isTls);
            List<char> answers = [];
            using var server = FakeServer.Start(peer =>
            {
                Begin(peer, isTls ? kind == "verified TLS" ? Certificates.Server : Untrusted : null);
                peer.Send(PgWords.Authentication(number, data));
                if (number == 0)
                    peer.Send([.. PgWords.LoginSuccess.AsSpan(9)]);
                if (peer.ReadMessage() is var answer && answer.Type != 'X')
                    answers.Add(answer.Type);
                if (number is 3 or 5)
                    peer.Send(PgWords.LoginSuccess);
                else
                    peer.Close();
            }, address);
            var options = setting.StartsWith("Channel", StringComparison.Ordinal) ? setting : $"Require Auth={setting}";
            var client = Connect(
                server, asynchronously,
                options + (!isTls ? "" : kind == "verified TLS" ? $";SSL Mode=VerifyFull;Root Certificate={Certificates.AuthorityFile}" : ";SSL Mode=Require"));
            var what = $"{word} ({number})";
            if (isAllowed && number != 10)
                await client.Opens();
            else
                Assert.IsAssignableFrom<Slipstream.PostgreSql.PgException>(await client.OpenFails());

            Assert.True(string.Concat(answers) == (isAllowed && number != 0 ? "p" : ""), $"{what}: the answer '{string.Concat(answers)}'.");
            Assert.True(server.Received.AsSpan().IndexOf(Cleartext) >= 0 == (isAllowed && word == "Password"), $"{what}: the password.");
        }
    }

    // A server that accepts the client without SCRAM has not bound the channel.
    [Theory]
    [InlineData("Prefer", false)]
    [InlineData("Prefer", true)]
    public async Task Required_channel_binding_is_not_to_be_had_without_TLS(string mode, bool asynchronously)
    {
        foreach (var question in (byte[][])[
            PgWords.LoginSuccess, PgWords.Authentication(3),
            PgWords.Authentication(10, [.. PgWords.Text("SCRAM-SHA-256-PLUS"), .. PgWords.Text("SCRAM-SHA-256"), 0])
        ])
        {
            using var server = FakeServer.Start(peer =>
            {
                peer.ReadStartupWithoutTls();
                peer.Send(question);
                throw new InvalidDataException($"It was answered with '{peer.ReadMessage().Type}'.");
            });
            IsConnectFailure(server, await Connect(server, asynchronously, $"SSL Mode={mode};Channel Binding=Require").OpenFails());
        }
    }

    // RFC 5802, 6: a client that supports channel binding reports it. A server that supports it, too, then knows that its offer was removed on the way.
    [Theory]
    [InlineData(true, "Prefer", false, "y,,", false)]
    [InlineData(true, "Prefer", false, "y,,", true)]
    [InlineData(true, "Disable", false, "n,,", false)]
    [InlineData(true, "Prefer", true, "p=tls-server-end-point,,", true)]
    [InlineData(true, "Disable", true, "n,,", true)]
    [InlineData(false, "Prefer", false, "n,,", false)]
    [InlineData(false, "Prefer", true, "n,,", true)]
    public async Task A_client_says_whether_it_could_have_bound(bool inTls, string binding, bool isOffered, string header, bool asynchronously)
    {
        using var server = FakeServer.Start(peer =>
        {
            Begin(peer, inTls ? Certificates.Server : null);
            new ScramServer(Password) { OffersBinding = isOffered, ExpectedHeader = header, Certificate = Certificates.Server.RawData }.Authenticate(peer);
            peer.Send(PgWords.LoginSuccess);
        });
        await Connect(
            server, asynchronously, $"Channel Binding={binding};SSL Mode={(inTls ? $"VerifyFull;Root Certificate={Certificates.AuthorityFile}" : "Disable")}")
                .Opens();
    }

    [Theory]
    [InlineData(3, false)]
    [InlineData(3, true)]
    [InlineData(5, false)]
    [InlineData(11, true)]
    public async Task In_the_midst_of_SCRAM_nothing_else_is_answered(int kind, bool asynchronously)
    {
        List<char> answers = [];
        using var server = FakeServer.Start(peer =>
        {
            Begin(peer, Certificates.Server);
            peer.Send(PgWords.Authentication(10, [.. PgWords.Text("SCRAM-SHA-256"), 0]));
            var (_, initial) = peer.ReadMessage();
            var nonce = Encoding.ASCII.GetString(initial)[(Encoding.ASCII.GetString(initial).IndexOf("r=", StringComparison.Ordinal) + 2)..];
            if (kind == 11)
            {
                // A second challenge with another salt and count: the sender has not seen the first answer.
                peer.Send(PgWords.Authentication(11, Encoding.ASCII.GetBytes($"r={nonce}one,s={Convert.ToBase64String("salt"u8)},i=4096")));
                peer.ReadMessage();
                peer.Send(PgWords.Authentication(11, Encoding.ASCII.GetBytes($"r={nonce}two,s={Convert.ToBase64String("other salt"u8)},i=1")));
            }
            else
                peer.Send(PgWords.Authentication(kind, kind == 5 ? "salt"u8 : []));
            answers.Add(peer.ReadMessage().Type);
        });
        IsConnectFailure(
            server,
            await Connect(server, asynchronously, $"Require Auth=ScramSHA256, Password, MD5;SSL Mode=VerifyFull;Root Certificate={Certificates.AuthorityFile}")
                .OpenFails());
        Assert.Empty(answers);
        NeverSent(server, Cleartext);
    }

    private static IPAddress LoginAddress()
    {
        var address = MySql.LoginTests.NetworkAddress();
        Assert.SkipWhen(address is null, "This machine has no address but loopback ones.");
        return address!;
    }

    private static void Begin(FakePeer peer, X509Certificate2? certificate)
    {
        if (certificate is not null)
        {
            peer.ExpectSslRequest();
            peer.Send((byte)'S');
            peer.UpgradeToTls(certificate);
        }

        peer.ReadStartup();
    }
}
