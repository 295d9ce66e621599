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
        .WithDocumentationMode(Microsoft.CodeAnalysis.DocumentationMode.Parse)
        .WithPreprocessorSymbols(Symbols);

    public SourceFile(FileChanges changes)
    {
        Changes = changes;
        Unit = (CompilationUnitSyntax)CSharpSyntaxTree.ParseText(changes.File.Text, Options).GetRoot();
        Usings = [.. Unit.DescendantNodes(static node => node is CompilationUnitSyntax or BaseNamespaceDeclarationSyntax).OfType<UsingDirectiveSyntax>()];
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

    /// <summary>Gets the names of the types that the file declares.</summary>
    public IEnumerable<string> DeclaredTypes => Unit.DescendantNodes().Select(static node => node switch
    {
        BaseTypeDeclarationSyntax type => type.Identifier.ValueText,
        DelegateDeclarationSyntax type => type.Identifier.ValueText,
        _ => null,
    }).OfType<string>();

    /// <summary>Returns what a directive names, without <c>global::</c>.</summary>
    public static string SpaceOf(UsingDirectiveSyntax directive) => Plain(directive.NamespaceOrType.ToString());

    /// <summary>Returns a name without <c>global::</c> and without white space.</summary>
    public static string Plain(string name)
    {
        var plain = string.Concat(name.Where(static letter => !char.IsWhiteSpace(letter)));
        return plain.StartsWith("global::", StringComparison.Ordinal) ? plain["global::".Length..] : plain;
    }
}
