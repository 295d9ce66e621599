namespace Slipstream.Architecture;

internal static class Report
{
    /// <summary>Fails with every finding on its own line. An assertion on a collection would show only the first findings.</summary>
    public static void Empty(IEnumerable<string> findings)
    {
        var found = string.Join('\n', findings);
        Assert.True(found.Length == 0, found);
    }
}
