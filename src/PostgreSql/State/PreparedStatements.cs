using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Statements;
using Slipstream.PostgreSql.Statements;

namespace Slipstream.PostgreSql.State;

/// <summary>The prepared statements of one session that exist on the server, and those that the driver will close.</summary>
/// <param name="automatic">Decides which texts are prepared automatically.</param>
/// <param name="most">The maximum number of commands kept prepared.</param>
internal sealed class PreparedStatements(AutoPreparation automatic, int most)
{
    private readonly PreparedIds<PreparedStatement> _kept = new(most);
    private readonly List<byte[]> _toClose = [];
    private int _lastNumber;

    /// <summary>
    /// Gets or sets the prefix of statement names. No other session has the same prefix. A proxy may give the next transaction a server session in which
    /// another client has prepared statements, and the driver must never execute those.
    /// </summary>
    public string NamePrefix { get; set; } = "s";

    /// <summary>Gets the rule that decides which texts are prepared automatically, shared by all sessions of the data source.</summary>
    public AutoPreparation Automatic => automatic;

    public int Count => _kept.Count;

    /// <summary>Returns a name for a statement that is about to be prepared.</summary>
    public byte[] NewName() => Encoding.ASCII.GetBytes($"{NamePrefix}{++_lastNumber}");

    public PreparedStatement? Find(PgStatement statement) => _kept.Find(statement);

    /// <summary>Keeps the statement. If it replaces another, that one is closed.</summary>
    public void Add(PgStatement statement, PreparedStatement prepared)
    {
        if (_kept.Add(statement, prepared) is { } evicted)
            CloseLater(evicted);
    }

    /// <summary>Removes and closes the prepared form of a statement.</summary>
    /// <returns>The prepared form; null if there was none.</returns>
    public PreparedStatement? Close(PgStatement statement)
    {
        var prepared = _kept.Remove(statement);
        if (prepared is not null)
            CloseLater(prepared);
        return prepared;
    }

    /// <summary>Removes and closes all prepared statements.</summary>
    public void CloseAll()
    {
        if (_kept.Count == 0)
            return;
        foreach (var prepared in _kept.TakeAll())
            CloseLater(prepared);
    }

    /// <summary>Removes all prepared statements, because the server no longer has them.</summary>
    public void Clear() => _kept.Clear();

    /// <summary>Removes all prepared statements and all pending closes, because the server deallocates everything.</summary>
    public void ClearAll()
    {
        _kept.Clear();
        _toClose.Clear();
    }

    /// <summary>Writes the pending closes. Their answers precede those of the next command.</summary>
    /// <returns>The number of answers to expect.</returns>
    public int WriteCloses(ByteWriter writer)
    {
        foreach (var name in _toClose)
            Protocol.Commands.Close.Statement(writer, name);
        return _toClose.Count;
    }

    /// <summary>Records that the command that carried <paramref name="count"/> pending closes has been encoded completely.</summary>
    public void ClosesWritten(int count)
    {
        if (count > 0)
            _toClose.RemoveRange(0, count);
    }

    // The Close messages travel before the next command.
    private void CloseLater(PreparedStatement statement)
    {
        for (PreparedStatement? each = statement; each is not null; each = each.Other)
            foreach (var part in each.Parts)
                if (part.IsParsed || part.IsBeingParsed)
                    _toClose.Add(part.Name);
    }
}
