using System.Buffers.Binary;
using System.Data;
using System.Data.Common;
using Slipstream.Core.Wires;
using Slipstream.Recorder.Replay;
using Slipstream.Recorder.Scenarios;

namespace Slipstream.Fuzzing.Targets.Conversations;

/// <summary>An act with the recorded answers of a server.</summary>
/// <param name="Act">The actions of the caller.</param>
/// <param name="Server">The folder of the recording.</param>
/// <param name="Source">Creates a data source that uses the connection prepared by the thread and has no memory of other executions.</param>
/// <param name="Greeting">The server's bytes until the connection was open; empty if these are mutated too.</param>
/// <param name="Answers">The server's bytes after that.</param>
/// <param name="Framing">The layout of the messages.</param>
/// <param name="Trust">The trust in the peer.</param>
internal sealed record Play(Act Act, string Server, Func<DbDataSource> Source, byte[] Greeting, byte[] Answers, FuzzFraming Framing, PeerTrust Trust)
{
    /// <summary>Gets the number of rows that the caller read during the recording; −1 if it was not recorded.</summary>
    public int Rows { get; init; } = -1;

    /// <summary>Gets whether the first byte is PostgreSQL's answer to SSLRequest.</summary>
    public bool AnswersTls { get; init; }

    /// <summary>Gets the name under which the server requested the client's file; empty if it did not.</summary>
    public ReadOnlyMemory<byte> FileName { get; } =
        Answers.AsSpan().IndexOf(FuzzTransport.FilePrefix) is >= 0 and var at ? Answers.AsMemory(at, FuzzTransport.FilePrefix.Length + 32) : default;
}

/// <summary>
/// Whole sessions of a provider through its public types, with a server whose answers were recorded and then mutated. An input has this layout:
/// <code>
/// number of the play (1) | how the answers are cut into pieces (1) | seed of the random numbers (2) | the server's bytes
/// </code>
/// </summary>
internal sealed class ConversationTarget(string name, bool asynchronously, FuzzFraming framing, Func<IReadOnlyList<Play>> makePlays) : IFuzzTarget
{
    /// <summary>The length of an input before the server's bytes.</summary>
    public const int HeadLength = 4;

    // The connection's buffers and objects, and one value or message of the maximum size twice (as bytes and as characters).
    private const long AllocationConstant = 6L << 20;
    private const long AllocationPerByte = 512;

    private readonly Lazy<IReadOnlyList<Play>> _plays = new(makePlays);

    public string Name => name;

    public FuzzLevel Level => FuzzLevel.Conversation;

    public IFrameMap? Frames => framing;

    public IReadOnlyList<byte[]> Seeds()
    {
        // One of each: mutations try the other ways of cutting.
        ReadOnlySpan<byte> splits = [0, 8, 10, 15, 4];
        var seeds = new List<byte[]>();
        for (var i = 0; i < _plays.Value.Count; i++)
            seeds.Add([(byte)i, splits[i % splits.Length], (byte)(17 * i), 0, .. _plays.Value[i].Answers]);
        return seeds;
    }

    public long MostAllocation(int inputLength) => AllocationConstant + AllocationPerByte * inputLength;

    public void Execute(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.Length < HeadLength)
            return;
        var play = _plays.Value[input[0] % _plays.Value.Count];
        var seed = BinaryPrimitives.ReadUInt16LittleEndian(input[2..]) * 2654435761u;
        var answers = input[HeadLength..].ToArray();
        if ((input[1] & 8) != 0)
            play.Framing.Renumber(answers);
        var transport = new FuzzTransport(play.Framing, play.Trust) { AnswersTls = play.AnswersTls, FileName = play.FileName };
        transport.Begin(play.Greeting, answers, (FuzzTransport.Split)(input[1] & 3), seed, asynchronously && (input[1] & 4) != 0);
        Perform(play, transport, states, seed);
    }

    /// <summary>Plays each recording unchanged: a seed that ends early would hide everything after its end.</summary>
    /// <returns>The differences to the recording.</returns>
    public IReadOnlyList<string> Rehearse()
    {
        var differences = new List<string>();
        foreach (var play in _plays.Value)
        {
            var transport = new FuzzTransport(play.Framing, play.Trust) { AnswersTls = play.AnswersTls, FileName = play.FileName };
            transport.Begin(play.Greeting, (byte[])play.Answers.Clone(), FuzzTransport.Split.Messages, 1, yields: false);
            var (failure, rows) = Perform(play, transport, new StateSet(), 1);
            if (failure is not null || !transport.IsCompleted || (play.Rows >= 0 && play.Rows != rows))
                differences.Add(
                    $"{play.Server} {play.Act.Name}: {rows} rows, {(transport.IsCompleted ? "all" : "not all")} of it was heard, "
                        + $"{failure?.Message ?? "no failure"}");
        }

        return differences;
    }

    private (Exception? Failure, long Rows) Perform(Play play, FuzzTransport transport, StateSet states, uint seed)
    {
        FuzzDialer.Next = transport;
        var verbs = new Verbs(asynchronously);
        var source = play.Source();
        var connection = source.CreateConnection();
        var caller = new Caller(connection, verbs, states, seed);
        Exception? failure = null;
        try
        {
            Open(play, transport, connection, verbs);
            if (connection.State == ConnectionState.Open)
                play.Act.Play(caller).GetAwaiter().GetResult();
        }
        catch (Exception exception) when (Documented.OfCommands(exception) || play.Act.Allows(exception))
        {
            failure = exception;
            if (Documented.EndsSession(exception))
            {
                if (connection.State == ConnectionState.Open)
                    throw new FuzzFinding($"the connection is open behind {exception}");
                transport.IsForbidden = true;
            }
        }

        Check(transport, caller);
        verbs.Close(connection).AsTask().GetAwaiter().GetResult();
        connection.Dispose();
        source.Dispose();
        if (!transport.IsDown && FuzzDialer.Next is null)
            throw new FuzzFinding("the connection is neither closed nor in the pool");
        FuzzDialer.Next = null;
        Visit(states, play, transport, caller, failure);
        return (failure, caller.Rows);
    }

    private static void Open(Play play, FuzzTransport transport, DbConnection connection, Verbs verbs)
    {
        try
        {
            verbs.Open(connection).AsTask().GetAwaiter().GetResult();
        }
        catch (Exception exception) when (!play.Greeting.AsSpan().IsEmpty)
        {
            throw new FuzzFinding($"the recorded greeting of {play.Server} does not open a connection: {exception}");
        }

        if (play.Greeting.Length > 0)
            transport.Continue();
    }

    // Checks that values have arrived: a row has a header, a value of the text protocols at least a length, one of MySQL's binary protocol at least a bit.
    private static void Check(FuzzTransport transport, Caller caller)
    {
        if (caller.Rows * 4 + caller.Values / 8 > transport.Arrived)
            throw new FuzzFinding($"{caller.Rows} rows and {caller.Values} values were shown of {transport.Arrived} bytes");
    }

    // Numbers that are the same in every process.
    private static void Visit(StateSet states, Play play, FuzzTransport transport, Caller caller, Exception? failure)
    {
        var place = Words.Number(play.Act.Name);
        states.Visit(place ^ Words.Number(failure?.GetType().Name));
        states.Visit(place ^ failure switch
        {
            { InnerException: Core.Errors.ProtocolException protocol } => Words.Number(protocol.Expected),
            { InnerException: { } inner } => Words.Number(inner.GetType().Name),
            null => 0,
            _ => 1,
        });
        states.Visit(place ^ 2, transport.Sends);
        states.Visit(place ^ 3, caller.Rows);
        states.Visit(place ^ 4, caller.Columns);
    }

    /// <summary>Splits a recording into the server's bytes before and after the point where the connection was open.</summary>
    public static (byte[] Greeting, byte[] Answers) SplitAt(Recording recording, int opened)
    {
        var bytes = recording.ServerBytes();
        return (bytes[..opened], bytes[opened..]);
    }
}
