using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Slipstream.Tool.Migrate.CSharp;

/// <summary>Finds signs of differences, texts with names of drivers, connection strings, and code that is not compiled.</summary>
internal static partial class SignFinder
{
    public static void Find(SourceFile source, Drivers connections)
    {
        foreach (var name in source.Unit.DescendantNodes().OfType<SimpleNameSyntax>())
            if (name.FirstAncestorOrSelf<UsingDirectiveSyntax>() is null)
                Names(source, name);
        foreach (var token in source.Unit.DescendantTokens())
            if (token.Kind() is SyntaxKind.StringLiteralToken or SyntaxKind.SingleLineRawStringLiteralToken or SyntaxKind.MultiLineRawStringLiteralToken)
                Text(source, token, connections);
        foreach (var trivia in source.Unit.DescendantTrivia().Where(static one => one.IsKind(SyntaxKind.DisabledTextTrivia)))
            if (DriverTexts.FindInCode(trivia.ToString()) is var (offset, driver))
                source.Changes.Add(
                    trivia.SpanStart + offset, FindingKind.Manual, "inactive",
                    $"This branch of #if is not compiled for .NET 10, so {driver} in it is not changed.", null);
    }

    private static void Names(SourceFile source, SimpleNameSyntax name)
    {
        var owner = name.Parent is MemberAccessExpressionSyntax access && access.Name == name
            ? access.Expression switch
            {
                SimpleNameSyntax simple => simple.Identifier.ValueText,
                MemberAccessExpressionSyntax inner => inner.Name.Identifier.ValueText,
                _ => null,
            }
            : null;
        var isMember = name.Parent is MemberBindingExpressionSyntax || name.Parent is MemberAccessExpressionSyntax outer && outer.Name == name;
        var isCall = name.Parent is InvocationExpressionSyntax
            || name.Parent is MemberAccessExpressionSyntax { Parent: InvocationExpressionSyntax invocation } member && invocation.Expression == member
            || name.Parent is MemberBindingExpressionSyntax { Parent: InvocationExpressionSyntax };
        foreach (var sign in Signs.Of(source.Drivers, name.Identifier.ValueText, owner, isMember, isCall))
            source.Changes.Add(name.SpanStart, sign.Kind, sign.Rule, sign.Row.Text, sign.Row.Page);
    }

    private static void Text(SourceFile source, SyntaxToken token, Drivers connections)
    {
        var text = token.ValueText;
        if (token.Parent?.Parent is ArgumentSyntax { Parent.Parent: InvocationExpressionSyntax { Expression: var method } } && method.ToString() is var called
            && (called.EndsWith("AddSource", StringComparison.Ordinal) || called.EndsWith("AddMeter", StringComparison.Ordinal)))
            return;
        if (Switch().IsMatch(text))
        {
            source.Changes.Add(
                token.SpanStart, FindingKind.Manual, "switch",
                $"The switch {Shown(text)} is Npgsql's. Slipstream has only Slipstream.PostgreSql.EnableStoredProcedureCompatMode.",
                "migrating.md#npgsql-commands-parameters-and-batches");
            return;
        }

        if (DriverTexts.IsName(token))
        {
            source.Changes.Add(
                token.SpanStart, FindingKind.Manual, "text", $"The text {Shown(text)} names a driver, an assembly or a type: use the name in Slipstream.",
                "orms.md#provider-factories");
            return;
        }

        // In code of a driver, or of a solution that uses only one kind.
        var drivers = source.Drivers & (Drivers.MySql | Drivers.PostgreSql);
        ConnectionTexts.Check(source.Changes, token.SpanStart, text, drivers == Drivers.None ? connections : drivers);
    }

    private static string Shown(string text) => text.Length <= 60 ? $"\"{text}\"" : $"\"{text[..57]}…\"";

    [GeneratedRegex(@"^Npgsql\.(Enable|Disable)\w+$")]
    private static partial Regex Switch();
}
