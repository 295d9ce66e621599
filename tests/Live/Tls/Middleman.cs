using System.Buffers.Binary;
using System.Net;
using System.Net.NetworkInformation;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Slipstream.Lab;

namespace Slipstream.Live.Tls;

/// <summary>What an attacker in the middle does besides terminating TLS with its own certificate.</summary>
public enum Attack
{
    None,

    /// <summary>Claims in the server's name that TLS is not available.</summary>
    Strip,

    /// <summary>As <see cref="Strip"/>, from the second connection on.</summary>
    StripLater,

    /// <summary>Appends the messages of a successful login to the server's last message before TLS.</summary>
    Inject,

    /// <summary>Removes PostgreSQL's offer of channel binding.</summary>
    HideBinding,
}

/// <summary>
/// Stands between a client and a server of the lab: terminates the client's TLS with its own certificate, opens TLS to the server, relays what arrives, and
/// records what each connection's client has sent, in clear text and inside TLS.
/// </summary>
public sealed class Middleman : IDisposable
{
    private const int MySqlSslRequestLength = 32;
    private const int SslRequestCode = 80877103;

    private readonly LabServer _server;
    private readonly X509Certificate2 _certificate;
    private readonly TcpListener _listener;
    private readonly List<Seen> _seen = [];

    public Middleman(LabServer server, IPAddress address, X509Certificate2 certificate)
    {
        _server = server;
        _certificate = certificate;
        _listener = new TcpListener(address, 0);
        _listener.Start();
        _ = Accept();
    }

    /// <summary>An address of this machine other than the loopback address, as if a network were between; the loopback address if there is none.</summary>
    public static IPAddress Address { get; } = NetworkInterface.GetAllNetworkInterfaces()
        .Where(static card => card.OperationalStatus == OperationalStatus.Up)
        .SelectMany(static card => card.GetIPProperties().UnicastAddresses)
        .Select(static address => address.Address)
        .FirstOrDefault(static address => address.AddressFamily == AddressFamily.InterNetwork && !IPAddress.IsLoopback(address)) ?? IPAddress.Loopback;

    public Attack Attack { get; init; }

    public bool WantsClientCertificate { get; init; }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>What each connection's client has sent.</summary>
    public IReadOnlyList<(byte[] InClear, byte[] InTls)> Received
    {
        get
        {
            lock (_seen)
                return [.. _seen.Select(static seen => (seen.InClear.ToArray(), seen.InTls.ToArray()))];
        }
    }

    public void Dispose() => _listener.Dispose();

    private async Task Accept()
    {
        try
        {
            while (true)
            {
                var client = await _listener.AcceptSocketAsync();
                Seen seen;
                lock (_seen)
                    _seen.Add(seen = new Seen(_seen.Count));
                _ = Serve(client, seen);
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // The test has ended.
        }
    }

    private async Task Serve(Socket client, Seen seen)
    {
        using var server = new Socket(SocketType.Stream, ProtocolType.Tcp);
        try
        {
            await server.ConnectAsync(_server.Host, _server.Port);
            Stream front = new NetworkStream(client, true);
            Stream back = new NetworkStream(server, true);
            var strips = Attack == Attack.Strip || (Attack == Attack.StripLater && seen.Number > 0);
            if (_server.Kind.IsPostgreSql() ? await BeginPostgreSql(front, back, strips, seen) : await BeginMySql(front, back, strips, seen))
            {
                front = await Upgrade(front);
                back = await UpgradeOwn(back);
                seen.IsTls = true;
            }

            if (Attack == Attack.HideBinding)
                await HideBinding(front, back, seen);
            await Task.WhenAny(Pass(front, back, seen), Pass(back, front, null));
        }
        catch (Exception exception) when (exception is IOException or AuthenticationException or SocketException or ObjectDisposedException)
        {
            // The client rejected what it saw, or has gone.
        }
        finally
        {
            client.Dispose();
        }
    }

    // Returns true if both sides begin TLS now.
    private async Task<bool> BeginMySql(Stream front, Stream back, bool strips, Seen seen)
    {
        var greeting = await ReadPacket(back);
        if (strips)
        {
            // protocol (1) | version, a zero | id (4) | nonce (8) | a zero | flags
            var flags = 4 + 1 + Array.IndexOf(greeting, (byte)0, 5) - 4 + 4 + 8 + 1;
            greeting[flags + 1] &= 0xF7;
        }

        await front.WriteAsync(Attack == Attack.Inject ? (byte[])[.. greeting, 7, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0] : greeting);
        var answer = await ReadPacket(front);
        seen.Add(answer);
        await back.WriteAsync(answer);
        return answer.Length == 4 + MySqlSslRequestLength;
    }

    private async Task<bool> BeginPostgreSql(Stream front, Stream back, bool strips, Seen seen)
    {
        var request = await Read(front, 8);
        seen.Add(request);
        if (BinaryPrimitives.ReadInt32BigEndian(request.AsSpan(4)) != SslRequestCode)
        {
            await back.WriteAsync(request);
            return false;
        }

        if (strips)
        {
            await front.WriteAsync("N"u8.ToArray());
            return false;
        }

        await back.WriteAsync(request);
        var yes = await Read(back, 1);
        await front.WriteAsync(Attack == Attack.Inject ? (byte[])[.. yes, (byte)'R', 0, 0, 0, 8, 0, 0, 0, 0, (byte)'Z', 0, 0, 0, 5, (byte)'I'] : yes);
        return yes[0] == 'S';
    }

    private async Task<Stream> Upgrade(Stream front)
    {
        var tls = new SslStream(front);
        await tls.AuthenticateAsServerAsync(new SslServerAuthenticationOptions
        {
            ServerCertificate = _certificate,
            ClientCertificateRequired = WantsClientCertificate,
            RemoteCertificateValidationCallback = (_, certificate, _, _) => !WantsClientCertificate || certificate is not null,
        });
        return tls;
    }

    private static async Task<Stream> UpgradeOwn(Stream back)
    {
        var tls = new SslStream(back, false, static (_, _, _, _) => true);
        await tls.AuthenticateAsClientAsync("localhost");
        return tls;
    }

    // 'R' | length (4) | 10 (4) | mechanisms, each with a zero | a zero
    private static async Task HideBinding(Stream front, Stream back, Seen seen)
    {
        var head = await Read(front, 4);
        var startUp = await Read(front, BinaryPrimitives.ReadInt32BigEndian(head) - 4);
        seen.Add([.. head, .. startUp]);
        await back.WriteAsync((byte[])[.. head, .. startUp]);
        var header = await Read(back, 5);
        await Read(back, BinaryPrimitives.ReadInt32BigEndian(header.AsSpan(1)) - 4);
        byte[] body = [0, 0, 0, 10, .. Encoding.ASCII.GetBytes("SCRAM-SHA-256\0\0")];
        await front.WriteAsync((byte[])[(byte)'R', 0, 0, 0, (byte)(body.Length + 4), .. body]);
    }

    private static async Task Pass(Stream from, Stream to, Seen? seen)
    {
        var buffer = new byte[16 * 1024];
        while (await from.ReadAsync(buffer) is > 0 and var length)
        {
            seen?.Add(buffer.AsSpan(0, length));
            await to.WriteAsync(buffer.AsMemory(0, length));
        }
    }

    private static async Task<byte[]> ReadPacket(Stream stream)
    {
        var header = await Read(stream, 4);
        return [.. header, .. await Read(stream, header[0] | header[1] << 8 | header[2] << 16)];
    }

    private static async Task<byte[]> Read(Stream stream, int length)
    {
        var bytes = new byte[length];
        await stream.ReadExactlyAsync(bytes);
        return bytes;
    }

    private sealed class Seen(int number)
    {
        private readonly List<byte> _inClear = [];
        private readonly List<byte> _inTls = [];

        public int Number => number;

        public bool IsTls { get; set; }

        public IReadOnlyList<byte> InClear => Copy(_inClear);

        public IReadOnlyList<byte> InTls => Copy(_inTls);

        public void Add(ReadOnlySpan<byte> bytes)
        {
            lock (this)
                (IsTls ? _inTls : _inClear).AddRange(bytes);
        }

        private byte[] Copy(List<byte> bytes)
        {
            lock (this)
                return [.. bytes];
        }
    }
}
