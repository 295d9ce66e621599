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

    /// <summary>Gets the level: "Note", "Warning" or "Error".</summary>
    public string Level { get; }

    /// <summary>Gets the number of <see cref="ErrorCode"/>.</summary>
    [Obsolete("Use ErrorCode.")]
    public int Code => (int)ErrorCode;

    /// <summary>Gets the server's error number.</summary>
    public MySqlErrorCode ErrorCode { get; }

    /// <summary>Gets the server's message.</summary>
    public string Message { get; }
}

/// <summary>Provides the warnings of a command.</summary>
public sealed class MySqlInfoMessageEventArgs : EventArgs
{
    internal MySqlInfoMessageEventArgs(IReadOnlyList<MySqlError> errors) => Errors = errors;

    /// <summary>Gets the lines of SHOW WARNINGS, in the server's order.</summary>
    public IReadOnlyList<MySqlError> Errors { get; }
}

/// <summary>Handles the event that occurs after a command caused warnings.</summary>
/// <param name="sender">The connection.</param>
/// <param name="args">The warnings.</param>
public delegate void MySqlInfoMessageEventHandler(object sender, MySqlInfoMessageEventArgs args);
