using System.Text;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Authentication;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Options;
using Slipstream.PostgreSql.Protocol.Responses;
using Slipstream.PostgreSql.Sessions;
using Slipstream.PostgreSql.Tests.Protocol;

namespace Slipstream.PostgreSql.Tests.Conversations;

/// <summary>The wait for a message without a request, and notifications that arrive at other times.</summary>
public class MessageWaitTests
{
    private static readonly byte[] Hello = Says.Message('A', [0, 0, 1, 2, .. "chännel\0hello\0"u8]);

    [Fact]
    public void A_notification_has_a_sender_a_channel_and_a_payload()
    {
        var notification = Cut.Read(Hello[5..], NotificationResponse.Read);
        Assert.Equal((258, "chännel", "hello"), (notification.ProcessId, notification.Channel, notification.Payload));
        Cut.Refuse([.. Hello[5..], 0], NotificationResponse.Read);
    }

    [Theory]
    [MemberData(nameof(CommandExchangeTests.Pieces), MemberType = typeof(CommandExchangeTests))]
    public void Each_wait_takes_one_message(int pieces)
    {
        var talk = new Talk([.. Hello, .. Says.Notice("careful"), .. Says.Status("TimeZone", "UTC"), .. Hello], pieces);
        foreach (var expected in new[] { "A258 chännel hello", "N careful", "", "A258 chännel hello" })
        {
            Assert.True(talk.Wait());
            Assert.Equal(expected, talk.Sink.Last);
            talk.Sink.Last = "";
        }

        Assert.Equal("UTC", talk.Session.State.Settings["TimeZone"]);
        Assert.Empty(talk.Server.Heard);
    }

    [Fact]
    public void The_servers_last_words_end_the_wait()
    {
        var talk = new Talk(Says.Error("57P01", "shutting down", "FATAL"), 3);
        Assert.False(talk.Wait());
        Assert.Equal("57P01", talk.Error!.SqlState);
        Assert.True(talk.Session.IsBroken);
    }

    [Fact]
    public void Any_other_answer_violates_the_protocol()
    {
        foreach (var says in new[] { Says.Ready(), Says.Complete("SELECT 1"), Says.Error("22012", "division"), Says.Message('W', [0, 0, 0]) })
            Assert.Throws<ProtocolException>(() => new Talk(says, int.MaxValue).Wait());
        Assert.Throws<ProtocolException>(() => new Talk(Says.Message('A', [0, 0, 0, 7, .. "channel\0"u8]), int.MaxValue).Wait());
    }

    [Fact]
    public void A_wait_whose_time_runs_out_keeps_what_has_arrived()
    {
        var transport = new StepwiseServer(Hello[..9], Hello[9..]);
        var talk = new Talk(transport);
        var arrival = new Arrival(talk.Wire, 1, default);
        Assert.False(talk.Wait(arrival));
        Assert.True(arrival.HasEnded);
        Assert.NotNull(talk.Wire.Pending);
        transport.Release();
        Assert.True(talk.Wait(new Arrival(talk.Wire, 0, default)));
        Assert.Equal("A258 chännel hello", talk.Sink.Last);
        Assert.Null(talk.Wire.Pending);
    }

    [Fact]
    public async Task A_cancelled_wait_keeps_what_has_arrived()
    {
        var transport = new StepwiseServer(Hello[..9], Hello[9..]);
        var talk = new Talk(transport);
        using var source = new CancellationTokenSource();
        var waiting = talk.WaitAsync(new Arrival(talk.Wire, 0, source.Token));
        Assert.False(waiting.IsCompleted);
        await source.CancelAsync();
        Assert.False(await waiting);
        transport.Release();
        // A wait without a limit takes over the receive that was left.
        Assert.True(talk.Wait());
        Assert.Equal("A258 chännel hello", talk.Sink.Last);
    }

    [Fact]
    public void A_session_that_is_reset_ignores_notifications_of_the_previous_lease()
    {
        var talk = new Talk([.. Hello, .. Says.Complete("DISCARD ALL"), .. Says.Ready(), .. Hello], int.MaxValue);
        talk.Session.NeedsReset = true;
        talk.Session.PrependPending();
        talk.Session.Operation.Begin(0);
        talk.Session.Queue.Begin(new MessageWait(talk.Session, talk.Session.State, null));
        Assert.Equal(Step.Completed, BlockingPump.Run(talk.Session.Queue, talk.Wire));
        Assert.Equal(1, talk.Sink.Count);
    }

    private sealed class Talk
    {
        public Talk(byte[] says, int pieces)
            : this(new ScriptedServer(says, pieces)) => Server = (ScriptedServer)Wire.Transport;

        public Talk(ITransport transport)
        {
            Wire = new Wire(transport);
            var settings = PgSettings.Parse("Host=h;Username=u");
            var connect = new Connect(settings, new ScramKeyCache(), transport);
            Session = new PgSession(Wire, new Endpoint("h", 1), new PgSessionOpener(settings, new Dialer(null)), connect) { Holder = Sink };
        }

        public Sink Sink { get; } = new();

        public ScriptedServer Server { get; } = null!;

        public Wire Wire { get; }

        public PgSession Session { get; }

        public ServerError? Error { get; private set; }

        public bool Wait(Arrival? arrival = null)
        {
            var wait = new MessageWait(Session, Session.State, arrival);
            Assert.Equal(Step.Completed, BlockingPump.Run(wait, Wire));
            Error = wait.Error;
            return wait.HasMessage;
        }

        public async Task<bool> WaitAsync(Arrival arrival)
        {
            var wait = new MessageWait(Session, Session.State, arrival);
            Assert.Equal(Step.Completed, await AsyncPump.RunAsync(wait, Wire));
            return wait.HasMessage;
        }
    }

    private sealed class Sink : INoticeSink
    {
        public string Last { get; set; } = "";

        public int Count { get; private set; }

        public void OnNotice(ErrorFields fields) => Last = $"N {fields.MessageText}";

        public void OnNotification(in NotificationResponse notification)
        {
            Count++;
            Last = $"A{notification.ProcessId} {notification.Channel} {notification.Payload}";
        }
    }

    // Sends the second part only after Release.
    private sealed class StepwiseServer(byte[] first, byte[] second) : ITransport
    {
        private readonly TaskCompletionSource _released = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _receives;

        public bool IsReadable => false;

        public bool HasWaitedAsynchronously => false;

        public PeerTrust Trust => PeerTrust.None;

        public string Peer => "stepwise:5432";

        public void Release() => _released.SetResult();

        public int Receive(Span<byte> room) => throw new InvalidOperationException("A receive is pending.");

        public async ValueTask<int> ReceiveAsync(Memory<byte> room)
        {
            if (_receives++ == 0)
            {
                first.CopyTo(room);
                return first.Length;
            }

            await _released.Task;
            second.CopyTo(room);
            return second.Length;
        }

        public void Send(ReadOnlySpan<byte> bytes) => throw new InvalidOperationException(Encoding.ASCII.GetString(bytes));

        public ValueTask SendAsync(ReadOnlyMemory<byte> bytes) => throw new InvalidOperationException(Encoding.ASCII.GetString(bytes.Span));

        public ITransport Upgrade() => throw new NotSupportedException();

        public ValueTask<ITransport> UpgradeAsync() => throw new NotSupportedException();

        public void Shutdown()
        {
            // Nothing to shut down.
        }

        public void Dispose()
        {
            // Nothing to dispose.
        }
    }
}
