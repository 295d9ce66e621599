using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Slipstream.Lab;
using Slipstream.Testing;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>Round trips of the usual operations, counted by a proxy between program and server, with default settings.</summary>
public sealed class FlightTests : IAsyncDisposable
{
    private readonly List<IAsyncDisposable> _proxies = [];

    public static TheoryData<ServerKind, bool> Ways => new()
    {
        { ServerKind.MySql, false }, { ServerKind.MySql, true }, { ServerKind.MariaDb, false }, { ServerKind.MariaDb, true }, { ServerKind.MariaDb11, false },
        { ServerKind.MariaDb11, true },
    };

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Ways))]
    public async Task A_query_by_key_costs_one(ServerKind kind, bool isAsync) => Assert.Equal(1, await CountAsync(kind, async (blogs, _) =>
        Assert.NotNull(isAsync ? await blogs.Blogs.FirstOrDefaultAsync(static b => b.Id == 1, Stop) : blogs.Blogs.FirstOrDefault(static b => b.Id == 1))));

    [Theory, MemberData(nameof(Ways))]
    public async Task An_insert_of_one_row_costs_one(ServerKind kind, bool isAsync) => Assert.Equal(1, await CountAsync(kind, async (blogs, i) =>
    {
        var blog = new Blog { Name = $"new {i}" };
        blogs.Add(blog);
        await SaveAsync(blogs, isAsync);
        Assert.True(blog.Id > 0);
    }));

    [Theory, MemberData(nameof(Ways))]
    public async Task An_insert_of_100_rows_costs_one(ServerKind kind, bool isAsync) => Assert.Equal(1, await CountAsync(kind, async (blogs, i) =>
    {
        blogs.AddRange(Enumerable.Range(0, 100).Select(number => new Blog { Name = $"{i} {number}" }));
        await SaveAsync(blogs, isAsync);
    }));

    [Theory, MemberData(nameof(Ways))]
    public async Task Rows_and_rows_that_refer_to_them_cost_three(ServerKind kind, bool isAsync) => Assert.Equal(3, await CountAsync(kind, async (blogs, i) =>
    {
        blogs.AddRange(Enumerable.Range(0, 100).Select(number => new Blog
        {
            Name = $"{i} {number}", Posts = { new() { Title = "one" }, new() { Title = "two" } },
        }));
        await SaveAsync(blogs, isAsync);
    }));

    [Theory, MemberData(nameof(Ways))]
    public async Task With_transactions_in_the_text_they_cost_two(ServerKind kind, bool isAsync) => Assert.Equal(2, await CountAsync(
        kind,
        async (blogs, i) =>
        {
            blogs.AddRange(Enumerable.Range(0, 100).Select(number => new Blog
            {
                Name = $"{i} {number}", Posts = { new() { Title = "one" }, new() { Title = "two" } },
            }));
            await SaveAsync(blogs, isAsync);
        },
        static options => options.EnableTransactionsInText()));

    [Theory, MemberData(nameof(Ways))]
    public async Task With_transactions_in_the_text_a_load_and_update_costs_three(ServerKind kind, bool isAsync) => Assert.Equal(3, await CountAsync(
        kind,
        async (blogs, i) =>
        {
            foreach (var blog in blogs.Blogs.OrderBy(static b => b.Id).Take(50).ToList())
                blog.Name += $" {i}";
            Assert.Equal(50, await SaveAsync(blogs, isAsync));
        },
        static options => options.EnableTransactionsInText()));

    [Theory, MemberData(nameof(Ways))]
    public async Task A_load_and_update_of_50_rows_costs_three(ServerKind kind, bool isAsync) => Assert.Equal(3, await CountAsync(kind, async (blogs, i) =>
    {
        var query = blogs.Blogs.OrderBy(static b => b.Id).Take(50);
        foreach (var blog in isAsync ? await query.ToListAsync(Stop) : query.ToList())
            blog.Name += $" {i}";
        Assert.Equal(50, await SaveAsync(blogs, isAsync));
    }));

    [Theory, MemberData(nameof(Ways))]
    public async Task A_transaction_with_two_saves_costs_three(ServerKind kind, bool isAsync) => Assert.Equal(3, await CountAsync(kind, async (blogs, i) =>
    {
        using var transaction = isAsync ? await blogs.Database.BeginTransactionAsync(Stop) : blogs.Database.BeginTransaction();
        blogs.Add(new Blog { Name = $"first {i}" });
        await SaveAsync(blogs, isAsync);
        blogs.Add(new Blog { Name = $"second {i}" });
        await SaveAsync(blogs, isAsync);
        if (isAsync)
            await transaction.CommitAsync(Stop);
        else
            transaction.Commit();
    }));

    [Theory, MemberData(nameof(Ways))]
    public async Task A_split_query_costs_two(ServerKind kind, bool isAsync) => Assert.Equal(2, await CountAsync(kind, async (blogs, _) =>
    {
        var query = blogs.Blogs.Where(static b => b.Id <= 10).Include(static b => b.Posts).AsSplitQuery();
        Assert.Equal(10, (isAsync ? await query.ToListAsync(Stop) : query.ToList()).Count);
    }));

    public async ValueTask DisposeAsync()
    {
        foreach (var proxy in _proxies)
            await proxy.DisposeAsync();
    }

    private static async Task<int> SaveAsync(Site blogs, bool isAsync) => isAsync ? await blogs.SaveChangesAsync(Stop) : blogs.SaveChanges();

    // The first times fill the pool and EF Core's caches.
    private async Task<double> CountAsync(ServerKind kind, Func<Site, int, Task> operation, Action<MySqlDbContextOptionsBuilder>? optionsAction = null)
    {
        const int Times = 5;
        var server = await LiveServers.GetAsync(kind);
        var proxy = LabProxy.Start(server.Host, server.Port);
        _proxies.Add(proxy);
        var builder = Servers.Options<Site>().UseMySql(
            $"Server=127.0.0.1;Port={proxy.Port};User ID={server.User};Password={server.Password};"
                + $"Database=ef_flights_{Environment.ProcessId}_{Guid.NewGuid():N};Allow Public Key Retrieval=true",
            mySqlOptionsAction: optionsAction);
        var options = builder.Options;
        await using var first = new Site(options);
        await first.Database.EnsureCreatedAsync(Stop);
        try
        {
            first.AddRange(Enumerable.Range(0, 60).Select(static number => new Blog { Name = $"{number}", Posts = { new() { Title = "a" } } }));
            await first.SaveChangesAsync(Stop);
            for (var i = 0; i < 2 * Times; i++)
            {
                if (i == Times)
                    proxy.Counters.Reset();
                await using var blogs = new Site(options);
                await operation(blogs, i);
            }

            return (double)proxy.Counters.RoundTrips / Times;
        }
        finally
        {
            await first.Database.EnsureDeletedAsync(Stop);
        }
    }

    public sealed class Site(DbContextOptions<Site> options) : DbContext(options)
    {
        public DbSet<Blog> Blogs => Set<Blog>();

        public DbSet<Post> Posts => Set<Post>();
    }

    public sealed class Blog
    {
        public int Id { get; set; }

        public string Name { get; set; } = "";

        public List<Post> Posts { get; } = [];
    }

    public sealed class Post
    {
        public int Id { get; set; }

        public int BlogId { get; set; }

        public string Title { get; set; } = "";
    }
}
