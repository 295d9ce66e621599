using Slipstream.Core.Errors;

namespace Slipstream.Core.Data;

/// <summary>
/// What few readers need, in one field, because a reader is made for every query: the error that was thrown already; or the text that is read in pieces,
/// which then has that error; or the turn of its command, which then has either.
/// </summary>
internal struct ReaderExtras
{
    private object? _kept;

    /// <summary>The refusal that the caller has heard of.</summary>
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

    /// <summary>The text that is read in pieces: one for all columns of all rows, made when it is first asked for.</summary>
    public ColumnText Text()
    {
        if (BesideTurn is ColumnText text)
            return text;
        text = new ColumnText { Reported = Reported };
        BesideTurn = text;
        return text;
    }

    /// <summary>Other commands wait from now on.</summary>
    public void Keep(CommandTurn turn)
    {
        turn.Aside = _kept;
        _kept = turn;
    }

    /// <summary>They wait no longer.</summary>
    public void PassTurn()
    {
        if (_kept is not CommandTurn turn)
            return;
        _kept = turn.Aside;
        turn.Pass();
    }
}
