namespace Slipstream.Core.Wires;

/// <summary>What is known now about the peer of a transport.</summary>
internal enum PeerTrust
{
    /// <summary>Clear text over a network.</summary>
    None,

    /// <summary>Clear text to this machine's loopback address: protected from the network, but not from another process that uses the port.</summary>
    Loopback,

    /// <summary>TLS without verification of the certificate: protected from eavesdropping, but not from a man in the middle.</summary>
    Encrypted,

    /// <summary>TLS to this machine's loopback address, without verification of the certificate.</summary>
    EncryptedLoopback,

    /// <summary>TLS with a verified certificate.</summary>
    Verified,

    /// <summary>A unix socket: file permissions decide which process listens there.</summary>
    UnixSocket,
}

/// <summary>Consequences of <see cref="PeerTrust"/>.</summary>
internal static class PeerTrusts
{
    /// <summary>Whether the peer uses TLS.</summary>
    public static bool IsEncrypted(this PeerTrust trust) => trust is PeerTrust.Encrypted or PeerTrust.EncryptedLoopback or PeerTrust.Verified;
}
