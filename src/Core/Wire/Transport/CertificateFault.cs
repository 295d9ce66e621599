using System.Globalization;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Wires;

/// <summary>Describes why a server's certificate was not accepted and what to do, in a sentence for people.</summary>
internal static class CertificateFault
{
    private const X509ChainStatusFlags UnknownAuthority = X509ChainStatusFlags.UntrustedRoot | X509ChainStatusFlags.PartialChain;
    private const X509ChainStatusFlags RevocationUnknown = X509ChainStatusFlags.RevocationStatusUnknown | X509ChainStatusFlags.OfflineRevocation;

    /// <summary>Maximum number of host names in a message. A certificate may contain many more.</summary>
    private const int MaxNames = 20;

    public static string Describe(TlsSettings settings, string host, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        if (certificate is null || (errors & SslPolicyErrors.RemoteCertificateNotAvailable) != 0)
            return "the server sent none.";
        if ((errors & SslPolicyErrors.RemoteCertificateChainErrors) != 0)
            return OfChain(settings, certificate, chain);
        using var readable = X509CertificateLoader.LoadCertificate(certificate.GetRawCertData());
        return $"it is for {string.Join(", ", Names(readable).Take(MaxNames).Select(static name => ServerText.OneLine(name)))}, not for {host}. Connect "
            + "with a name that the certificate contains, or verify only the authority (SSL Mode=VerifyCA).";
    }

    private static string OfChain(TlsSettings settings, X509Certificate certificate, X509Chain? chain)
    {
        var status = X509ChainStatusFlags.NoError;
        foreach (var element in chain?.ChainStatus ?? [])
            status |= element.Status;
        if ((status & UnknownAuthority) != 0)
            return $"its authority '{ServerText.OneLine(certificate.Issuer)}' is not trusted. Set {settings.AuthorityOption} to the file with the authority's "
                + "certificate.";
        if ((status & X509ChainStatusFlags.NotTimeValid) != 0)
        {
            using var readable = X509CertificateLoader.LoadCertificate(certificate.GetRawCertData());
            return $"it, or the certificate of its authority, is not valid now ({Time(DateTime.UtcNow)}): it is valid from {Time(readable.NotBefore)} to "
                + $"{Time(readable.NotAfter)}. Renew it, or correct the clock.";
        }


        if ((status & X509ChainStatusFlags.Revoked) != 0)
            return "it was revoked.";
        return (status & RevocationUnknown) != 0
            ? $"the driver could not determine whether it was revoked. Make the authority's revocation service reachable, or set {settings.RevocationOption}."
            : $"{status}.";
    }

    // In a format with the same meaning everywhere.
    private static string Time(DateTime time) => time.ToUniversalTime().ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture);

    // Since RFC 6125, the subject's common name is ignored if there are alternative names.
    private static IEnumerable<string> Names(X509Certificate2 certificate)
    {
        var any = false;
        foreach (var extension in certificate.Extensions)
        {
            if (extension is not X509SubjectAlternativeNameExtension names)
                continue;
            foreach (var name in names.EnumerateDnsNames())
            {
                any = true;
                yield return name;
            }

            foreach (var address in names.EnumerateIPAddresses())
            {
                any = true;
                yield return address.ToString();
            }
        }

        if (!any)
            yield return certificate.GetNameInfo(X509NameType.SimpleName, forIssuer: false);
    }
}
