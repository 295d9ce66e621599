using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>
/// Rows that are related by keys of each type have on MariaDB, without LATERAL, the rows that they have in memory: where a join compares keys in another way
/// than the parts of a ranking or of DISTINCT are made, rows would be lost or doubled.
/// </summary>
public sealed class ApplyKeyTests(ApplyKeyTests.Fixture fixture) : IClassFixture<ApplyKeyTests.Fixture>
{
    private static readonly Dictionary<string, Key> Keys = [];

    // EF Core itself makes a join of the first rows (the first forms) by one key. It does not need LATERAL, and NULL is not equal to NULL in it.
    private const int NoFirstRows = 2;

    private static readonly List<Func<IQueryable<Owner>, IQueryable<Item>, IQueryable<string>>> Forms =
    [
        (owners, items) => owners.SelectMany(o => items.Where(i => Match(o, i)).OrderByDescending(i => i.Id).Take(2), (o, i) => o.Rank + ":" + i.Id),
        (owners, items) => owners.SelectMany(
            o => items.Where(i => Match(o, i)).OrderBy(i => i.Id).Skip(1).Take(2).DefaultIfEmpty(), (o, i) => o.Rank + ":" + (i == null ? 0 : i.Id)),
        (owners, items) => owners.SelectMany(o => items.Where(i => Match(o, i)).Select(i => i.Class).Distinct(), (o, n) => o.Rank + ":" + n),
        (owners, items) => owners.SelectMany(
            o => items.Where(i => Match(o, i)).GroupBy(i => i.Class).Select(g => new { g.Key, Count = g.Count() }),
            (o, g) => o.Rank + ":" + g.Key + "x" + g.Count),
        (owners, items) => owners.SelectMany(
            o => items.Where(i => Match(o, i) && i.Id % 2 == 0).Select(i => i.Class).Union(items.Where(i => Match(o, i) && i.Id > 4).Select(i => i.Class)),
            (o, n) => o.Rank + ":" + n),
        (owners, items) => owners.SelectMany(
            o => items.Where(i => Match(o, i)).Select(i => i.Id).Except(items.Where(i => Match(o, i) && i.Class == 1).Select(i => i.Id)),
            (o, n) => o.Rank + ":" + n),
        (owners, items) => owners.SelectMany(
            o => items.Where(i => Match(o, i)).GroupBy(i => i.Class).Select(g => new { g.Key, Count = g.Count() }).OrderByDescending(g => g.Key).Take(1),
            (o, g) => o.Rank + ":" + g.Key + "x" + g.Count),
        (owners, items) => owners.Select(o => o.Rank + ":" + items.Where(i => Match(o, i)).OrderBy(i => i.Id).Take(2).Sum(i => i.Id)),
        (owners, items) => owners.Select(
            o => o.Rank + ":" + items.Where(i => Match(o, i)).Take(2).Count() + ":" + items.Where(i => Match(o, i)).Select(i => i.Number).Distinct().Count()),
        (owners, items) => owners.Where(o => items.Where(i => Match(o, i)).OrderBy(i => i.Id).Skip(1).Take(1).Any(i => i.Class > 0)).Select(o => o.Rank + ""),
    ];

    static ApplyKeyTests()
    {
        // The collation takes letters of both cases, and texts with and without blanks at the end, for equal.
        Add("text of a foreign key", (o, i) => i.OwnerCode.TrimEnd().Equals(o.Code, StringComparison.OrdinalIgnoreCase), (o, i) => i.OwnerCode == o.Code);
        Add("text of another collation", (o, i) => i.Exact == o.Name);
        Add("text that is NULL on both sides", (o, i) => i.Word == o.Word, firstForm: NoFirstRows);
        Add("decimal of another scale", (o, i) => i.Price == o.Price);
        Add("decimal", (o, i) => i.Cost == o.Cost, firstForm: NoFirstRows);
        Add("double", (o, i) => i.Ratio == o.Ratio);
        Add("bytes", (o, i) => i.Bytes != null && i.Bytes.SequenceEqual(o.Bytes), (o, i) => i.Bytes == o.Bytes);
        Add("date and time of another precision", (o, i) => i.Second == o.Moment);
        Add("date and time", (o, i) => i.Moment == o.Moment);
        Add("date and time with offset", (o, i) => i.Instant == o.Instant);
        Add("Guid", (o, i) => i.Mark == o.Mark);
        Add("number that is NULL on both sides", (o, i) => i.Number == o.Number, firstForm: NoFirstRows);
        Add("number of another size", (o, i) => i.Small == o.Number, firstForm: NoFirstRows);
        Add("enum", (o, i) => i.Grade == o.Grade);
        Add("bool", (o, i) => i.IsOld == o.IsOld);
        Add("two keys", (o, i) => i.Number == o.Number && i.Word == o.Word);
        Add("number or NULL", (o, i) => i.Number == o.Number || i.Number == null);
        Add("inequality", (o, i) => i.Number < o.Rank && i.Price != o.Price);
        Add("condition that is NULL", (o, i) => i.Number > o.Number);
        Add("condition on the outer row", (o, i) => i.Number == o.Number && o.Word != null);
    }

    private sealed record Key(Expression<Func<Owner, Item, bool>> Memory, Expression<Func<Owner, Item, bool>> Server, int FirstForm);

    public static IEnumerable<TheoryDataRow<ServerKind, string>> All =>
        from name in Keys.Keys
        from kind in (ServerKind[])[ServerKind.MariaDb, ServerKind.MariaDb11]
        select new TheoryDataRow<ServerKind, string>(kind, name);

    [Theory, MemberData(nameof(All))]
    public async Task Rows_by_a_key_are_the_same(ServerKind kind, string name)
    {
        await using var store = await fixture.OpenAsync(kind);
        var (memory, server, firstForm) = Keys[name];
        var (owners, items) = (Store.NewOwners().AsQueryable(), Store.NewItems().AsQueryable());
        for (var form = firstForm; form < Forms.Count; form++)
        {
            var expected = With(Forms[form](owners, items), memory).ToList().Order(StringComparer.Ordinal).ToList();
            var query = With(Forms[form](store.Owners, store.Items), server);
            var actual = (await query.ToListAsync(TestContext.Current.CancellationToken)).Order(StringComparer.Ordinal).ToList();
            Assert.True(expected.Count > 0, $"Form {form} has no rows in memory, so it shows nothing.");
            Assert.True(
                expected.SequenceEqual(actual),
                $"Form {form}: expected\n{string.Join(' ', expected)}\nfound\n{string.Join(' ', actual)}\n{query.ToQueryString()}");
        }
    }

    private static void Add(
        string name, Expression<Func<Owner, Item, bool>> memory, Expression<Func<Owner, Item, bool>>? server = null, int firstForm = 0) =>
        Keys.Add(name, new(memory, server ?? memory, firstForm));

    /// <summary>Stands for the condition in a form.</summary>
    private static bool Match(Owner owner, Item item) => throw new NotSupportedException($"{owner.Code} {item.Id}");

    private static IQueryable<string> With(IQueryable<string> form, Expression<Func<Owner, Item, bool>> condition) =>
        form.Provider.CreateQuery<string>(new Matcher(condition).Visit(form.Expression)!);

    private sealed class Matcher(Expression<Func<Owner, Item, bool>> condition) : ExpressionVisitor
    {
        protected override Expression VisitMethodCall(MethodCallExpression node) => node.Method.Name == nameof(Match)
            ? new Arguments(condition.Parameters, node.Arguments).Visit(condition.Body)!
            : base.VisitMethodCall(node);
    }

    private sealed class Arguments(IReadOnlyList<ParameterExpression> parameters, IReadOnlyList<Expression> arguments) : ExpressionVisitor
    {
        protected override Expression VisitParameter(ParameterExpression node) => node == parameters[0] ? arguments[0]
            : node == parameters[1] ? arguments[1]
            : node;
    }

    public sealed class Owner
    {
        public string Code { get; set; } = "";

        public int Rank { get; set; }

        public string Name { get; set; } = "";

        public string? Word { get; set; }

        public decimal Price { get; set; }

        public decimal? Cost { get; set; }

        public double Ratio { get; set; }

        public byte[] Bytes { get; set; } = [];

        public DateTime Moment { get; set; }

        public DateTimeOffset Instant { get; set; }

        public Guid Mark { get; set; }

        public int? Number { get; set; }

        public Grade Grade { get; set; }

        public bool IsOld { get; set; }
    }

    public sealed class Item
    {
        public int Id { get; set; }

        public int Class { get; set; }

        public string OwnerCode { get; set; } = "";

        public string Exact { get; set; } = "";

        public string? Word { get; set; }

        public decimal Price { get; set; }

        public decimal? Cost { get; set; }

        public double Ratio { get; set; }

        public byte[]? Bytes { get; set; }

        public DateTime? Second { get; set; }

        public DateTime Moment { get; set; }

        public DateTimeOffset? Instant { get; set; }

        public Guid? Mark { get; set; }

        public int? Number { get; set; }

        public short? Small { get; set; }

        public Grade Grade { get; set; }

        public bool? IsOld { get; set; }
    }

    public sealed class Store(DbContextOptions<Store> options) : DbContext(options)
    {
        private static readonly string[] Texts = ["a", "B", "c", "Ab"];
        private static readonly DateTime Start = new(2024, 2, 29, 23, 59, 59);

        public DbSet<Owner> Owners => Set<Owner>();

        public DbSet<Item> Items => Set<Item>();

        public static List<Owner> NewOwners() => Enumerable.Range(0, 6).Select(static n => new Owner
        {
            Code = "abcdef"[n..(n + 1)], Rank = n + 1, Name = Texts[n % 4], Word = n % 3 == 0 ? null : Texts[n % 2], Price = n / 2m,
            Cost = n % 4 == 3 ? null : n % 4, Ratio = n % 3 == 0 ? (n == 0 ? 0.0 : -0.0) : n / 4.0, Bytes = [(byte)(n % 3), 0],
            Moment = Start.AddMilliseconds(n * 500), Instant = new(Start.AddHours(n % 4), TimeSpan.Zero), Mark = new(n % 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
            Number = n % 3 == 0 ? null : n % 3, Grade = (Grade)(n % 3), IsOld = n % 2 == 0,
        }).ToList();

        public static List<Item> NewItems() => Enumerable.Range(0, 30).Select(static n => new Item
        {
            Id = n + 1, Class = n % 4,
            OwnerCode = ((n % 3) switch { 0 => "abcde", 1 => "ABCDE", _ => "abCDe" })[(n % 5)..((n % 5) + 1)] + (n % 7 == 0 ? " " : ""),
            Exact = n % 5 == 4 ? Texts[n % 4].ToLowerInvariant() : Texts[n % 4], Word = n % 5 == 0 ? null : Texts[n % 3], Price = n % 7 / 2m,
            Cost = n % 6 == 0 ? null : n % 3, Ratio = n % 4 == 0 ? -0.0 : n % 4 == 1 ? 0.0 : n % 8 / 4.0, Bytes = n % 4 == 3 ? null : [(byte)(n % 4), 0],
            Second = n % 8 == 0 ? null : Start.AddSeconds(n % 4), Moment = Start.AddMilliseconds(n % 5 * 250),
            Instant = n % 6 == 5 ? null : new(Start.AddHours(n % 5), TimeSpan.Zero), Mark = n % 5 == 1 ? null : new(n % 4, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
            Number = n % 4 == 0 ? null : n % 4, Small = n % 3 == 0 ? null : (short)(n % 3), Grade = (Grade)(n % 3), IsOld = n % 5 == 0 ? null : n % 2 == 0,
        }).ToList();

        protected override void OnModelCreating(ModelBuilder modelBuilder)
        {
            modelBuilder.Entity<Owner>(static owner =>
            {
                owner.HasKey(static o => o.Code);
                owner.Property(static o => o.Code).HasMaxLength(20).UseCollation("utf8mb4_general_ci");
                owner.Property(static o => o.Name).HasMaxLength(20).UseCollation("utf8mb4_general_ci");
                owner.Property(static o => o.Word).HasMaxLength(20).UseCollation("utf8mb4_bin");
                owner.Property(static o => o.Price).HasPrecision(10, 2);
                owner.Property(static o => o.Cost).HasPrecision(10, 2);
                owner.Property(static o => o.Bytes).HasMaxLength(16);
            });
            modelBuilder.Entity<Item>(static item =>
            {
                item.Property(static i => i.Id).ValueGeneratedNever();
                item.HasOne<Owner>().WithMany().HasForeignKey(static i => i.OwnerCode);
                item.Property(static i => i.OwnerCode).HasMaxLength(20).UseCollation("utf8mb4_general_ci");
                item.Property(static i => i.Exact).HasMaxLength(20).UseCollation("utf8mb4_bin");
                item.Property(static i => i.Word).HasMaxLength(20).UseCollation("utf8mb4_bin");
                item.Property(static i => i.Price).HasPrecision(12, 4);
                item.Property(static i => i.Cost).HasPrecision(10, 2);
                item.Property(static i => i.Bytes).HasMaxLength(16);
                item.Property(static i => i.Second).HasPrecision(0);
            });
        }
    }

    /// <summary>A store on each server, with the same rows.</summary>
    public sealed class Fixture : IAsyncDisposable
    {
        private readonly Dictionary<ServerKind, DbContextOptions<Store>> _stores = [];
        private readonly SemaphoreSlim _lock = new(1);

        public async Task<Store> OpenAsync(ServerKind kind)
        {
            await _lock.WaitAsync();
            try
            {
                if (!_stores.TryGetValue(kind, out var options))
                    _stores.Add(kind, options = await CreateAsync(kind));
                return new Store(options);
            }
            finally
            {
                _lock.Release();
            }
        }

        public async ValueTask DisposeAsync()
        {
            foreach (var options in _stores.Values)
            {
                await using var store = new Store(options);
                await store.Database.EnsureDeletedAsync();
            }

            _lock.Dispose();
        }

        private static async Task<DbContextOptions<Store>> CreateAsync(ServerKind kind)
        {
            var builder = Servers.Options<Store>();
            builder.UseMySql(await Servers.ConnectionString(kind, "keys"));
            await using var store = new Store(builder.Options);
            await store.Database.EnsureDeletedAsync();
            await store.Database.EnsureCreatedAsync();
            store.Owners.AddRange(Store.NewOwners());
            await store.SaveChangesAsync();
            store.Items.AddRange(Store.NewItems());
            await store.SaveChangesAsync();
            return builder.Options;
        }
    }
}
