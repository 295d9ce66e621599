using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Scaffolding;
using Slipstream.Lab;
using Slipstream.MySql.EntityFrameworkCore.Scaffolding;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>Vectors of MySQL 9 and MariaDB 11.7, and their distances on MariaDB.</summary>
public sealed class VectorTests
{
    private static readonly float[][] Values = [[1, 2, 3], [-1, 2, 3], [0.5f, -0.25f, 1e-7f], [3, 6, 9]];

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, InlineData(ServerKind.MySql), InlineData(ServerKind.MariaDb11)]
    public Task Vectors_make_a_round_trip_and_changes_are_seen(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new Plain(options), static async open =>
        {
            await using (var context = open())
            {
                context.AddRange(Values.Select(static (value, index) =>
                    new Item { Id = index + 1, Array = [.. value], Memory = value, Optional = index == 0 ? null : value }));
                await context.SaveChangesAsync(Stop);
            }

            await using (var context = open())
            {
                var items = await context.Items.OrderBy(static i => i.Id).ToListAsync(Stop);
                Assert.Equal(Values, items.Select(static i => i.Array));
                Assert.Equal(Values, items.Select(static i => i.Memory.ToArray()));
                Assert.Equal([null, .. Values.Skip(1)], items.Select(static i => i.Optional));
                Assert.False(context.ChangeTracker.HasChanges());
                items[0].Array[1] = 7;
                items[1].Memory = new float[] { 9, 9, 9 };
                items[1].Optional = null;
                Assert.Equal(2, await context.SaveChangesAsync(Stop));
                // EF Core writes the seed as literals.
                Assert.Equal([[4, 5, 6]], await context.Set<Seeded>().Select(static s => s.Value).ToListAsync(Stop));
            }

            await using (var context = open())
            {
                var changed = await context.Items.Where(static i => i.Id <= 2).OrderBy(static i => i.Id).ToListAsync(Stop);
                Assert.Equal([1, 7, 3], changed[0].Array);
                Assert.Equal([9, 9, 9], changed[1].Memory.ToArray());
                Assert.Null(changed[1].Optional);
            }
        });

    [Fact]
    public Task Distances_are_those_of_the_formulas() => Servers.WithDatabaseAsync(
        ServerKind.MariaDb11, static options => new Indexed(options), static async open =>
        {
            await using var context = open();
            context.AddRange(Values.Select(static (value, index) => new Item { Id = index + 1, Array = value, Memory = value }));
            await context.SaveChangesAsync(Stop);
            float[] sought = [1, 2, 2];
            ReadOnlyMemory<float> soughtMemory = sought;
            var rows = await context.Items.OrderBy(i => EF.Functions.VectorDistanceCosine(i.Array, sought)).Select(i => new
            {
                i.Array, Cosine = EF.Functions.VectorDistanceCosine(i.Array, sought), Euclidean = EF.Functions.VectorDistanceEuclidean(i.Memory, soughtMemory),
                Inline = EF.Functions.VectorDistanceEuclidean(i.Array, new float[] { 1, 2, 2 }),
            }).ToListAsync(Stop);
            Assert.Equal(Values.Select(value => Cosine(value, sought)).Order(), rows.Select(static row => row.Cosine), Near);
            Assert.All(rows, row => Assert.Equal(Euclidean(row.Array, sought), row.Euclidean, 1e-6));
            Assert.All(rows, row => Assert.Equal(row.Euclidean, row.Inline, 1e-6));
            Assert.Equal(
                2, await context.Items.CountAsync(i => EF.Functions.VectorDistanceEuclidean(i.Array, sought) < 3, Stop));
        });

    [Theory, InlineData(ServerKind.MySql), InlineData(ServerKind.MariaDb11)]
    public Task Vectors_are_compared_by_value_and_their_elements_are_not_read(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new Plain(options), static async open =>
        {
            await using var context = open();
            context.AddRange(Values.Select(static (value, index) =>
                new Item { Id = index + 1, Array = value, Memory = value, Optional = index == 0 ? null : value }));
            await context.SaveChangesAsync(Stop);
            float[] sought = [3, 6, 9];
            Assert.Equal([4], await context.Items.Where(i => i.Array == sought).Select(static i => i.Id).ToListAsync(Stop));
            Assert.Equal([1, 2, 3], await context.Items.Where(i => i.Optional != sought).OrderBy(static i => i.Id).Select(static i => i.Id).ToListAsync(Stop));
            Assert.Equal([1], await context.Items.Where(static i => i.Optional == null).Select(static i => i.Id).ToListAsync(Stop));
            Assert.Equal(3, await context.Items.CountAsync(static i => i.Array == i.Optional, Stop));
            var refusal = await Assert.ThrowsAsync<InvalidOperationException>(() => context.Items.CountAsync(static i => i.Array[0] == 1, Stop));
            Assert.Contains("The elements of a vector cannot be read by SQL", refusal.Message, StringComparison.Ordinal);
            refusal = await Assert.ThrowsAsync<InvalidOperationException>(() => context.Items.CountAsync(static i => i.Array.Length == 3, Stop));
            Assert.Contains("The elements of a vector cannot be read by SQL", refusal.Message, StringComparison.Ordinal);
        });

    [Fact]
    public Task A_distance_to_a_vector_of_another_length_is_refused() => Servers.WithDatabaseAsync(
        ServerKind.MariaDb11, static options => new Plain(options), static async open =>
        {
            await using var context = open();
            context.Add(new Item { Id = 1, Array = [1, 2, 3], Memory = new float[] { 1, 2, 3 } });
            await context.SaveChangesAsync(Stop);
            const string message = "The distance of a vector of 2 element(s) and one of the type vector(3) is unknown: both must have the same number of "
                + "elements.";
            float[] shorter = [1, 2];
            ReadOnlyMemory<float> shorterMemory = shorter;
            Assert.Equal(message, await RefusalAsync(i => EF.Functions.VectorDistanceCosine(i.Array, shorter)));
            Assert.Equal(message, await RefusalAsync(static i => EF.Functions.VectorDistanceCosine(i.Array, new float[] { 1, 2 })));
            Assert.Equal(message, await RefusalAsync(i => EF.Functions.VectorDistanceEuclidean(shorterMemory, i.Memory)));
            var compiled = EF.CompileQuery(static (Plain context, float[] vector) =>
                context.Items.OrderBy(i => EF.Functions.VectorDistanceCosine(i.Array, vector)).Select(static i => i.Id));
            Assert.Equal([1], compiled(context, [3, 2, 1]));
            Assert.Equal(message, Assert.Throws<ArgumentException>(() => compiled(context, shorter).ToList()).Message);
            var refusal = await Assert.ThrowsAsync<InvalidOperationException>(() => context.Items
                .SelectMany(i => context.Set<Seeded>(), static (i, s) => EF.Functions.VectorDistanceEuclidean(i.Array, s.Other!)).ToListAsync(Stop));
            Assert.Equal(
                "The distance of a vector(3) and a vector(2) is unknown: both vectors must have the same number of elements.", refusal.Message);

            async Task<string> RefusalAsync(System.Linq.Expressions.Expression<Func<Item, double>> distance) =>
                (await Assert.ThrowsAsync<ArgumentException>(() => context.Items.OrderBy(distance).ToListAsync(Stop))).Message;
        });

    [Fact]
    public Task A_vector_index_is_created_used_and_scaffolded() => Servers.WithDatabaseAsync(
        ServerKind.MariaDb11, static options => new Indexed(options), static async open =>
        {
            await using var context = open();
            context.AddRange(Enumerable.Range(1, 200).Select(static id => new Item { Id = id, Array = Direction(id), Memory = new float[] { 1, 2, 3 } }));
            await context.SaveChangesAsync(Stop);
            var sought = Direction(40);
            var nearest = context.Items.OrderBy(i => EF.Functions.VectorDistanceCosine(i.Array, sought)).Select(static i => i.Id).Take(1);
            Assert.Equal([40], await nearest.ToListAsync(Stop));
            var model = new MySqlDatabaseModelFactory().Create(context.Database.GetConnectionString()!, new DatabaseModelFactoryOptions());
            var table = Assert.Single(model.Tables, static table => table.Name == "Items");
            Assert.Equal("vector(3)", table.Columns.Single(static c => c.Name == "Array").StoreType);
            var index = Assert.Single(table.Indexes);
            Assert.Equal((true, "cosine", 8), (index["MySql:VectorIndex"], index["MySql:VectorDistance"], index["MySql:VectorNeighbors"]));
        });

    [Theory, InlineData(ServerKind.MySql), InlineData(ServerKind.MariaDb11)]
    public async Task A_vector_without_a_number_of_elements_is_refused_where_the_server_has_no_default(ServerKind kind)
    {
        await using var any = new Unsized(Servers.Options().UseMySql(await Servers.ConnectionString(kind, "vector")).Options, false);
        await using var limited = new Unsized(
            Servers.Options().UseMySql(await Servers.ConnectionString(kind, "limited")).EnableServiceProviderCaching(false).Options, true);
        Assert.Contains("`Value` vector(4) NOT NULL", limited.Database.GenerateCreateScript(), StringComparison.Ordinal);
        if (kind == ServerKind.MySql)
            Assert.Contains("`Value` vector NOT NULL", any.Database.GenerateCreateScript(), StringComparison.Ordinal);
        else
            Assert.Equal(
                "The property 'Seeded.Value' has the column type vector without a number of elements, which MariaDB needs. Add the number: "
                    + "HasColumnType(\"vector(3)\"), or HasMaxLength(3).",
                Assert.Throws<InvalidOperationException>(any.Database.GenerateCreateScript).Message);
    }

    [Fact]
    public async Task An_array_that_is_created_in_a_distance_is_named()
    {
        await using var context = new Plain(Servers.Options().UseMySql(await Servers.ConnectionString(ServerKind.MariaDb11, "vector")).Options);
        var number = 3f;
        AssertRefused(context.Items.OrderBy(i => EF.Functions.VectorDistanceCosine(i.Array, new float[] { 1, number, 2 })));
        AssertRefused(context.Items.OrderBy(static i => EF.Functions.VectorDistanceEuclidean(new float[] { 1, i.Id, 2 }, i.Memory)));

        static void AssertRefused(IQueryable<Item> query)
        {
            var refusal = Assert.Throws<InvalidOperationException>(query.ToQueryString).Message;
            Assert.Contains("A distance takes no array that the query creates from several values", refusal, StringComparison.Ordinal);
            Assert.DoesNotContain("AsEnumerable", refusal[..refusal.IndexOf("Either", StringComparison.Ordinal)], StringComparison.Ordinal);
        }
    }

    [Theory, InlineData(ServerKind.MySql), InlineData(ServerKind.MariaDb)]
    public async Task A_server_without_distances_is_named(ServerKind kind)
    {
        await using var context = new Plain(Servers.Options().UseMySql(await Servers.ConnectionString(kind, "vector")).Options);
        float[] sought = [1, 2, 2];
        var refusal = Assert.Throws<InvalidOperationException>(
            () => context.Items.OrderBy(i => EF.Functions.VectorDistanceCosine(i.Array, sought)).ToQueryString());
        Assert.Contains("has no function for the distance of vectors", refusal.Message, StringComparison.Ordinal);
        await using var indexed = new Indexed(Servers.Options().UseMySql(await Servers.ConnectionString(kind, "vector")).Options);
        var refusedIndex = Assert.Throws<NotSupportedException>(indexed.Database.GenerateCreateScript);
        Assert.Contains("is a vector index", refusedIndex.Message, StringComparison.Ordinal);
    }

    private static float[] Direction(int id) => [MathF.Cos(id * MathF.Tau / 200), MathF.Sin(id * MathF.Tau / 200), 0];

    private static bool Near(double left, double right) => Math.Abs(left - right) < 1e-6;

    private static double Cosine(float[] left, float[] right) =>
        1 - (left.Zip(right).Sum(static pair => (double)pair.First * pair.Second) / Norm(left) / Norm(right));

    private static double Euclidean(float[] left, float[] right) => Norm([.. left.Zip(right).Select(static pair => pair.First - pair.Second)]);

    private static double Norm(float[] vector) => Math.Sqrt(vector.Sum(static element => (double)element * element));

    private class Plain(DbContextOptions options) : DbContext(options)
    {
        public DbSet<Item> Items => Set<Item>();

        protected override void OnModelCreating(ModelBuilder modelBuilder)
        {
            modelBuilder.Entity<Item>(static item =>
            {
                item.Property(static i => i.Id).ValueGeneratedNever();
                item.Property(static i => i.Array).HasColumnType("vector(3)");
                item.Property(static i => i.Memory).HasColumnType("vector(3)");
                item.Property(static i => i.Optional).HasColumnType("vector(3)");
            });
            modelBuilder.Entity<Seeded>(static seeded =>
            {
                seeded.Property(static s => s.Value).HasColumnType("vector(3)");
                seeded.Property(static s => s.Other).HasColumnType("vector(2)");
                seeded.HasData(new Seeded { Id = 1, Value = [4, 5, 6] });
            });
        }
    }

    private sealed class Unsized(DbContextOptions options, bool isLimited) : DbContext(options)
    {
        protected override void OnModelCreating(ModelBuilder modelBuilder)
        {
            var value = modelBuilder.Entity<Seeded>().Ignore(static s => s.Other).Property(static s => s.Value).HasColumnType("vector");
            if (isLimited)
                value.HasMaxLength(4);
        }
    }

    private sealed class Indexed(DbContextOptions options) : Plain(options)
    {
        protected override void OnModelCreating(ModelBuilder modelBuilder)
        {
            base.OnModelCreating(modelBuilder);
            modelBuilder.Entity<Item>().HasIndex(static i => i.Array).IsVector(distance: MySqlVectorDistance.Cosine, neighbors: 8);
        }
    }

    private sealed class Item
    {
        public int Id { get; set; }

        public float[] Array { get; set; } = [];

        public ReadOnlyMemory<float> Memory { get; set; }

        public float[]? Optional { get; set; }
    }

    private sealed class Seeded
    {
        public int Id { get; set; }

        public float[] Value { get; set; } = [];

        public float[]? Other { get; set; }
    }
}
