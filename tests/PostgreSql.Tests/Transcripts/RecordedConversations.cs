using System.Runtime.CompilerServices;
using Slipstream.Core.Conversations;
using Slipstream.Core.Pooling;
using Slipstream.Core.Sessions;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Authentication;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Options;
using Slipstream.PostgreSql.Sessions;
using Slipstream.Testing;

namespace Slipstream.PostgreSql.Tests.Transcripts;

/// <summary>
/// Whole scenarios with the ADO.NET classes against recordings of a real server: the client must send the recorded bytes, and the caller must get the recorded
/// results, however the bytes arrive. <c>SLIPSTREAM_RECORD_POSTGRESQL</c>, a connection string of a user without a password, creates the recordings again.
/// </summary>
public class RecordedConversations
{
    private const string RecordVariable = "SLIPSTREAM_RECORD_POSTGRESQL";

    public static TheoryData<string, int, bool> Ways
    {
        get
        {
            var ways = new TheoryData<string, int, bool>();
            foreach (var name in Scenarios.All.Keys)
                foreach (var pieces in new[] { int.MaxValue, 3, 1 })
                    foreach (var asynchronously in new[] { false, true })
                        ways.Add(name, pieces, asynchronously);
            return ways;
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Say_and_return_the_same(string name, int pieces, bool asynchronously)
    {
        var path = Path.Combine(Folder(), name.Replace(' ', '-') + ".txt");
        if (Environment.GetEnvironmentVariable(RecordVariable) is { Length: > 0 } connectionString && pieces == int.MaxValue && !asynchronously)
            await Record(name, path, connectionString);

        var transcript = Transcript.Load(path);
        var pen = new Pen(asynchronously);
        var transports = new List<ReplayTransport>();
        await Run(name, pen, PgSettings.Parse("Host=recording;Username=lab_trust;Database=slipstream;SSL Mode=Disable"), () =>
        {
            var transport = new ReplayTransport(transcript.Connections[transports.Count], pieces);
            transports.Add(transport);
            return transport;
        });
        Assert.Equal(transcript.Results, pen.Lines);
        Assert.Equal(transcript.Connections.Count, transports.Count);
        Assert.All(transports, transport => Assert.True(transport.IsCompleted, "the client said less than it did when it was recorded"));
    }

    private static async Task Record(string name, string path, string connectionString)
    {
        var transcript = new Transcript();
        var settings = PgSettings.Parse(connectionString + ";SSL Mode=Disable");
        var pen = new Pen(asynchronously: false);
        using var scope = new DialScope(0, default);
        var version = "";
        await Run(name, pen, settings, () =>
        {
            transcript.Connections.Add([]);
            return new RecordingTransport(new Dialer(null).Dial(settings.Endpoints[0], scope), transcript.Connections[^1]);
        }, session => version = session.ServerVersion);
        transcript.Results.AddRange(pen.Lines);
        transcript.Save(path, $"PostgreSQL {version}: {name}");
    }

    private static async Task Run(string name, Pen pen, PgSettings settings, Func<ITransport> dial, Action<Session>? opened = null)
    {
        await using var source = new PgDataSource(settings, null, new Opener(settings, dial, opened));
        await Scenarios.All[name](source, pen);
    }

    private static string Folder([CallerFilePath] string path = "") => Path.Combine(Path.GetDirectoryName(path)!, "Recorded");

    /// <summary>Opens sessions over the test's transport.</summary>
    private sealed class Opener(PgSettings settings, Func<ITransport> dial, Action<Session>? opened) : ISessionFactory<Session>
    {
        private readonly PgSessionOpener _opener = new(settings, new Dialer(null));

        public Session Open(long milliseconds)
        {
            var (wire, connect) = Begin();
            BlockingPump.Run(connect, wire);
            return End(wire, connect);
        }

        public async ValueTask<Session> OpenAsync(long milliseconds, CancellationToken cancellationToken)
        {
            var (wire, connect) = Begin();
            await AsyncPump.RunAsync(connect, wire);
            return End(wire, connect);
        }

        private (Wire Wire, Connect Connect) Begin()
        {
            var transport = dial();
            return (new Wire(transport), new Connect(settings, new ScramKeyCache(), transport));
        }

        private PgSession End(Wire wire, Connect connect)
        {
            Assert.Null(connect.Error);
            var session = new PgSession(wire, settings.Endpoints[0], _opener, connect);
            opened?.Invoke(session);
            return session;
        }
    }
}
