using System.Text;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Microsoft.CodeAnalysis;

namespace Slipstream.ApiReference;

/// <summary>Writes XML documentation and types as Markdown.</summary>
internal sealed partial class Markdown(Library library)
{
    private static readonly SymbolDisplayFormat Short = new(
        genericsOptions: SymbolDisplayGenericsOptions.IncludeTypeParameters,
        memberOptions: SymbolDisplayMemberOptions.IncludeContainingType,
        miscellaneousOptions: SymbolDisplayMiscellaneousOptions.UseSpecialTypes | SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier);

    /// <summary>Returns the text of an element: paragraphs, lists, code and links.</summary>
    public string Text(XElement? element)
    {
        if (element is null)
            return "";
        var text = new StringBuilder();
        Write(text, element);
        return ManyLines().Replace(text.ToString().Trim(), "\n\n");
    }

    /// <summary>Returns the text of an element on one line, for a table or a list.</summary>
    public string Line(XElement? element) => Spaces().Replace(Text(element), " ");

    /// <summary>Returns a type as code, in which each name that has a page is a link.</summary>
    public string Type(ITypeSymbol type) =>
        $"<code>{string.Concat(type.ToDisplayParts(Short).Select(part => part.Symbol is INamedTypeSymbol { } named && Address.Of(library, named) is { } address
            ? $"<a href=\"{address}\">{Escape(part.ToString())}</a>"
            : Escape(part.ToString())))}</code>";

    public string Link(ISymbol symbol, string? text = null)
    {
        text ??= symbol.ToDisplayString(Short);
        if (symbol is IMethodSymbol { MethodKind: MethodKind.Constructor })
            text = $"new {symbol.ContainingType.Name}";
        return Address.Of(library, symbol) is { } address ? $"<a href=\"{address}\">{Code(text)}</a>" : Code(text);
    }

    public static string Code(string text) => $"<code>{Escape(text)}</code>";

    // Vue would evaluate text in double braces; Markdown interprets the other characters.
    public static string Escape(string text)
    {
        var escaped = new StringBuilder(text.Length);
        foreach (var c in text)
        {
            _ = c switch
            {
                '<' => escaped.Append("&lt;"),
                '>' => escaped.Append("&gt;"),
                '&' => escaped.Append("&amp;"),
                '{' => escaped.Append("&#123;"),
                '\\' or '`' or '*' or '_' or '[' or ']' or '|' or '#' or '~' => escaped.Append('\\').Append(c),
                _ => escaped.Append(c),
            };
        }

        return escaped.ToString();
    }

    private void Write(StringBuilder text, XElement element)
    {
        foreach (var node in element.Nodes())
        {
            if (node is XText words)
                text.Append(Escape(Spaces().Replace(words.Value, " ")));
            else if (node is XElement one)
                WriteElement(text, one);
        }
    }

    private void WriteElement(StringBuilder text, XElement element)
    {
        switch (element.Name.LocalName)
        {
            case "para":
                text.Append("\n\n").Append(Text(element)).Append("\n\n");
                break;
            case "br":
                text.Append("<br>");
                break;
            case "c":
                text.Append(Code(element.Value));
                break;
            case "code":
                text.Append("\n\n```csharp\n").Append(Unindented(element.Value)).Append("\n```\n\n");
                break;
            case "paramref" or "typeparamref":
                text.Append(Code(element.Attribute("name")!.Value));
                break;
            case "see" or "seealso":
                text.Append(See(element));
                break;
            case "list":
                text.Append("\n\n");
                foreach (var item in element.Elements("item"))
                {
                    var term = item.Element("term");
                    var description = item.Element("description") ?? (term is null ? item : null);
                    text.Append("- ").Append(term is null ? "" : $"**{Line(term)}**{(description is null ? "" : ": ")}").Append(Line(description)).Append('\n');
                }

                text.Append('\n');
                break;
            default:
                Write(text, element);
                break;
        }
    }

    public string See(XElement element)
    {
        if (element.Attribute("langword") is { } word)
            return Code(word.Value);
        if (element.Attribute("href") is { } address)
            return $"[{(element.IsEmpty ? address.Value : Line(element))}]({address.Value})";
        if (element.Attribute("cref") is not { } cref)
            return Line(element);
        var symbol = library.Find(cref.Value);
        return symbol is null ? Code(cref.Value[2..]) : Link(symbol, element.IsEmpty ? null : element.Value);
    }

    private static string Unindented(string code)
    {
        var lines = code.Trim('\r', '\n').TrimEnd().Split('\n').Select(static line => line.TrimEnd()).ToList();
        var indent = lines.Where(static line => line.Length > 0).Select(static line => line.Length - line.TrimStart().Length).DefaultIfEmpty().Min();
        return string.Join('\n', lines.Select(line => line.Length > indent ? line[indent..] : ""));
    }

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();

    [GeneratedRegex(@"\n{3,}")]
    private static partial Regex ManyLines();
}
