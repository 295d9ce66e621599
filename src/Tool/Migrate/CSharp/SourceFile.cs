using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Slipstream.Tool.Migrate.CSharp;

/// <summary>A C# file of a project: its syntax, and the drivers that it uses.</summary>
internal sealed class SourceFile
{
    // The branches of #if for the runtime that Slipstream needs are the ones that are read.
    private static readonly string[] Symbols =
        ["NET", "NETCOREAPP", "NET10_0", "DEBUG", "TRACE", .. Enumerable.Range(5, 6).Select(static version => $"NET{version}_0_OR_GREATER")];

    private static readonly CSharpParseOptions Options = CSharpParseOptions.Default
        .WithLanguageVersion(LanguageVersion.Preview)
        .WithDocumentationMode(Microsoft.CodeAnalysis.DocumentationMode.Parse);

    /// <summary>Reads a file.</summary>
    /// <param name="changes">The file.</param>
    /// <param name="constants">The symbols for <c>#if</c> that its project defines.</param>
    public SourceFile(FileChanges changes, IEnumerable<string> constants)
    {
        Changes = changes;
        var options = Options.WithPreprocessorSymbols(Symbols.Concat(constants));
        Unit = (CompilationUnitSyntax)CSharpSyntaxTree.ParseText(changes.File.Text, options).GetRoot();
        Usings = [.. Unit.DescendantNodes(static node => node is CompilationUnitSyntax or BaseNamespaceDeclarationSyntax).OfType<UsingDirectiveSyntax>()];
        foreach (var directive in Usings)
            if (IsNamespaceAlias(directive))
                (directive.GlobalKeyword.ValueText.Length > 0 ? GlobalAliases : Aliases)[directive.Alias!.Name.Identifier.ValueText] = SpaceOf(directive);
        foreach (var directive in Usings.Where(static one => one.GlobalKeyword.ValueText.Length > 0))
            GlobalDrivers |= Names.DriverOf(SpaceOf(directive));
        Drivers = Usings.Aggregate(GlobalDrivers, static (drivers, directive) => drivers | Names.DriverOf(SpaceOf(directive)));
    }

    public FileChanges Changes { get; }

    public CompilationUnitSyntax Unit { get; }

    public IReadOnlyList<UsingDirectiveSyntax> Usings { get; }

    /// <summary>Gets the drivers whose namespaces this file imports for the whole project.</summary>
    public Drivers GlobalDrivers { get; }

    /// <summary>Gets or sets the drivers that this file uses: what it imports, and what its project imports for it.</summary>
    public Drivers Drivers { get; set; }

    /// <summary>Gets the aliases of a driver's namespaces, as in <c>using N = Npgsql;</c>: this file's, and those that its project declares for it.</summary>
    public Dictionary<string, string> Aliases { get; } = [];

    /// <summary>Gets the aliases of a driver's namespaces that this file declares for the whole project.</summary>
    public Dictionary<string, string> GlobalAliases { get; } = [];

    /// <summary>Gets the names of the types that the file declares.</summary>
    public IEnumerable<string> DeclaredTypes => Unit.DescendantNodes().Select(static node => node switch
    {
        BaseTypeDeclarationSyntax type => type.Identifier.ValueText,
        DelegateDeclarationSyntax type => type.Identifier.ValueText,
        _ => null,
    }).OfType<string>();

    /// <summary>Returns whether a directive is an alias of a driver's namespace, and not of a type.</summary>
    public static bool IsNamespaceAlias(UsingDirectiveSyntax directive) => directive.Alias is not null && Names.Namespaces.ContainsKey(SpaceOf(directive));

    /// <summary>Returns whether a name, such as the left side of a dot, is a namespace of a driver or an alias of it.</summary>
    public bool IsNamespace(string name, string space) => Plain(name) is var plain && (Aliases.GetValueOrDefault(plain) ?? plain) == space;

    /// <summary>Returns what a directive names, without <c>global::</c>.</summary>
    public static string SpaceOf(UsingDirectiveSyntax directive) => Plain(directive.NamespaceOrType.ToString());

    /// <summary>Returns a name without <c>global::</c> and without white space.</summary>
    public static string Plain(string name)
    {
        var plain = string.Concat(name.Where(static letter => !char.IsWhiteSpace(letter)));
        return plain.StartsWith("global::", StringComparison.Ordinal) ? plain["global::".Length..] : plain;
    }
}
