using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live.Temporal;

/// <summary>Queries of the past in temporal tables of MariaDB, in sessions of several time zones.</summary>
public sealed class TemporalTests
{
    public static TheoryData<ServerKind, string> Zones { get; } = new()
    {
        { ServerKind.MariaDb, "+00:00" }, { ServerKind.MariaDb, "-05:30" }, { ServerKind.MariaDb11, "+13:00" }, { ServerKind.MariaDb11, "SYSTEM" },
    };

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Zones))]
    public Task Versions_are_those_of_their_time(ServerKind kind, string zone) => WithStaffAsync(kind, zone, static async (staff, moments) =>
    {
        var people = staff.Set<Person>();
        Assert.Equal([], await NamesAsync(people.TemporalAsOf(moments[0])));
        Assert.Equal(["Ann 1", "Bob 1"], await NamesAsync(people.TemporalAsOf(moments[1])));
        Assert.Equal(["Ann 2", "Bob 1"], await NamesAsync(people.TemporalAsOf(moments[2])));
        Assert.Equal(["Ann 2"], await NamesAsync(people.TemporalAsOf(moments[3])));
        Assert.Equal(["Ann 2"], await NamesAsync(people));
        // A moment of the local time is converted, and one of no time zone is in UTC.
        Assert.Equal(["Ann 1", "Bob 1"], await NamesAsync(people.TemporalAsOf(moments[1].ToLocalTime())));
        Assert.Equal(["Ann 1", "Bob 1"], await NamesAsync(people.TemporalAsOf(DateTime.SpecifyKind(moments[1], DateTimeKind.Unspecified))));

        Assert.Equal(["Ann 1", "Ann 2", "Bob 1"], await NamesAsync(people.TemporalAll()));
        Assert.Equal(["Ann 1", "Bob 1"], await NamesAsync(people.TemporalFromTo(moments[0], moments[1])));
        Assert.Equal(["Ann 2", "Bob 1"], await NamesAsync(people.TemporalBetween(moments[2], moments[3])));
        Assert.Equal(["Ann 1"], await NamesAsync(people.TemporalContainedIn(moments[0], moments[2])));
        Assert.Equal(["Ann 1", "Bob 1"], await NamesAsync(people.TemporalContainedIn(moments[0], moments[3])));

        // The borders: a version begins at its start, and is over at its end.
        var ann = await people.TemporalAll().Where(static p => p.Name == "Ann 1").Select(static p => new
        {
            Start = EF.Property<DateTime>(p, "PeriodStart"), End = EF.Property<DateTime>(p, "PeriodEnd"),
        }).SingleAsync(Stop);
        Assert.InRange(ann.Start, moments[0], moments[1]);
        Assert.InRange(ann.End, moments[1], moments[2]);
        Assert.Contains("Ann 1", await NamesAsync(people.TemporalAsOf(ann.Start)));
        Assert.DoesNotContain("Ann 1", await NamesAsync(people.TemporalAsOf(ann.Start.AddTicks(-1))));
        Assert.Contains("Ann 1", await NamesAsync(people.TemporalAsOf(ann.End.AddTicks(-1))));
        Assert.Equal("Ann 2", (await NamesAsync(people.TemporalAsOf(ann.End)))[0]);
        Assert.DoesNotContain("Ann 1", await NamesAsync(people.TemporalFromTo(moments[0], ann.Start)));
        Assert.Contains("Ann 1", await NamesAsync(people.TemporalBetween(moments[0], ann.Start)));
        Assert.Contains("Ann 1", await NamesAsync(people.TemporalContainedIn(ann.Start, ann.End)));
        Assert.DoesNotContain("Ann 1", await NamesAsync(people.TemporalContainedIn(ann.Start, ann.End.AddTicks(-1))));
    });

    [Theory, MemberData(nameof(Zones))]
    public Task Periods_are_in_UTC_in_conditions_orders_groups_and_subqueries(ServerKind kind, string zone) => WithStaffAsync(
        kind, zone, static async (staff, moments) =>
        {
            var (people, first, second) = (staff.Set<Person>(), moments[1], moments[2]);
            Assert.Equal(["Ann 2"], await NamesAsync(people.Where(p => EF.Property<DateTime>(p, "PeriodStart") > first)));
            Assert.Equal(["Ann 2"], await NamesAsync(people.Where(p => EF.Property<DateTime>(p, "PeriodStart") <= second)));
            Assert.Equal([], await NamesAsync(people.Where(p => EF.Property<DateTime>(p, "PeriodStart") > second)));
            Assert.Equal(["Ann 1", "Bob 1"], await NamesAsync(people.TemporalAll().Where(p => EF.Property<DateTime>(p, "PeriodEnd") < moments[3])));
            Assert.Equal(
                ["Ann 1", "Bob 1", "Ann 2"],
                await people.TemporalAll().OrderBy(static p => EF.Property<DateTime>(p, "PeriodStart")).ThenBy(static p => p.Id).Select(static p => p.Name)
                    .ToListAsync(Stop));
            // The moment goes through derived tables unchanged.
            var latest = await people.TemporalAll().GroupBy(static p => p.Id).Select(static g => new
            {
                g.Key, Last = g.Max(static p => EF.Property<DateTime>(p, "PeriodStart")),
            }).OrderBy(static g => g.Key).Take(5).Where(g => g.Last > first).ToListAsync(Stop);
            Assert.Equal([1], latest.Select(static g => g.Key));
            Assert.InRange(latest[0].Last, moments[1], moments[2]);
            var inner = await people.OrderBy(static p => p.Id).Take(3).Select(static p => new { Start = EF.Property<DateTime>(p, "PeriodStart"), p.Name })
                .Distinct().Where(p => p.Start > first).SingleAsync(Stop);
            Assert.InRange(inner.Start, moments[1], moments[2]);
            Assert.Equal(
                1, await staff.Set<Team>().CountAsync(t => t.People.Any(p => EF.Property<DateTime>(p, "PeriodStart") > first), Stop));
            Assert.Equal(1, await people.Where(p => EF.Property<DateTime>(p, "PeriodStart") > first).ExecuteUpdateAsync(
                static set => set.SetProperty(static p => p.Name, static p => p.Name + "!"), Stop));
            Assert.Equal(["Ann 2!"], await NamesAsync(people));
            Assert.Equal(
                1, await people.Where(p => people.Any(q => q.Id == p.Id && EF.Property<DateTime>(q, "PeriodEnd") > moments[3])).ExecuteDeleteAsync(Stop));
        });

    [Theory, MemberData(nameof(Zones))]
    public Task Navigations_lead_to_the_same_moment(ServerKind kind, string zone) => WithStaffAsync(kind, zone, static async (staff, moments) =>
    {
        foreach (var isSplit in (bool[])[false, true])
        {
            var query = staff.Set<Team>().TemporalAsOf(moments[1]).Include(static t => t.People).ThenInclude(static p => p.Skills)
                .Include(static t => t.Notes).OrderBy(static t => t.Id);
            var teams = await (isSplit ? query.AsSplitQuery() : query.AsSingleQuery()).ToListAsync(Stop);
            Assert.Equal(
                ["red: Ann 1 (knits), Bob 1 () [first] at 1 Old Road"],
                teams.Select(static t =>
                    $"{t.Name}: {string.Join(", ", t.People.OrderBy(static p => p.Id).Select(Describe))} [{Notes(t)}] at {t.Place.Street}"));
            Assert.Empty(staff.ChangeTracker.Entries());
            var now = await staff.Set<Team>().TemporalAsOf(moments[3]).Include(static t => t.People).ThenInclude(static p => p.Skills)
                .Include(static t => t.Notes).SingleAsync(Stop);
            Assert.Equal(
                "blue: Ann 2 (knits, sews) [first, second] at 2 New Road",
                $"{now.Name}: {string.Join(", ", now.People.Select(Describe))} [{Notes(now)}] at {now.Place.Street}");
        }

        Assert.Equal(
            ["Ann 1 red", "Bob 1 red"],
            await staff.Set<Person>().TemporalAsOf(moments[1]).OrderBy(static p => p.Id).Select(static p => p.Name + " " + p.Team.Name).ToListAsync(Stop));
        Assert.Equal(
            2, await staff.Set<Team>().TemporalAsOf(moments[1]).Where(static t => t.People.Count == 2).SelectMany(static t => t.People).CountAsync(Stop));
        Assert.Equal(
            1, await staff.Set<Team>().TemporalAsOf(moments[1]).Select(static t => t.Notes.Count).SingleAsync(Stop));
        // The past and the present in one query.
        Assert.Equal(
            ["Ann 1 > Ann 2", "Bob 1 > gone"],
            await staff.Set<Person>().TemporalAsOf(moments[1]).OrderBy(static p => p.Id).Select(p =>
                p.Name + " > " + (staff.Set<Person>().Where(q => q.Id == p.Id).Select(static q => q.Name).FirstOrDefault() ?? "gone")).ToListAsync(Stop));
        Assert.Equal(
            ["Ann 1 Ann 2"],
            await (from old in staff.Set<Person>().TemporalAsOf(moments[1]) join now in staff.Set<Person>() on old.Id equals now.Id
                   select old.Name + " " + now.Name).ToListAsync(Stop));
        Assert.Equal(
            ["Ann 1 Ann 2", "Bob 1 -"],
            await (from old in staff.Set<Person>().TemporalAsOf(moments[1])
                   join later in staff.Set<Person>().TemporalAsOf(moments[3]) on old.Id equals later.Id into all
                   from later in all.DefaultIfEmpty() orderby old.Id select old.Name + " " + (later == null ? "-" : later.Name)).ToListAsync(Stop));
    });

    [Theory, MemberData(nameof(Zones))]
    public Task Saving_reads_the_period_back(ServerKind kind, string zone) => WithStaffAsync(kind, zone, static async (staff, moments) =>
    {
        var team = await staff.Set<Team>().SingleAsync(Stop);
        Assert.InRange(Start(team), moments[1], moments[2]);
        var added = new[] { new Person { Name = "Cid", TeamId = team.Id }, new Person { Name = "Dan", TeamId = team.Id } };
        staff.AddRange(added);
        team.Name = "green";
        await staff.SaveChangesAsync(Stop);
        var last = await NowAsync(staff);
        Assert.All([team, .. added.Cast<object>()], entity => Assert.InRange(Start(entity), moments[3], last));
        Assert.All(added, person => Assert.True((DateTime)staff.Entry(person).Property("PeriodEnd").CurrentValue! > last.AddYears(5)));
        var starts = added.Select(Start).ToList();
        staff.ChangeTracker.Clear();
        Assert.Equal(
            starts,
            await staff.Set<Person>().Where(static p => p.Name == "Cid" || p.Name == "Dan").OrderBy(static p => p.Id)
                .Select(static p => EF.Property<DateTime>(p, "PeriodStart")).ToListAsync(Stop));
        var cid = await staff.Set<Person>().SingleAsync(static p => p.Name == "Cid", Stop);
        staff.Remove(cid);
        staff.SaveChanges();
        Assert.Equal(["Ann 2", "Cid", "Dan"], await NamesAsync(staff.Set<Person>().TemporalAsOf(last)));

        DateTime Start(object entity) => (DateTime)staff.Entry(entity).Property("PeriodStart").CurrentValue!;
    });

    [Theory, InlineData(ServerKind.MariaDb), InlineData(ServerKind.MariaDb11)]
    public Task What_would_be_wrong_is_refused(ServerKind kind) => WithStaffAsync(kind, "+00:00", static async (staff, moments) =>
    {
        var (people, teams, moment) = (staff.Set<Person>(), staff.Set<Team>(), moments[1]);
        await Refused("identity resolution", () => people.TemporalAll().AsTracking().ToListAsync(Stop));
        await Refused("identity resolution", () => people.TemporalAll().AsNoTrackingWithIdentityResolution().ToListAsync(Stop));
        await Refused("versions of several moments", () => teams.TemporalAll().Include(static t => t.People).ToListAsync(Stop));
        await Refused("'Town', which is not temporal", () => teams.TemporalAsOf(moment).Select(static t => t.Town!.Name).ToListAsync(Stop));
        await Refused("'Town' is not temporal", () => staff.Set<Town>().TemporalAll().ToListAsync(Stop));
        await Refused(
            "different moments",
            () => teams.TemporalAsOf(moment).Concat(teams.TemporalAsOf(moments[3])).Select(static t => t.People.Count).ToListAsync(Stop));
        await Refused("versions of several moments", () => teams.TemporalAll().ToListAsync(Stop));
        await Refused(
            "of one moment, by TemporalAsOf",
            () => (from old in teams.TemporalAsOf(moment) join now in teams on old.Id equals now.Id select new { old, now }).ToListAsync(Stop));
        await Assert.ThrowsAsync<InvalidOperationException>(() => people.TemporalAsOf(moment).ExecuteDeleteAsync(Stop));
        // Tracked because it was asked for, and of one moment.
        Assert.Equal("Ann 1", (await people.TemporalAsOf(moment).AsTracking().SingleAsync(static p => p.Id == 1, Stop)).Name);

        static async Task Refused<T>(string text, Func<Task<T>> query) =>
            Assert.Contains(text, (await Assert.ThrowsAsync<InvalidOperationException>(query)).Message, StringComparison.Ordinal);
    });

    private static string Describe(Person person) => $"{person.Name} ({string.Join(", ", person.Skills.Select(static s => s.Name).Order())})";

    private static string Notes(Team team) => string.Join(", ", team.Notes.Select(static n => n.Text).Order());

    private static Task<List<string>> NamesAsync(IQueryable<Person> people) => people.Select(static p => p.Name).OrderBy(static n => n).ToListAsync(Stop);

    // The time is the server's.
    private static async Task<DateTime> NowAsync(DbContext context)
    {
        await Task.Delay(2, Stop);
        var now = await context.Database.SqlQuery<DateTime>($"SELECT UTC_TIMESTAMP(6) AS `Value`").SingleAsync(Stop);
        await Task.Delay(2, Stop);
        return DateTime.SpecifyKind(now, DateTimeKind.Utc);
    }

    // Four moments: before everything, and after each change.
    private static Task WithStaffAsync(ServerKind kind, string zone, Func<DbContext, DateTime[], Task> test) => Servers.WithDatabaseAsync(
        kind, static options => new AnyModel(options, Staff),
        async open =>
        {
            await using var staff = open();
            await staff.Database.OpenConnectionAsync(Stop);
            await staff.Database.ExecuteSqlAsync($"SET time_zone = {zone}", Stop);
            var moments = new DateTime[4];
            moments[0] = await NowAsync(staff);
            var (ann, bob) = (new Person { Name = "Ann 1", Skills = { new() { Name = "knits" } } }, new Person { Name = "Bob 1" });
            var team = new Team
            {
                Name = "red", Town = new() { Name = "A" }, Place = new() { Street = "1 Old Road" }, Notes = { new() { Text = "first" } }, People = { ann, bob },
            };
            staff.Add(team);
            await staff.SaveChangesAsync(Stop);
            moments[1] = await NowAsync(staff);
            ann.Name = "Ann 2";
            ann.Skills.Add(new() { Name = "sews" });
            (team.Name, team.Place.Street) = ("blue", "2 New Road");
            team.Notes.Add(new() { Text = "second" });
            await staff.SaveChangesAsync(Stop);
            moments[2] = await NowAsync(staff);
            staff.Remove(bob);
            await staff.SaveChangesAsync(Stop);
            moments[3] = await NowAsync(staff);
            staff.ChangeTracker.Clear();
            await test(staff, moments);
        });

    internal static void Staff(ModelBuilder model)
    {
        model.Entity<Team>(static team =>
        {
            team.ToTable("teams", static table => table.IsTemporal());
            team.OwnsOne(static t => t.Place);
            team.OwnsMany(static t => t.Notes, static notes => notes.ToTable("notes", static table => table.IsTemporal()));
        });
        model.Entity<Person>(static person =>
        {
            person.ToTable("people", static table => table.IsTemporal());
            person.HasMany(static p => p.Skills).WithMany().UsingEntity("person_skill", static join => join.ToTable(static table => table.IsTemporal()));
        });
        model.Entity<Skill>().ToTable(static table => table.IsTemporal(static period =>
        {
            period.HasPeriodStart(nameof(Skill.Since)).HasColumnName("since");
            period.HasPeriodEnd("Until");
        }));
        model.Entity<Town>();
    }

    private sealed class Team
    {
        public int Id { get; set; }

        public string Name { get; set; } = "";

        public Town? Town { get; set; }

        public Place Place { get; set; } = new();

        public List<Note> Notes { get; } = [];

        public List<Person> People { get; } = [];
    }

    private sealed class Place
    {
        public string Street { get; set; } = "";
    }

    private sealed class Note
    {
        public int Id { get; set; }

        public string Text { get; set; } = "";
    }

    private sealed class Person
    {
        public int Id { get; set; }

        public string Name { get; set; } = "";

        public int TeamId { get; set; }

        public Team Team { get; set; } = null!;

        public List<Skill> Skills { get; } = [];
    }

    private sealed class Skill
    {
        public int Id { get; set; }

        public string Name { get; set; } = "";

        public DateTime Since { get; set; }
    }

    private sealed class Town
    {
        public int Id { get; set; }

        public string Name { get; set; } = "";
    }
}
