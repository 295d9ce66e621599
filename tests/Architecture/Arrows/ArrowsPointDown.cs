namespace Slipstream.Architecture.Arrows;

/// <summary>
/// Checks that each type of the shipped assemblies uses only types of its own floor or of floors that Floors.cs allows. There are no exceptions.
/// </summary>
public class ArrowsPointDown
{
    [Fact]
    public void Every_folder_has_its_floor() =>
        Report.Empty(FileUses.All.SelectMany(static use => (string[])[use.From, use.To]).Distinct().Where(static file => Floors.RowOf(file) is null)
            .Select(static file => $"src/{file}: its folder is not in the table of Floors.cs").Order(StringComparer.Ordinal));

    [Fact]
    public void Lower_floors_never_use_higher_ones() =>
        Report.Empty(FileUses.All.Where(static use => PointsUp(use)).Select(static use =>
            $"{use.From} uses a type that {use.To} declares, on a floor that Floors.cs does not allow to it"));

    // Folders of one floor may still depend on each other.
    // The rooms of Data do so by nature: connection, command, reader.
    [Fact]
    public void Folders_do_not_use_each_other() =>
        Report.Empty(Circles.In(FileUses.All.Where(static use => !PointsUp(use)).Select(static use => (Room(use.From), Room(use.To))))
            .Select(static circle => $"{circle}: each of these folders uses the others, directly or through them"));

    // Tests the check: each of these is a way to use a type, which the check must find.
    [Theory]
    [InlineData(nameof(Samples.Base))]
    [InlineData(nameof(Samples.IInterface))]
    [InlineData(nameof(Samples.IConstraint))]
    [InlineData(nameof(Samples.MarkAttribute))]
    [InlineData(nameof(Samples.FieldType))]
    [InlineData(nameof(Samples.Argument))]
    [InlineData(nameof(Samples.Parameter))]
    [InlineData(nameof(Samples.Result))]
    [InlineData(nameof(Samples.Called))]
    [InlineData(nameof(Samples.CaughtException))]
    [InlineData(nameof(Samples.InClosure))]
    [InlineData(nameof(Samples.AfterAwait))]
    [InlineData(nameof(Samples.Outer))]
    public void A_use_is_seen(string type)
    {
        using var tests = new TypeUses(typeof(ArrowsPointDown).Assembly.Location);
        var samples = typeof(Samples.Base).Namespace;
        var uses = tests.All().Where(use => (use.User, use.Used) == ($"{samples}.User`1", $"{samples}.{type}"));
        Assert.Equal(["UserSample.cs"], uses.Select(static use => Path.GetFileName(use.File)));
    }

    [Theory]
    [InlineData("PostgreSql/Codecs/Numbers.cs", "Slipstream.PostgreSql.Kind")]
    [InlineData("MySql/Codecs/Numbers.cs", "Slipstream.Core.Data.Kind")]
    [InlineData("PostgreSql/Data/Kind.cs", null)]
    public void A_use_of_a_constant_is_seen(string file, string? type)
    {
        var declarations = new Dictionary<string, string>
        {
            ["Slipstream.PostgreSql.Kind"] = "PostgreSql/Data/Kind.cs",
            ["Slipstream.Core.Data.Kind"] = "Core/Data/Kind.cs",
        };
        var constants = declarations.Keys.Select(static type => new Constant("Kind", "First", type));
        var uses = ConstantUses.In([(file, "case Kind.First when Kind.Third:")], constants, declarations);
        Assert.Equal(type is null ? [] : [type], uses.Select(static use => use.Used));
    }

    [Fact]
    public void A_circle_is_seen_once_with_all_its_folders() =>
        Assert.Equal(["a b c", "d e"], Circles.In([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "d"), ("f", "a"), ("a", "a")]));

    [Fact]
    public void Every_type_has_its_file()
    {
        foreach (var assembly in ShippedPackages.Names)
        {
            using var types = new TypeUses(TheCoreAssembly.Built($"{assembly}.dll"));
            Assert.All(types.Declarations(), static declaration => Assert.Contains("/src/", declaration.File));
        }
    }

    private static string Room(string file) =>
        Floors.RowOf(file) is { } row && (row.EndsWith("/Data", StringComparison.Ordinal) || row.EndsWith("/Types", StringComparison.Ordinal))
            ? row
            : Floors.FolderOf(file);

    private static bool PointsUp((string From, string To) use) =>
        Floors.RowOf(use.From) is { } from && Floors.RowOf(use.To) is { } to && !Floors.MayUse(from, to);
}
