using System.Diagnostics.CodeAnalysis;

namespace Slipstream.Race.Scenarios;

/// <summary>Checks that every operation read the values of the data set, because the speed of a wrong answer does not count.</summary>
internal static class Check
{
    public static void Maximum(object? value)
    {
        if (value is not (9 or 9L))
            Wrong("the maximum 9", value);
    }

    public static void Text(object? value)
    {
        if (value is not string { Length: > 0 })
            Wrong("a text", value);
    }

    public static void Equal(long expected, long found)
    {
        if (expected != found)
            Wrong(expected, found);
    }

    [DoesNotReturn]
    private static void Wrong(object expected, object? found) =>
        throw new InvalidOperationException($"wrong answer: expected {expected}, read {found ?? "null"}");
}
