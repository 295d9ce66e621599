namespace Slipstream.Core.Diagnostics;

/// <summary>What log messages say of a command beyond its duration. Both are off unless an application turns them on.</summary>
internal sealed record CommandLogging
{
    /// <summary>The most characters of a text that a message has.</summary>
    public const int LongestText = 8192;

    /// <summary>The most characters of a parameter's value that a message has.</summary>
    public const int LongestValue = 128;

    /// <summary>The text of the command, with the literals in it. Default: false.</summary>
    public bool Texts { get; init; }

    /// <summary>The values of its parameters, where the text is logged. Default: false.</summary>
    public bool ParameterValues { get; init; }
}
