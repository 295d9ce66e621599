using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Fakes;

/// <summary>A name server on the loopback address, for UDP and TCP on the same port.</summary>
internal sealed class FakeNameServer : IDisposable
{
    private readonly Func<byte[], bool, byte[][]> _answer;
    private readonly Socket _udp;
    private readonly TcpListener _tcp;
    private int _questions;

    /// <param name="answer">Returns the messages that answer a question; the argument is true if it was asked over TCP.</param>
    public FakeNameServer(Func<byte[], bool, byte[][]> answer)
    {
        _answer = answer;
        (_udp, _tcp) = Bind();
        Address = (IPEndPoint)_udp.LocalEndPoint!;
        new Thread(ServeUdp) { IsBackground = true }.Start();
        new Thread(ServeTcp) { IsBackground = true }.Start();
    }

    public IPEndPoint Address { get; }

    /// <summary>Gets the number of questions so far.</summary>
    public int Questions => Volatile.Read(ref _questions);

    /// <summary>Returns an answer to a question.</summary>
    /// <param name="question">The question, which the answer repeats.</param>
    /// <param name="records">The records, without their owner, which is a pointer to the question's name.</param>
    public static byte[] Answer(byte[] question, params byte[][] records) =>
    [
        question[0], question[1], 0x81, 0x80, 0, 1, (byte)(records.Length >> 8), (byte)records.Length, 0, 0, 0, 0, .. question.AsSpan(12),
        .. records.SelectMany(static record => (byte[])[0xC0, 12, .. record]),
    ];

    /// <summary>Returns an SRV record without its owner.</summary>
    public static byte[] Srv(string target, ushort port, ushort priority = 0, ushort weight = 0)
    {
        List<byte> data = [.. Number(priority), .. Number(weight), .. Number(port)];
        if (target == ".")
            data.Add(0);
        else
            DnsName.Write(data, target);
        return [.. Number(33), .. Number(1), 0, 0, 0, 60, .. Number((ushort)data.Count), .. data];
    }

    public void Dispose()
    {
        _udp.Dispose();
        _tcp.Dispose();
    }

    private static (Socket, TcpListener) Bind()
    {
        while (true)
        {
            var udp = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            udp.Bind(new IPEndPoint(IPAddress.Loopback, 0));
            var tcp = new TcpListener((IPEndPoint)udp.LocalEndPoint!);
            try
            {
                tcp.Start();
                return (udp, tcp);
            }
            catch (SocketException)
            {
                // Another process has this port for TCP.
                udp.Dispose();
                tcp.Dispose();
            }
        }
    }

    private static byte[] Number(ushort number) => [(byte)(number >> 8), (byte)number];

    private void ServeUdp()
    {
        var buffer = new byte[2048];
        try
        {
            while (true)
            {
                EndPoint from = new IPEndPoint(IPAddress.Any, 0);
                var length = _udp.ReceiveFrom(buffer, ref from);
                Interlocked.Increment(ref _questions);
                foreach (var message in _answer(buffer[..length], false))
                    _udp.SendTo(message, from);
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // The test is over.
        }
    }

    private void ServeTcp()
    {
        try
        {
            while (true)
            {
                using var client = _tcp.AcceptTcpClient();
                using var stream = client.GetStream();
                var header = new byte[2];
                stream.ReadExactly(header);
                var question = new byte[BinaryPrimitives.ReadUInt16BigEndian(header)];
                stream.ReadExactly(question);
                Interlocked.Increment(ref _questions);
                foreach (var message in _answer(question, true))
                    stream.Write([.. Number((ushort)message.Length), .. message]);
            }
        }
        catch (Exception exception) when (exception is SocketException or IOException or ObjectDisposedException)
        {
            // The test is over.
        }
    }
}
