using System.Security.Cryptography;
using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.MySql;
using Slipstream.MySql.Authentication;

namespace Slipstream.BadPeers.MySql;

/// <summary>
/// Authentication methods that an account may have but the lab's servers lack, and what the client may refuse. The fake server checks the answers with its own
/// code.
/// </summary>
[Trait("Peer", "scripted: no lab server")]
public sealed class AccountMethodTests : MySqlPeerTests
{
    private const uint Factors = 1u << 28;
    private static readonly byte[] Cleartext = Encoding.UTF8.GetBytes(Password);

    [Theory]
    [InlineData(false, "SCRAM-SHA-1")]
    [InlineData(true, "SCRAM-SHA-256")]
    public async Task Scripted_server_of_a_directory_is_answered_by_SCRAM(bool asynchronously, string mechanism)
    {
        using var server = FakeServer.Start(peer => Directory(peer, mechanism));
        await Connect(server, asynchronously).Opens();
        NeverSent(server, Cleartext);
    }

    [Fact]
    public async Task A_directory_that_asks_for_few_iterations_is_told_with_the_option_that_allows_them()
    {
        using var server = FakeServer.Start(static peer => Directory(peer, "SCRAM-SHA-256", "few iterations"));
        var failure = IsConnectFailure(server, await Connect(server, false).OpenFails());
        Assert.Contains("Scram Min Iterations=4095", failure.Message);
    }

    [Theory]
    [InlineData("another nonce")]
    [InlineData("many iterations")]
    [InlineData("no iterations")]
    [InlineData("few iterations")]
    [InlineData("no salt")]
    [InlineData("wrong signature")]
    [InlineData("no signature")]
    [InlineData("GSSAPI")]
    public async Task A_directory_that_lies_is_not_believed(string lie)
    {
        using var server = FakeServer.Start(peer => Directory(peer, lie == "GSSAPI" ? lie : "SCRAM-SHA-256", lie));
        IsConnectFailure(server, await Connect(server, true).OpenFails());
        NeverSent(server, Cleartext);
    }

    [Theory]
    [InlineData(200, 18)]
    [InlineData(11, 18)]
    [InlineData(0, 2)]
    [InlineData(0, 200)]
    public async Task A_salt_of_parsec_that_costs_too_much_is_refused(byte cost, int salt)
    {
        using var server = FakeServer.Start(peer =>
        {
            var sequence = Switch(peer, "parsec", new byte[32]);
            if (peer.ReadPacket().Payload.Length != 0)
                throw new InvalidDataException("An empty packet was expected.");
            peer.Send(MySqlWords.Packet(sequence + 2, [(byte)'P', cost, .. new byte[salt]]));
            peer.ReadPacket();
            throw new InvalidDataException("It was answered.");
        });
        IsConnectFailure(server, await Connect(server, true).OpenFails());
    }

    // The highest cost may take longer than the time limit allows.
    [Theory]
    [InlineData(false, false), InlineData(true, false), InlineData(true, true)]
    public async Task What_parsec_computes_ends_with_the_time_for_the_login(bool asynchronously, bool byToken)
    {
        using var patience = new CancellationTokenSource();
        using var server = FakeServer.Start(peer =>
        {
            var sequence = Switch(peer, "parsec", new byte[32]);
            peer.ReadPacket();
            if (byToken)
                patience.Cancel();
            peer.Send(MySqlWords.Packet(sequence + 2, [(byte)'P', 10, .. new byte[18]]));
            peer.Stall();
        });
        await using var connection = new MySqlConnection(
            $"Server=127.0.0.1;Port={server.Port};User ID=somebody;Password={Password};SSL Mode=None;Pooling=false;Connection Timeout={(byToken ? 60 : 1)}");
        if (byToken)
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => connection.OpenAsync(patience.Token));
        else
        {
            var failure = await Assert.ThrowsAsync<MySqlException>(async () =>
            {
                if (asynchronously)
                    await connection.OpenAsync();
                else
                    connection.Open();
            });
            Assert.Equal(MySqlErrorCode.UnableToConnectToHost, failure.ErrorCode);
        }

        server.ThrowIfScriptFailed();
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Parsec_signs_what_both_sides_chose(bool withHeader)
    {
        using var server = FakeServer.Start(peer =>
        {
            var sequence = Switch(peer, "parsec", Enumerable.Repeat((byte)9, 32).ToArray());
            peer.ReadPacket();
            byte[] salt = [(byte)'P', 0, .. "eighteen bytes ..."u8];
            peer.Send(withHeader ? MySqlWords.AuthMore(sequence + 2, salt) : MySqlWords.Packet(sequence + 2, salt));
            var (number, answer) = peer.ReadPacket();
            var seed = Rfc2898DeriveBytes.Pbkdf2(Password, salt.AsSpan(2).ToArray(), 1024, HashAlgorithmName.SHA512, 32);
            // With a seed of 32 bytes, MariaDB's older method is the signature of RFC 8032.
            var signature = Ed25519.Respond([.. Enumerable.Repeat((byte)9, 32), .. answer.AsSpan(0, 32)], seed);
            if (answer.Length != 96 || !answer.AsSpan(32).SequenceEqual(signature))
                throw new InvalidDataException("The signature is wrong.");
            peer.Send(MySqlWords.Ok(number + 1));
        });
        await Connect(server, true).Opens();
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Each_factor_is_answered_with_its_own_password(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Greeting("mysql_native_password", MySqlWords.Capabilities | Factors));
            if (BitConverter.ToUInt32(peer.ReadPacket().Payload) is var agreed && (agreed & Factors) == 0)
                throw new InvalidDataException("Several factors were not agreed.");
            var sequence = 2;
            foreach (var password in new[] { "second", "third" })
            {
                peer.Send(MySqlWords.Packet(sequence, [2, .. "mysql_native_password"u8, 0, .. MySqlWords.Nonce, 0]));
                var (number, answer) = peer.ReadPacket();
                if (!answer.AsSpan().SequenceEqual(NativePassword.Respond(MySqlWords.Nonce, Encoding.UTF8.GetBytes(password))))
                    throw new InvalidDataException($"The {password} factor is wrong.");
                sequence = number + 1;
            }

            peer.Send(MySqlWords.Ok(sequence));
        });
        await Connect(server, asynchronously, "Password2=second;Password3=third").Opens();
    }

    [Fact]
    public async Task A_fourth_factor_is_none()
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Greeting("mysql_native_password", MySqlWords.Capabilities | Factors));
            var (sequence, _) = peer.ReadPacket();
            for (var i = 0; i < 3; i++)
            {
                peer.Send(MySqlWords.Packet(sequence + 1, [2, .. "mysql_native_password"u8, 0, .. MySqlWords.Nonce, 0]));
                (sequence, _) = peer.ReadPacket();
            }
        });
        IsConnectFailure(server, await Connect(server, true, "Password2=second;Password3=third").OpenFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_factor_that_nobody_agreed_on_is_not_answered(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Greeting("mysql_native_password", MySqlWords.Capabilities | Factors));
            peer.ReadPacket();
            peer.Send(MySqlWords.Packet(2, [2, .. "mysql_clear_password"u8, 0]));
        });
        IsConnectFailure(server, await Connect(server, asynchronously).OpenFails());
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Questions_of_PAM_are_answered_only_where_a_password_may_be_seen(bool allowed)
    {
        using var server = FakeServer.Start(peer =>
        {
            var sequence = Switch(peer, "dialog", [4, .. "Password: "u8, 0]);
            var (number, answer) = peer.ReadPacket();
            if (!answer.AsSpan().SequenceEqual((byte[])[.. Cleartext, 0]))
                throw new InvalidDataException("The password was expected.");
            // MariaDB's own form: only the question, which looks like a factor's header.
            peer.Send(MySqlWords.Packet(number + 1, [2, .. "One-time code: "u8, 0]));
            (number, answer) = peer.ReadPacket();
            if (!answer.AsSpan().SequenceEqual("123456\0"u8))
                throw new InvalidDataException("The code was expected.");
            peer.Send(MySqlWords.Ok(number + 1));
        });
        if (allowed)
        {
            await Connect(server, true, "Allow Cleartext Password=true;Password2=123456").Opens();
            return;
        }

        Assert.Contains("dialog", IsConnectFailure(server, await Connect(server, true).OpenFails()).Message);
        NeverSent(server, Cleartext);
    }

    [Theory]
    [InlineData("mysql_native_password", "caching_sha2_password")]
    [InlineData("mysql_clear_password", "parsec, client_ed25519")]
    [InlineData("dialog", "mysql_native_password")]
    public async Task A_method_that_Require_Auth_does_not_name_is_refused(string method, string allowed)
    {
        using var server = FakeServer.Start(peer =>
        {
            Switch(peer, method, [.. MySqlWords.Nonce, 0]);
            peer.ReadPacket();
            throw new InvalidDataException("It was answered.");
        });
        var failure = IsConnectFailure(server, await Connect(server, true, $"Allow Cleartext Password=true;Require Auth={allowed}").OpenFails());
        Assert.Contains("Require Auth", failure.Message);
        NeverSent(server, Cleartext);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_asks_for_nothing_is_refused_when_methods_are_required(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Greeting("sha256_password"));
            peer.ReadPacket();
            peer.Send(MySqlWords.Ok(2));
        });
        var failure = IsConnectFailure(server, await Connect(server, asynchronously, "Require Auth=parsec").OpenFails());
        Assert.Contains("Require Auth", failure.Message);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task An_allowed_method_is_tried_first_when_the_servers_default_is_not(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Greeting());
            var payload = peer.ReadPacket().Payload;
            if (payload.AsSpan().IndexOf("caching_sha2_password"u8) >= 0
                || payload.AsSpan().IndexOf(NativePassword.Respond(MySqlWords.Nonce, Encoding.UTF8.GetBytes(Password))) < 0)
                throw new InvalidDataException("mysql_native_password was expected.");
            peer.Send(MySqlWords.Ok(2));
        });
        await Connect(server, asynchronously, "Require Auth=mysql_native_password").Opens();
    }

    [Fact]
    public async Task A_registered_method_answers()
    {
        AuthenticationPlugins.Register(new Reversed());
        using var server = FakeServer.Start(static peer =>
        {
            Switch(peer, "reversed", [1, 2, 3]);
            var (sequence, answer) = peer.ReadPacket();
            if (!answer.AsSpan().SequenceEqual((byte[])[3, 2, 1]))
                throw new InvalidDataException("The plug-in's answer was expected.");
            peer.Send(MySqlWords.Ok(sequence + 1));
        });
        await Connect(server, true, "Require Auth=reversed").Opens();
    }

    [Theory]
    [InlineData("authentication_windows_client", "Windows")]
    [InlineData("authentication_oci_client", "Oracle")]
    [InlineData("authentication_openid_connect_client", "OpenID")]
    [InlineData("authentication_webauthn_client", "security keys")]
    [InlineData("mysql_old_password", "4.1")]
    [InlineData("never_heard_of", "AuthenticationPlugins.Register")]
    public async Task A_method_that_is_not_here_is_refused_with_a_way_out(string method, string wayOut)
    {
        using var server = FakeServer.Start(peer => Switch(peer, method, [1]));
        var failure = IsConnectFailure(server, await Connect(server, true).OpenFails());
        Assert.Contains(method, failure.Message);
        Assert.Contains(wayOut, failure.Message);
    }

    [Theory]
    [InlineData("auth_gssapi_client", new byte[] { (byte)'m', 0, 0 })]
    [InlineData("authentication_kerberos_client", new byte[] { 9, 0, 1 })]
    [InlineData("auth_gssapi_client", new byte[0])]
    public async Task Kerberos_that_cannot_be_answered_says_why(string method, byte[] data)
    {
        using var server = FakeServer.Start(peer => Switch(peer, method, data));
        IsConnectFailure(server, await Connect(server, true).OpenFails());
        NeverSent(server, Cleartext);
    }

    private static int Switch(FakePeer peer, string method, byte[] data)
    {
        peer.Send(MySqlWords.Greeting());
        peer.ReadPacket();
        peer.Send(MySqlWords.AuthSwitch(2, method, data));
        return 2;
    }

    private static void Directory(FakePeer peer, string mechanism, string lie = "")
    {
        Switch(peer, "authentication_ldap_sasl_client", Encoding.ASCII.GetBytes(mechanism));
        var (sequence, answer) = peer.ReadPacket();
        var first = Encoding.UTF8.GetString(answer);
        var header = first[..(first.IndexOf(",n=", StringComparison.Ordinal) + 1)];
        var bare = first[header.Length..];
        if (header != "n,a=somebody,")
            throw new InvalidDataException($"'{header}' is not the header.");
        var hash = mechanism == "SCRAM-SHA-1" ? HashAlgorithmName.SHA1 : HashAlgorithmName.SHA256;
        var salt = "salt of 16 bytes"u8.ToArray();
        var nonce = lie == "another nonce" ? "a completely different nonce" : bare[(bare.IndexOf("r=", StringComparison.Ordinal) + 2)..] + "server";
        var iterations = lie switch { "many iterations" => "999999999", "no iterations" => "0", "few iterations" => "4095", _ => "4096" };
        var serverFirst = $"r={nonce},s={(lie == "no salt" ? "" : Convert.ToBase64String(salt))},i={iterations}";
        peer.Send(MySqlWords.AuthMore(sequence + 1, Encoding.ASCII.GetBytes(serverFirst)));

        (sequence, answer) = peer.ReadPacket();
        var final = Encoding.ASCII.GetString(answer);
        var at = final.LastIndexOf(",p=", StringComparison.Ordinal);
        if (!final.StartsWith($"c={Convert.ToBase64String(Encoding.UTF8.GetBytes(header))},r={nonce}", StringComparison.Ordinal))
            throw new InvalidDataException("The final message does not repeat the header and the nonce.");
        var message = Encoding.UTF8.GetBytes($"{bare},{serverFirst},{final[..at]}");
        var salted = Rfc2898DeriveBytes.Pbkdf2(Password, salt, 4096, hash, hash == HashAlgorithmName.SHA1 ? 20 : 32);
        var key = CryptographicOperations.HmacData(hash, salted, "Client Key"u8.ToArray());
        var signature = CryptographicOperations.HmacData(hash, CryptographicOperations.HashData(hash, key), message);
        if (!Convert.FromBase64String(final[(at + 3)..]).SequenceEqual(key.Zip(signature, static (a, b) => (byte)(a ^ b))))
            throw new InvalidDataException("The proof is wrong.");
        if (lie != "no signature")
        {
            var verifier = CryptographicOperations.HmacData(hash, CryptographicOperations.HmacData(hash, salted, "Server Key"u8.ToArray()), message);
            verifier[0] ^= lie == "wrong signature" ? (byte)1 : (byte)0;
            peer.Send(MySqlWords.AuthMore(++sequence, Encoding.ASCII.GetBytes($"v={Convert.ToBase64String(verifier)}")));
        }

        peer.Send(MySqlWords.Ok(sequence + 1));
    }

    private sealed class Reversed : IAuthenticationPlugin
    {
        public string Name => "reversed";

        public byte[] CreateResponse(string password, ReadOnlySpan<byte> authenticationData)
        {
            Assert.Equal(MySqlPeerTests.Password, password);
            var response = authenticationData.ToArray();
            Array.Reverse(response);
            return response;
        }
    }
}
