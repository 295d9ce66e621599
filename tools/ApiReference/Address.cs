using Microsoft.CodeAnalysis;

namespace Slipstream.ApiReference;

/// <summary>Returns the addresses of the pages of types and the anchors of members.</summary>
internal static class Address
{
    private const string Manual = "https://learn.microsoft.com/dotnet/api/";

    /// <summary>Returns the page of a type without its file extension: the full name, then a hyphen and the number of type parameters.</summary>
    public static string PageOf(INamedTypeSymbol type) => type.OriginalDefinition.GetDocumentationCommentId()![2..].Replace('`', '-');

    /// <summary>Returns the anchor of a member on its type's page; overloads share it.</summary>
    public static string AnchorOf(ISymbol member) => member switch
    {
        IMethodSymbol { MethodKind: MethodKind.Constructor } => "constructors",
        IPropertySymbol { IsIndexer: true } => "item",
        _ => member.Name.ToLowerInvariant().Replace('_', '-'),
    };

    /// <summary>Returns a link to a symbol; null if it has no page.</summary>
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
