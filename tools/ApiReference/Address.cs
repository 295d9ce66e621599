using Microsoft.CodeAnalysis;

namespace Slipstream.ApiReference;

/// <summary>Where the page of a type and the place of a member are.</summary>
internal static class Address
{
    private const string Manual = "https://learn.microsoft.com/dotnet/api/";

    /// <summary>The page of a type, without an ending: its full name, with the number of type parameters behind a hyphen.</summary>
    public static string PageOf(INamedTypeSymbol type) => type.OriginalDefinition.GetDocumentationCommentId()![2..].Replace('`', '-');

    /// <summary>The place of a member on its type's page: overloads share it.</summary>
    public static string AnchorOf(ISymbol member) => member switch
    {
        IMethodSymbol { MethodKind: MethodKind.Constructor } => "constructors",
        IPropertySymbol { IsIndexer: true } => "item",
        _ => member.Name.ToLowerInvariant().Replace('_', '-'),
    };

    /// <summary>A link to what is named; null where there is no page.</summary>
    public static string? Of(Library library, ISymbol symbol)
    {
        var type = symbol as INamedTypeSymbol ?? symbol.ContainingType;
        if (type is null || !Library.IsVisible(symbol))
            return null;
        if (library.Has(symbol))
            return $"./{PageOf(type)}.html{(symbol is INamedTypeSymbol ? "" : "#" + AnchorOf(symbol))}";
        var root = type.ContainingNamespace?.ToDisplayString().Split('.')[0];
        if (root is not ("System" or "Microsoft"))
            return null;
        var page = Manual + PageOf(type).ToLowerInvariant();
        return symbol switch
        {
            INamedTypeSymbol => page,
            IMethodSymbol { MethodKind: MethodKind.Constructor } => page + ".-ctor",
            _ => $"{page}.{symbol.Name.ToLowerInvariant()}",
        };
    }
}
