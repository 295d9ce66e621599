using System.Globalization;
using System.Text;
using System.Xml.Linq;
using Microsoft.CodeAnalysis;

namespace Slipstream.ApiReference;

/// <summary>Writes the page of a type.</summary>
internal sealed class TypePage(Library library, INamedTypeSymbol type, Coverage coverage)
{
    private static readonly (string Title, Func<ISymbol, bool> Has)[] Groups =
    [
        ("Constructors", static member => member is IMethodSymbol { MethodKind: MethodKind.Constructor }),
        ("Fields", static member => member is IFieldSymbol),
        ("Properties", static member => member is IPropertySymbol),
        ("Methods", static member => member is IMethodSymbol { MethodKind: MethodKind.Ordinary }),
        ("Events", static member => member is IEventSymbol),
        ("Operators", static member => member is IMethodSymbol { MethodKind: MethodKind.UserDefinedOperator or MethodKind.Conversion }),
    ];

    private readonly Markdown _markdown = new(library);
    private readonly StringBuilder _page = new();

    public string Write()
    {
        var documentation = Documentation.Of(library, type);
        coverage.Add(type, documentation);
        Line("---");
        Line("outline: [2, 3]");
        Line("---");
        Line($"# {Markdown.Escape(Declaration.NameOf(type))} {Declaration.KindOf(type)}");
        Line($"Namespace {Markdown.Code(type.ContainingNamespace.ToDisplayString())}, package {Markdown.Code(type.ContainingAssembly.Name)}");
        WriteObsolete(type);
        WriteSummary(documentation);
        Line(Declaration.Of(library, type));
        if (type.TypeKind == TypeKind.Class && type.BaseType is { SpecialType: SpecialType.None } parent)
            Line($"**Inherits** {string.Join(" → ", Chain(parent).Select(_markdown.Type))}");
        WriteParameters(documentation, type.TypeParameters, type.DelegateInvokeMethod?.Parameters ?? []);
        WriteRest(documentation);
        if (type.TypeKind == TypeKind.Enum)
            WriteValues();
        else if (type.TypeKind != TypeKind.Delegate)
            WriteMembers();
        var nested = type.GetTypeMembers().Where(Library.IsVisible).ToList();
        if (nested.Count > 0)
        {
            Line("## Nested types");
            Line(string.Join('\n', nested.Select(one => $"- {_markdown.Link(one)}: {_markdown.Line(Documentation.Of(library, one).One("summary"))}")));
        }

        return _page.ToString();
    }

    private static IEnumerable<INamedTypeSymbol> Chain(INamedTypeSymbol? parent)
    {
        for (; parent is { SpecialType: SpecialType.None }; parent = parent.BaseType)
            yield return parent;
    }

    private void WriteMembers()
    {
        var members = Library.MembersOf(type).ToList();
        foreach (var (title, has) in Groups)
        {
            var group = members.Where(has).GroupBy(Address.AnchorOf).OrderBy(static one => one.Key, StringComparer.Ordinal).ToList();
            if (group.Count == 0)
                continue;
            Line($"## {title}");
            foreach (var overloads in group)
            {
                // The heading of the constructors is the one above.
                if (title != "Constructors")
                    Line($"### {Markdown.Escape(NameOf(overloads.First()))} {{#{overloads.Key}}}");
                foreach (var member in overloads)
                    WriteMember(member);
            }
        }

        WriteInherited(members);
    }

    // Inherited members of the packages' types are linked; those of .NET's types are in its manual.
    private void WriteInherited(List<ISymbol> members)
    {
        var isFirst = true;
        foreach (var parent in Chain(type.BaseType).Where(library.Has))
        {
            var inherited = Library.MembersOf(parent.OriginalDefinition)
                .Where(static member => member is { DeclaredAccessibility: Accessibility.Public, IsStatic: false })
                .Where(member => member is not IMethodSymbol { MethodKind: MethodKind.Constructor } && !members.Exists(one => one.Name == member.Name))
                .DistinctBy(static member => member.Name).OrderBy(static member => member.Name, StringComparer.Ordinal).ToList();
            if (inherited.Count == 0)
                continue;
            if (isFirst)
                Line("## Inherited members");
            isFirst = false;
            Line($"From {_markdown.Type(parent)}: {string.Join(", ", inherited.Select(member => _markdown.Link(member, NameOf(member))))}");
        }
    }

    private static string NameOf(ISymbol member) => member switch
    {
        IPropertySymbol { IsIndexer: true } => "this[]",
        IMethodSymbol { MethodKind: MethodKind.Conversion } method => $"{(method.Name == "op_Implicit" ? "implicit" : "explicit")} conversion",
        IMethodSymbol { MethodKind: MethodKind.UserDefinedOperator } => "operator " + member.Name[3..],
        _ => member.Name,
    };

    private void WriteMember(ISymbol member)
    {
        var documentation = Documentation.Of(library, member);
        coverage.Add(member, documentation);
        Line(Declaration.Of(library, member));
        WriteObsolete(member);
        WriteSummary(documentation);
        var method = member as IMethodSymbol;
        WriteParameters(documentation, method?.TypeParameters ?? [], method?.Parameters ?? (member as IPropertySymbol)?.Parameters ?? []);
        if (_markdown.Text(documentation.One("returns")) is { Length: > 0 } returns)
            Line($"**Returns** {(method is null ? "" : _markdown.Type(method.ReturnType) + ": ")}{returns}");
        if (_markdown.Text(documentation.One("value")) is { Length: > 0 } value)
            Line($"**Value** {value}");
        WriteRest(documentation);
    }

    private void WriteValues()
    {
        Line("## Values");
        Line("| Name | Value | Meaning |\n|---|--:|---|");
        foreach (var field in Library.MembersOf(type).OfType<IFieldSymbol>())
        {
            var documentation = Documentation.Of(library, field);
            coverage.Add(field, documentation);
            var value = Convert.ToString(field.ConstantValue, CultureInfo.InvariantCulture);
            _page.Length--;
            Line($"| <a id=\"{Address.AnchorOf(field)}\"></a>{Markdown.Code(field.Name)} | {value} | {_markdown.Line(documentation.One("summary"))} |");
        }
    }

    private void WriteObsolete(ISymbol symbol)
    {
        if (symbol.GetAttributes().FirstOrDefault(static one => one.AttributeClass?.Name == "ObsoleteAttribute") is not { } obsolete)
            return;
        var advice = obsolete.ConstructorArguments.FirstOrDefault().Value as string ?? "Do not use it in new code.";
        Line($"::: warning Obsolete\n{Markdown.Escape(advice)}\n:::");
    }

    private void WriteSummary(Documentation documentation)
    {
        if (documentation.One("summary") is { } summary)
            Line(_markdown.Text(summary));
        else if (documentation is { Origin: Origin.Framework, Source: { } source })
            Line($"As documented for {_markdown.Link(source, source is INamedTypeSymbol ? null : $"{source.ContainingType.Name}.{source.Name}")}.");
    }

    private void WriteParameters(Documentation documentation, IEnumerable<ITypeParameterSymbol> types, IEnumerable<IParameterSymbol> parameters)
    {
        var lines = types.Select(one => (one.Name, Type: "", Text: documentation.Named("typeparam", one.Name)))
            .Concat(parameters.Select(one => (one.Name, Type: $" ({_markdown.Type(one.Type)})", Text: documentation.Named("param", one.Name))))
            .Where(static one => one.Text is not null)
            .Select(one => $"- {Markdown.Code(one.Name)}{one.Type}: {_markdown.Line(one.Text)}").ToList();
        if (lines.Count > 0)
            Line("**Parameters**\n\n" + string.Join('\n', lines));
    }

    private void WriteRest(Documentation documentation)
    {
        var exceptions = documentation.All("exception")
            .Select(one => $"- {_markdown.See(new XElement("see", one.Attribute("cref")))}: {_markdown.Line(one)}").ToList();
        if (exceptions.Count > 0)
            Line("**Exceptions**\n\n" + string.Join('\n', exceptions));
        if (_markdown.Text(documentation.One("remarks")) is { Length: > 0 } remarks)
            Line(remarks);
        foreach (var example in documentation.All("example"))
            Line("**Example**\n\n" + _markdown.Text(example));
        var others = documentation.All("seealso").Select(_markdown.See).ToList();
        if (others.Count > 0)
            Line("**See also** " + string.Join(", ", others));
    }

    private void Line(string text)
    {
        if (text.Length > 0)
            _page.Append(text).Append(text == "---" || text.StartsWith("outline", StringComparison.Ordinal) ? "\n" : "\n\n");
    }
}
