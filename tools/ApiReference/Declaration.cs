using System.Net;
using System.Text;
using Microsoft.CodeAnalysis;

namespace Slipstream.ApiReference;

/// <summary>Writes declarations as in C#.</summary>
internal static class Declaration
{
    private const int MostColumns = 100;

    private const string NextLine = "\n    ";

    private static readonly SymbolDisplayFormat Format = new(
        genericsOptions: SymbolDisplayGenericsOptions.IncludeTypeParameters | SymbolDisplayGenericsOptions.IncludeTypeConstraints
            | SymbolDisplayGenericsOptions.IncludeVariance,
        memberOptions: SymbolDisplayMemberOptions.IncludeAccessibility | SymbolDisplayMemberOptions.IncludeModifiers | SymbolDisplayMemberOptions.IncludeType
            | SymbolDisplayMemberOptions.IncludeParameters | SymbolDisplayMemberOptions.IncludeRef | SymbolDisplayMemberOptions.IncludeConstantValue,
        parameterOptions: SymbolDisplayParameterOptions.IncludeType | SymbolDisplayParameterOptions.IncludeName | SymbolDisplayParameterOptions.IncludeModifiers
            | SymbolDisplayParameterOptions.IncludeDefaultValue | SymbolDisplayParameterOptions.IncludeExtensionThis,
        propertyStyle: SymbolDisplayPropertyStyle.ShowReadWriteDescriptor,
        delegateStyle: SymbolDisplayDelegateStyle.NameAndSignature,
        kindOptions: SymbolDisplayKindOptions.IncludeMemberKeyword,
        miscellaneousOptions: SymbolDisplayMiscellaneousOptions.UseSpecialTypes | SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier
            | SymbolDisplayMiscellaneousOptions.EscapeKeywordIdentifiers | SymbolDisplayMiscellaneousOptions.AllowDefaultLiteral);

    public static string KindOf(INamedTypeSymbol type) => type switch
    {
        { TypeKind: TypeKind.Interface } => "interface",
        { TypeKind: TypeKind.Enum } => "enum",
        { TypeKind: TypeKind.Delegate } => "delegate",
        { TypeKind: TypeKind.Struct, IsRecord: true } => "record struct",
        { TypeKind: TypeKind.Struct } => "struct",
        { IsRecord: true } => "record",
        _ => "class",
    };

    /// <summary>Returns the name with its type parameters and, for a nested type, the containing type.</summary>
    public static string NameOf(INamedTypeSymbol type) => type.ToDisplayString(new SymbolDisplayFormat(
        typeQualificationStyle: SymbolDisplayTypeQualificationStyle.NameAndContainingTypes,
        genericsOptions: SymbolDisplayGenericsOptions.IncludeTypeParameters));

    public static string Of(Library library, INamedTypeSymbol type)
    {
        var kind = KindOf(type);
        if (kind == "delegate")
        {
            var returned = type.DelegateInvokeMethod!.ReturnType.ToDisplayParts(Format);
            return Html(library, [.. Words("public delegate "), .. returned, .. Words(" "), .. type.ToDisplayParts(Format), .. Words(";")]);
        }

        var modifiers = (type.DeclaredAccessibility == Accessibility.Public ? "public " : "protected ")
            + (kind is "enum" or "interface" ? ""
                : type.IsStatic ? "static "
                : type.IsReadOnly ? "readonly "
                : type.IsValueType ? ""
                : type.IsAbstract ? "abstract "
                : type.IsSealed ? "sealed " : "")
            + (type.IsRefLikeType ? "ref " : "");
        var generics = SymbolDisplayGenericsOptions.IncludeTypeParameters | SymbolDisplayGenericsOptions.IncludeVariance;
        List<SymbolDisplayPart> parts = [.. Words($"{modifiers}{kind} "), .. type.ToDisplayParts(Format.WithGenericsOptions(generics))];
        var separator = " : ";
        foreach (var one in BasesOf(type, kind))
        {
            parts.AddRange(Words(separator));
            parts.AddRange(one.ToDisplayParts(Format));
            separator = ", ";
        }

        return Html(library, parts);
    }

    public static string Of(Library library, ISymbol member)
    {
        List<SymbolDisplayPart> parts = [.. member.ToDisplayParts(Format)];
        if (member is not IPropertySymbol)
            parts.AddRange(Words(";"));
        return Html(library, Wrapped(parts));
    }

    private static IEnumerable<ITypeSymbol> BasesOf(INamedTypeSymbol type, string kind)
    {
        if (kind == "enum")
            return type.EnumUnderlyingType!.SpecialType == SpecialType.System_Int32 ? [] : [type.EnumUnderlyingType];
        var interfaces = type.Interfaces.Where(Library.IsVisible);
        return type.BaseType is { SpecialType: SpecialType.None } parent ? interfaces.Prepend(parent) : interfaces;
    }

    private static IEnumerable<SymbolDisplayPart> Words(string words) => [new SymbolDisplayPart(SymbolDisplayPartKind.Keyword, null, words)];

    // Writes each parameter of a long list on its own line.
    private static List<SymbolDisplayPart> Wrapped(List<SymbolDisplayPart> parts)
    {
        var open = parts.FindIndex(static part => part.ToString() == "(");
        var close = parts.FindLastIndex(static part => part.ToString() == ")");
        if (parts.Sum(static part => part.ToString().Length) <= MostColumns || open < 0 || close < open + 2)
            return parts;
        List<SymbolDisplayPart> wrapped = [];
        var depth = 0;
        for (var at = 0; at < parts.Count; at++)
        {
            var text = parts[at].ToString();
            if (at == close)
                wrapped.AddRange(Words("\n"));
            // Skip the space after a comma at the end of a line.
            if (text != " " || wrapped.Count == 0 || wrapped[^1].ToString() != NextLine)
                wrapped.Add(parts[at]);
            if (at > open && at < close)
                depth += text switch { "(" or "<" or "[" => 1, ")" or ">" or "]" => -1, _ => 0 };
            if (at == open || (at > open && at < close && text == "," && depth == 0))
                wrapped.AddRange(Words(NextLine));
        }

        return wrapped;
    }

    // HTML instead of a Markdown code block, because each type is a link, and the build need not highlight thousands of small blocks.
    private static string Html(Library library, IEnumerable<SymbolDisplayPart> parts)
    {
        var html = new StringBuilder("<pre class=\"declaration\" v-pre><code>");
        foreach (var part in parts)
        {
            var text = WebUtility.HtmlEncode(part.ToString());
            if (part.Symbol is INamedTypeSymbol type && Address.Of(library, type) is { } address)
                html.Append($"<a href=\"{address}\">{text}</a>");
            else if (part.Kind == SymbolDisplayPartKind.Keyword)
                html.Append($"<i>{text}</i>");
            else if (part.Symbol is IMethodSymbol or IPropertySymbol or IFieldSymbol or IEventSymbol)
                html.Append($"<b>{text}</b>");
            else
                html.Append(text);
        }

        return html.Append("</code></pre>").ToString();
    }
}
