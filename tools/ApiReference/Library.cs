using System.Xml.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Slipstream.ApiReference;

/// <summary>The packages' assemblies as the compiler reads them (metadata only, no code runs), and their XML documentation.</summary>
internal sealed class Library
{
    private readonly CSharpCompilation _compilation;
    private readonly HashSet<IAssemblySymbol> _assemblies;
    private readonly Dictionary<string, XElement> _documentation;

    private Library(CSharpCompilation compilation, IEnumerable<IAssemblySymbol> packages, Dictionary<string, XElement> documentation)
    {
        _compilation = compilation;
        _documentation = documentation;
        Packages = [.. packages.OrderBy(static package => package.Name, StringComparer.Ordinal)];
        _assemblies = new HashSet<IAssemblySymbol>(Packages, SymbolEqualityComparer.Default);
        Types =
        [
            .. Packages.SelectMany(static package => TypesOf(package.GlobalNamespace)).OrderBy(static type => Address.PageOf(type), StringComparer.Ordinal),
        ];
    }

    public IReadOnlyList<IAssemblySymbol> Packages { get; }

    /// <summary>Gets all public types, including nested ones.</summary>
    public IReadOnlyList<INamedTypeSymbol> Types { get; }

    public static Library Load(string folder)
    {
        var own = Directory.EnumerateFiles(folder, "Slipstream.*.dll").ToList();
        var framework = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator).Where(path => !own.Contains(path))
            .Select(static path => MetadataReference.CreateFromFile(path));
        var references = own.ToDictionary(static path => path, static path => MetadataReference.CreateFromFile(path));
        var compilation = CSharpCompilation.Create("reference", references: [.. references.Values, .. framework]);
        var documentation = own.Select(static path => Path.ChangeExtension(path, ".xml")).Where(File.Exists)
            .SelectMany(static path => XDocument.Load(path, LoadOptions.PreserveWhitespace).Descendants("member"))
            .ToDictionary(static member => member.Attribute("name")!.Value);
        var packages = references.Values.Select(reference => (IAssemblySymbol)compilation.GetAssemblyOrModuleSymbol(reference)!);
        return new Library(compilation, packages, documentation);
    }

    public bool Has(ISymbol symbol) => symbol.ContainingAssembly is { } assembly && _assemblies.Contains(assembly);

    public XElement? DocumentationOf(ISymbol symbol) =>
        symbol.OriginalDefinition.GetDocumentationCommentId() is { } id ? _documentation.GetValueOrDefault(id) : null;

    /// <summary>Returns what a cref names, or null.</summary>
    public ISymbol? Find(string id) => DocumentationCommentId.GetFirstSymbolForDeclarationId(id, _compilation);

    public static bool IsVisible(ISymbol symbol)
    {
        for (var one = symbol; one is not null and not INamespaceSymbol; one = one.ContainingSymbol)
        {
            // A protected member is visible only if the type can be derived from.
            var isOpen = one.ContainingType is not { IsSealed: true } and not { IsStatic: true };
            var isProtected = one.DeclaredAccessibility is Accessibility.Protected or Accessibility.ProtectedOrInternal;
            if (one.DeclaredAccessibility != Accessibility.Public && !(isOpen && isProtected))
                return false;
        }

        return true;
    }

    /// <summary>Returns the members that a type declares and its page shows.</summary>
    public static IEnumerable<ISymbol> MembersOf(INamedTypeSymbol type) => type.GetMembers().Where(static member =>
        IsVisible(member) && !IsWrittenByTheCompiler(member) && member switch
        {
            IMethodSymbol { MethodKind: MethodKind.Ordinary or MethodKind.UserDefinedOperator or MethodKind.Conversion } => true,
            IMethodSymbol { MethodKind: MethodKind.Constructor } => true,
            IPropertySymbol or IEventSymbol => true,
            IFieldSymbol field => field.ContainingType.TypeKind != TypeKind.Enum || field.HasConstantValue,
            _ => false,
        });

    // Returns whether the compiler wrote the member, such as a record's equality, copy and deconstruction.
    private static bool IsWrittenByTheCompiler(ISymbol member) =>
        member.IsImplicitlyDeclared || member.GetAttributes().Any(static attribute => attribute.AttributeClass?.Name == "CompilerGeneratedAttribute");

    private static IEnumerable<INamedTypeSymbol> TypesOf(INamespaceOrTypeSymbol parent)
    {
        foreach (var member in parent.GetMembers().OfType<INamespaceOrTypeSymbol>())
        {
            if (member is INamedTypeSymbol type)
            {
                if (!IsVisible(type))
                    continue;
                yield return type;
            }

            foreach (var nested in TypesOf(member))
                yield return nested;
        }
    }
}
