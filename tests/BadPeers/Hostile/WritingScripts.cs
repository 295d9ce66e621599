using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.Hostile;

/// <summary>
/// Servers of both kinds that disconnect, or do not read, while the client sends a large message. The client cannot revoke the part that it has sent, and must
/// not send anything after it.
/// </summary>
internal static class WritingScripts
{
    private const int Some = 100_000;

    // What the client encodes and copies of the value, in bytes.
    private const long Memory = 160 << 20;

    public static IReadOnlyList<HostileScript> All { get; } =
    [
        Large("mysql reset while a value arrives", Victim.MySql, "cuts the connection among 24 MiB", Outcome.LostOnLargeCommand, Reset),
        Large("mysql close while a value arrives", Victim.MySql, "closes the connection among 24 MiB", Outcome.LostOnLargeCommand, Close),
        Large("mysql deaf while a value arrives", Victim.MySql, "takes nothing more", Outcome.CommandTimeout, Deaf),
        Large("pg reset while a value arrives", Victim.PostgreSql, "cuts the connection among 24 MiB", Outcome.Lost, Reset),
        Large("pg close while a value arrives", Victim.PostgreSql, "closes the connection among 24 MiB", Outcome.Lost, Close),
        Large("pg deaf while a value arrives", Victim.PostgreSql, "takes nothing more", Outcome.CommandTimeout, Deaf),
    ];

    private static void Reset(FakePeer peer)
    {
        peer.Reset();
        throw new HungUpException();
    }

    private static void Close(FakePeer peer)
    {
        peer.Close();
        throw new HungUpException();
    }

    // A peer that reads nothing does not notice the end, so the test signals it.
    private static void Deaf(FakePeer peer) => peer.ClientIsDone.Wait(60_000);

    private static HostileScript Large(string name, Victim victim, string does, Outcome outcome, Action<FakePeer> then) =>
        new(name, victim, does, Act.LargeQuery, outcome, peer =>
        {
            if (victim == Victim.MySql)
                peer.Welcome();
            else
                peer.WelcomePg();
            peer.Read(Some);
            then(peer);
        })
    {
        MemoryBound = Memory,
    };
}
