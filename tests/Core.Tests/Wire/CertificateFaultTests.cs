using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Wires;

public sealed class CertificateFaultTests : IDisposable
{
    private static readonly DateTimeOffset Now = DateTimeOffset.UtcNow;

    private readonly List<IDisposable> _mine = [];
    private readonly X509Certificate2 _authority;

    public CertificateFaultTests() => _authority = Authority("CN=The one authority");

    [Theory]
    [InlineData(nameof(TlsVerification.None))]
    [InlineData(nameof(TlsVerification.Authority))]
    [InlineData(nameof(TlsVerification.Full))]
    public void A_certificate_of_the_authority_for_the_host_is_accepted(string verification) =>
        Assert.Null(Refusal(Enum.Parse<TlsVerification>(verification), Server(_authority, Now.AddDays(1), "db.example"), "db.example"));

    [Fact]
    public void The_name_does_not_matter_when_only_the_authority_is_verified() =>
        Assert.Null(Refusal(TlsVerification.Authority, Server(_authority, Now.AddDays(1), "other.example"), "db.example"));

    [Fact]
    public void A_wrong_name_is_told_with_the_right_ones()
    {
        var refusal = Refusal(TlsVerification.Full, Server(_authority, Now.AddDays(1), "other.example", "10.1.2.3"), "db.example");
        Assert.Contains("it is for other.example, 10.1.2.3, not for db.example.", refusal, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(nameof(TlsVerification.Authority))]
    [InlineData(nameof(TlsVerification.Full))]
    public void An_unknown_authority_is_named(string verification)
    {
        var refusal = Refusal(Enum.Parse<TlsVerification>(verification), Server(Authority("CN=Somebody else"), Now.AddDays(1), "db.example"), "db.example");
        Assert.Contains(
            "its authority 'CN=Somebody else' is not trusted. Set the option of trusted authorities to the file", refusal, StringComparison.Ordinal);
        Assert.Null(Refusal(TlsVerification.None, Server(Authority("CN=Somebody else"), Now.AddDays(1), "db.example"), "db.example"));
    }

    [Fact]
    public void An_old_certificate_is_told_with_its_time()
    {
        var refusal = Refusal(TlsVerification.Full, Server(_authority, Now.AddDays(-1), "db.example"), "db.example");
        Assert.Matches("is not valid now \\(20..-..-..T..:..:..Z\\): it is valid from 20..-..-..T..:..:..Z to 20..-..-..T..:..:..Z\\.", refusal);
    }

    public void Dispose() => _mine.ForEach(item => item.Dispose());

    /// <summary>Returns the message, or null if the handshake succeeded; both ways of waiting give the same.</summary>
    private string? Refusal(TlsVerification verification, X509Certificate2 server, string host)
    {
        var client = new TlsClient(new TlsSettings(verification, [_authority]), host);
        var blocking = Shake(server, transport => transport.Upgrade());
        var asynchronous = Shake(server, transport => transport.UpgradeAsync().AsTask().GetAwaiter().GetResult());
        Assert.Equal(blocking, asynchronous);
        return blocking;

        string? Shake(X509Certificate2 certificate, Func<SocketTransport, ITransport> upgrade)
        {
            using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
            listener.Listen();
            var serving = Task.Run(async () =>
            {
                using var accepted = await listener.AcceptAsync();
                await using var stream = new SslStream(new NetworkStream(accepted));
                try
                {
                    await stream.AuthenticateAsServerAsync(certificate);
                    await stream.ReadExactlyAsync(new byte[1]);
                }
                catch (Exception exception) when (exception is IOException or System.Security.Authentication.AuthenticationException)
                {
                    // The client closed the connection, with or without success.
                }
            });
            using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            socket.Connect(listener.LocalEndPoint!);
            try
            {
                using var transport = upgrade(new SocketTransport(socket, PeerTrust.None, "the test's server", client));
                return null;
            }
            catch (WireException failure)
            {
                Assert.Equal((WireFailure.TlsFailed, RetrySafety.NotSent), (failure.Failure, failure.RetrySafety));
                Assert.StartsWith("The certificate of the test's server was not accepted: ", failure.Message, StringComparison.Ordinal);
                Assert.EndsWith(".", failure.Message, StringComparison.Ordinal);
                return failure.Message;
            }
            finally
            {
                socket.Dispose();
                serving.GetAwaiter().GetResult();
            }
        }
    }

    private X509Certificate2 Authority(string name)
    {
        var key = Mine(ECDsa.Create(ECCurve.NamedCurves.nistP256));
        var request = new CertificateRequest(name, key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        return Mine(request.CreateSelfSigned(Now.AddDays(-9), Now.AddDays(9)));
    }

    private X509Certificate2 Server(X509Certificate2 authority, DateTimeOffset until, string name, string? address = null)
    {
        var key = Mine(ECDsa.Create(ECCurve.NamedCurves.nistP256));
        var request = new CertificateRequest("CN=" + name, key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName(name);
        if (address is not null)
            names.AddIpAddress(IPAddress.Parse(address));
        request.CertificateExtensions.Add(names.Build());
        using var signed = request.Create(authority, Now.AddDays(-5), until, RandomNumberGenerator.GetBytes(8));
        return Mine(signed.CopyWithPrivateKey(key));
    }

    private T Mine<T>(T item) where T : IDisposable
    {
        _mine.Add(item);
        return item;
    }
}
