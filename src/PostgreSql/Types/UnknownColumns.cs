namespace Slipstream.PostgreSql.Types;

/// <summary>The columns of a command's results that the caller wants as the server's text, whatever their type is.</summary>
internal sealed class UnknownColumns
{
    private ResultMetadata? _known;
    private ResultMetadata? _text;
    private bool _wasFirst;

    /// <summary>Gets or sets whether all columns are text.</summary>
    public bool All
    {
        get;
        set
        {
            field = value;
            _known = null;
        }
    }

    /// <summary>Gets or sets, for each column of the first result, whether it is text; null to apply <see cref="All"/>.</summary>
    public bool[]? First
    {
        get;
        set
        {
            field = value;
            _known = null;
        }
    }

    /// <summary>Gets whether any column is text.</summary>
    public bool IsWanted => All || First is not null;

    /// <summary>Returns the columns of a result as they are read. All of them are in text format.</summary>
    /// <param name="result">The columns as the server describes them.</param>
    /// <param name="isFirst">True for the first statement of the command.</param>
    public ResultMetadata Apply(ResultMetadata result, bool isFirst)
    {
        if (ReferenceEquals(_known, result) && _wasFirst == isFirst)
            return _text!;
        _text = isFirst && First is { } first ? result.WithText(first, all: false) : result.WithText([], All);
        (_known, _wasFirst) = (result, isFirst);
        return _text;
    }
}
