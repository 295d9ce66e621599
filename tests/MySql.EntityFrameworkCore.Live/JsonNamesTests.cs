using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>Documents whose names and texts have characters that are not ASCII, which EF Core escapes, and MariaDB does not find then.</summary>
public sealed class JsonNamesTests
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public Task A_part_that_was_saved_is_found(ServerKind kind) => WithHousesAsync(kind, static async open =>
    {
        await using var houses = open();
        var house = await houses.Set<House>().SingleAsync(Stop);
        house.Owner.Größe = 2;
        house.Owner.Straße.Name = "Große Gasse";
        await houses.SaveChangesAsync(Stop);
        Assert.Equal(1, await houses.Set<House>().CountAsync(static h => h.Owner.Größe == 2 && h.Owner.Straße.Name == "Große Gasse", Stop));
        Assert.Equal(0, await houses.Set<House>().CountAsync(static h => h.Owner.Größe == 1 || h.Owner.Straße.Name == "Weg's <1> & \"\U0001F600\"", Stop));
        await using var others = open();
        var same = await others.Set<House>().AsNoTracking().SingleAsync(Stop);
        Assert.Equal((2, "Große Gasse"), (same.Owner.Größe, same.Owner.Straße.Name));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task A_part_that_was_updated_is_found(ServerKind kind) => WithHousesAsync(kind, static async open =>
    {
        await using var houses = open();
        await houses.Set<House>().ExecuteUpdateAsync(
            static set => set.SetProperty(static h => h.Place.Größe, static h => h.Place.Größe + 1)
                .SetProperty(static h => h.Place.Nächste.Name, static h => h.Place.Straße.Name), Stop);
        Assert.Equal(
            (4, "Weg's <1> & \"\U0001F600\""), await houses.Set<House>().Select(static h => new ValueTuple<int, string>(h.Place.Größe, h.Place.Nächste.Name))
                .SingleAsync(Stop));
        Assert.Equal(4, (await houses.Set<House>().AsNoTracking().SingleAsync(Stop)).Place.Größe);
    });

    // MariaDB compares the texts of strings as they are.
    [Theory, MemberData(nameof(Kinds))]
    public Task A_document_that_was_updated_equals_an_object(ServerKind kind) => WithHousesAsync(kind, static async open =>
    {
        await using var houses = open();
        var street = new Street { Name = "Weg's <1> & \"\U0001F600\"", Worte = ["é", "\n\u0001"] };
        Assert.Equal(1, await houses.Set<House>().CountAsync(h => h.Place.Straße == street, Stop));
        await houses.Set<House>().ExecuteUpdateAsync(static set => set.SetProperty(static h => h.Place.Straße.Name, "Große \"Gasse\" \\ 'x'"), Stop);
        street.Name = "Große \"Gasse\" \\ 'x'";
        Assert.Equal(1, await houses.Set<House>().CountAsync(h => h.Place.Straße == street, Stop));
    });

    private static Task WithHousesAsync(ServerKind kind, Func<Func<Houses>, Task> test) =>
        Servers.WithDatabaseAsync(kind, static options => new Houses(options), async open =>
        {
            await using (var houses = open())
            {
                Street first = new() { Name = "Weg's <1> & \"\U0001F600\"", Worte = ["é", "\n\u0001"] }, second = new() { Name = "Allee" };
                houses.Add(new House
                {
                    Owner = new() { Größe = 1, Straße = new() { Name = first.Name } },
                    Place = new() { Größe = 3, Straße = first, Nächste = second },
                });
                await houses.SaveChangesAsync(Stop);
            }

            await test(open);
        });

    private sealed class Houses(DbContextOptions options) : DbContext(options)
    {
        protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.Entity<House>(static house =>
        {
            house.ComplexProperty(static h => h.Place, static place =>
            {
                place.ToJson();
                place.ComplexProperty(static p => p.Straße);
                place.ComplexProperty(static p => p.Nächste);
            });
            house.OwnsOne(static h => h.Owner, static owner =>
            {
                owner.ToJson();
                owner.OwnsOne(static o => o.Straße);
            });
        });
    }

    private sealed class House
    {
        public int Id { get; set; }

        public Place Place { get; set; } = new();

        public Owner Owner { get; set; } = new();
    }

    private sealed class Owner
    {
        public int Größe { get; set; }

        public Lane Straße { get; set; } = new();
    }

    private sealed class Lane
    {
        public string Name { get; set; } = "";
    }

    private sealed class Place
    {
        public int Größe { get; set; }

        public Street Straße { get; set; } = new();

        public Street Nächste { get; set; } = new();
    }

    private sealed class Street
    {
        public string Name { get; set; } = "";

        public List<string> Worte { get; set; } = [];
    }
}
