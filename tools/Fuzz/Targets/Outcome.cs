namespace Slipstream.Fuzzing.Targets;

/// <summary>Conditions that must hold for results, whatever was sent. Each method throws if its condition does not hold, which is a finding.</summary>
internal static class Outcome
{
    /// <summary>Checks that the text has no character that controls a terminal, and is not longer than the limit.</summary>
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

    /// <summary>Checks that the text is null or has exactly this length.</summary>
    public static void Length(string? text, int length)
    {
        if (text is not null && text.Length != length)
            throw new BrokenPromiseException($"A text has {text.Length} characters, {length} were promised.");
    }

    /// <summary>Checks a condition.</summary>
    public static void Holds(bool condition, string promise)
    {
        if (!condition)
            throw new BrokenPromiseException($"It was promised that {promise}.");
    }
}

/// <summary>A target found that a result violates a condition of the driver.</summary>
internal sealed class BrokenPromiseException(string message) : Exception(message);
