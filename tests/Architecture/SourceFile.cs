using System.Text;

namespace Slipstream.Architecture;

/// <summary>A shipped source file. Its comments and texts are blanked out, so that a word in prose is not mistaken for code.</summary>
public sealed class SourceFile
{
    private SourceFile(string path, string text)
    {
        Path = path;
        (Code, CodeAndTexts) = Strip(text);
    }

    /// <summary>Gets the path relative to <c>src</c>, with forward slashes and a leading one.</summary>
    public string Path { get; }

    /// <summary>Gets the text without comments and without the contents of string literals. Lines keep their numbers.</summary>
    public string Code { get; }

    /// <summary>Gets the text without comments.</summary>
    public string CodeAndTexts { get; }

    // Packages above the drivers, such as PostgreSql.Extensions, use only public types and have no floors of their own. Neither has the program.
    private const char Above = '.';
    private const string Program = "/Tool/";

    public static IReadOnlyList<SourceFile> All { get; } = ReadAll();

    /// <summary>Gets the folder <c>src</c>, found by searching upwards from the test's folder.</summary>
    public static string Root { get; } = FindRoot();

    private static List<SourceFile> ReadAll()
    {
        var root = FindRoot();
        return [.. Directory.EnumerateFiles(root, "*.cs", SearchOption.AllDirectories)
            .Select(file => (File: file, Path: "/" + System.IO.Path.GetRelativePath(root, file).Replace('\\', '/')))
            .Where(file => !file.Path.Contains("/obj/") && !file.Path.Contains("/bin/") && !file.Path.Split('/')[1].Contains(Above)
                && !file.Path.StartsWith(Program, StringComparison.Ordinal))
            .OrderBy(file => file.Path, StringComparer.Ordinal)
            .Select(file => new SourceFile(file.Path, File.ReadAllText(file.File)))];
    }

    private static string FindRoot()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(System.IO.Path.Combine(folder.FullName, "Slipstream.slnx")))
            folder = folder.Parent ?? throw new DirectoryNotFoundException("The solution is not above the test's folder.");
        return System.IO.Path.Combine(folder.FullName, "src");
    }

    // Holes of interpolated strings count as text. This is good enough, because the code inside them is short.
    internal static (string Code, string CodeAndTexts) Strip(string text)
    {
        var code = new StringBuilder(text);
        var texts = new StringBuilder(text);
        for (var i = 0; i < text.Length;)
        {
            var end = i;
            var isText = true;
            var rest = text.AsSpan(i);
            if (rest.StartsWith("//"))
                (end, isText) = (EndOf(text, i, "\n"), false);
            else if (rest.StartsWith("/*"))
                (end, isText) = (EndOf(text, i + 2, "*/") + 2, false);
            else if (rest.StartsWith("\"\"\""))
            {
                var quotes = 3;
                while (i + quotes < text.Length && text[i + quotes] == '"')
                    quotes++;
                end = EndOf(text, i + quotes, new string('"', quotes)) + quotes;
            }
            else if (rest[0] == '"')
                end = EndOfText(text, i + 1, verbatim: i > 0 && (text[i - 1] == '@' || i > 1 && text[i - 1] == '$' && text[i - 2] == '@'));
            else if (rest[0] == '\'')
                end = EndOfCharacter(text, i);

            if (end == i)
            {
                i++;
                continue;
            }

            end = Math.Min(end, text.Length);
            for (; i < end; i++)
            {
                if (text[i] == '\n')
                    continue;
                code[i] = ' ';
                if (!isText)
                    texts[i] = ' ';
            }
        }

        return (code.ToString(), texts.ToString());
    }

    private static int EndOf(string text, int from, string mark) => text.IndexOf(mark, from, StringComparison.Ordinal) is >= 0 and var at ? at : text.Length;

    private static int EndOfText(string text, int at, bool verbatim)
    {
        while (at < text.Length)
        {
            if (text[at] == '\\' && !verbatim)
                at += 2;
            else if (text[at] != '"')
                at++;
            else if (verbatim && at + 1 < text.Length && text[at + 1] == '"')
                at += 2;
            else
                return at + 1;
        }

        return at;
    }

    private static int EndOfCharacter(string text, int at)
    {
        var end = text[at + 1] == '\\' ? text.IndexOf('\'', at + 3) : at + 2;
        return end > 0 && end < text.Length && text[end] == '\'' ? end + 1 : at;
    }
}
