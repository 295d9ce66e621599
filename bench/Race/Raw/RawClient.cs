using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Raw;

/// <summary>The operations of the raw floor, each with a hand-written loop.</summary>
internal abstract class RawClient : IDisposable
{
    protected RawSocket Socket { get; } = new();

    public static RawClient Connect(Track track)
    {
        RawClient client = track.Dialect is Dialect.PostgreSql ? new RawPostgreSql() : new RawMySql();
        try
        {
            client.Socket.Connect(track.Host, track.Port);
            client.Handshake(track);
            return client;
        }
        catch
        {
            client.Socket.Dispose();
            throw;
        }
    }

    /// <summary>Creates a statement to repeat: its bytes for the text form, or the server's id or name for the prepared form.</summary>
    public abstract RawStatement Statement(string text, bool prepare);

    /// <summary>Runs a statement without rows, or whose rows are ignored. It is for the set-up; nothing is cached.</summary>
    public abstract void Execute(string text);

    /// <summary>Returns the first column of the first row as an integer; null without a row.</summary>
    public abstract long? Scalar(RawStatement statement);

    /// <summary>Returns the sum of the second column.</summary>
    public abstract long SumSecondColumn(RawStatement statement);

    /// <summary>Reads the row of the table <c>world</c> with this id. The statement is prepared, and has one parameter.</summary>
    public abstract World WorldById(RawStatement statement, int id);

    public abstract void Fortunes(RawStatement statement, List<Fortune> fortunes);

    /// <summary>Reads all rows and returns their number.</summary>
    public abstract int Walk(RawStatement statement);

    public abstract byte[] LargeValue(RawStatement statement);

    /// <summary>Inserts three rows with the nine values, and waits for the answer.</summary>
    public abstract void Insert(RawStatement statement, ReadOnlySpan<int> values);

    public virtual void Dispose() => Socket.Dispose();

    protected abstract void Handshake(Track track);

    protected static int Integer(ReadOnlySpan<byte> digits)
    {
        var value = 0;
        foreach (var digit in digits)
            value = value * 10 + digit - '0';
        return value;
    }
}

/// <param name="Bytes">The message to send; empty for a prepared insert, whose values are written each time.</param>
/// <param name="Id">MySQL's statement id.</param>
internal sealed record RawStatement(string Text, bool Prepared, byte[] Bytes, uint Id);

internal sealed record RawSeat(Track Track)
{
    public RawClient Connect() => RawClient.Connect(Track);
}
