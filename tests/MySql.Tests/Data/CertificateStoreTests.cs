using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Slipstream.Core.Wires;
using Slipstream.MySql.Options;

namespace Slipstream.MySql.Tests.Data;

public sealed class CertificateStoreTests : IDisposable
{
    private readonly X509Certificate2 _first = Create();
    private readonly X509Certificate2 _second = Create();

    [Fact]
    public void Without_a_thumbprint_all_with_a_private_key_are_candidates()
    {
        using var other = Create();
        var publicPart = X509CertificateLoader.LoadCertificate(other.RawData);
        Assert.Equal(
            [_first.Thumbprint, _second.Thumbprint],
            CertificateStores.Choose([_first, publicPart, _second], "", "The store").Select(static one => one.Thumbprint));
    }

    [Theory]
    [InlineData("", false)]
    [InlineData(" ", true)]
    [InlineData("\u200E", false)]
    public void A_thumbprint_is_found_however_it_was_copied(string before, bool sha256)
    {
        var digits = sha256 ? _second.GetCertHashString(HashAlgorithmName.SHA256) : _second.Thumbprint;
        var pairs = digits.Chunk(2).Select(static two => new string(two)).ToArray();
        foreach (var copied in new[] { digits, digits.ToLowerInvariant(), string.Join(':', pairs), string.Join(' ', pairs) })
            Assert.Same(_second, Assert.Single(CertificateStores.Choose([Create(), _second], before + copied, "The store")));
    }

    [Fact]
    public void What_is_missing_is_named()
    {
        var absent = new string('A', 40);
        Assert.Contains(absent, Assert.Throws<ArgumentException>(() => CertificateStores.Choose([Create()], absent, "The store")).Message);
        using var withKey = Create();
        var publicPart = X509CertificateLoader.LoadCertificate(withKey.RawData);
        Assert.Contains(
            "no private key", Assert.Throws<ArgumentException>(() => CertificateStores.Choose([publicPart], withKey.Thumbprint, "The store")).Message);
        Assert.Contains("no certificate", Assert.Throws<ArgumentException>(() => CertificateStores.Choose([], "", "The store")).Message);
    }

    [Theory]
    [InlineData("12")]
    [InlineData("not hexadecimal")]
    [InlineData("::")]
    public void What_is_no_thumbprint_is_said_to_be_none(string thumbprint) =>
        Assert.Contains("is not a thumbprint", Assert.Throws<ArgumentException>(() => CertificateStores.Choose([Create()], thumbprint, "The store")).Message);

    [Theory]
    [InlineData("Certificate Thumbprint=00")]
    [InlineData("Certificate Store Location=CurrentUser;Certificate File=/does/not/exist")]
    [InlineData("Certificate Store Location=LocalMachine;SSL Cert=/does/not/exist;SSL Key=/does/not/exist")]
    public void Half_a_choice_or_two_of_them_are_refused(string options) => Assert.Throws<ArgumentException>(() => MySqlSettings.Parse(options));

    [Fact]
    public void A_store_that_this_system_does_not_have_is_named_with_a_way_out()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The runtime keeps no such store on Linux.");
        var error = Assert.Throws<ArgumentException>(() => MySqlSettings.Parse("Certificate Store Location=LocalMachine").ReadTls());
        Assert.Contains("LocalMachine", error.Message);
        Assert.Contains("Certificate File", error.Message);
    }

    public void Dispose()
    {
        _first.Dispose();
        _second.Dispose();
    }

    private static X509Certificate2 Create()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        return new CertificateRequest("CN=test", key, HashAlgorithmName.SHA256)
            .CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
    }
}
