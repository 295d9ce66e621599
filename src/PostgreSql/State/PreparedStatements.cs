using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Statements;
using Slipstream.PostgreSql.Statements;

namespace Slipstream.PostgreSql.State;

/// <summary>The statements that exist on the server for one session, and those that it shall forget.</summary>
/// <param name="automatic">Which texts are prepared unasked.</param>
/// <param name="most">How many are kept.</param>
internal sealed class PreparedStatements(AutoPreparation automatic, int most)
{
    private readonly PreparedIds<PreparedStatement> _kept = new(most);
    private readonly List<byte[]> _toClose = [];
    private int _lastNumber;

    /// <summary>
    /// How their names begin. No other session's do: a proxy may hand the next transaction to a session of the server where somebody else has prepared
    /// something, and what is executed must never be that.
    /// </summary>
    public string NamePrefix { get; set; } = "s";

    /// <summary>Which texts are prepared unasked, for all sessions of the data source.</summary>
    public AutoPreparation Automatic => automatic;

    public int Count => _kept.Count;

    /// <summary>A name for a statement about to be prepared.</summary>
    public byte[] NewName() => Encoding.ASCII.GetBytes($"{NamePrefix}{++_lastNumber}");

    public PreparedStatement? Find(PgStatement statement) => _kept.Find(statement);

    /// <summary>Keeps it; what has to give way is closed.</summary>
    public void Add(PgStatement statement, PreparedStatement prepared)
    {
        if (_kept.Add(statement, prepared) is { } evicted)
            CloseLater(evicted);
    }

    /// <summary>Forgets and closes what is prepared for a statement.</summary>
    /// <returns>What that was; null when it was nothing.</returns>
    public PreparedStatement? Close(PgStatement statement)
    {
        var prepared = _kept.Remove(statement);
        if (prepared is not null)
            CloseLater(prepared);
        return prepared;
    }

    /// <summary>Forgets and closes all of them.</summary>
    public void CloseAll()
    {
        if (_kept.Count == 0)
            return;
        foreach (var prepared in _kept.TakeAll())
            CloseLater(prepared);
    }

    /// <summary>The server has forgotten those that are kept.</summary>
    public void Clear() => _kept.Clear();

    /// <summary>The server forgets everything: what was to be closed, too.</summary>
    public void ClearAll()
    {
        _kept.Clear();
        _toClose.Clear();
    }

    /// <summary>Appends the closes that were put off; their answers belong to the command behind them.</summary>
    /// <returns>How many answers there will be.</returns>
    public int WriteCloses(ByteWriter writer)
    {
        foreach (var name in _toClose)
            Protocol.Commands.Close.Statement(writer, name);
        return _toClose.Count;
    }

    /// <summary>The command that carried <paramref name="count"/> of them has been encoded whole.</summary>
    public void ClosesWritten(int count)
    {
        if (count > 0)
            _toClose.RemoveRange(0, count);
    }

    // Said in front of the next command.
    private void CloseLater(PreparedStatement statement)
    {
        for (PreparedStatement? each = statement; each is not null; each = each.Other)
            foreach (var part in each.Parts)
                if (part.IsParsed || part.IsBeingParsed)
                    _toClose.Add(part.Name);
    }
}
