using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>Texts out of JSON are compared with columns as the collations of the columns say.</summary>
public sealed class JsonCollationTests
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    // MySQL's default is utf8mb4_0900_ai_ci, and MariaDB's utf8mb4_general_ci or utf8mb4_uca1400_ai_ci. A text that is compared in binary would be found
    // by its bytes only.
    [Theory, MemberData(nameof(Kinds))]
    public Task A_list_in_one_parameter_is_compared_as_each_column_says(ServerKind kind) => WithWordsAsync(kind, static async words =>
    {
        string[] sought = ["STRASSE", "x"];
        Assert.Equal([1, 2], await Ids(words.Where(w => EF.Parameter(sought).Contains(w.Swedish))));
        Assert.Equal([1, 2], await Ids(words.Where(w => EF.Parameter(sought).Contains(w.Unicode))));
        Assert.Equal([2], await Ids(words.Where(w => EF.Parameter(sought).Contains(w.Binary))));
        Assert.Equal([1, 2], await Ids(words.Where(w => EF.Parameter(sought).Any(s => s == w.Swedish))));
        Assert.Equal([1, 2], await Ids(words.Where(w => EF.Parameter(sought).Contains(w.Plain))));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task A_collection_in_a_column_is_compared_as_another_column_says(ServerKind kind) => WithWordsAsync(kind, static async words =>
    {
        Assert.Equal([1, 2], await Ids(words.Where(static w => w.List.Contains(w.Swedish))));
        Assert.Equal([1, 2], await Ids(words.Where(static w => w.List.Contains(w.Unicode))));
        Assert.Equal([2], await Ids(words.Where(static w => w.List.Any(s => w.Binary == s))));
    });

    private static Task<List<int>> Ids(IQueryable<Word> words) => words.OrderBy(static w => w.Id).Select(static w => w.Id).ToListAsync(Stop);

    private static Task WithWordsAsync(ServerKind kind, Func<IQueryable<Word>, Task> test) => Servers.WithDatabaseAsync(
        kind, static options => new AnyModel(options, Build), async open =>
        {
            await using var context = open();
            foreach (var (id, text) in ((int, string)[])[(1, "strasse"), (2, "STRASSE"), (3, "other")])
                context.Add(new Word { Id = id, Swedish = text, Unicode = text, Binary = text, Plain = text, List = ["STRASSE"] });
            await context.SaveChangesAsync(Stop);
            await test(context.Set<Word>());
        });

    private static void Build(ModelBuilder model) => model.Entity<Word>(static word =>
    {
        word.Property(static w => w.Id).ValueGeneratedNever();
        word.Property(static w => w.Swedish).HasMaxLength(20).UseCollation("utf8mb4_swedish_ci");
        word.Property(static w => w.Unicode).HasMaxLength(20).UseCollation("utf8mb4_unicode_ci");
        word.Property(static w => w.Binary).HasMaxLength(20).UseCollation("utf8mb4_bin");
        word.Property(static w => w.Plain).HasMaxLength(20);
    });

    private sealed class Word
    {
        public int Id { get; set; }

        public string Swedish { get; set; } = "";

        public string Unicode { get; set; } = "";

        public string Binary { get; set; } = "";

        public string Plain { get; set; } = "";

        public List<string> List { get; set; } = [];
    }
}
