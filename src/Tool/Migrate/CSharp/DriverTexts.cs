using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Slipstream.Tool.Migrate.CSharp;

/// <summary>
/// Separates texts that name a driver, an assembly or a type to a library from those that only contain the word: messages, titles and names of tests.
/// </summary>
internal static partial class DriverTexts
{
    private const string NameOf = "nameof";

    /// <summary>Returns whether a text is the name of a driver, of one of its types or of an assembly.</summary>
    public static bool IsName(SyntaxToken token)
    {
        var match = Name().Match(token.ValueText);
        if (!match.Success)
            return false;
        if (match.Groups["assembly"].Success)
            return true;
        var name = match.Groups["name"].Value;
        return IsType(name) || IsNamed(token.Parent!);
    }

    /// <summary>Returns where code that is not compiled names a driver, and what it says: not where a comment or a text in it does.</summary>
    public static (int Offset, string Name)? FindInCode(string code)
    {
        foreach (var token in SyntaxFactory.ParseTokens(code))
        {
            if (!token.IsKind(SyntaxKind.IdentifierToken))
                continue;
            var isData = token.ValueText == "MySql" && code.AsSpan(token.Span.End).TrimStart().StartsWith(".Data", StringComparison.Ordinal);
            if (isData || token.ValueText is "MySqlConnector" or "Npgsql" or "NpgsqlTypes" or "Pomelo")
                return (token.SpanStart, isData ? "MySql.Data" : token.ValueText);
        }

        return null;
    }

    /// <summary>Finds <c>nameof</c> of a driver's namespace, which does not compile without the driver.</summary>
    public static void FindNameOf(SourceFile source, IReadOnlySet<string> declared, Drivers stays)
    {
        foreach (var call in source.Unit.DescendantNodes().OfType<InvocationExpressionSyntax>())
        {
            if (call is not { Expression: IdentifierNameSyntax { Identifier.ValueText: NameOf }, ArgumentList.Arguments: [{ Expression: var argument }] })
                continue;
            var space = SourceFile.Plain(argument.ToString());
            if (!Names.Namespaces.ContainsKey(space) || (Names.DriverOf(space) & stays) != 0 || IsDeclared(source, declared, space.Split('.')[0]))
                continue;
            source.Changes.Add(
                call.SpanStart, FindingKind.Manual, "text",
                $"{call} does not compile without {space}. If it names the driver to a library, use the name in Slipstream; otherwise write a text.",
                "orms.md#provider-factories");
        }
    }

    private static bool IsDeclared(SourceFile source, IReadOnlySet<string> declared, string name) =>
        declared.Contains(name) || source.Unit.DescendantNodes().Any(node => name == node switch
        {
            PropertyDeclarationSyntax property => property.Identifier.ValueText,
            VariableDeclaratorSyntax variable => variable.Identifier.ValueText,
            ParameterSyntax parameter => parameter.Identifier.ValueText,
            MethodDeclarationSyntax method => method.Identifier.ValueText,
            EnumMemberDeclarationSyntax member => member.Identifier.ValueText,
            _ => null,
        });

    // Namespace.Type, with a namespace and a type of a driver.
    private static bool IsType(string name)
    {
        var dot = name.LastIndexOf('.');
        return dot > 0 && name[..dot] is var space && Names.Namespaces.ContainsKey(space)
            && (Names.SlipstreamTypes.Contains(Names.TypeOf(Names.DriverOf(space), name[(dot + 1)..])) || Names.LeftOutOfNpgsql.Contains(name[(dot + 1)..]));
    }

    // What receives the text is called a provider, a factory, a logger, and so on.
    private static bool IsNamed(SyntaxNode text)
    {
        for (var node = text.Parent; node is not (null or StatementSyntax or TypeDeclarationSyntax); node = node.Parent)
        {
            var receiver = node switch
            {
                InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax access } => access.Name.ToString(),
                InvocationExpressionSyntax { Expression: var called } => called.ToString(),
                ObjectCreationExpressionSyntax creation => creation.Type.ToString(),
                AttributeSyntax attribute => attribute.Name.ToString(),
                AssignmentExpressionSyntax assignment => assignment.Left.ToString(),
                BinaryExpressionSyntax comparison => (comparison.Left.Contains(text) ? comparison.Right : comparison.Left).ToString(),
                IsPatternExpressionSyntax { Expression: var tested } => tested.ToString(),
                SwitchExpressionSyntax choice => choice.GoverningExpression.ToString(),
                VariableDeclaratorSyntax variable => variable.Identifier.ValueText,
                PropertyDeclarationSyntax property => property.Identifier.ValueText,
                MethodDeclarationSyntax method => method.Identifier.ValueText,
                ParameterSyntax parameter => parameter.Identifier.ValueText,
                ArgumentSyntax { NameColon: { } named } => named.Name.ToString(),
                _ => null,
            };
            if (receiver is not null && Receiver().IsMatch(receiver))
                return true;
        }

        return text.FirstAncestorOrSelf<SwitchLabelSyntax>() is { Parent.Parent: SwitchStatementSyntax { Expression: var chosen } }
            && Receiver().IsMatch(chosen.ToString());
    }

    // "Npgsql", "Npgsql.NpgsqlFactory, Npgsql", "MySqlConnector, Version=2.0.0.0, Culture=neutral": not "MySqlConnector, the driver".
    [GeneratedRegex(
        @"^(?<name>(MySqlConnector|MySql\.Data|NpgsqlTypes|Npgsql)(\.\w+)*)"
        + @"(?<assembly>\s*,\s*(MySqlConnector|MySql\.Data|Npgsql)\s*(,.*)?|\s*,\s*(Version|Culture|PublicKeyToken)\s*=.*)?$")]
    private static partial Regex Name();

    [GeneratedRegex(
        "Provider|Factor(y|ies)|Invariant|Logger|Logging|Filter|Categor|Source|Meter|Listen|Instrument|Assembl|GetType|Load$|Override",
        RegexOptions.IgnoreCase)]
    private static partial Regex Receiver();
}
