using System.Net.Security;
using System.Runtime.CompilerServices;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Wires;

/// <summary>What the client demands of the server's certificate.</summary>
internal enum TlsVerification
{
    /// <summary>Nothing: protects from listeners only.</summary>
    None,

    /// <summary>A chain to a trusted root.</summary>
    Authority,

    /// <summary>A chain to a trusted root, and the host's name in the certificate.</summary>
    Full,
}

/// <summary>What a data source wants of TLS. <see cref="Authorities"/> null means the system's roots.</summary>
internal sealed record TlsSettings(
    TlsVerification Verification,
    X509Certificate2Collection? Authorities = null,
    X509Certificate2Collection? ClientCertificates = null,
    SslProtocols Protocols = SslProtocols.None,
    CipherSuitesPolicy? CipherSuites = null,
    bool CheckRevocation = false,
    IReadOnlyList<SslApplicationProtocol>? ApplicationProtocols = null)
{
    /// <summary>The option that names the file of <see cref="Authorities"/>, for messages.</summary>
    public string AuthorityOption { get; init; } = "the option of trusted authorities";

    /// <summary>The option that lets the authority be asked what it has revoked, with the value that does not, for messages.</summary>
    public string RevocationOption { get; init; } = "the option that leaves this check out";

    /// <summary>
    /// The user's own judgement, in place of none: asked only when <see cref="Verification"/> demands nothing. Who it accepts counts as verified.
    /// </summary>
    public RemoteCertificateValidationCallback? Judge { get; init; }

    /// <summary>Fills the collection with the client's certificates before each handshake.</summary>
    public Func<X509CertificateCollection, ValueTask>? ProvideClientCertificates { get; init; }

    /// <summary>
    /// A certificate of an unknown authority, or for another name, does not end the handshake: the peer may prove it otherwise, and is nobody's until then
    /// (<see cref="TlsTransport.IsUnproven"/>).
    /// </summary>
    public bool MayBeProvedLater { get; init; }

    /// <summary>A session of TLS may be resumed by the next connection.</summary>
    public bool Resumes { get; init; } = true;

    /// <summary>While much is coming, more is received than one record.</summary>
    public bool ReceivesAhead { get; init; } = true;
}

/// <summary>
/// Makes TLS handshakes for one host of one data source. One options object is shared by all its connections: that is what lets the
/// runtime resume a TLS session instead of making a full handshake (2.0 → 0.9–1.45 ms measured).
/// </summary>
internal sealed class TlsClient
{
    // What a self-signed certificate is reproached with; its revocation cannot be asked for.
    private const X509ChainStatusFlags Provable =
        X509ChainStatusFlags.UntrustedRoot | X509ChainStatusFlags.PartialChain | X509ChainStatusFlags.RevocationStatusUnknown | X509ChainStatusFlags.OfflineRevocation;

    private const string AlternativeNames = "2.5.29.17";

    private readonly SslClientAuthenticationOptions _options;
    private readonly TlsSettings _settings;

    // Handshakes whose certificate has to be proved otherwise, and what is wrong with it.
    private readonly ConditionalWeakTable<object, string> _unproven = [];

    /// <summary>A client for one host, by whose name the certificate is judged.</summary>
    public TlsClient(TlsSettings settings, string targetHost)
    {
        _settings = settings;
        _options = Describe(settings, targetHost, settings.ClientCertificates);
    }

    private SslClientAuthenticationOptions Describe(TlsSettings settings, string targetHost, X509CertificateCollection? clientCertificates)
    {
        var options = new SslClientAuthenticationOptions
        {
            TargetHost = targetHost,
            ClientCertificates = clientCertificates,
            EnabledSslProtocols = settings.Protocols,
            CipherSuitesPolicy = settings.CipherSuites,
            CertificateRevocationCheckMode = settings.CheckRevocation ? X509RevocationMode.Online : X509RevocationMode.NoCheck,
            ApplicationProtocols = settings.ApplicationProtocols is { } protocols ? [.. protocols] : null,
            AllowTlsResume = settings.Resumes,
            // No server asks for it any more. The answer would be sent from within a receive, beside a send that may be under way.
            AllowRenegotiation = false,
            RemoteCertificateValidationCallback = Validate,
        };
        if (settings is { Verification: TlsVerification.None, Judge: null })
        {
            // The runtime builds a chain even where nobody looks at it. This one needs no root, and no download of what is missing. With all these flags it has
            // no fault either: whoever judges needs the true one.
            options.CertificateChainPolicy = new X509ChainPolicy
            {
                TrustMode = X509ChainTrustMode.CustomRootTrust,
                RevocationMode = X509RevocationMode.NoCheck,
                VerificationFlags = X509VerificationFlags.AllFlags,
                DisableCertificateDownloads = true,
            };
        }
        else
        {
            // An authority that is missing would be fetched from wherever the certificate says, outside of every deadline, before anybody knows whose it is.
            options.CertificateChainPolicy = new X509ChainPolicy
            {
                TrustMode = settings.Authorities is { Count: > 0 } ? X509ChainTrustMode.CustomRootTrust : X509ChainTrustMode.System,
                RevocationMode = settings.CheckRevocation ? X509RevocationMode.Online : X509RevocationMode.NoCheck,
                VerificationFlags = X509VerificationFlags.NoFlag,
                DisableCertificateDownloads = true,
            };
            if (settings.Authorities is { Count: > 0 } authorities)
                options.CertificateChainPolicy.CustomTrustStore.AddRange(authorities);
        }

        return options;
    }

    internal ITransport Upgrade(ITransport underneath)
    {
        var carrier = new TransportStream(underneath, _settings.ReceivesAhead);
        var stream = new SslStream(carrier);
        carrier.HandshakeBegins();
        try
        {
            stream.AuthenticateAsClient(_settings.ProvideClientCertificates is null ? _options : WithCertificates());
            carrier.HandshakeIsOver();
            return Upgraded(stream, carrier, underneath);
        }
        catch (Exception exception) when (IsHandshakes(exception))
        {
            carrier.HandshakeHasFailed();
            stream.Dispose();
            throw Failed(underneath, exception);
        }
    }

    internal async ValueTask<ITransport> UpgradeAsync(ITransport underneath)
    {
        var carrier = new TransportStream(underneath, _settings.ReceivesAhead);
        var stream = new SslStream(carrier);
        carrier.HandshakeBegins();
        try
        {
            await stream.AuthenticateAsClientAsync(_settings.ProvideClientCertificates is null ? _options : await WithCertificatesAsync().ConfigureAwait(false)).ConfigureAwait(false);
            carrier.HandshakeIsOver();
            return Upgraded(stream, carrier, underneath);
        }
        catch (Exception exception) when (IsHandshakes(exception))
        {
            carrier.HandshakeHasFailed();
            await stream.DisposeAsync().ConfigureAwait(false);
            throw Failed(underneath, exception);
        }
    }

    private TlsTransport Upgraded(SslStream stream, TransportStream carrier, ITransport underneath) => new(
        stream, carrier, underneath, TrustOver(underneath), _unproven.TryGetValue(stream, out var fault) ? Failed(underneath, new CertificateRefused(fault)) : null);

    // The user's code may wait for a key store: the blocking verb waits with it.
    private SslClientAuthenticationOptions WithCertificates()
    {
        var certificates = new X509CertificateCollection();
        try
        {
            var providing = _settings.ProvideClientCertificates!(certificates).AsTask();
            ((IAsyncResult)providing).AsyncWaitHandle.WaitOne();
            providing.GetAwaiter().GetResult();
        }
        catch (Exception exception)
        {
            throw NotProvided(exception);
        }

        return Describe(_settings, _options.TargetHost!, certificates);
    }

    private async ValueTask<SslClientAuthenticationOptions> WithCertificatesAsync()
    {
        var certificates = new X509CertificateCollection();
        try
        {
            await _settings.ProvideClientCertificates!(certificates).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            throw NotProvided(exception);
        }

        return Describe(_settings, _options.TargetHost!, certificates);
    }

    private static AuthenticationException NotProvided(Exception failure) =>
        new($"the application's own code that provides the client's certificates failed ({failure.GetType().Name}).", failure);

    // Without the host's name in the check, anybody with a certificate of the same authority passes: trusted because the user chose it.
    private PeerTrust TrustOver(ITransport underneath) => _settings.Verification != TlsVerification.None || _settings.Judge is not null ? PeerTrust.Verified
        : underneath.Trust == PeerTrust.Loopback ? PeerTrust.EncryptedLoopback
        : underneath.Trust == PeerTrust.UnixSocket ? PeerTrust.UnixSocket
        : PeerTrust.Encrypted;

    private bool Validate(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        var counted = _settings.Verification switch
        {
            TlsVerification.None => SslPolicyErrors.None,
            TlsVerification.Authority => errors & ~SslPolicyErrors.RemoteCertificateNameMismatch,
            _ => NamesOtherAddresses(certificate) ? errors | SslPolicyErrors.RemoteCertificateNameMismatch : errors,
        };
        if (_settings is { Verification: TlsVerification.None, Judge: { } judge } && !judge(sender, certificate, chain, errors))
            throw new CertificateRefused("the application's own RemoteCertificateValidationCallback refused it.");
        if (counted == SslPolicyErrors.None)
            return true;
        // Returning false would end in a message that says nothing but that this callback returned false.
        var fault = CertificateFault.Describe(_settings, _options.TargetHost!, certificate, chain, counted);
        if (!_settings.MayBeProvedLater || !IsProvable(counted, chain))
            throw new CertificateRefused(fault);
        _unproven.AddOrUpdate(sender, fault);
        return true;
    }

    // The runtime lets the subject's common name stand for an address where the certificate has other names. RFC 6125, 6.4.4, and 9525: then it does not count.
    private bool NamesOtherAddresses(X509Certificate? certificate)
    {
        if (certificate is null || HostAddress.Parse(_options.TargetHost!) is not { } address)
            return false;
        using var readable = X509CertificateLoader.LoadCertificate(certificate.GetRawCertData());
        var hasNames = false;
        foreach (var extension in readable.Extensions)
        {
            // The runtime reads it as its own class only where it is of the usual form.
            if (extension.Oid?.Value != AlternativeNames)
                continue;
            hasNames = true;
            var names = extension as X509SubjectAlternativeNameExtension ?? new X509SubjectAlternativeNameExtension(extension.RawData);
            foreach (var one in names.EnumerateIPAddresses())
            {
                if (one.Equals(address))
                    return false;
            }
        }

        return hasNames;
    }

    private static bool IsProvable(SslPolicyErrors errors, X509Chain? chain)
    {
        if ((errors & SslPolicyErrors.RemoteCertificateNotAvailable) != 0)
            return false;
        var status = X509ChainStatusFlags.NoError;
        foreach (var element in chain?.ChainStatus ?? [])
            status |= element.Status;
        return (errors & SslPolicyErrors.RemoteCertificateChainErrors) == 0 || (status != X509ChainStatusFlags.NoError && (status & ~Provable) == 0);
    }

    // A certificate whose extensions cannot be read is a CryptographicException.
    private static bool IsHandshakes(Exception exception) =>
        exception is AuthenticationException or IOException or InvalidOperationException or CryptographicException or WireException;

    // A connection that was cut meanwhile is lost, as it would be a moment later: the same may succeed when it is tried again, which a handshake that somebody
    // refused does not.
    private static WireException Failed(ITransport underneath, Exception failure) => new(
        failure is IOException or WireException { Failure: WireFailure.Lost } ? WireFailure.Lost : WireFailure.TlsFailed,
        failure is CertificateRefused ? $"The certificate of {underneath.Peer} was not accepted: {((CertificateRefused)failure).Fault}" : $"The TLS handshake with {underneath.Peer} failed: {failure.Message}",
        failure)
    { RetrySafety = RetrySafety.NotSent };

    // The exception around it says why.
    private sealed class CertificateRefused(string fault) : AuthenticationException("The check of the certificate refused it.")
    {
        public string Fault { get; } = fault;
    }
}
