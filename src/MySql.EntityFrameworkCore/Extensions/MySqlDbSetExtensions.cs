using Microsoft.EntityFrameworkCore.Query;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Temporal;

namespace Microsoft.EntityFrameworkCore;

/// <summary>
/// Queries of the past, for entity types that are stored in temporal tables of MariaDB. Moments are in UTC; a moment of the kind
/// <see cref="DateTimeKind.Local"/> is converted. EF Core does not track the entities.
/// </summary>
public static class MySqlDbSetExtensions
{
    /// <summary>Reads the rows as they were at a moment. Navigations lead to rows of the same moment.</summary>
    /// <typeparam name="TEntity">The entity type.</typeparam>
    /// <param name="source">The set.</param>
    /// <param name="utcPointInTime">The moment.</param>
    /// <returns>The rows.</returns>
    public static IQueryable<TEntity> TemporalAsOf<TEntity>(this DbSet<TEntity> source, DateTime utcPointInTime)
        where TEntity : class =>
        Create(source, new(TemporalKind.AsOf, TemporalOperation.Utc(utcPointInTime)));

    /// <summary>Reads the versions that were current at some time from <paramref name="utcFrom"/> until <paramref name="utcTo"/>, exclusive.</summary>
    /// <typeparam name="TEntity">The entity type.</typeparam>
    /// <param name="source">The set.</param>
    /// <param name="utcFrom">The first moment.</param>
    /// <param name="utcTo">The moment after the last one.</param>
    /// <returns>The versions.</returns>
    public static IQueryable<TEntity> TemporalFromTo<TEntity>(this DbSet<TEntity> source, DateTime utcFrom, DateTime utcTo)
        where TEntity : class =>
        Create(source, new(TemporalKind.FromTo, TemporalOperation.Utc(utcFrom), TemporalOperation.Utc(utcTo)));

    /// <summary>Reads the versions that were current at some time from <paramref name="utcFrom"/> until <paramref name="utcTo"/>, inclusive.</summary>
    /// <typeparam name="TEntity">The entity type.</typeparam>
    /// <param name="source">The set.</param>
    /// <param name="utcFrom">The first moment.</param>
    /// <param name="utcTo">The last moment.</param>
    /// <returns>The versions.</returns>
    public static IQueryable<TEntity> TemporalBetween<TEntity>(this DbSet<TEntity> source, DateTime utcFrom, DateTime utcTo)
        where TEntity : class =>
        Create(source, new(TemporalKind.Between, TemporalOperation.Utc(utcFrom), TemporalOperation.Utc(utcTo)));

    /// <summary>
    /// Reads the versions that became current at <paramref name="utcFrom"/> or later, and were replaced at <paramref name="utcTo"/> or earlier.
    /// </summary>
    /// <typeparam name="TEntity">The entity type.</typeparam>
    /// <param name="source">The set.</param>
    /// <param name="utcFrom">The first moment.</param>
    /// <param name="utcTo">The last moment.</param>
    /// <returns>The versions.</returns>
    public static IQueryable<TEntity> TemporalContainedIn<TEntity>(this DbSet<TEntity> source, DateTime utcFrom, DateTime utcTo)
        where TEntity : class =>
        Create(source, new(TemporalKind.ContainedIn, TemporalOperation.Utc(utcFrom), TemporalOperation.Utc(utcTo)));

    /// <summary>Reads all versions, including the current ones.</summary>
    /// <typeparam name="TEntity">The entity type.</typeparam>
    /// <param name="source">The set.</param>
    /// <returns>The versions.</returns>
    public static IQueryable<TEntity> TemporalAll<TEntity>(this DbSet<TEntity> source)
        where TEntity : class =>
        Create(source, new(TemporalKind.All));

    private static IQueryable<TEntity> Create<TEntity>(DbSet<TEntity> source, TemporalOperation operation)
        where TEntity : class
    {
        ArgumentNullException.ThrowIfNull(source);
        var queryable = (IQueryable)source;
        var root = (EntityQueryRootExpression)queryable.Expression;
        return queryable.Provider
            .CreateQuery<TEntity>(new TemporalQueryRootExpression((IAsyncQueryProvider)queryable.Provider, root.EntityType, operation))
            .AsNoTracking();
    }
}
