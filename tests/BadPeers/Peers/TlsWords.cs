using System.Net.Security;
using System.Reflection;
using System.Runtime.InteropServices;

[assembly: DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]

namespace Slipstream.BadPeers.Peers;

/// <summary>
/// Messages that a server's TLS may send by itself between two records of data. The runtime's TLS does not send them, so the tests call OpenSSL directly.
/// </summary>
internal static class TlsWords
{
    /// <summary>TLS 1.2: a warning that the other side ignores. OpenSSL does not send any, so it is sealed by hand.</summary>
    public const string Warning = "Warning";

    /// <summary>TLS 1.3: not encrypted, so any attacker on the way can send it. OpenSSL refuses it after the handshake.</summary>
    public const string ChangeCipherSpec = "ChangeCipherSpec";

    /// <summary>TLS 1.2: requests a new negotiation from the client. OpenSSL then refuses data until that is done.</summary>
    public const string HelloRequest = "HelloRequest";

    /// <summary>TLS 1.3.</summary>
    public const string NewSessionTicket = "NewSessionTicket";

    /// <summary>TLS 1.3: what follows is encrypted with other keys.</summary>
    public const string KeyUpdate = "KeyUpdate";

    /// <summary>Returns the records of a message.</summary>
    public static byte[] Records(SslStream tls, string word)
    {
        if (word == ChangeCipherSpec)
            return [20, 3, 3, 0, 1, 1];
        var session = SessionOf(tls);
        var asked = word switch
        {
            HelloRequest => Renegotiate(session),
            NewSessionTicket => IssueTicket(session),
            _ => UpdateKeys(session, 0),
        };
        if (asked != 1 || Handshake(session) != 1)
            throw new InvalidOperationException($"OpenSSL does not say {word}.");
        var records = new byte[4096];
        return records[..Read(Outgoing(session), records, records.Length)];
    }

    /// <summary>Returns the secrets that the keys of a TLS 1.2 session are derived from.</summary>
    public static (byte[] Master, byte[] ServerRandom, byte[] ClientRandom) Secrets(SslStream tls)
    {
        var session = SessionOf(tls);
        var (master, server, client) = (new byte[48], new byte[32], new byte[32]);
        if (MasterKey(Resumable(session), master, (nuint)master.Length) != 48
            || ServerRandom(session, server, 32) != 32
            || ClientRandom(session, client, 32) != 32)
            throw new InvalidOperationException("OpenSSL does not give the secrets away.");
        return (master, server, client);
    }

    private static nint SessionOf(SslStream tls)
    {
        const BindingFlags Hidden = BindingFlags.Instance | BindingFlags.NonPublic;
        var context = typeof(SslStream).GetField("_securityContext", Hidden)!.GetValue(tls)!;
        var handle = context.GetType().Name == "SafeSslHandle"
            ? (SafeHandle)context
            : (SafeHandle)Array.Find(context.GetType().GetFields(Hidden), static field => field.FieldType.Name == "SafeSslHandle")!.GetValue(context)!;
        return handle.DangerousGetHandle();
    }

    [DllImport("libssl.so.3", EntryPoint = "SSL_get_session")]
    private static extern nint Resumable(nint session);

    [DllImport("libssl.so.3", EntryPoint = "SSL_SESSION_get_master_key")]
    private static extern nuint MasterKey(nint resumable, byte[] target, nuint length);

    [DllImport("libssl.so.3", EntryPoint = "SSL_get_server_random")]
    private static extern nuint ServerRandom(nint session, byte[] target, nuint length);

    [DllImport("libssl.so.3", EntryPoint = "SSL_get_client_random")]
    private static extern nuint ClientRandom(nint session, byte[] target, nuint length);

    [DllImport("libssl.so.3", EntryPoint = "SSL_renegotiate")]
    private static extern int Renegotiate(nint session);

    [DllImport("libssl.so.3", EntryPoint = "SSL_new_session_ticket")]
    private static extern int IssueTicket(nint session);

    [DllImport("libssl.so.3", EntryPoint = "SSL_key_update")]
    private static extern int UpdateKeys(nint session, int kind);

    [DllImport("libssl.so.3", EntryPoint = "SSL_do_handshake")]
    private static extern int Handshake(nint session);

    [DllImport("libssl.so.3", EntryPoint = "SSL_get_wbio")]
    private static extern nint Outgoing(nint session);

    [DllImport("libcrypto.so.3", EntryPoint = "BIO_read")]
    private static extern int Read(nint source, byte[] target, int length);
}
