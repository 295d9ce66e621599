using System.Text.RegularExpressions;
using System.Xml.Linq;
using Slipstream.Core.Options;

namespace Slipstream.Testing;

/// <summary>
/// The options of a provider are declared once, in its table. The builder's properties, the plain settings and docs/options.md are generated from it. This
/// class compares them with the table.
/// </summary>
internal sealed class OptionDeclarations
{
    private readonly Type _declarations;
    private readonly Type _builder;
    private readonly OptionTable _table;
    private readonly DeclaredOption[] _options;

    /// <param name="declarations">The class whose fields declare the options.</param>
    /// <param name="table">The table that contains them.</param>
    /// <param name="builder">The provider's connection-string builder.</param>
    public OptionDeclarations(Type declarations, OptionTable table, Type builder)
    {
        _declarations = declarations;
        _builder = builder;
        _table = table;
        _options = DeclaredOption.Of(declarations, table);
    }

    private static bool Updates => Environment.GetEnvironmentVariable(OptionsPage.UpdateVariable) is { Length: > 0 };

    /// <summary>Compares the part of docs/options.md below a second-level heading with the table, or writes it.</summary>
    public void CheckPage(string heading)
    {
        var path = Path.Combine(Root(), "docs", "options.md");
        var page = File.ReadAllText(path);
        var title = $"## {heading}\n";
        var from = page.IndexOf(title, StringComparison.Ordinal);
        Assert.True(from >= 0, $"docs/options.md has no heading '{heading}'");
        from += title.Length;
        var to = page.IndexOf("\n## ", from, StringComparison.Ordinal);
        to = to < 0 ? page.Length : to;
        var expected = OptionsPage.Write(_table, _options);
        if (Updates)
            File.WriteAllText(path, page[..from] + expected + page[to..]);
        else
            Assert.True(page[from..to] == expected, $"docs/options.md is not what {_declarations.Name} declares. {WhatToRun}");
    }

    /// <summary>Compares the generated files with the table, or writes them: the builder's properties and the plain settings.</summary>
    /// <param name="folder">Their folder below src.</param>
    public void CheckGeneratedFiles(string folder)
    {
        if (!Updates)
        {
            Assert.Equal([], ComplaintsAboutGeneratedFiles(folder));
            return;
        }

        foreach (var (path, text, _) in GeneratedFiles(folder))
            File.WriteAllText(path, text);
    }

    /// <summary>Returns the differences of the generated files from the table, and the command to run; empty if there are none.</summary>
    /// <param name="folder">Their folder below src.</param>
    public IEnumerable<string> ComplaintsAboutGeneratedFiles(string folder)
    {
        foreach (var (path, text, fields) in GeneratedFiles(folder))
        {
            var present = File.Exists(path) ? File.ReadAllText(path) : "";
            if (present == text)
                continue;
            var missing = fields.Where(field => !Regex.IsMatch(present, $@"\bpublic \w+ {field}\b")).ToArray();
            yield return $"{Path.GetFileName(path)} is not what {_declarations.Name} declares"
                + (missing.Length > 0 ? $": {string.Join(", ", missing)} is missing. " : ". ") + WhatToRun;
        }
    }

    /// <summary>Checks the texts in an editor, on the page and in the error for a wrong value: all contain the default and the unit.</summary>
    public void CheckTexts()
    {
        // The documentation of this build does not yet match the files that are being written.
        var shown = Updates ? null : Documentation();
        foreach (var declared in _options)
        {
            var option = declared.Option;
            Assert.True(
                option is not NumberOption || option.Unit.Length > 0 || declared.Field.EndsWith("Port", StringComparison.Ordinal),
                $"{option.Name} is a number without a unit");
            Assert.True(option.Doc.EndsWith('.'), $"the text of {option.Name} is not a sentence");
            Assert.Contains($"| {declared.Default} | {option.AllowedInShort} |", OptionsPage.Row(declared), StringComparison.Ordinal);
            if (option is NumberOption)
            {
                Assert.Contains(option.Unit, option.AllowedInShort, StringComparison.Ordinal);
                var refused = Assert.Throws<ArgumentException>(() => option.Canonical("nonsense")).Message;
                Assert.Contains($"'{option.Name}'", refused, StringComparison.Ordinal);
                Assert.Contains(option.Unit, refused, StringComparison.Ordinal);
            }

            if (shown is null || declared.Property == OptionProperty.None)
                continue;
            Assert.True(shown.TryGetValue(declared.Field, out var summary), $"{_builder.Name} has no property {declared.Field}. {WhatToRun}");
            Assert.Contains($"Default: {declared.Default.Replace("`", "", StringComparison.Ordinal)}.", summary, StringComparison.Ordinal);
            if (option is NumberOption)
                Assert.Contains($"Range: {declared.Range}.", summary, StringComparison.Ordinal);
        }
    }

    private string WhatToRun => $"Run {_builder.Namespace!.Split('.')[^1]}.Tests once with {OptionsPage.UpdateVariable}=1, and commit what it writes.";

    // Property -> summary, from the documentation that is shipped with the assembly.
    private Dictionary<string, string> Documentation()
    {
        var prefix = $"P:{_builder.FullName}.";
        return XDocument.Load(Path.Combine(AppContext.BaseDirectory, _builder.Assembly.GetName().Name + ".xml")).Descendants("member")
            .Where(member => ((string)member.Attribute("name")!).StartsWith(prefix, StringComparison.Ordinal) && member.Element("summary") is not null)
            .ToDictionary(
                member => ((string)member.Attribute("name")!)[prefix.Length..],
                static member => string.Join(' ', member.Element("summary")!.Value.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)));
    }

    private (string Path, string Text, IEnumerable<string> Fields)[] GeneratedFiles(string folder) =>
    [
        (
            Path.Combine(Root(), "src", folder, _builder.Name + ".Options.g.cs"),
            BuilderProperties.Write(_declarations, _builder, _options),
            _options.Where(static option => option.Property != OptionProperty.None).Select(static option => option.Field)),
        (
            Path.Combine(Root(), "src", folder, PlainSettings.NameOf(_builder) + ".g.cs"),
            PlainSettings.Write(_declarations, _builder, _options),
            _options.Where(static option => option.IsSetting).Select(static option => option.Field)),
    ];

    private static string Root()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "Slipstream.slnx")))
            folder = folder.Parent ?? throw new DirectoryNotFoundException("the test does not run below the repository");
        return folder.FullName;
    }
}
