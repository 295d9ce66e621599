namespace Slipstream.Core.Wires;

/// <summary>What is known about the peer at the other end of a transport, now.</summary>
internal enum PeerTrust
{
    /// <summary>Clear text over a network.</summary>
    None,

    /// <summary>Clear text to this machine's loopback address: safe from the network, not from another process that took the port.</summary>
    Loopback,

    /// <summary>TLS, but the certificate was not verified: safe from listeners, not from somebody in the middle.</summary>
    Encrypted,

    /// <summary>TLS to this machine's loopback address, the certificate not verified.</summary>
    EncryptedLoopback,

    /// <summary>TLS with a verified certificate.</summary>
    Verified,

    /// <summary>A unix socket: the file system decides who listens there.</summary>
    UnixSocket,
}

/// <summary>What follows from it.</summary>
internal static class PeerTrusts
{
    /// <summary>Whether it was found out inside TLS.</summary>
    public static bool IsEncrypted(this PeerTrust trust) => trust is PeerTrust.Encrypted or PeerTrust.EncryptedLoopback or PeerTrust.Verified;
}
