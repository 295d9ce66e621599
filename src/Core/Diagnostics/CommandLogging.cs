namespace Slipstream.Core.Diagnostics;

/// <summary>What log messages contain about a command besides its duration. Both are off by default.</summary>
internal sealed record CommandLogging
{
    /// <summary>Maximum length of a command's text in a message, in characters.</summary>
    public const int LongestText = 8192;

    /// <summary>Maximum length of a parameter's value in a message, in characters.</summary>
    public const int LongestValue = 128;

    /// <summary>Whether messages contain the command's text with its literals. Default: false.</summary>
    public bool Texts { get; init; }

    /// <summary>Whether messages that contain the text also contain the parameters' values. Default: false.</summary>
    public bool ParameterValues { get; init; }
}
