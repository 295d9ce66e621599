#pragma warning disable EF1001, EF9100 // precompiled queries are experimental in EF Core 10, and their generator is internal
using System.Linq.Expressions;
using System.Reflection;
using System.Runtime.Loader;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Editing;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Design.Internal;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Query.Internal;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>Queries that were compiled with the program (<c>dotnet ef dbcontext optimize --precompile-queries</c>).</summary>
public sealed class PrecompiledQueryTests(ShopFixture fixture) : IClassFixture<ShopFixture>
{
    // A list makes the SQL depend on its length: then the program contains the expression of the query instead of its SQL.
    private const string Source = """
        using System;
        using System.Collections.Generic;
        using System.Linq;
        using System.Text.RegularExpressions;
        using System.Threading.Tasks;
        using Microsoft.EntityFrameworkCore;
        using Slipstream.MySql.EntityFrameworkCore.Live;

        public static class Queries
        {
            public static async Task<List<string>> Run(DbContextOptions<Shop> options, string first, string last, int[] numbers, double count)
            {
                await using var shop = new Shop(options);
                // EF Core's limits: queries capture local variables only, and no arrays.
                string start = first, end = last;
                var ids = numbers.ToList();
                var days = count;
                var rows = new List<string>();
                rows.AddRange(await shop.Products.Where(p => p.Name.StartsWith(start)).OrderBy(p => p.Id).Select(p => p.Name).ToListAsync());
                rows.AddRange(await shop.Products.Where(p => p.Name.EndsWith(end) && ids.Contains(p.Id)).OrderBy(p => p.Id).Select(p => p.Name).ToListAsync());
                rows.AddRange(await shop.Products.Where(p => ids.Contains(p.Id) && p.Added.AddDays(days) > p.Added).OrderBy(p => p.Id)
                    .Select(p => p.Name.Trim('a')).ToListAsync());
                rows.AddRange(await shop.Products.Where(p => ids.Contains(p.Id) && Regex.IsMatch(p.Name, "^[a-z]")).OrderBy(p => p.Id)
                    .Select(p => p.Name).ToListAsync());
                rows.AddRange(await shop.Lines.Where(l => ids.Contains(l.ProductId)).GroupBy(l => l.OrderId).OrderBy(g => g.Key)
                    .Select(g => string.Join("+", g.OrderBy(l => l.Number).Select(l => l.Number.ToString()))).ToListAsync());
                foreach (var customer in await shop.Customers.OrderBy(c => c.Name).ToListAsync())
                    rows.Add(customer.Name);
                return rows;
            }
        }
        """;

    private static readonly CSharpParseOptions Interceptors = new CSharpParseOptions().WithFeatures(
        [new("InterceptorsNamespaces", "Microsoft.EntityFrameworkCore.GeneratedInterceptors")]);

    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    [Theory, MemberData(nameof(Kinds))]
    public async Task Precompiled_queries_return_the_same_rows(ServerKind kind)
    {
        var counter = new Counting();
        var options = new DbContextOptionsBuilder<Shop>(await fixture.OptionsAsync(kind)).AddInterceptors(counter).Options;
        var assemblies = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator);
        var program = CSharpCompilation.Create(
            "Queries", [CSharpSyntaxTree.ParseText(Source, Interceptors, "Queries.cs")],
            assemblies.Select(static path => MetadataReference.CreateFromFile(path)),
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable));
        var original = Load(program);
        var expected = await RunAsync(original, options);
        Assert.Equal(6, counter.Compiled);
        Assert.True(expected.Count > 20);

        var files = await PrecompileAsync(program, original, options);
        var compiled = counter.Compiled;
        var precompiled = Load(program.AddSyntaxTrees(files));
        Assert.Equal(expected, await RunAsync(precompiled, options));
        Assert.Equal(compiled, counter.Compiled);
    }

    private static async Task<List<SyntaxTree>> PrecompileAsync(CSharpCompilation program, Assembly original, DbContextOptions<Shop> options)
    {
        using var workspace = new AdhocWorkspace();
        await using var shop = new Shop(options);
        List<PrecompiledQueryCodeGenerator.QueryPrecompilationError> errors = [];
        var files = new PrecompiledQueryCodeGenerator().GeneratePrecompiledQueries(
            program, SyntaxGenerator.GetGenerator(workspace, LanguageNames.CSharp), shop, new Dictionary<MemberInfo, QualifiedName>(), errors,
            new HashSet<string>(), original);
        Assert.True(errors.Count == 0, string.Join('\n', errors.Select(static error => error.Exception)));
        return [.. files.Select(static file => CSharpSyntaxTree.ParseText(file.Code, Interceptors, file.Path))];
    }

    private static Task<List<string>> RunAsync(Assembly program, DbContextOptions<Shop> options) =>
        program.GetType("Queries", throwOnError: true)!.GetMethod("Run")!
            .CreateDelegate<Func<DbContextOptions<Shop>, string, string, int[], double, Task<List<string>>>>()(options, "a", "e", [1, 2, 3, 5, 8, 13], 3);

    private static Assembly Load(CSharpCompilation program)
    {
        using var image = new MemoryStream();
        var result = program.Emit(image);
        Assert.True(result.Success, string.Join('\n', result.Diagnostics.Where(static one => one.Severity == DiagnosticSeverity.Error)));
        image.Position = 0;
        return new AssemblyLoadContext("queries", isCollectible: true).LoadFromStream(image);
    }

    /// <summary>Counts the queries that EF Core compiles while the program runs.</summary>
    private sealed class Counting : IQueryExpressionInterceptor
    {
        private int _compiled;

        public int Compiled => _compiled;

        public Expression QueryCompilationStarting(Expression queryExpression, QueryExpressionEventData eventData)
        {
            Interlocked.Increment(ref _compiled);
            return queryExpression;
        }
    }
}
