using System.Buffers.Binary;
using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using System.Security.Cryptography;

namespace Slipstream.Core.Wires;

/// <summary>
/// Asks name servers for the servers of a service: by UDP, and by TCP if the answer is too long. .NET resolves addresses only. Each question has a random
/// number and a port of its own, so that an attacker who does not see the question must guess both.
/// </summary>
internal static class SrvResolver
{
    private const int Port = 53;
    private const int Rounds = 2;

    /// <summary>Time limit for the answer of one name server, in milliseconds.</summary>
    private const int TimeLimit = 2000;

    /// <summary>Returns the records of a service.</summary>
    /// <param name="name">The name of the service, normalized.</param>
    /// <param name="nameServers">The name servers; empty for those of the system.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <exception cref="InvalidDataException">The name does not exist, the question was refused, or the answer is not valid.</exception>
    /// <exception cref="IOException">No name server has answered.</exception>
    public static async Task<List<SrvRecord>> ResolveAsync(string name, IReadOnlyList<IPEndPoint> nameServers, CancellationToken cancellationToken)
    {
        if (nameServers.Count == 0)
            nameServers = OfSystem();
        if (nameServers.Count == 0)
            throw new IOException("The system has no name server: set NameServers.");
        Exception? failure = null;
        for (var round = 0; round < Rounds; round++)
        {
            foreach (var server in nameServers)
            {
                try
                {
                    return await AskAsync(name, server, cancellationToken).ConfigureAwait(false);
                }
                catch (Exception exception) when (exception is SocketException or IOException or OperationCanceledException)
                {
                    cancellationToken.ThrowIfCancellationRequested();
                    failure = exception;
                }
            }
        }

        throw new IOException($"No name server has answered the question for {name}.", failure);
    }

    private static IPEndPoint[] OfSystem() =>
    [
        .. NetworkInterface.GetAllNetworkInterfaces().Where(static one => one.OperationalStatus != OperationalStatus.Down)
            .SelectMany(static one => one.GetIPProperties().DnsAddresses).Distinct().Select(static address => new IPEndPoint(address, Port)),
    ];

    private static async Task<List<SrvRecord>> AskAsync(string name, IPEndPoint server, CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(TimeLimit);
        var query = new SrvQuery(name, (ushort)RandomNumberGenerator.GetInt32(ushort.MaxValue + 1));
        var answer = await AskByUdpAsync(query, server, limit.Token).ConfigureAwait(false);
        if (SrvQuery.MustAskByTcp(answer))
            answer = await AskByTcpAsync(query, server, limit.Token).ConfigureAwait(false);
        return query.Read(answer);
    }

    private static async Task<byte[]> AskByUdpAsync(SrvQuery query, IPEndPoint server, CancellationToken cancellationToken)
    {
        using var socket = new Socket(server.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        // A connected socket receives from this server only.
        await socket.ConnectAsync(server, cancellationToken).ConfigureAwait(false);
        await socket.SendAsync(query.Message, cancellationToken).ConfigureAwait(false);
        // A longer message is cut off, and not valid.
        var buffer = new byte[SrvQuery.LongestDatagram];
        while (true)
        {
            var length = await socket.ReceiveAsync(buffer, cancellationToken).ConfigureAwait(false);
            if (query.IsAnswer(buffer.AsSpan(0, length)))
                return buffer[..length];
        }
    }

    private static async Task<byte[]> AskByTcpAsync(SrvQuery query, IPEndPoint server, CancellationToken cancellationToken)
    {
        using var socket = new Socket(server.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(server, cancellationToken).ConfigureAwait(false);
        using var stream = new NetworkStream(socket);
        var question = new byte[2 + query.Message.Length];
        BinaryPrimitives.WriteUInt16BigEndian(question, (ushort)query.Message.Length);
        query.Message.CopyTo(question, 2);
        await stream.WriteAsync(question, cancellationToken).ConfigureAwait(false);
        var header = new byte[2];
        await stream.ReadExactlyAsync(header, cancellationToken).ConfigureAwait(false);
        var answer = new byte[BinaryPrimitives.ReadUInt16BigEndian(header)];
        await stream.ReadExactlyAsync(answer, cancellationToken).ConfigureAwait(false);
        return query.IsAnswer(answer) ? answer : throw new IOException("The name server has answered another question.");
    }
}
