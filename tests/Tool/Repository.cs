using Slipstream.Tool.Output;

namespace Slipstream.Tool.Tests;

/// <summary>The documentation of this repository.</summary>
internal static class Repository
{
    public static string Root { get; } = FindRoot();

    /// <summary>Returns the anchors of a page of docs.</summary>
    public static HashSet<string> AnchorsOf(string page)
    {
        var anchors = new HashSet<string>();
        var isCode = false;
        foreach (var line in File.ReadLines(Path.Combine(Root, "docs", page)))
        {
            if (line.StartsWith("```", StringComparison.Ordinal))
                isCode = !isCode;
            else if (!isCode && line.StartsWith('#'))
                anchors.Add(Pages.AnchorOf(line.TrimStart('#')));
        }

        return anchors;
    }

    /// <summary>Returns whether an address of the documentation's site leads to a page, and to a heading in it.</summary>
    public static bool HasPage(string address)
    {
        var start = Pages.AddressOf("");
        if (!address.StartsWith(start, StringComparison.Ordinal))
            return false;
        var parts = address[start.Length..].Split('#');
        var page = parts[0].Replace(".html", ".md", StringComparison.Ordinal);
        return File.Exists(Path.Combine(Root, "docs", page)) && (parts.Length == 1 || AnchorsOf(page).Contains(parts[1]));
    }

    private static string FindRoot()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "Slipstream.slnx")))
            folder = folder.Parent ?? throw new DirectoryNotFoundException("The repository is not above the test's folder.");
        return folder.FullName;
    }
}
