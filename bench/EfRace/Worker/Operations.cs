using Microsoft.EntityFrameworkCore;

namespace Slipstream.EfRace.Worker;

/// <summary>The operations of the scenarios, each in both forms, on a context of its own. A wrong answer throws.</summary>
internal static class Operations
{
    private static readonly Func<Shop, int, Blog?> Compiled = EF.CompileQuery(static (Shop shop, int id) => shop.Blogs.FirstOrDefault(blog => blog.Id == id));

    private static readonly Func<Shop, int, Task<Blog?>> CompiledAsync =
        EF.CompileAsyncQuery(static (Shop shop, int id) => shop.Blogs.FirstOrDefault(blog => blog.Id == id));

    private static int _last = Random.Shared.Next(1_000_000_000) + Shop.ItemCount;

    public static IReadOnlyDictionary<string, Operation> All { get; } = new Dictionary<string, Operation>
    {
        ["QueryByKey"] = Of(
            static (shop, i) => Check(shop.Blogs.FirstOrDefault(blog => blog.Id == Key(i)) is { Id: > 0 }),
            static async (shop, i) => Check(await shop.Blogs.FirstOrDefaultAsync(blog => blog.Id == Key(i)) is { Id: > 0 })),
        ["QueryByKeyCompiled"] = Of(
            static (shop, i) => Check(Compiled(shop, Key(i)) is { Id: > 0 }),
            static async (shop, i) => Check(await CompiledAsync(shop, Key(i)) is { Id: > 0 })),
        ["Rows1000Tracked"] = Of(
            static (shop, _) => Check(shop.Items.ToList().Count == Shop.ItemCount),
            static async (shop, _) => Check((await shop.Items.ToListAsync()).Count == Shop.ItemCount)),
        ["Rows1000NoTracking"] = Of(
            static (shop, _) => Check(shop.Items.AsNoTracking().ToList().Count == Shop.ItemCount),
            static async (shop, _) => Check((await shop.Items.AsNoTracking().ToListAsync()).Count == Shop.ItemCount)),
        ["IncludeSingle"] = Of(
            static (shop, _) => Check(Included(shop).AsSingleQuery().ToList()),
            static async (shop, _) => Check(await Included(shop).AsSingleQuery().ToListAsync())),
        ["IncludeSplit"] = Of(
            static (shop, _) => Check(Included(shop).AsSplitQuery().ToList()),
            static async (shop, _) => Check(await Included(shop).AsSplitQuery().ToListAsync())),
        ["Contains3"] = Contains(3),
        ["Contains30"] = Contains(30),
        ["Contains300"] = Contains(300),
        ["Insert1"] = Insert(1),
        ["Insert100"] = Insert(100),
        ["Insert1000"] = Insert(1000),
        ["Update50"] = Of(
            static (shop, _) =>
            {
                foreach (var item in shop.Items.OrderBy(static item => item.Id).Take(50).ToList())
                    item.Stock = New();
                Check(shop.SaveChanges() == 50);
            },
            static async (shop, _) =>
            {
                foreach (var item in await shop.Items.OrderBy(static item => item.Id).Take(50).ToListAsync())
                    item.Stock = New();
                Check(await shop.SaveChangesAsync() == 50);
            }),
#if JSON
        ["JsonRead"] = Of(
            static (shop, _) => Check(shop.Documents.AsNoTracking().First().Body.Entries.Count == Shop.EntriesPerDocument),
            static async (shop, _) => Check((await shop.Documents.AsNoTracking().FirstAsync()).Body.Entries.Count == Shop.EntriesPerDocument)),
        ["JsonUpdate"] = Of(
            static (shop, _) =>
            {
                shop.Documents.First().Body.Version = New();
                Check(shop.SaveChanges() == 1);
            },
            static async (shop, _) =>
            {
                (await shop.Documents.FirstAsync()).Body.Version = New();
                Check(await shop.SaveChangesAsync() == 1);
            }),
#endif
    };

    // A value that no row has: an update of equal values would update nothing.
    private static int New() => Interlocked.Increment(ref _last);

    private static int Key(int i) => (i % Shop.BlogCount) + 1;

    private static IQueryable<Blog> Included(Shop shop) => shop.Blogs.Where(static blog => blog.Id <= 50).Include(static blog => blog.Posts);

    private static Operation Contains(int count)
    {
        var ids = Enumerable.Range(1, count).ToArray();
        return Of(
            (shop, _) => Check(shop.Items.AsNoTracking().Where(item => ids.Contains(item.Id)).ToList().Count == count),
            async (shop, _) => Check((await shop.Items.AsNoTracking().Where(item => ids.Contains(item.Id)).ToListAsync()).Count == count));
    }

    private static Operation Insert(int count) => Of(
        (shop, i) =>
        {
            shop.Rows.AddRange(NewRows(count, i));
            Check(shop.SaveChanges() == count);
        },
        async (shop, i) =>
        {
            shop.Rows.AddRange(NewRows(count, i));
            Check(await shop.SaveChangesAsync() == count);
        });

    private static IEnumerable<Row> NewRows(int count, int i) => Enumerable.Range(0, count).Select(number => new Row { Name = $"Row {i}", Number = number });

    private static Operation Of(Action<Shop, int> blocking, Func<Shop, int, Task> asynchronous) => new(blocking, asynchronous);

    private static void Check(List<Blog> blogs) => Check(blogs.Count == 50 && blogs.TrueForAll(static blog => blog.Posts.Count == Shop.PostsPerBlog));

    private static void Check(bool isRight)
    {
        if (!isRight)
            throw new InvalidOperationException("The answer is wrong.");
    }
}

/// <summary>An operation in both forms, on a new context and with its number.</summary>
internal sealed record Operation(Action<Shop, int> Blocking, Func<Shop, int, Task> Asynchronous);
