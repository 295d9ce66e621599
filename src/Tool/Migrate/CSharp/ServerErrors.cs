using Microsoft.CodeAnalysis;
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
    private const string Space = "Npgsql";
    private const string Variable = "pgException";
    private const string Rule = "exception";
    private const string Docs = "migrating.md#npgsql-time-outs-cancellation-and-errors";

    /// <summary>Returns whether a name is rewritten here, with the code around it.</summary>
    public static bool Owns(SourceFile source, SimpleNameSyntax name) =>
        name.Identifier.ValueText == Type && Whole(source, name) is var whole && whole.Parent switch
        {
            CatchDeclarationSyntax { Parent: CatchClauseSyntax { Filter: var filter } } => filter is null || !Asks(filter),
            DeclarationPatternSyntax or ConstantPatternSyntax or TypePatternSyntax => true,
            RecursivePatternSyntax { PropertyPatternClause: { } clause } => !Asks(clause),
            BinaryExpressionSyntax { OperatorToken.ValueText: "is" } test => test.Right == whole,
            _ => false,
        };

    public static void Migrate(SourceFile source)
    {
        const string Pattern = Target + " { SqlState: not null }";
        foreach (var name in source.Unit.DescendantNodes().OfType<SimpleNameSyntax>().Where(static name => name.Identifier.ValueText == Type))
        {
            var whole = Whole(source, name);
            if (whole == name && !source.Drivers.HasFlag(Drivers.Npgsql))
                continue;
            if (!Owns(source, name))
            {
                if (whole.Parent is BinaryExpressionSyntax { OperatorToken.ValueText: "as" } or TypeArgumentListSyntax
                    or UsingDirectiveSyntax { Alias: not null })
                    source.Changes.Add(
                        name.SpanStart, FindingKind.Review, Rule,
                        $"{Type} becomes {Target}, which errors of the connection are, too: their SqlState is null.", Docs);
                continue;
            }

            switch (whole.Parent)
            {
                case CatchDeclarationSyntax declaration:
                    Catch(source.Changes, declaration, name);
                    break;
                case RecursivePatternSyntax { PropertyPatternClause: { } clause }:
                    source.Changes.Automatic(
                        new Edit(name.SpanStart, name.Span.Length, Target), Rule,
                        $"{Type} becomes {Target} with SqlState: not null: only errors of the server have a SqlState.", Docs);
                    source.Changes.Silently(
                        new Edit(clause.OpenBraceToken.Span.End, 0, clause.Subpatterns.Count == 0 ? " SqlState: not null" : " SqlState: not null,"));
                    break;
                default:
                    source.Changes.Automatic(
                        new Edit(name.SpanStart, name.Span.Length, Pattern), Rule, $"{Type} becomes {Pattern}: only errors of the server have a SqlState.",
                            Docs);
                    break;
            }
        }
    }

    private static void Catch(FileChanges changes, CatchDeclarationSyntax declaration, SimpleNameSyntax name)
    {
        var hasVariable = declaration.Identifier.ValueText.Length > 0;
        var variable = hasVariable ? declaration.Identifier.ValueText : Variable;
        var condition = $"{variable}.SqlState is not null";
        changes.Automatic(
            new Edit(name.SpanStart, name.Span.Length, Target), Rule,
            $"catch ({Type}) becomes catch ({Target}) when SqlState is not null: only errors of the server have a SqlState.", Docs);
        var text = $"{(hasVariable ? "" : " " + Variable)})";
        if (declaration.Parent is CatchClauseSyntax { Filter: { } filter })
        {
            if (!hasVariable)
                changes.Silently(new Edit(declaration.CloseParenToken.SpanStart, 1, text));
            changes.Silently(new Edit(filter.FilterExpression.SpanStart, 0, condition + " && ("));
            changes.Silently(new Edit(filter.FilterExpression.Span.End, 0, ")"));
            return;
        }

        changes.Silently(new Edit(declaration.CloseParenToken.SpanStart, 1, $"{text} when ({condition})"));
    }

    // A condition that asks for the state of the error has its own answer for null.
    private static bool Asks(SyntaxNode condition) => condition.ToString().Contains("SqlState", StringComparison.Ordinal);

    // The name with Npgsql's namespace, or an alias of it, if it has one.
    private static SyntaxNode Whole(SourceFile source, SimpleNameSyntax name) => name.Parent switch
    {
        QualifiedNameSyntax qualified when qualified.Right == name && source.IsNamespace(qualified.Left.ToString(), Space) => qualified,
        AliasQualifiedNameSyntax alias when alias.Name == name && source.IsNamespace(alias.Alias.ToString(), Space) => alias,
        MemberAccessExpressionSyntax { Expression: { } qualifier } access
            when access.Name == name && source.IsNamespace(qualifier.ToString(), Space) => access,
        _ => name,
    };
}
