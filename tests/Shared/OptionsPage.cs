namespace Slipstream.Testing;

/// <summary>docs/options.md is written from the option tables; a test of each provider holds its part against the table.</summary>
internal static class OptionsPage
{
    private const string UpdateVariable = "SLIPSTREAM_UPDATE_DOCS";

    /// <summary>Compares the part under a second-level heading; with the variable set, writes it instead.</summary>
    public static void Check(string heading, string expected)
    {
        var path = Path.Combine(RepositoryRoot(), "docs", "options.md");
        var page = File.ReadAllText(path);
        var title = $"## {heading}\n";
        var from = page.IndexOf(title, StringComparison.Ordinal);
        Assert.True(from >= 0, $"docs/options.md has no heading '{heading}'");
        from += title.Length;
        var to = page.IndexOf("\n## ", from, StringComparison.Ordinal);
        to = to < 0 ? page.Length : to;
        if (Environment.GetEnvironmentVariable(UpdateVariable) is { Length: > 0 })
            File.WriteAllText(path, page[..from] + expected + page[to..]);
        else
            Assert.True(page[from..to] == expected, $"docs/options.md is not what the option table says: run this test once with {UpdateVariable}=1");
    }

    private static string RepositoryRoot()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "Slipstream.slnx")))
            folder = folder.Parent ?? throw new DirectoryNotFoundException("the test does not run below the repository");
        return folder.FullName;
    }
}
