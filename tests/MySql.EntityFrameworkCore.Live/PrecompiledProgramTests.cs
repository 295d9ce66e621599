#pragma warning disable EF1001 // the generator of precompiled queries is internal
using System.Linq.Expressions;
using System.Reflection;
using System.Runtime.Loader;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Editing;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Design.Internal;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Query.Internal;
using Slipstream.Lab;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>Queries that EF Core's tools compile (<c>dotnet ef dbcontext optimize --precompile-queries</c>) return the same as others.</summary>
public sealed class PrecompiledProgramTests
{
    // One line of each query's result. Every kind of SQL expression of the provider is in one of them.
    private const string Source = """
        using System;
        using System.Collections.Generic;
        using System.Linq;
        using System.Text.RegularExpressions;
        using System.Threading.Tasks;
        using Microsoft.EntityFrameworkCore;

        namespace Precompiled;

        public class Note
        {
            public int Id { get; set; }
            public string Title { get; set; } = "";
            public string? Text { get; set; }
            public DateTime At { get; set; }
            public decimal Price { get; set; }
            public Guid Key { get; set; }
            public Detail Detail { get; set; } = new();
            public string Document { get; set; } = "{}";
            public List<Line> Lines { get; set; } = [];
        }

        public class Detail
        {
            public int Size { get; set; }
            public DateTime Since { get; set; }
            public string Colour { get; set; } = "";
        }

        public class Line
        {
            public int Id { get; set; }
            public int NoteId { get; set; }
            public string Text { get; set; } = "";
        }

        // The code that EF Core generates for an entity with a collection of values does not run: it is queried, and not read.
        public class Tagged
        {
            public int Id { get; set; }
            public List<string> Words { get; set; } = [];
        }

        public class Notes(DbContextOptions options) : DbContext(options)
        {
            public DbContextOptions Options => options;

            public DbSet<Note> Items => Set<Note>();

            public DbSet<Tagged> Tagged => Set<Tagged>();

            protected override void OnModelCreating(ModelBuilder model) => model.Entity<Note>(static note =>
            {
                note.ComplexProperty(static n => n.Detail, static d => d.ToJson());
                note.Property(static n => n.Document).HasColumnType("json");
                note.Property(static n => n.Text).HasMaxLength(200);
                note.HasIndex(static n => n.Text).IsFullText();
            });
        }

        public static class Queries
        {
            public static void Add(DbContext notes)
            {
                for (var id = 1; id <= 4; id++)
                {
                    notes.Add(new Tagged { Id = id, Words = ["a" + id, "b"] });
                    notes.Add(new Note
                    {
                        Id = id, Title = "xxTitle " + id + "x", Text = id == 2 ? null : "word" + id + " common", At = new DateTime(2020, 1, id, 3, 4, 5),
                        Price = id * 1.25m, Key = new Guid(id, 0, 0, new byte[8]), Detail = new() { Size = id, Colour = "c" + id, Since = new(2019, 1, id) },
                        Document = "{\"n\": " + id + "}", Lines = [new() { Text = "l" + id }, new() { Text = "m" + id }],
                    });
                }

                notes.SaveChanges();
            }

            public static async Task<string[]> RunAsync(DbContextOptions options)
            {
                // EF Core precompiles queries with local variables, and none with parameters of a method.
                string? text = null;
                var days = 2;
                var number = 2.0;
                var limit = new DateTime(2020, 1, 5);

                // The SQL of a query with a list is made at run time, from expressions that the generated code creates.
                var ids = new List<int> { 1, days, 4 };
                var word = "b";
                await using var notes = new Notes(options);
                var results = new List<string>();
                void Put<T>(IEnumerable<T> rows) => results.Add(string.Join("; ", rows));

                Put((await notes.Items.OrderBy(n => n.Id).ToListAsync()).Select(n => (n.Title, n.Price, n.At, n.Key, n.Detail.Colour)));
                Put(await notes.Items.Where(n => n.Text == text).OrderBy(n => n.Id).Select(n => n.Id).ToListAsync());
                Put(await notes.Items.Where(n => n.At.AddDays(number) > limit && ids.Contains(n.Id) && n.Text != text).Select(n => n.Id).OrderBy(n => n).ToListAsync());
                Put(await notes.Items.Where(n => n.Title.Equals(word, StringComparison.Ordinal) && ids.Contains(n.Id) || n.Text == text).Select(n => n.Id).OrderBy(n => n).ToListAsync());
                Put(await notes.Items.Where(n => ids.Contains(n.Id)).Select(n => n.Title.Trim('x')).OrderBy(t => t).ToListAsync());
                Put(await notes.Items.Where(n => n.Text == text || Regex.IsMatch(n.Title, word) && ids.Contains(n.Id)).Select(n => n.Id).OrderBy(n => n).ToListAsync());
                Put(await notes.Tagged.Where(n => n.Id > days && n.Words.Contains(word) && ids.Contains(n.Id)).Select(n => n.Id).OrderBy(n => n).ToListAsync());
                Put(await notes.Tagged.Where(n => n.Id > days).SelectMany(n => n.Words).OrderBy(w => w).ToListAsync());
                Put(await notes.Items.Where(n => n.Detail.Size > days && n.Text != text).Select(n => n.Detail.Colour).OrderBy(c => c).ToListAsync());
                Put(await notes.Items.Where(n => n.Text != text && EF.Functions.JsonExtract<int>(n.Document, "$.n") > days && ids.Contains(n.Id)).Select(n => n.Id).OrderBy(n => n).ToListAsync());
                Put(await notes.Items.Where(n => n.Text != text && EF.Functions.IsMatch(n.Text!, "common", MySqlMatchSearchMode.Boolean) && ids.Contains(n.Id)).Select(n => n.Id).OrderBy(n => n).ToListAsync());
                Put(await notes.Items.Where(n => ids.Contains(n.Id)).GroupBy(n => n.Price > 2m).OrderBy(g => g.Key).Select(g => string.Join("+", g.OrderBy(n => n.Id).Select(n => n.Title))).ToListAsync());
                Put((await notes.Items.Include(n => n.Lines).Where(n => n.Text != text).OrderBy(n => n.Id).ToListAsync()).Select(n => n.Lines.Count));
                Put(await notes.Items.Where(n => ids.Contains(n.Id)).Select(n => n.Id).OrderBy(n => n).ToListAsync());
                Put(await notes.Items.Where(n => n.Detail.Colour.StartsWith(word) || n.Title.StartsWith("xx")).Select(n => n.Id).OrderBy(n => n).ToListAsync());
                results.Add((await notes.Items.CountAsync(n => n.Text != text)).ToString());
                results.Add((await notes.Items.Where(n => n.Text != text).MaxAsync(n => n.Price)).ToString());
                results.Add((await notes.Items.Where(n => ids.Contains(n.Id)).ExecuteUpdateAsync(s => s.SetProperty(n => n.Detail.Size, n => n.Detail.Size + days))).ToString());
                results.Add((await notes.Items.Where(n => n.Id == 4).ExecuteUpdateAsync(s => s.SetProperty(n => n.Title, word))).ToString());
                results.Add((await notes.Items.Where(n => n.Id == 4).ExecuteUpdateAsync(s => s.SetProperty(n => n.Detail.Since, n => limit))).ToString());
                // Entities that are tracked would not show the updates.
                notes.ChangeTracker.Clear();
                foreach (var note in await notes.Items.OrderBy(n => n.Id).ToListAsync())
                    results.Add(note.Detail.Size + note.Title + note.Detail.Since.ToString("O"));
                return [.. results];
            }
        }
        """;

    private static readonly CSharpParseOptions Parsing = new CSharpParseOptions().WithFeatures(
        [new("InterceptorsNamespaces", "Microsoft.EntityFrameworkCore.GeneratedInterceptors")]);

    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    [Theory, MemberData(nameof(Kinds))]
    public async Task Precompiled_queries_return_what_the_others_do_and_are_not_compiled_again(ServerKind kind)
    {
        var assemblies = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator);
        var compilation = CSharpCompilation.Create(
            "Precompiled", [CSharpSyntaxTree.ParseText(Source, Parsing, "Queries.cs")],
            assemblies.Select(static path => MetadataReference.CreateFromFile(path)),
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable));
        var original = Load(compilation);
        var compiled = new Compilations();

        // Each run changes rows, and has its own database.
        string[] expected = [];
        await Servers.WithDatabaseAsync(kind, options => Context(original, options), async create =>
        {
            await using var notes = create();
            expected = await RunAsync(original, notes);

            using var workspace = new AdhocWorkspace();
            List<PrecompiledQueryCodeGenerator.QueryPrecompilationError> errors = [];
            var files = new PrecompiledQueryCodeGenerator().GeneratePrecompiledQueries(
                compilation, SyntaxGenerator.GetGenerator(workspace, LanguageNames.CSharp), notes, new Dictionary<MemberInfo, QualifiedName>(), errors,
                new HashSet<string>(), original);
            Assert.True(errors.Count == 0, string.Join("\n", errors.Select(static one => $"{one.SyntaxNode}: {one.Exception}")));
            Assert.NotEmpty(files);
            // An expression whose SQL depends on parameters is created again at run time.
            var code = string.Concat(files.Select(static file => file.Code));
            Assert.All(
                typeof(MySqlPrecompiledQuery).GetMethods(BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly),
                method => Assert.Contains($"{nameof(MySqlPrecompiledQuery)}.{method.Name}(", code, StringComparison.Ordinal));
            compilation = compilation.AddSyntaxTrees(files.Select(static file => CSharpSyntaxTree.ParseText(file.Code, Parsing, file.Path)));
        }, Translations);
        Assert.Equal(24, expected.Length);

        var precompiled = Load(compilation);
        string[] actual = [];
        await Servers.WithDatabaseAsync(
            kind, options => Context(precompiled, options), async create =>
            {
                await using var notes = create();
                actual = await RunAsync(precompiled, notes);
            }, Translations, compiled);
        Assert.Equal(expected, actual);
        Assert.Equal([], compiled.Queries);
    }

    private static void Translations(MySqlDbContextOptionsBuilder options) => options.EnableStringComparisonTranslations();

    private static async Task<string[]> RunAsync(Assembly assembly, DbContext notes)
    {
        var queries = assembly.GetType("Precompiled.Queries", throwOnError: true)!;
        queries.GetMethod("Add")!.Invoke(null, [notes]);
        notes.ChangeTracker.Clear();
        var options = notes.GetType().GetProperty("Options")!.GetValue(notes);
        return await (Task<string[]>)queries.GetMethod("RunAsync")!.Invoke(null, [options])!;
    }

    private static DbContext Context(Assembly assembly, DbContextOptions options) =>
        (DbContext)Activator.CreateInstance(assembly.GetType("Precompiled.Notes", throwOnError: true)!, options)!;

    private static Assembly Load(Compilation compilation)
    {
        using var image = new MemoryStream();
        var result = compilation.Emit(image);
        Assert.True(
            result.Success, string.Join('\n', result.Diagnostics.Where(static one => one.Severity == DiagnosticSeverity.Error))
                + string.Join('\n', compilation.SyntaxTrees.Skip(1)));
        image.Position = 0;
        return new AssemblyLoadContext(null, isCollectible: true).LoadFromStream(image);
    }

    /// <summary>The queries that EF Core compiles while the program runs.</summary>
    private sealed class Compilations : IQueryExpressionInterceptor
    {
        public List<string> Queries { get; } = [];

        public Expression QueryCompilationStarting(Expression queryExpression, QueryExpressionEventData eventData)
        {
            Queries.Add(eventData.ExpressionPrinter.PrintExpression(queryExpression));
            return queryExpression;
        }
    }
}
