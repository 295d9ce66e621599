using System.Reflection;

namespace Slipstream.Tool.Output;

/// <summary>The addresses of the documentation's pages.</summary>
internal static class Pages
{
    private static readonly string Address = typeof(Pages).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
        .FirstOrDefault(static one => one.Key == "DocumentationAddress")?.Value ?? "";

    /// <summary>Returns the address of a page of docs, such as <c>tls.md#modes</c>.</summary>
    public static string AddressOf(string page)
    {
        var at = page.IndexOf(".md", StringComparison.Ordinal);
        return at < 0 ? Address + page : $"{Address}{page[..at]}.html{page[(at + 3)..]}";
    }

    /// <summary>Returns the anchor of a heading, as the site and GitHub form it.</summary>
    public static string AnchorOf(string heading) =>
        string.Concat(heading.Trim().ToLowerInvariant()
            .Where(static letter => char.IsLetterOrDigit(letter) || letter is ' ' or '-' or '_')
            .Select(static letter => letter == ' ' ? '-' : letter));
}
