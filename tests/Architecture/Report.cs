namespace Slipstream.Architecture;

internal static class Report
{
    /// <summary>Fails with every finding on a line of its own: an assertion on a collection would show only the first.</summary>
    public static void Empty(IEnumerable<string> findings)
    {
        var found = string.Join('\n', findings);
        Assert.True(found.Length == 0, found);
    }
}
