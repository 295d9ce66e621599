using Slipstream.Core.Errors;

namespace Slipstream.Core.Data;

/// <summary>
/// Data that few readers need, in one field, because a reader is created for every query: the error that was already thrown; or the text that is read in
/// pieces, which then holds that error; or the turn of the command, which then holds either.
/// </summary>
internal struct ReaderExtras
{
    private object? _kept;

    /// <summary>The error that has been reported to the caller.</summary>
    public ServerError? Reported
    {
        readonly get => Extra is ColumnText text ? text.Reported : (ServerError?)Extra;
        set
        {
            if (Extra is ColumnText text)
                text.Reported = value;
            else
                Extra = value;
        }
    }

    private object? Extra
    {
        readonly get => _kept is CommandTurn turn ? turn.Extra : _kept;
        set
        {
            if (_kept is CommandTurn turn)
                turn.Extra = value;
            else
                _kept = value;
        }
    }

    /// <summary>The text that is read in pieces: one object for all columns of all rows, created on demand.</summary>
    public ColumnText Text()
    {
        if (Extra is ColumnText text)
            return text;
        text = new ColumnText { Reported = Reported };
        Extra = text;
        return text;
    }

    /// <summary>Keeps the turn of the command, so that other commands wait.</summary>
    public void Keep(CommandTurn turn)
    {
        turn.Extra = _kept;
        _kept = turn;
    }

    /// <summary>Passes the turn on, so that the next command continues.</summary>
    public void PassTurn()
    {
        if (_kept is not CommandTurn turn)
            return;
        _kept = turn.Extra;
        turn.Pass();
    }
}
