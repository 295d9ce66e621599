using System.Net.Security;
using System.Runtime.CompilerServices;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Wires;

/// <summary>The client's requirements for the server's certificate.</summary>
internal enum TlsVerification
{
    /// <summary>No requirement: protects only from eavesdropping.</summary>
    None,

    /// <summary>A chain to a trusted root.</summary>
    Authority,

    /// <summary>A chain to a trusted root, and the host's name in the certificate.</summary>
    Full,
}

/// <summary>TLS settings of a data source. If <see cref="Authorities"/> is null, the system's roots are trusted.</summary>
internal sealed record TlsSettings(
    TlsVerification Verification,
    X509Certificate2Collection? Authorities = null,
    X509Certificate2Collection? ClientCertificates = null,
    SslProtocols Protocols = SslProtocols.None,
    CipherSuitesPolicy? CipherSuites = null,
    bool CheckRevocation = false,
    IReadOnlyList<SslApplicationProtocol>? ApplicationProtocols = null)
{
    /// <summary>Name of the option for the file of <see cref="Authorities"/>, for messages.</summary>
    public string AuthorityOption { get; init; } = "the option of trusted authorities";

    /// <summary>The option of the revocation check with the value that turns the check off, for messages.</summary>
    public string RevocationOption { get; init; } = "the option that leaves this check out";

    /// <summary>
    /// The application's own validation, called only if <see cref="Verification"/> requires nothing. A peer that it accepts counts as verified.
    /// </summary>
    public RemoteCertificateValidationCallback? ValidateCertificate { get; init; }

    /// <summary>Fills the collection with the client's certificates before each handshake.</summary>
    public Func<X509CertificateCollection, ValueTask>? ProvideClientCertificates { get; init; }

    /// <summary>
    /// Returns the trusted authorities before each handshake, in place of <see cref="Authorities"/>; null or an empty collection means the latter.
    /// </summary>
    public Func<X509Certificate2Collection?>? ProvideAuthorities { get; init; }

    /// <summary>
    /// Changes the options of each handshake. A validation callback that it sets takes the place of <see cref="ValidateCertificate"/>, under the same rules.
    /// </summary>
    public Action<SslClientAuthenticationOptions>? Configure { get; init; }

    /// <summary>Whether each handshake needs options of its own.</summary>
    public bool HasCallbacks => ProvideClientCertificates is not null || ProvideAuthorities is not null || Configure is not null;

    /// <summary>
    /// Whether a certificate of an unknown authority, or for another name, does not end the handshake. The peer may prove its identity in another way, and is
    /// not authenticated until then (<see cref="TlsTransport.IsUnproven"/>).
    /// </summary>
    public bool MayBeProvedLater { get; init; }

    /// <summary>Whether later connections may resume a TLS session (default true).</summary>
    public bool Resumes { get; init; } = true;

    /// <summary>Whether more than one record is received at once while large data arrives (default true).</summary>
    public bool ReceivesAhead { get; init; } = true;
}

/// <summary>
/// Makes TLS handshakes for one host of one data source. All of its connections share one options object, so that the runtime can resume a TLS session instead
/// of making a full handshake (measured: 0.9–1.45 ms instead of 2.0 ms).
/// </summary>
internal sealed class TlsClient
{
    // The faults of a self-signed certificate, whose revocation cannot be checked.
    private const X509ChainStatusFlags Provable =
        X509ChainStatusFlags.UntrustedRoot | X509ChainStatusFlags.PartialChain | X509ChainStatusFlags.RevocationStatusUnknown
            | X509ChainStatusFlags.OfflineRevocation;

    private const string AlternativeNames = "2.5.29.17";

    private readonly SslClientAuthenticationOptions _options;
    private readonly TlsSettings _settings;

    // Handshakes with a certificate that must be proved in another way, and the certificate's fault.
    private readonly ConditionalWeakTable<object, string> _unproven = [];

    // Handshakes whose certificate the application has accepted in place of the driver.
    private readonly ConditionalWeakTable<object, object> _judged = [];

    /// <summary>Creates a client for one host, against whose name the certificate is checked.</summary>
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
            // No current server requests renegotiation. The response would be sent from within a receive, beside a send that may be running.
            AllowRenegotiation = false,
            RemoteCertificateValidationCallback = Validate,
        };
        if (settings is { Verification: TlsVerification.None, ValidateCertificate: null, Configure: null })
        {
            // The runtime builds a chain even if it is not checked. This policy needs no root and no download of missing certificates. With all these flags,
            // the chain also has no fault; a validation callback needs the true result.
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
            // Otherwise, a missing authority would be downloaded from an address in the unverified certificate, outside every deadline.
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

    internal ITransport Upgrade(ITransport inner)
    {
        var options = _settings.HasCallbacks ? Prepare(inner, WithCertificates(inner)) : _options;
        var carrier = new TransportStream(inner, _settings.ReceivesAhead);
        var stream = new SslStream(carrier);
        carrier.HandshakeBegins();
        try
        {
            stream.AuthenticateAsClient(options);
            carrier.IsHandshakeCompleted();
            return Upgraded(stream, carrier, inner);
        }
        catch (Exception exception) when (IsHandshakeFailure(exception))
        {
            carrier.HandshakeHasFailed();
            stream.Dispose();
            throw Failed(inner, exception);
        }
    }

    internal async ValueTask<ITransport> UpgradeAsync(ITransport inner)
    {
        var options = _settings.HasCallbacks ? Prepare(inner, await WithCertificatesAsync(inner).ConfigureAwait(false)) : _options;
        var carrier = new TransportStream(inner, _settings.ReceivesAhead);
        var stream = new SslStream(carrier);
        carrier.HandshakeBegins();
        try
        {
            await stream.AuthenticateAsClientAsync(options).ConfigureAwait(false);
            carrier.IsHandshakeCompleted();
            return Upgraded(stream, carrier, inner);
        }
        catch (Exception exception) when (IsHandshakeFailure(exception))
        {
            carrier.HandshakeHasFailed();
            await stream.DisposeAsync().ConfigureAwait(false);
            throw Failed(inner, exception);
        }
    }

    private TlsTransport Upgraded(SslStream stream, TransportStream carrier, ITransport inner) => new(
        stream, carrier, inner, _judged.TryGetValue(stream, out _) ? PeerTrust.Verified : TrustOver(inner),
        _unproven.TryGetValue(stream, out var fault) ? Failed(inner, new CertificateRefused(fault)) : null);

    // The application's code may wait for a key store; the blocking method waits for it.
    private X509CertificateCollection? WithCertificates(ITransport inner)
    {
        if (_settings.ProvideClientCertificates is null)
            return _settings.ClientCertificates;
        var certificates = new X509CertificateCollection();
        try
        {
            var providing = _settings.ProvideClientCertificates(certificates).AsTask();
            ((IAsyncResult)providing).AsyncWaitHandle.WaitOne();
            providing.GetAwaiter().GetResult();
            return certificates;
        }
        catch (Exception exception)
        {
            throw Failed(inner, NotProvided("provides the client's certificates", exception));
        }
    }

    private async ValueTask<X509CertificateCollection?> WithCertificatesAsync(ITransport inner)
    {
        if (_settings.ProvideClientCertificates is null)
            return _settings.ClientCertificates;
        var certificates = new X509CertificateCollection();
        try
        {
            await _settings.ProvideClientCertificates(certificates).ConfigureAwait(false);
            return certificates;
        }
        catch (Exception exception)
        {
            throw Failed(inner, NotProvided("provides the client's certificates", exception));
        }
    }

    // The options of one handshake, which the application's code decides.
    private SslClientAuthenticationOptions Prepare(ITransport inner, X509CertificateCollection? clientCertificates)
    {
        X509Certificate2Collection? authorities;
        try
        {
            authorities = _settings.ProvideAuthorities?.Invoke();
        }
        catch (Exception exception)
        {
            throw Failed(inner, NotProvided("provides the trusted authorities", exception));
        }

        var settings = authorities is { Count: > 0 } ? _settings with { Authorities = authorities } : _settings;
        var options = Describe(settings, _options.TargetHost!, clientCertificates);
        if (_settings.Configure is { } configure)
            Configure(inner, configure, options);
        return options;
    }

    private void Configure(ITransport inner, Action<SslClientAuthenticationOptions> configure, SslClientAuthenticationOptions options)
    {
        var own = options.RemoteCertificateValidationCallback;
        try
        {
            configure(options);
        }
        catch (Exception exception)
        {
            throw Failed(inner, NotProvided("configures TLS", exception));
        }

        // See Describe.
        options.AllowRenegotiation = false;
        if (_settings.Verification != TlsVerification.None && options.CertificateChainPolicy is null or { VerificationFlags: not X509VerificationFlags.NoFlag })
            throw Weakened($"{nameof(options.CertificateChainPolicy)}.{nameof(X509ChainPolicy.VerificationFlags)}");
        if (options.RemoteCertificateValidationCallback == own)
            return;
        if (options.RemoteCertificateValidationCallback is not { } judge)
        {
            options.RemoteCertificateValidationCallback = own;
            return;
        }

        if (_settings.Verification != TlsVerification.None || _settings.Authorities is not null || _settings.ProvideAuthorities is not null)
            throw Weakened(nameof(options.RemoteCertificateValidationCallback));
        options.RemoteCertificateValidationCallback = (sender, certificate, chain, errors) =>
        {
            if (!judge(sender, certificate, chain, errors))
                throw new CertificateRefused(RejectedByApplication);
            _judged.AddOrUpdate(sender, sender);
            return true;
        };
    }

    private const string RejectedByApplication = "the application's RemoteCertificateValidationCallback rejected it.";

    private static ArgumentException Weakened(string property) => new(
        $"The callback that configures TLS has set {property}, but the options let the driver verify the server's certificate: do not set it, or remove the "
        + "trusted authorities and SSL Mode=VerifyCA or VerifyFull.");

    private static AuthenticationException NotProvided(string what, Exception failure) =>
        new($"the application's callback that {what} failed ({failure.GetType().Name}).", failure);

    // Without a check of the host's name, any certificate of the same authority passes. It counts as verified because the user chose so.
    private PeerTrust TrustOver(ITransport inner) =>
        _settings.Verification != TlsVerification.None || _settings.ValidateCertificate is not null ? PeerTrust.Verified
        : inner.Trust == PeerTrust.Loopback ? PeerTrust.EncryptedLoopback
        : inner.Trust == PeerTrust.UnixSocket ? PeerTrust.UnixSocket
        : PeerTrust.Encrypted;

    private bool Validate(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        var counted = _settings.Verification switch
        {
            TlsVerification.None => SslPolicyErrors.None,
            TlsVerification.Authority => errors & ~SslPolicyErrors.RemoteCertificateNameMismatch,
            _ => NamesOtherAddresses(HostOf(sender), certificate) ? errors | SslPolicyErrors.RemoteCertificateNameMismatch : errors,
        };
        if (_settings is { Verification: TlsVerification.None, ValidateCertificate: { } judge } && !judge(sender, certificate, chain, errors))
            throw new CertificateRefused(RejectedByApplication);
        if (counted == SslPolicyErrors.None)
            return true;
        // If the callback returned false, the message would only contain that.
        var fault = CertificateFault.Describe(_settings, HostOf(sender), certificate, chain, counted);
        if (!_settings.MayBeProvedLater || !IsProvable(counted, chain))
            throw new CertificateRefused(fault);
        _unproven.AddOrUpdate(sender, fault);
        return true;
    }

    // The application may have set another name to verify.
    private string HostOf(object handshake) => _settings.Configure is not null && handshake is SslStream { TargetHostName: { Length: > 0 } host }
        ? host
        : _options.TargetHost!;

    // If the certificate has alternative names, the runtime still accepts the subject's common name for an address. By RFC 6125, 6.4.4, and RFC 9525, the
    // common name is ignored then.
    private static bool NamesOtherAddresses(string host, X509Certificate? certificate)
    {
        if (certificate is null || HostAddress.Parse(host) is not { } address)
            return false;
        using var readable = X509CertificateLoader.LoadCertificate(certificate.GetRawCertData());
        var hasNames = false;
        foreach (var extension in readable.Extensions)
        {
            // The runtime uses its own class for the extension only in the usual form.
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

    // A certificate with unreadable extensions causes a CryptographicException.
    private static bool IsHandshakeFailure(Exception exception) =>
        exception is AuthenticationException or IOException or InvalidOperationException or CryptographicException or WireException;

    // A connection that was cut during the handshake counts as lost, as it would a moment later: a retry may succeed. After a rejected handshake, it would not.
    private static WireException Failed(ITransport inner, Exception failure) => new(
        failure is IOException or WireException { Failure: WireFailure.Lost } ? WireFailure.Lost : WireFailure.TlsFailed,
        failure is CertificateRefused
            ? $"The certificate of {inner.Peer} was not accepted: {((CertificateRefused)failure).Fault}"
            : $"The TLS handshake with {inner.Peer} failed: {failure.Message}",
        failure)
    { RetrySafety = RetrySafety.NotSent };

    // The outer exception has the reason.
    private sealed class CertificateRefused(string fault) : AuthenticationException("The certificate failed its check.")
    {
        public string Fault { get; } = fault;
    }
}
