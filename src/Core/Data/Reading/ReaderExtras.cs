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
        readonly get => BesideTurn is ColumnText text ? text.Reported : (ServerError?)BesideTurn;
        set
        {
            if (BesideTurn is ColumnText text)
                text.Reported = value;
            else
                BesideTurn = value;
        }
    }

    private object? BesideTurn
    {
        readonly get => _kept is CommandTurn turn ? turn.Aside : _kept;
        set
        {
            if (_kept is CommandTurn turn)
                turn.Aside = value;
            else
                _kept = value;
        }
    }

    /// <summary>The text that is read in pieces: one object for all columns of all rows, created on demand.</summary>
    public ColumnText Text()
    {
        if (BesideTurn is ColumnText text)
            return text;
        text = new ColumnText { Reported = Reported };
        BesideTurn = text;
        return text;
    }

    /// <summary>Keeps the turn of the command, so that other commands wait.</summary>
    public void Keep(CommandTurn turn)
    {
        turn.Aside = _kept;
        _kept = turn;
    }

    /// <summary>Passes the turn on, so that the next command continues.</summary>
    public void PassTurn()
    {
        if (_kept is not CommandTurn turn)
            return;
        _kept = turn.Aside;
        turn.Pass();
    }
}
