using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>EF.Functions.Match and IsMatch on full-text indexes.</summary>
public sealed class FullTextTests
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public Task A_word_is_found_in_one_column(ServerKind kind) => WithPostsAsync(kind, static async posts =>
    {
        Assert.Equal([1, 3], await IdsAsync(posts.Where(static p => EF.Functions.IsMatch(p.Title, "harbour", MySqlMatchSearchMode.NaturalLanguage))));
        Assert.Equal([2, 4], await IdsAsync(posts.Where(static p => !EF.Functions.IsMatch(p.Title, "harbour", MySqlMatchSearchMode.NaturalLanguage))));
        Assert.Equal([1, 3], await IdsAsync(posts.Where(static p => EF.Functions.Match(p.Title, "harbour", MySqlMatchSearchMode.NaturalLanguage) > 0)));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Operators_mean_something_in_boolean_mode(ServerKind kind) => WithPostsAsync(kind, static async posts =>
    {
        var pattern = "+harbour -lights";
        Assert.Equal([3], await IdsAsync(posts.Where(p => EF.Functions.IsMatch(p.Title, pattern, MySqlMatchSearchMode.Boolean))));
        pattern = "moun*";
        Assert.Equal([2], await IdsAsync(posts.Where(p => EF.Functions.IsMatch(p.Title, pattern, MySqlMatchSearchMode.Boolean))));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Several_columns_are_searched_by_relevance(ServerKind kind) => WithPostsAsync(kind, static async posts =>
    {
        var word = "glacier";
        var rows = await posts.Where(p => EF.Functions.IsMatch(new[] { p.Title, p.Body }, word, MySqlMatchSearchMode.NaturalLanguage))
            .OrderByDescending(p => EF.Functions.Match(new[] { p.Title, p.Body }, word, MySqlMatchSearchMode.NaturalLanguage))
            .Select(p => new { p.Id, Relevance = EF.Functions.Match(new[] { p.Title, p.Body }, word, MySqlMatchSearchMode.NaturalLanguage) })
            .ToListAsync(Stop);
        Assert.Equal([4, 2], rows.Select(static row => row.Id));
        Assert.True(rows[0].Relevance > rows[1].Relevance && rows[1].Relevance > 0, string.Join(", ", rows));
        Assert.Equal(
            [false, true, false, true],
            await posts.OrderBy(static p => p.Id)
                .Select(p => EF.Functions.IsMatch(new[] { p.Title, p.Body }, word, MySqlMatchSearchMode.NaturalLanguage)).ToListAsync(Stop));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Query_expansion_finds_related_rows(ServerKind kind) => WithPostsAsync(kind, static async posts =>
    {
        Assert.Equal([1], await IdsAsync(posts.Where(static p => EF.Functions.IsMatch(p.Title, "lights", MySqlMatchSearchMode.NaturalLanguage))));
        Assert.Equal(
            [1, 3], await IdsAsync(posts.Where(static p => EF.Functions.IsMatch(p.Title, "lights", MySqlMatchSearchMode.NaturalLanguageWithQueryExpansion))));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task The_index_is_used_although_the_condition_compares_with_zero(ServerKind kind) => WithPostsAsync(kind, static async posts =>
    {
        var sql = posts.Where(static p => EF.Functions.IsMatch(p.Title, "harbour", MySqlMatchSearchMode.NaturalLanguage)).ToQueryString();
        await using var connection = new MySqlConnection(posts.GetConnectionString());
        await connection.OpenAsync(Stop);
        await using var command = new MySqlCommand(
            "EXPLAIN " + (connection.ServerVersion.Contains("MariaDB", StringComparison.Ordinal) ? "" : "FORMAT=TRADITIONAL ") + sql, connection);
        await using var reader = await command.ExecuteReaderAsync(Stop);
        Assert.True(await reader.ReadAsync(Stop));
        Assert.Equal("fulltext", reader.GetString("type"));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task A_pattern_is_not_converted_as_values_of_the_column_are(ServerKind kind) => WithPostsAsync(kind, static async posts =>
    {
        var pattern = "+stored";
        Assert.Equal([1, 2, 3, 4], await IdsAsync(posts.Where(p => EF.Functions.IsMatch(p.Stored, pattern, MySqlMatchSearchMode.Boolean))));
        Assert.Equal([1, 2, 3, 4], await IdsAsync(posts.Where(static p => EF.Functions.IsMatch(p.Stored, "+stored", MySqlMatchSearchMode.Boolean))));
        pattern = new string('x', 300) + " stored";
        Assert.Equal([1, 2, 3, 4], await IdsAsync(posts.Where(p => EF.Functions.IsMatch(p.Stored, pattern, MySqlMatchSearchMode.Boolean))));
    });

    [Fact]
    public async Task What_is_not_a_column_is_refused() => await WithPostsAsync(ServerKind.MySql, static async posts =>
    {
        var refusal = await Assert.ThrowsAsync<InvalidOperationException>(() =>
            posts.CountAsync(static p => EF.Functions.IsMatch(p.Title + "x", "harbour", MySqlMatchSearchMode.Boolean), Stop));
        Assert.Contains("is not a column", refusal.Message, StringComparison.Ordinal);
        var mode = MySqlMatchSearchMode.Boolean;
        refusal = await Assert.ThrowsAsync<InvalidOperationException>(() => posts.CountAsync(p => EF.Functions.IsMatch(p.Title, "harbour", mode), Stop));
        Assert.Contains("must be written in the query", refusal.Message, StringComparison.Ordinal);
        Assert.Contains(
            "inside a query only",
            Assert.Throws<InvalidOperationException>(() => EF.Functions.Match("a", "b", MySqlMatchSearchMode.Boolean)).Message, StringComparison.Ordinal);
    });

    private static Task WithPostsAsync(ServerKind kind, Func<DbSet<Post>, Task> test) => Servers.WithDatabaseAsync(
        kind, static options => new Blog(options), async open =>
        {
            await using var blog = open();
            blog.AddRange(
                new Post { Id = 1, Title = "harbour lights", Body = "ships at night" }, new Post { Id = 2, Title = "mountain paths", Body = "a glacier above" },
                new Post { Id = 3, Title = "harbour fog", Body = null }, new Post { Id = 4, Title = "glacier", Body = "glacier after glacier" });
            await blog.SaveChangesAsync(Stop);
            await test(blog.Posts);
        });

    private static Task<List<int>> IdsAsync(IQueryable<Post> posts) => posts.OrderBy(static p => p.Id).Select(static p => p.Id).ToListAsync(Stop);

    private sealed class Blog(DbContextOptions options) : DbContext(options)
    {
        public DbSet<Post> Posts => Set<Post>();

        protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.Entity<Post>(static post =>
        {
            post.Property(static p => p.Title).HasMaxLength(200);
            post.Property(static p => p.Stored).HasMaxLength(20).HasConversion(static text => "stored-" + text, static text => text.Substring(7));
            post.HasIndex(static p => p.Title).IsFullText();
            post.HasIndex(static p => p.Stored).IsFullText();
            post.HasIndex(static p => new { p.Title, p.Body }).IsFullText();
        });
    }

    private sealed class Post
    {
        public int Id { get; set; }

        public required string Title { get; set; }

        public string? Body { get; set; }

        public string Stored { get; set; } = "value";
    }
}

file static class Queries
{
    public static string GetConnectionString<T>(this DbSet<T> set)
        where T : class =>
        Microsoft.EntityFrameworkCore.Infrastructure.AccessorExtensions.GetService<
            Microsoft.EntityFrameworkCore.Infrastructure.ICurrentDbContext>(set).Context.Database.GetConnectionString()!;
}
