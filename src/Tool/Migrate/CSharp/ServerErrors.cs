using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Slipstream.Tool.Migrate.CSharp;

/// <summary>
/// Rewrites PostgresException. Npgsql derives it from NpgsqlException; here both are PgException, whose SqlState is null if the error is not the server's. A
/// condition on SqlState keeps a catch block and a pattern for what they were for, and two catch blocks of one try apart.
/// </summary>
internal static class ServerErrors
{
    private const string Type = "PostgresException";
    private const string Target = "PgException";
    private const string Variable = "pgException";
    private const string Rule = "exception";
    private const string Docs = "migrating.md#npgsql-time-outs-cancellation-and-errors";

    /// <summary>Returns whether a name is rewritten here, with the code around it.</summary>
    public static bool Owns(SimpleNameSyntax name) => name.Identifier.ValueText == Type && name.Parent switch
    {
        CatchDeclarationSyntax { Parent: CatchClauseSyntax { Filter: null } } => true,
        DeclarationPatternSyntax or ConstantPatternSyntax or TypePatternSyntax => true,
        BinaryExpressionSyntax { OperatorToken.ValueText: "is" } test => test.Right == name,
        _ => false,
    };

    public static void Migrate(SourceFile source)
    {
        foreach (var name in source.Unit.DescendantNodes().OfType<SimpleNameSyntax>().Where(Owns))
        {
            switch (name.Parent)
            {
                case CatchDeclarationSyntax declaration:
                    Catch(source.Changes, declaration);
                    break;
                case DeclarationPatternSyntax or ConstantPatternSyntax or TypePatternSyntax or BinaryExpressionSyntax:
                    const string Pattern = Target + " { SqlState: not null }";
                    source.Changes.Automatic(
                        new Edit(name.SpanStart, name.Span.Length, Pattern), Rule, $"{Type} becomes {Pattern}: only errors of the server have a SqlState.",
                            Docs);
                    break;
            }
        }
    }

    private static void Catch(FileChanges changes, CatchDeclarationSyntax declaration)
    {
        var hasVariable = declaration.Identifier.ValueText.Length > 0;
        var variable = hasVariable ? declaration.Identifier.ValueText : Variable;
        var text = $"{(hasVariable ? "" : " " + Variable)})";
        changes.Automatic(
            new Edit(declaration.Type.SpanStart, declaration.Type.Span.Length, Target), Rule,
            $"catch ({Type}) becomes catch ({Target}) when SqlState is not null: only errors of the server have a SqlState.", Docs);
        changes.Silently(new Edit(declaration.CloseParenToken.SpanStart, 1, $"{text} when ({variable}.SqlState is not null)"));
    }
}
