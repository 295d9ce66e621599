namespace Slipstream.KillRace;

/// <summary>What happened to killed sessions.</summary>
internal sealed class Count
{
    private readonly Dictionary<string, int> _messages = [];

    /// <summary>Gets or sets the sessions that the server has ended.</summary>
    public int Ended { get; set; }

    /// <summary>Gets the opens that threw.</summary>
    public int FailedOpens { get; private set; }

    /// <summary>Gets the first commands after an open that failed, because their session had ended.</summary>
    public int LostCommands { get; private set; }

    /// <summary>Gets each exception's type and the beginning of its message, with its number.</summary>
    public IEnumerable<string> Messages => _messages.OrderByDescending(static one => one.Value).Select(static one => $"{one.Value} × {one.Key}");

    public void Failed(Exception exception, bool isOpen)
    {
        const int Beginning = 100;
        if (isOpen)
            FailedOpens++;
        else
            LostCommands++;
        var text = $"{exception.GetType().Name}: {(exception.Message.Length > Beginning ? exception.Message[..Beginning] : exception.Message)}";
        _messages[text] = _messages.GetValueOrDefault(text) + 1;
    }
}
