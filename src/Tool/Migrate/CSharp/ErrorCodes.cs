using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Slipstream.Tool.Migrate.CSharp;

/// <summary>
/// Finds <c>Code</c> of Connector/NET's MySqlException. Members with this name are common, so the code must contain the type of what it belongs to.
/// </summary>
internal static class ErrorCodes
{
    private const string Type = "MySqlException";
    private const string Member = "Code";

    private static readonly Sign Sign = new(Drivers.MySqlData, FindingKind.Manual, $"{Type}.{Member}", "`MySqlException.Code`");

    public static void Find(SourceFile source)
    {
        if ((source.Drivers & (Drivers.MySqlData | Drivers.SlipstreamMySql)) == 0)
            return;
        var variables = source.Unit.DescendantNodes().Select(Declaration).Where(static one => one.Name is not null)
            .ToLookup(static one => one.Name!, static one => one.Scope);
        foreach (var name in source.Unit.DescendantNodes().OfType<IdentifierNameSyntax>().Where(static name => name.Identifier.ValueText == Member))
            if (IsCode(name))
                source.Changes.Add(name.SpanStart, Sign.Kind, Sign.Rule, Sign.Row.Text, Sign.Row.Page);

        bool IsCode(IdentifierNameSyntax name) => name.Parent switch
        {
            MemberAccessExpressionSyntax access when access.Name == name => IsException(access.Expression),
            MemberBindingExpressionSyntax binding =>
                binding.FirstAncestorOrSelf<ConditionalAccessExpressionSyntax>() is { } conditional && IsException(conditional.Expression),
            BaseExpressionColonSyntax { Parent: SubpatternSyntax { Parent: PropertyPatternClauseSyntax { Parent: RecursivePatternSyntax pattern } } } =>
                IsType(pattern.Type) || (pattern.Type is null && pattern.Parent is IsPatternExpressionSyntax test && IsException(test.Expression)),
            _ => false,
        };

        bool IsException(ExpressionSyntax expression) => expression switch
        {
            ParenthesizedExpressionSyntax inner => IsException(inner.Expression),
            PostfixUnaryExpressionSyntax { OperatorToken.ValueText: "!" } forgiven => IsException(forgiven.Operand),
            IdentifierNameSyntax variable => variables[variable.Identifier.ValueText].Any(scope => scope.Contains(variable)),
            MemberAccessExpressionSyntax { Expression: ThisExpressionSyntax } field => IsException(field.Name),
            _ => IsCast(expression),
        };
    }

    // The name of a variable, parameter, field or property of this type, and the code in which it has it.
    private static (string? Name, SyntaxNode Scope) Declaration(SyntaxNode node) => node switch
    {
        CatchDeclarationSyntax caught when IsType(caught.Type) => (caught.Identifier.ValueText, caught.Parent!),
        ParameterSyntax parameter when IsType(parameter.Type) => (parameter.Identifier.ValueText, parameter.Parent?.Parent ?? parameter),
        DeclarationPatternSyntax { Designation: SingleVariableDesignationSyntax variable } pattern when IsType(pattern.Type) =>
            (variable.Identifier.ValueText, Around(node)),
        RecursivePatternSyntax { Designation: SingleVariableDesignationSyntax variable } pattern when IsType(pattern.Type) =>
            (variable.Identifier.ValueText, Around(node)),
        VariableDeclaratorSyntax { Parent: VariableDeclarationSyntax { Parent: BaseFieldDeclarationSyntax } field } variable when IsType(field.Type) =>
            (variable.Identifier.ValueText, field.Parent!.Parent!),
        VariableDeclaratorSyntax { Parent: VariableDeclarationSyntax declaration } variable
            when IsType(declaration.Type) || (declaration.Type.IsVar && variable.Initializer is { } value && IsCast(value.Value)) =>
            (variable.Identifier.ValueText, Around(node)),
        PropertyDeclarationSyntax property when IsType(property.Type) => (property.Identifier.ValueText, property.Parent!),
        _ => (null, node),
    };

    private static SyntaxNode Around(SyntaxNode node) => node.FirstAncestorOrSelf<MemberDeclarationSyntax>() ?? node.SyntaxTree.GetRoot();

    private static bool IsCast(ExpressionSyntax expression) => expression switch
    {
        ParenthesizedExpressionSyntax inner => IsCast(inner.Expression),
        CastExpressionSyntax cast => IsType(cast.Type),
        BinaryExpressionSyntax { OperatorToken.ValueText: "as", Right: TypeSyntax type } => IsType(type),
        ObjectCreationExpressionSyntax creation => IsType(creation.Type),
        _ => false,
    };

    private static bool IsType(TypeSyntax? type) => type switch
    {
        NullableTypeSyntax nullable => IsType(nullable.ElementType),
        QualifiedNameSyntax qualified => IsType(qualified.Right),
        AliasQualifiedNameSyntax alias => IsType(alias.Name),
        SimpleNameSyntax name => name.Identifier.ValueText == Type,
        _ => false,
    };
}
