using System.Xml.Linq;
using Microsoft.CodeAnalysis;

namespace Slipstream.ApiReference;

/// <summary>The source of a member's text.</summary>
internal enum Origin
{
    /// <summary>The member has no text.</summary>
    None,

    /// <summary>The text is at the member itself, or at a member of these packages that it inherits from.</summary>
    Own,

    /// <summary>A type of .NET documents the member: the page links to it and repeats nothing.</summary>
    Framework,
}

/// <summary>The documentation of a symbol, including what it inherits.</summary>
/// <param name="Elements">Summary, parameters and so on: each name and each parameter once, exceptions and seealso as often as they occur.</param>
/// <param name="Origin">The source of the summary.</param>
/// <param name="Source">The member of .NET that documents it, if <paramref name="Origin"/> says so.</param>
internal sealed record Documentation(IReadOnlyList<XElement> Elements, Origin Origin, ISymbol? Source)
{
    // A longer chain of inheritdoc is a cycle.
    private const int MostSteps = 16;

    public static Documentation Of(Library library, ISymbol symbol) => Of(library, symbol, 0);

    private static Documentation Of(Library library, ISymbol symbol, int steps)
    {
        var own = library.DocumentationOf(symbol)?.Elements().ToList() ?? [];
        var inherits = own.FirstOrDefault(static element => element.Name == "inheritdoc");
        var parent = inherits?.Attribute("cref") is { } cref ? library.Find(cref.Value) : ParentOf(symbol);
        own.RemoveAll(static element => element.Name == "inheritdoc");
        var hasSummary = own.Any(static element => element.Name == "summary");
        // An override without text inherits the text of its base.
        if (parent is null || steps == MostSteps || (inherits is null && hasSummary))
            return new Documentation(own, hasSummary ? Origin.Own : Origin.None, null);
        if (!library.Has(parent))
            return new Documentation(own, hasSummary ? Origin.Own : Origin.Framework, hasSummary ? null : parent);
        var inherited = Of(library, parent, steps + 1);
        var rest = inherited.Elements.Where(element => !own.Exists(one => one.Name == element.Name && NameOf(one) == NameOf(element)));
        return new Documentation([.. own, .. rest], hasSummary ? Origin.Own : inherited.Origin, hasSummary ? null : inherited.Source);
    }

    // Returns the name of the parameter that the element documents.
    private static string? NameOf(XElement element) => element.Attribute("name")?.Value;

    private static ISymbol? ParentOf(ISymbol symbol)
    {
        switch (symbol)
        {
            case INamedTypeSymbol type:
                return (type.BaseType is { SpecialType: SpecialType.None } parent ? parent : type.Interfaces.FirstOrDefault())?.OriginalDefinition;
            case IMethodSymbol { OverriddenMethod: { } method }:
                return method.OriginalDefinition;
            case IPropertySymbol { OverriddenProperty: { } property }:
                return property.OriginalDefinition;
            case IEventSymbol { OverriddenEvent: { } one }:
                return one.OriginalDefinition;
            case IMethodSymbol { MethodKind: MethodKind.Constructor } constructor:
                return constructor.ContainingType.BaseType?.InstanceConstructors.FirstOrDefault(other =>
                    TypesOf(other).SequenceEqual(TypesOf(constructor), SymbolEqualityComparer.Default));
        }

        return symbol.ContainingType.AllInterfaces.SelectMany(one => one.GetMembers(symbol.Name)).FirstOrDefault(member =>
            SymbolEqualityComparer.Default.Equals(symbol.ContainingType.FindImplementationForInterfaceMember(member), symbol))?.OriginalDefinition;
    }

    private static IEnumerable<ITypeSymbol> TypesOf(IMethodSymbol method) => method.Parameters.Select(static parameter => parameter.Type);

    public XElement? One(string name) => Elements.FirstOrDefault(element => element.Name == name);

    public XElement? Named(string name, string of) => Elements.FirstOrDefault(element => element.Name == name && NameOf(element) == of);

    public IEnumerable<XElement> All(string name) => Elements.Where(element => element.Name == name);
}
