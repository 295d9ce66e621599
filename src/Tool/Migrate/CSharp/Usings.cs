using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Slipstream.Tool.Migrate.CSharp;

/// <summary>Rewrites the directives that import a driver's namespaces.</summary>
internal static class Usings
{
    private const string Rule = "namespace";

    public static void Migrate(SourceFile source, bool keepsNpgsqlNames, Drivers stays)
    {
        // Directives of one list: the file, or a namespace in it. A second import of the same namespace is removed.
        foreach (var list in source.Usings.GroupBy(static directive => directive.Parent))
        {
            var present = list.Where(static one => one is { Alias: null, StaticKeyword.RawKind: 0 }).Select(SourceFile.SpaceOf).ToHashSet();
            foreach (var directive in list)
            {
                var driver = Names.DriverOf(SourceFile.SpaceOf(directive));
                if ((driver & stays) != 0)
                    continue;
                if (directive is { Alias: null, StaticKeyword.RawKind: 0 } && !(driver == Drivers.Npgsql && keepsNpgsqlNames))
                    Migrate(source, directive, present);
                else if (SourceFile.IsNamespaceAlias(directive))
                    Alias(source, directive);
            }
        }
    }

    /// <summary>Adds an import to a file that has none for a namespace, now or after the other edits.</summary>
    public static void Require(SourceFile source, string space, string why, int offset)
    {
        if (source.Usings.Any(one => one is { Alias: null, StaticKeyword.RawKind: 0 } && TargetOf(SourceFile.SpaceOf(one)) == space))
            return;
        var file = source.Changes.File;
        var text = $"using {space};{file.NewLine}";
        if (source.Usings.LastOrDefault(static one => one.Parent is CompilationUnitSyntax && one.GlobalKeyword.RawKind == 0) is { } last)
        {
            var end = file.Text.IndexOf('\n', last.Span.End);
            source.Changes.Automatic(
                end < 0 ? new Edit(file.Text.Length, 0, file.NewLine + text) : new Edit(end + 1, 0, text), Rule, $"using {space} is added: {why}", null,
                    offset);
            return;
        }

        // Before the first code, but after comments at the top and after "extern alias" and global imports.
        var unit = source.Unit;
        var first = unit.AttributeLists.FirstOrDefault() as Microsoft.CodeAnalysis.SyntaxNode ?? unit.Members.FirstOrDefault();
        var at = first?.SpanStart ?? unit.FullSpan.End;
        var (line, _) = file.PlaceOf(at);
        // Comments that belong to the first member stay with it.
        while (line > 1 && file.Text[file.OffsetOf(line - 1, 1)..].TrimStart(' ', '\t') is var above && above.StartsWith("//", StringComparison.Ordinal)
            && !IsHeader(file, line - 1))
            line--;
        source.Changes.Automatic(
            new Edit(file.OffsetOf(line, 1), 0, text + file.NewLine), Rule, $"using {space} is added: {why}", null, offset);
    }

    private static bool IsHeader(TextFile file, int line) => line == 1 || file.Text[..file.OffsetOf(line, 1)].Split('\n').SkipLast(1)
        .All(static text => text.TrimStart().StartsWith("//", StringComparison.Ordinal));

    private static void Alias(SourceFile source, UsingDirectiveSyntax directive)
    {
        var space = SourceFile.SpaceOf(directive);
        if (Names.Namespaces[space] is not { } target)
        {
            source.Changes.Add(directive.SpanStart, FindingKind.Manual, Rule, $"{space} has no counterpart in Slipstream.", "migrating.md");
            return;
        }

        source.Changes.Automatic(
            new Edit(directive.NamespaceOrType.SpanStart, directive.NamespaceOrType.Span.Length, target), Rule,
            $"using {directive.Alias!.Name} = {space} becomes {target}.", null, directive.SpanStart);
    }

    private static string TargetOf(string space) => Names.Namespaces.GetValueOrDefault(space) ?? space;

    private static void Migrate(SourceFile source, UsingDirectiveSyntax directive, HashSet<string> present)
    {
        var space = SourceFile.SpaceOf(directive);
        var driver = Names.DriverOf(space);
        var changes = source.Changes;
        if (!Names.Namespaces.TryGetValue(space, out var target))
        {
            if (driver is Drivers.MySqlConnector or Drivers.MySqlData or Drivers.Npgsql)
                changes.Add(directive.SpanStart, FindingKind.Manual, Rule, $"{space} has no counterpart in Slipstream.", "migrating.md");
            else if (driver == Drivers.Pomelo && !space.EndsWith(".Infrastructure", StringComparison.Ordinal)
                && space != "Pomelo.EntityFrameworkCore.MySql")
                changes.Add(
                    directive.SpanStart, FindingKind.Manual, Rule, $"{space} has no counterpart in Slipstream's provider.",
                    "efcore.md#coming-from-pomelos-provider");
            return;
        }

        if (target is null)
            changes.Automatic(changes.File.Removal(directive.SpanStart, directive.Span.End), Rule, $"using {space} is removed.", null, directive.SpanStart);
        else if (present.Add(target))
            changes.Automatic(
                new Edit(directive.NamespaceOrType.SpanStart, directive.NamespaceOrType.Span.Length, target), Rule, $"using {space} becomes {target}.", null,
                directive.SpanStart);
        else
            changes.Automatic(
                changes.File.Removal(directive.SpanStart, directive.Span.End), Rule, $"using {space} is removed: {target} is imported already.", null,
                directive.SpanStart);
    }
}
