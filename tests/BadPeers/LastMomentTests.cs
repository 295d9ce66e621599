using System.Diagnostics;
using System.Net.Sockets;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers;

/// <summary>
/// A server that aborts a TLS handshake at the same moment as the client, as many servers with the same time limit do. Whichever side is first, the client
/// reports the phase, that nothing was sent, and that the caller may retry.
/// </summary>
public sealed class LastMomentTests
{
    private const int Seconds = 1;

    // Around the client's deadline, and further apart than the clock's ticks.
    private static readonly int[] Moments = [960, 1000, 1040];

    // All in parallel, because each takes the whole second.
    [Fact]
    public Task A_server_that_closes_when_the_time_is_over_is_told_as_either() =>
        Task.WhenAll(new[] { false, true }.SelectMany(static asynchronously => (Task[])[CloseMySql(asynchronously), ClosePostgreSql(asynchronously)]));

    private static Task CloseMySql(bool asynchronously) => Close(
        asynchronously,
        static peer =>
        {
            peer.Send(MySqlWords.Greeting(capabilities: MySqlWords.Capabilities | MySqlWords.Tls));
            peer.ReadPacket();
        },
        static server =>
            new MySqlDataSource(
                $"Server={server.Address};Port={server.Port};User ID=somebody;Password=open sesame;SSL Mode=Required;Connection Timeout={Seconds}"),
        static failure => Assert.IsType<MySqlException>(failure) is var mine ? (mine.Kind, mine.IsTransient, mine.RetrySafety) : default);

    private static Task ClosePostgreSql(bool asynchronously) => Close(
        asynchronously,
        static peer =>
        {
            peer.ExpectSslRequest();
            peer.Send((byte)'S');
        },
        static server =>
            PgDataSource.Create(
                $"Host={server.Address};Port={server.Port};{PgLogin.Text};Password=open sesame;Database=db;SSL Mode=Require;Timeout={Seconds}"),
        static failure => Assert.IsType<PgException>(failure) is var mine ? (mine.Kind, mine.IsTransient, mine.RetrySafety) : default);

    private static Task Close(
        bool asynchronously, Action<FakePeer> begin, Func<FakeServer, ProviderDataSource> connect,
        Func<Exception, (ErrorKind Kind, bool IsTransient, RetrySafety Safety)> read) =>
            Task.WhenAll(Moments.Select(moment => Task.Run(async () =>
            {
                using var server = FakeServer.Start(peer =>
                {
                    var begun = Stopwatch.StartNew();
                    begin(peer);
                    // The client has begun; it receives the first part of a handshake record, and nothing more of it.
                    peer.ReadSegment();
                    peer.Send(0x16, 3, 3, 0, 122, 2, 0, 0);
                    Thread.Sleep((int)Math.Max(0, moment - begun.ElapsedMilliseconds));
                    try
                    {
                        peer.Close();
                    }
                    catch (SocketException)
                    {
                        // The client closed the connection first.
                    }
                });
                await using var source = connect(server);
                await using var connection = source.CreateConnection();
                var failure = await Assert.ThrowsAnyAsync<Exception>(
                    () => asynchronously ? connection.OpenAsync() : Task.Factory.StartNew(connection.Open, TaskCreationOptions.LongRunning));
                server.ThrowIfScriptFailed();
                var (kind, isTransient, safety) = read(failure);
                Assert.Equal((true, RetrySafety.NotSent), (isTransient, safety));
                Assert.Contains($"{server.Address}:{server.Port}", failure.Message, StringComparison.Ordinal);
                Assert.True(kind is ErrorKind.Interrupted or ErrorKind.ConnectionLost, failure.ToString());
                Assert.Contains(kind == ErrorKind.Interrupted ? " s while " : "The TLS handshake with ", failure.Message, StringComparison.Ordinal);
            })));
}
