using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Slipstream.Tool.Migrate.CSharp;

/// <summary>Rewrites the names of types, of members that contain Npgsql's name, and the namespaces before a type.</summary>
internal sealed class TypeNames(SourceFile source, IReadOnlySet<string> declared, bool keepsNpgsqlNames, Drivers stays)
{
    private const string Rule = "name";

    private readonly HashSet<string> _members = [.. source.Unit.DescendantNodes().Select(static node => node switch
    {
        PropertyDeclarationSyntax property => property.Identifier.ValueText,
        VariableDeclaratorSyntax variable => variable.Identifier.ValueText,
        ParameterSyntax parameter => parameter.Identifier.ValueText,
        MethodDeclarationSyntax method => method.Identifier.ValueText,
        _ => null,
    }).OfType<string>()];

    private FileChanges Changes => source.Changes;

    public void Migrate()
    {
        foreach (var node in source.Unit.DescendantNodes(descendIntoTrivia: true))
        {
            if (node.FirstAncestorOrSelf<UsingDirectiveSyntax>() is { } directive
                && (directive is { Alias: null, StaticKeyword.RawKind: 0 } || SourceFile.IsNamespaceAlias(directive)))
                continue;
            switch (node)
            {
                case QualifiedNameSyntax or MemberAccessExpressionSyntax or QualifiedCrefSyntax or AliasQualifiedNameSyntax
                    when node.Parent is not (QualifiedNameSyntax or AliasQualifiedNameSyntax):
                    Qualified(node);
                    break;
                case SimpleNameSyntax name:
                    Simple(name);
                    break;
            }
        }
    }

    // A.B.C: the longest beginning that is a namespace of a driver. A may be an alias of one.
    private void Qualified(SyntaxNode node)
    {
        var parts = new List<SimpleNameSyntax>();
        if (!Collect(node, parts))
            return;
        var first = parts[0].Identifier.ValueText;
        var isAlias = source.Aliases.TryGetValue(first, out var aliased);
        for (var length = parts.Count - 1; length > 0; length--)
        {
            var space = string.Join('.', parts.Take(length).Select(static part => part.Identifier.ValueText));
            if (isAlias)
                space = aliased + space[first.Length..];
            if (!Names.Namespaces.TryGetValue(space, out var target))
                continue;
            var driver = Names.DriverOf(space);
            if (declared.Contains(first) || (driver & stays) != 0)
                return;
            var type = parts[length].Identifier.ValueText;
            var start = parts[0].SpanStart;
            if (target is null || !Names.SlipstreamTypes.Contains(Names.TypeOf(driver, type)))
            {
                // Also a longer namespace that is not known, such as Npgsql.Internal.
                Changes.Add(start, FindingKind.Manual, Rule, $"{space}.{type} has no counterpart in Slipstream.", "migrating.md");
                return;
            }

            var isOwned = !keepsNpgsqlNames && ServerErrors.Owns(source, parts[length]);
            if (isAlias && length == 1)
            {
                // The directive has the new namespace.
                if (!isOwned)
                    Rename(parts[length], Names.TypeOf(driver, type));
                return;
            }

            var end = parts[length - 1].Span.End;
            Changes.Automatic(new Edit(start, end - start, target), Rule, $"{space}.{type} becomes {target}.{Names.TypeOf(driver, type)}.", null);
            if (!isOwned)
                Rename(parts[length], Names.TypeOf(driver, type), isReported: false);
            return;
        }
    }

    // The identifiers of a chain of names; false if something else is in it, such as a call.
    private static bool Collect(SyntaxNode node, List<SimpleNameSyntax> parts)
    {
        switch (node)
        {
            case QualifiedNameSyntax qualified when Collect(qualified.Left, parts):
                parts.Add(qualified.Right);
                return true;
            case MemberAccessExpressionSyntax access when access.IsKind(SyntaxKind.SimpleMemberAccessExpression) && Collect(access.Expression, parts):
                parts.Add(access.Name);
                return true;
            case QualifiedCrefSyntax { Member: NameMemberCrefSyntax { Name: SimpleNameSyntax member } } cref when Collect(cref.Container, parts):
                parts.Add(member);
                return true;
            case AliasQualifiedNameSyntax alias:
                if (!alias.Alias.Identifier.IsKind(SyntaxKind.GlobalKeyword))
                    parts.Add(alias.Alias);
                parts.Add(alias.Name);
                return true;
            case SimpleNameSyntax name:
                parts.Add(name);
                return true;
            default:
                return false;
        }
    }

    private void Simple(SimpleNameSyntax name)
    {
        var text = name.Identifier.ValueText;
        if (source.Drivers.HasFlag(Drivers.MySqlData) && Names.MySqlDataTypes.TryGetValue(text, out var renamed) && !IsMember(name) && !declared.Contains(text))
            Rename(name, renamed);
        // Aliases cannot name generic types.
        if ((keepsNpgsqlNames && name is not GenericNameSyntax) || (source.Drivers & Drivers.Npgsql) == 0)
            return;
        if (name.Parent is NameColonSyntax && text.StartsWith("npgsql", StringComparison.Ordinal) && text.Length > "npgsql".Length)
        {
            Rename(name, "pg" + text["npgsql".Length..]);
            return;
        }

        if (IsMember(name))
        {
            if (Names.NpgsqlMembers.TryGetValue(text, out var member) && !_members.Contains(text))
                Rename(name, member);
            return;
        }

        if (!Names.NpgsqlTypes.TryGetValue(text, out var type))
        {
            if (Names.LeftOutOfNpgsql.Contains(text) && !declared.Contains(text))
                Changes.Add(name.SpanStart, FindingKind.Manual, Rule, $"{text} has no counterpart in Slipstream.", "migrating.md#left-out-of-npgsql");
            if (Names.NpgsqlMembers.TryGetValue(text, out var inInitializer) && !_members.Contains(text))
                Rename(name, inInitializer);
            return;
        }

        if (declared.Contains(text))
            return;
        if (_members.Contains(text) && !IsType(name))
        {
            Changes.Add(name.SpanStart, FindingKind.Manual, Rule, $"{text} may be a member of this name, or the type that becomes {type}.", null);
            return;
        }

        if (!ServerErrors.Owns(source, name))
            Rename(name, type);
    }

    // The right side of a dot. What a namespace of the driver precedes is the affair of Qualified.
    private static bool IsMember(SimpleNameSyntax name) => name.Parent switch
    {
        MemberAccessExpressionSyntax access => access.Name == name,
        QualifiedNameSyntax qualified => qualified.Right == name,
        MemberBindingExpressionSyntax => true,
        AliasQualifiedNameSyntax alias => alias.Name == name,
        NameMemberCrefSyntax { Parent: QualifiedCrefSyntax } => true,
        _ => false,
    };

    // A position in which only a type can be.
    private static bool IsType(SimpleNameSyntax name) => name.Parent switch
    {
        VariableDeclarationSyntax or ParameterSyntax or ObjectCreationExpressionSyntax or TypeArgumentListSyntax or BasePropertyDeclarationSyntax
            or MethodDeclarationSyntax or CastExpressionSyntax or TypeOfExpressionSyntax or BaseTypeSyntax or CatchDeclarationSyntax or NullableTypeSyntax
            or ArrayTypeSyntax or LocalFunctionStatementSyntax or TypeConstraintSyntax or DefaultExpressionSyntax => true,
        _ => false,
    };

    private void Rename(SimpleNameSyntax name, string target, bool isReported = true)
    {
        if (name.Identifier.ValueText == target)
            return;
        var edit = new Edit(name.Identifier.SpanStart, name.Identifier.Span.Length, target);
        if (isReported)
            Changes.Automatic(edit, Rule, $"{name.Identifier.ValueText} becomes {target}.", null);
        else
            Changes.Silently(edit);
    }
}
