using System.Data.Common;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>SaveChanges with the option that puts its transactions into the texts: the same outcome as without it.</summary>
public sealed class TransactionsInTextTests
{
    public static TheoryData<ServerKind, bool, bool> Ways
    {
        get
        {
            var ways = new TheoryData<ServerKind, bool, bool>();
            foreach (var kind in new[] { ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11 })
                foreach (var inText in new[] { true, false })
                    foreach (var isAsync in new[] { true, false })
                        ways.Add(kind, inText, isAsync);
            return ways;
        }
    }

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Ways))]
    public Task What_is_saved_is_there_for_others(ServerKind kind, bool inText, bool isAsync) => With(kind, inText, async create =>
    {
        await using var houses = create();
        var house = new House { Name = "a", Rooms = { new() { Name = "1" }, new() { Name = "2" } } };
        houses.AddRange(house, new House { Name = "b", Rooms = { new() { Name = "3" } } });
        Assert.Equal(5, await SaveAsync(houses, isAsync));
        await using var others = create();
        Assert.Equal([("a", "1,2"), ("b", "3")], Read(others));
        Assert.Equal(house.Id, others.Rooms.Single(static room => room.Name == "2").HouseId);

        house.Name = "c";
        houses.Remove(house.Rooms[0]);
        Assert.Equal(2, await SaveAsync(houses, isAsync));
        Assert.Equal([("b", "3"), ("c", "2")], Read(others));
    });

    [Theory, MemberData(nameof(Ways))]
    public Task What_fails_leaves_nothing_and_the_next_save_works(ServerKind kind, bool inText, bool isAsync) => With(kind, inText, async create =>
    {
        await using var houses = create();
        // The second text fails: the rooms follow the houses, whose keys they need.
        var room = new Room { Name = "same" };
        houses.AddRange(new House { Name = "a", Rooms = { new() { Name = "same" } } }, new House { Name = "b", Rooms = { room } });
        await Assert.ThrowsAsync<DbUpdateException>(() => SaveAsync(houses, isAsync));
        await using var others = create();
        Assert.Empty(Read(others));
        room.Name = "another";
        Assert.Equal(4, await SaveAsync(houses, isAsync));
        Assert.Equal([("a", "same"), ("b", "another")], Read(others));
    });

    [Theory, MemberData(nameof(Ways))]
    public Task A_conflict_rolls_back_what_was_inserted_before_it(ServerKind kind, bool inText, bool isAsync) => With(kind, inText, async create =>
    {
        await using var houses = create();
        var house = new House { Name = "a" };
        houses.Add(house);
        await SaveAsync(houses, isAsync);
        await houses.Houses.ExecuteDeleteAsync(Stop);
        house.Name = "gone";
        houses.Add(new House { Name = "new", Rooms = { new() { Name = "1" } } });
        await Assert.ThrowsAsync<DbUpdateConcurrencyException>(() => SaveAsync(houses, isAsync));
        await using var others = create();
        Assert.Empty(Read(others));
    });

    [Theory, MemberData(nameof(Ways))]
    public Task The_callers_own_transaction_stays_the_callers(ServerKind kind, bool inText, bool isAsync) => With(kind, inText, async create =>
    {
        await using var houses = create();
        await using (await houses.Database.BeginTransactionAsync(Stop))
        {
            houses.Add(new House { Name = "a", Rooms = { new() { Name = "1" } } });
            await SaveAsync(houses, isAsync);
            Assert.NotNull(houses.Database.CurrentTransaction);
        }

        await using var others = create();
        Assert.Empty(Read(others));
    });

    [Theory, MemberData(nameof(Ways))]
    public Task A_connection_that_the_caller_opened_is_left_without_a_transaction(ServerKind kind, bool inText, bool isAsync) =>
        With(kind, inText, async create =>
        {
            await using var houses = create();
            await houses.Database.OpenConnectionAsync(Stop);
            houses.AddRange(new House { Name = "a", Rooms = { new() { Name = "x" } } }, new House { Name = "b", Rooms = { new() { Name = "x" } } });
            await Assert.ThrowsAsync<DbUpdateException>(() => SaveAsync(houses, isAsync));
            houses.ChangeTracker.Clear();
            await houses.Database.ExecuteSqlRawAsync("INSERT INTO Houses (Name) VALUES ('kept')", Stop);
            await using var others = create();
            Assert.Equal([("kept", "")], Read(others));
            Assert.Equal(System.Data.ConnectionState.Open, houses.Database.GetDbConnection().State);
        });

    [Fact]
    public Task An_interceptor_of_transactions_is_refused() => With(ServerKind.MySql, true, async create =>
    {
        await using var houses = create();
        houses.Add(new House { Name = "a" });
        var refusal = await Assert.ThrowsAsync<InvalidOperationException>(() => houses.SaveChangesAsync(Stop));
        Assert.Contains(nameof(Watch), refusal.Message, StringComparison.Ordinal);
        Assert.Contains("EnableTransactionsInText", refusal.Message, StringComparison.Ordinal);
    }, new Watch());

    [Theory, MemberData(nameof(Ways))]
    public Task The_exception_of_an_interceptor_is_thrown_and_nothing_is_saved(ServerKind kind, bool inText, bool isAsync)
    {
        var trouble = new Trouble();
        return With(
            kind, inText,
            async create =>
            {
                await using var houses = create();
                await houses.Database.OpenConnectionAsync(Stop);
                houses.Add(new House { Name = "a", Rooms = { new() { Name = "1" } } });
                trouble.IsMade = true;
                var update = await Assert.ThrowsAsync<DbUpdateException>(() => SaveAsync(houses, isAsync));
                Assert.Equal("made by a test", update.InnerException?.Message);
                trouble.IsMade = false;
                await using var others = create();
                Assert.Empty(Read(others));
                Assert.Equal(2, await SaveAsync(houses, isAsync));
                Assert.Equal([("a", "1")], Read(others));
            },
            trouble);
    }

    private static Task<int> SaveAsync(Street houses, bool isAsync) => isAsync ? houses.SaveChangesAsync(Stop) : Task.Run(() => houses.SaveChanges());

    private static List<(string, string)> Read(Street houses) => houses.Houses.AsNoTracking().Include(static house => house.Rooms)
        .OrderBy(static house => house.Name).AsEnumerable()
        .Select(static house => (house.Name, string.Join(',', house.Rooms.Select(static room => room.Name).Order()))).ToList();

    private static Task With(ServerKind kind, bool inText, Func<Func<Street>, Task> test, params IInterceptor[] interceptors) =>
        Servers.WithDatabaseAsync(kind, static options => new Street(options), test, options => options.EnableTransactionsInText(inText), interceptors);

    private sealed class Watch : DbTransactionInterceptor
    {
        public override InterceptionResult<DbTransaction> TransactionStarting(
            DbConnection connection, TransactionStartingEventData eventData, InterceptionResult<DbTransaction> result) => result;
    }

    private sealed class Street(DbContextOptions options) : DbContext(options)
    {
        public DbSet<House> Houses => Set<House>();

        public DbSet<Room> Rooms => Set<Room>();

        protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.Entity<Room>().HasIndex(static room => room.Name).IsUnique();
    }

    private sealed class House
    {
        public int Id { get; set; }

        public string Name { get; set; } = "";

        public List<Room> Rooms { get; } = [];
    }

    private sealed class Room
    {
        public int Id { get; set; }

        public int HouseId { get; set; }

        public string Name { get; set; } = "";
    }

    private sealed class Trouble : DbCommandInterceptor
    {
        public bool IsMade { get; set; }

        public override DbDataReader ReaderExecuted(DbCommand command, CommandExecutedEventData eventData, DbDataReader result) =>
            IsMade ? throw new InvalidOperationException("made by a test") : result;

        public override ValueTask<DbDataReader> ReaderExecutedAsync(
            DbCommand command, CommandExecutedEventData eventData, DbDataReader result, CancellationToken cancellationToken = default) =>
            new(ReaderExecuted(command, eventData, result));
    }
}
