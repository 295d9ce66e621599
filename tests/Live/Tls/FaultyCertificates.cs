using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace Slipstream.Live.Tls;

/// <summary>What may be wrong with a server's certificate, or with its request to the client.</summary>
public enum Fault
{
    None,
    SelfSigned,
    UnknownAuthority,
    OtherHost,
    Expired,
    NotYetValid,

    /// <summary>The certificate is valid, but the server requires a client certificate that the client does not have.</summary>
    ClientCertificateMissing,

    /// <summary>The certificate is on the authority's published revocation list.</summary>
    Revoked,

    /// <summary>The certificate is not on that list: no fault.</summary>
    NotRevoked,

    /// <summary>The revocation list cannot be fetched.</summary>
    RevocationUnknown,
}

/// <summary>An authority created for this run, a certificate with each fault for one address, and the authority's revocation list, served over HTTP.</summary>
public sealed class FaultyCertificates : IDisposable
{
    private readonly ECDsa _key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
    private readonly X509Certificate2 _authority;
    private readonly X509Certificate2 _other;
    private readonly Dictionary<Fault, X509Certificate2> _made = [];
    private readonly TcpListener _lists = new(IPAddress.Loopback, 0);
    private readonly byte[] _list;

    public FaultyCertificates(IPAddress address)
    {
        _authority = CreateAuthority("authority of the TLS matrix");
        _other = CreateAuthority("authority that nobody trusts");
        AuthorityFile = Path.Combine(Path.GetTempPath(), $"tls-matrix-{Environment.ProcessId}-{Guid.NewGuid():N}.pem");
        File.WriteAllText(AuthorityFile, _authority.ExportCertificatePem());
        _lists.Start();
        var port = ((IPEndPoint)_lists.LocalEndpoint).Port;
        foreach (var fault in Enum.GetValues<Fault>())
            _made[fault] = Make(fault, address, port);
        var list = new CertificateRevocationListBuilder();
        list.AddEntry(_made[Fault.Revoked]);
        _list = list.Build(_authority, 1, DateTimeOffset.UtcNow.AddDays(1), HashAlgorithmName.SHA256);
        _ = ServeLists();
    }

    /// <summary>PEM file with the authority that the client trusts.</summary>
    public string AuthorityFile { get; }

    public X509Certificate2 this[Fault fault] => _made[fault];

    public void Dispose()
    {
        _lists.Dispose();
        File.Delete(AuthorityFile);
        foreach (var certificate in _made.Values)
            certificate.Dispose();
        _authority.Dispose();
        _other.Dispose();
        _key.Dispose();
    }

    private X509Certificate2 Make(Fault fault, IPAddress address, int lists)
    {
        var request = new CertificateRequest("CN=a server", _key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        if (fault == Fault.OtherHost)
            names.AddDnsName("other.example");
        else
            names.AddIpAddress(address);
        request.CertificateExtensions.Add(names.Build());
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(false, false, 0, true));
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid("1.3.6.1.5.5.7.3.1")], false));
        if (fault is Fault.Revoked or Fault.NotRevoked)
            request.CertificateExtensions.Add(CertificateRevocationListBuilder.BuildCrlDistributionPointExtension([$"http://127.0.0.1:{lists}/list.crl"]));
        var (from, to) = fault switch
        {
            Fault.Expired => (-2, -1),
            Fault.NotYetValid => (1, 2),
            _ => (-1, 2),
        };
        var (begin, end) = (DateTimeOffset.UtcNow.AddDays(from), DateTimeOffset.UtcNow.AddDays(to));
        if (fault == Fault.SelfSigned)
        {
            using var alone = request.CreateSelfSigned(begin, end);
            return Usable(alone);
        }

        var authority = fault == Fault.UnknownAuthority ? _other : _authority;
        request.CertificateExtensions.Add(X509AuthorityKeyIdentifierExtension.CreateFromCertificate(authority, true, false));
        using var signed = request.Create(authority, begin, end, RandomNumberGenerator.GetBytes(12));
        using var withKey = signed.CopyWithPrivateKey(_key);
        return Usable(withKey);
    }

    private static X509Certificate2 CreateAuthority(string name)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={name} {Guid.NewGuid():N}", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, true, 0, true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyCertSign | X509KeyUsageFlags.CrlSign, true));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, false));
        return request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-5), DateTimeOffset.UtcNow.AddDays(5));
    }

    // Not every TLS stack can use a key that exists only in memory; a key from a PFX always works.
    private static X509Certificate2 Usable(X509Certificate2 certificate) => X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pfx), null);

    private async Task ServeLists()
    {
        try
        {
            while (true)
            {
                using var client = await _lists.AcceptSocketAsync();
                await client.ReceiveAsync(new byte[4096]);
                await client.SendAsync(
                    Encoding.ASCII.GetBytes(
                        $"HTTP/1.1 200 OK\r\nContent-Type: application/pkix-crl\r\nContent-Length: {_list.Length}\r\nConnection: close\r\n\r\n"));
                await client.SendAsync(_list);
                client.Shutdown(SocketShutdown.Both);
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // The tests have ended.
        }
    }
}
