using System.Reflection;
using System.Runtime.Loader;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Slipstream.Equivalence.Comparing;
using Slipstream.Equivalence.Generating;
using Slipstream.Equivalence.Language;
using Slipstream.Equivalence.Running;
using Slipstream.Lab;

namespace Slipstream.Equivalence.Tests;

/// <summary>What a finding is printed as compiles, and runs against a server.</summary>
public class PrintedTests
{
    private static readonly CSharpParseOptions Parsing =
        CSharpParseOptions.Default.WithLanguageVersion(LanguageVersion.Latest).WithFeatures([new("FileBasedProgram", "true")]);

    private static readonly Lazy<IReadOnlyList<MetadataReference>> References = new(static () =>
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!)
            .Split(Path.PathSeparator)
            .Where(static path => path.EndsWith(".dll", StringComparison.Ordinal))
            .Select(static path => MetadataReference.CreateFromFile(path)),
    ]);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_program_of_each_kind_of_step_is_a_file_that_compiles(bool isPostgreSql)
    {
        var generator = Generator.For(new("eq_1", [new Setting("sql_mode", ["''"])], IsMariaDb: true, ForPeers: false), isPostgreSql);
        var missing = Kinds(isPostgreSql);
        var pairs = Pair.All(isPostgreSql);
        for (var seed = 1; missing.Count > 0 && seed <= 20000; seed++)
        {
            var program = generator.Create(seed);
            if (!IsNew(program, missing))
                continue;
            var pair = pairs[seed % pairs.Count];
            Compiled(pair.AsCSharp(program, new(isPostgreSql, "CREATE TABLE t", "eq_1", ["SELECT 1"])));
        }

        Assert.Empty(missing);
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.PostgreSql)]
    public async Task A_printed_program_runs_and_shows_no_difference_where_there_is_none(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        var isPostgreSql = kind.IsPostgreSql();
        await using var world = await World.CreateAsync(server, 92);
        var generator = Generator.For(new(world.Database, world.Settings, IsMariaDb: false, ForPeers: false, OneByOne: true), isPostgreSql);
        var missing = Kinds(isPostgreSql);
        // By timing, or by waiting for it, differences come and go; the file is the same.
        missing.ExceptWith([nameof(StoppedStep), nameof(LookStep)]);
        missing.RemoveWhere(static kind => kind.StartsWith("by ", StringComparison.Ordinal) || kind.StartsWith("leaves ", StringComparison.Ordinal));
        for (var seed = 1; missing.Count > 0 && seed <= 6000; seed++)
        {
            var program = generator.Create(seed);
            if (program.Steps.Any(static step => step is StoppedStep or LookStep) || !IsNew(program, missing))
                continue;
            Assert.Equal(0, await RunAsync(Pair.All(isPostgreSql)[0].AsCSharp(program, world.Stage), server, isPostgreSql, world.Database));
        }

        Assert.Empty(missing);
    }

    [Fact]
    public async Task A_printed_program_shows_the_difference_that_it_was_printed_for()
    {
        var server = await LiveServers.GetAsync(ServerKind.MySql);
        await using var world = await World.CreateAsync(server, 93);
        var pair = new Pair("planted", new("as it is", Driver.MySql, ""), new("planted", Driver.MySql, "Treat Tiny As Boolean=false"));
        var program = new EquivalenceProgram(1, 1, [new OpenStep(0), new CommandStep(0, "query", Text.Of("SELECT ti FROM k1 WHERE k = 1"), Verb.Reader)]);

        Assert.Equal(1, await RunAsync(pair.AsCSharp(program, world.Stage), server, isPostgreSql: false, world.Database));
    }

    private static HashSet<string> Kinds(bool isPostgreSql) =>
    [
        nameof(OpenStep), nameof(CloseStep), nameof(BatchStep), nameof(BulkStep), nameof(OutsideStep), nameof(StoppedStep), nameof(LookStep),
        nameof(PoolKilledStep), nameof(LeaseKilledStep),
        "enlist", "enlist two", "large rows",
        .. Enum.GetNames<TransactionVerb>(),
        .. Enum.GetNames<Reading>().Where(name => isPostgreSql || name != nameof(Reading.OtherTypes)).Select(static name => "by " + name),
        .. Enum.GetNames<Leaving>().Select(static name => "leaves " + name),
        .. isPostgreSql
            ?
            [
                .. Enum.GetNames<CopyForm>().Select(static name => "copy " + name), .. Enum.GetNames<Hearing>().Select(static name => "notifications " + name),
                "reload types", "ddl type fresh", "large object create", "large object write", "large object read", "batch with barriers", "types parameters",
            ]
            : (string[])[nameof(ChangeDatabaseStep), "procedure outputs"],
    ];

    // Whether it has a step of a kind that was missing.
    private static bool IsNew(EquivalenceProgram program, HashSet<string> missing)
    {
        var before = missing.Count;
        missing.ExceptWith(program.Steps.Select(Kind));
        return missing.Count < before;
    }

    private static string Kind(Step step) => step switch
    {
        CommandStep { Kind: "large rows" or "procedure outputs" or "types parameters" } or EnlistStep => step.Kind,
        CopyStep or NotificationsStep or ReloadTypesStep or FreshTypeStep or LargeObjectStep or BatchStep { Kind: "batch with barriers" } => step.Kind,
        CommandStep { Verb: Verb.Reader } command when command.Read.Leaves != Leaving.Dispose => "leaves " + command.Read.Leaves,
        CommandStep { Verb: Verb.Reader } command => command.Read.By == Reading.Values ? "leaves Dispose" : "by " + command.Read.By,
        BatchStep { Verb: Verb.Reader, Read.By: Reading.Values } => "by Values",
        TransactionStep transaction => transaction.Verb.ToString(),
        _ => step.GetType().Name,
    };

    private static MemoryStream Compiled(string file)
    {
        var compilation = CSharpCompilation.Create("finding", [CSharpSyntaxTree.ParseText(file, Parsing)], References.Value,
            new CSharpCompilationOptions(OutputKind.ConsoleApplication, nullableContextOptions: NullableContextOptions.Enable));
        var image = new MemoryStream();
        var result = compilation.Emit(image);
        Assert.True(
            result.Success, string.Join('\n', result.Diagnostics.Where(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error)) + "\n" + file);
        image.Position = 0;
        return image;
    }

    private static async Task<int> RunAsync(string file, LabServer server, bool isPostgreSql, string database)
    {
        var context = new AssemblyLoadContext("finding", isCollectible: true);
        try
        {
            var main = context.LoadFromStream(Compiled(file)).GetType("Finding")!.GetMethod("Run", BindingFlags.Public | BindingFlags.Static)!;
            var (name, tls) =
                isPostgreSql
                    ? ("Host", $"Database={database};SSL Mode=Disable")
                    : ("Server", "SSL Mode=None;Allow Public Key Retrieval=true;Allow User Variables=true");
            return await (Task<int>)main.Invoke(null, [(string[])[
                $"{name}={server.Host};Port={server.Port};User ID={World.UserName};Password={World.Password}",
                $"{name}={server.Host};Port={server.Port};User ID={server.User};Password={server.Password};{tls}"]])!;
        }
        finally
        {
            context.Unload();
        }
    }
}
