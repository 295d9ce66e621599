namespace Slipstream.MySql;

/// <summary>One line of SHOW WARNINGS.</summary>
public sealed class MySqlError
{
    internal MySqlError(string level, int code, string message)
    {
        Level = level;
        ErrorCode = (MySqlErrorCode)code;
        Message = message;
    }

    /// <summary>"Note", "Warning" or "Error".</summary>
    public string Level { get; }

    /// <summary>The number of <see cref="ErrorCode"/>.</summary>
    [Obsolete("Use ErrorCode.")]
    public int Code => (int)ErrorCode;

    /// <summary>The server's number.</summary>
    public MySqlErrorCode ErrorCode { get; }

    /// <summary>The server's text.</summary>
    public string Message { get; }
}

/// <summary>The warnings of a command.</summary>
public sealed class MySqlInfoMessageEventArgs : EventArgs
{
    internal MySqlInfoMessageEventArgs(IReadOnlyList<MySqlError> errors) => Errors = errors;

    /// <summary>What SHOW WARNINGS lists, in the server's order.</summary>
    public IReadOnlyList<MySqlError> Errors { get; }
}

/// <summary>Called when a command caused warnings.</summary>
public delegate void MySqlInfoMessageEventHandler(object sender, MySqlInfoMessageEventArgs args);
