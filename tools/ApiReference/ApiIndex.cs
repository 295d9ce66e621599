using System.Text;
using System.Text.Json;
using Microsoft.CodeAnalysis;

namespace Slipstream.ApiReference;

/// <summary>Writes the first page of the reference, and the data for the sidebar.</summary>
internal static class ApiIndex
{
    private static readonly JsonSerializerOptions Json = new() { PropertyNamingPolicy = JsonNamingPolicy.CamelCase };

    public static void Write(Library library, string folder)
    {
        var markdown = new Markdown(library);
        var page = new StringBuilder("# API reference\n\nEvery public type of the packages, from the XML documentation of the assemblies.\n");
        foreach (var space in Spaces(library))
        {
            page.Append($"\n## {space.Key}\n\n| Type | Summary |\n|---|---|\n");
            foreach (var type in space)
            {
                var summary = markdown.Line(Documentation.Of(library, type).One("summary"));
                page.Append($"| <a href=\"./{Address.PageOf(type)}.html\">{Markdown.Code(Declaration.NameOf(type))}</a> | {summary} |\n");
            }
        }

        File.WriteAllText(Path.Combine(folder, "index.md"), page.ToString());
        File.WriteAllText(Path.Combine(folder, "types.json"), JsonSerializer.Serialize(
            Spaces(library).Select(static space => new
            {
                Name = space.Key,
                Types = space.Select(static type => new { Name = Declaration.NameOf(type), Kind = Declaration.KindOf(type), Page = Address.PageOf(type) }),
            }),
            Json));
    }

    // In the order in which users need them: the providers, then their namespaces, then the core.
    private static IEnumerable<IGrouping<string, INamedTypeSymbol>> Spaces(Library library) => library.Types
        .GroupBy(static type => type.ContainingNamespace.ToDisplayString())
        .OrderBy(static space => space.Key.StartsWith("Slipstream.Core", StringComparison.Ordinal))
        .ThenBy(static space => !space.Key.StartsWith("Slipstream", StringComparison.Ordinal))
        .ThenBy(static space => space.Key, StringComparer.Ordinal);
}
