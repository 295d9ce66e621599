using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Slipstream.Core.Conversations;
using Slipstream.Core.Tests.Fakes;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Wires;

/// <summary>
/// A peer that answers each request before it reads the next one, over sockets with small buffers: a client that only writes would wait for ever.
/// </summary>
public class EarlyAnswerTests
{
    private const int Requests = 3000;
    private const int Size = 10_000;

    public enum Kind
    {
        Plain,
        Tls,
        Engine,
    }

    public static TheoryData<Kind, bool> Ways => new()
    {
        { Kind.Plain, false }, { Kind.Plain, true }, { Kind.Tls, false }, { Kind.Tls, true }, { Kind.Engine, false }, { Kind.Engine, true },
    };

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Many_large_requests_with_large_answers_do_not_deadlock(Kind kind, bool asynchronous)
    {
        Assert.SkipWhen(kind == Kind.Engine && CompletionEngine.Shared is null, "There is no completion engine on this system.");
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var client =
            new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true, SendBufferSize = 65536, ReceiveBufferSize = 65536 };
        client.Connect(listener.LocalEndpoint);
        using var accepted = await listener.AcceptTcpClientAsync(TestContext.Current.CancellationToken);
        accepted.SendBufferSize = accepted.ReceiveBufferSize = 65536;
        using var certificate = PeerCertificate.Create();
        var peer = new Thread(() => Answer(accepted, kind == Kind.Tls ? certificate : null)) { IsBackground = true };
        peer.Start();

        ITransport transport = kind == Kind.Engine
            ? new EngineTransport(CompletionEngine.Shared!, client, AsyncContinuations.ThreadPool, PeerTrust.None, "peer", null)
            : new SocketTransport(client, PeerTrust.None, "peer", null);
        using var closing = transport;
        if (kind == Kind.Tls)
        {
            var carrier = new TransportStream(transport);
            var stream = new SslStream(carrier, false, static (_, _, _, _) => true);
            if (asynchronous)
                await stream.AuthenticateAsClientAsync("peer");
            else
                stream.AuthenticateAsClient("peer");
            transport = new TlsTransport(stream, carrier, transport, PeerTrust.None);
        }

        var wire = new Wire(transport);
        for (var round = 0; round < 2; round++)
        {
            var talk = new ManyRequests();
            var running =
                asynchronous
                    ? AsyncPump.RunAsync(talk, wire).AsTask()
                    : Task.Factory.StartNew(() => BlockingPump.Run(talk, wire), default, TaskCreationOptions.LongRunning, TaskScheduler.Default);
            Assert.Equal(Step.Completed, await running.WaitAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken));
            Assert.False(talk.IsWrong);
            Assert.Equal(0, wire.Buffered);
        }

        // A blocking descriptor stays blocking: later waits cost one system call.
        if (!asynchronous && kind == Kind.Plain)
        {
            Assert.False(transport.HasWaitedAsynchronously);
            Assert.True(client.Blocking);
        }
    }

    private static void Answer(TcpClient accepted, X509Certificate2? certificate)
    {
        try
        {
            Stream stream = accepted.GetStream();
            if (certificate is not null)
            {
                var tls = new SslStream(stream);
                tls.AuthenticateAsServer(certificate);
                stream = tls;
            }

            var request = new byte[Size];
            for (var i = 0; i < 2 * Requests; i++)
            {
                stream.ReadExactly(request);
                stream.Write(request);
            }
        }
        catch (Exception exception) when (exception is IOException or ObjectDisposedException)
        {
            // The test has ended first.
        }
    }

    // Sends all requests at once; each byte is its request's number.
    private sealed class ManyRequests : Conversation
    {
        private bool _sent;
        private long _heard;

        public bool IsWrong { get; private set; }

        public override Step Advance(Wire wire)
        {
            if (!_sent)
            {
                _sent = true;
                for (var i = 0; i < Requests; i++)
                    wire.Out.Grow(Size).Fill((byte)i);
                wire.IsAnsweredEarly = true;
                return Step.Send;
            }

            for (; wire.Start < wire.End; wire.Start++, _heard++)
                IsWrong |= wire.In[wire.Start] != (byte)(_heard / Size);
            return _heard < (long)Requests * Size ? Step.Receive : Step.Completed;
        }
    }
}
