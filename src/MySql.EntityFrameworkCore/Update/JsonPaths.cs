using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Update;

/// <summary>
/// Quotes the names in the path of a part of a document. EF Core joins them with dots as they are, so a name such as "a.b" looks like two: the names of the
/// model tell them apart.
/// </summary>
internal static class JsonPaths
{
    /// <summary>Returns the path with quoted names.</summary>
    /// <param name="path">The path, as EF Core wrote it: <c>$.name[0].name</c>.</param>
    /// <param name="column">The column of the document.</param>
    /// <param name="entity">An entity type that the document belongs to.</param>
    public static string Quote(string path, string column, IEntityType entity)
    {
        while (entity.FindOwnership() is { } ownership)
            entity = ownership.PrincipalEntityType;
        foreach (var navigation in NavigationsOf(entity))
            if (navigation.TargetEntityType.GetContainerColumnName() == column && Match(path[1..], navigation.TargetEntityType, "$") is { } quoted)
                return quoted;
        return path;
    }

    // The rest of a path that leads through an entity type; null if it does not.
    private static string? Match(string path, IEntityType entity, string before)
    {
        TakeIndexes(ref path, ref before);
        if (path.Length == 0)
            return before;
        if (path[0] != '.')
            return null;
        foreach (var property in TypesOf(entity).SelectMany(static type => type.GetDeclaredProperties()))
        {
            if (property.GetJsonPropertyName() is not { } name || !path.AsSpan(1).StartsWith(name))
                continue;
            var (rest, quoted) = (path[(name.Length + 1)..], Append(before, name));
            TakeIndexes(ref rest, ref quoted);
            if (rest.Length == 0)
                return quoted;
        }

        foreach (var navigation in NavigationsOf(entity))
            if (navigation.TargetEntityType.GetJsonPropertyName() is { } name && path.AsSpan(1).StartsWith(name)
                && Match(path[(name.Length + 1)..], navigation.TargetEntityType, Append(before, name)) is { } found)
                return found;
        return null;
    }

    private static IEnumerable<IEntityType> TypesOf(IEntityType entity) => entity.GetDerivedTypesInclusive().Concat(entity.GetAllBaseTypes());

    private static IEnumerable<INavigation> NavigationsOf(IEntityType entity) => TypesOf(entity).SelectMany(static type => type.GetDeclaredNavigations())
        .Where(static navigation => navigation.ForeignKey.IsOwnership && !navigation.IsOnDependent && navigation.TargetEntityType.IsMappedToJson());

    private static void TakeIndexes(ref string path, ref string before)
    {
        while (path is ['[', ..] && path.IndexOf(']', StringComparison.Ordinal) is > 1 and var end
            && !path.AsSpan(1, end - 1).ContainsAnyExceptInRange('0', '9'))
            (path, before) = (path[(end + 1)..], before + path[..(end + 1)]);
    }

    private static string Append(string before, string name) => $"{before}.{MySqlSqlGenerationHelper.QuoteInPath(name)}";
}
