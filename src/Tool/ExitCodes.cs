namespace Slipstream.Tool;

/// <summary>The exit codes of every command (docs/tool.md#exit-codes).</summary>
internal static class ExitCodes
{
    /// <summary>Nothing is left to do.</summary>
    public const int Ok = 0;

    /// <summary>The command did its work, and found something that needs a change.</summary>
    public const int Found = 1;

    /// <summary>The command could not do its work: a wrong command line, a file that cannot be read, a server that cannot be reached.</summary>
    public const int CannotRun = 2;
}
