namespace Slipstream.Fuzzing.Targets;

/// <summary>What must hold of what was read, whatever was sent. Each throws when it does not, which is a finding.</summary>
internal static class Outcome
{
    /// <summary>The text has no character by which a terminal can be commanded, and is not longer than that.</summary>
    public static void Printable(string text, int most)
    {
        if (text.Length > most)
            throw new BrokenPromiseException($"A text for people has {text.Length} characters, {most} at most were promised.");
        foreach (var letter in text)
        {
            if (char.IsControl(letter) && letter is not ('\t' or '\r' or '\n'))
                throw new BrokenPromiseException($"A text for people has the control character U+{(int)letter:X4}.");
        }
    }

    /// <summary>Null, or exactly so long.</summary>
    public static void Length(string? text, int length)
    {
        if (text is not null && text.Length != length)
            throw new BrokenPromiseException($"A text has {text.Length} characters, {length} were promised.");
    }

    /// <summary>Something that always holds.</summary>
    public static void Holds(bool condition, string promise)
    {
        if (!condition)
            throw new BrokenPromiseException($"It was promised that {promise}.");
    }
}

/// <summary>A target looked at what was read and it is not what the driver promises.</summary>
internal sealed class BrokenPromiseException(string message) : Exception(message);
