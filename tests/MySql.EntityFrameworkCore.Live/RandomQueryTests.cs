using System.Globalization;
using System.Text.Json;
using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>
/// Composed queries have on MariaDB, where the provider writes joins instead of LATERAL, the rows that they have in memory, or are refused. MySQL has LATERAL,
/// and is left out: it returns wrong rows itself for DISTINCT over groups with HAVING in LATERAL.
/// </summary>
public sealed class RandomQueryTests(ShopFixture fixture) : IClassFixture<ShopFixture>
{
    public static TheoryData<ServerKind> Kinds { get; } = [ServerKind.MariaDb, ServerKind.MariaDb11];

    // Queries whose rows were wrong once.
    private static readonly int[] Known = [163, 217, 282, 368, 1393, 2150];

    // More queries for a longer search: SLIPSTREAM_EF_QUERIES=first-last.
    private static IEnumerable<int> Numbers
    {
        get
        {
            var range = (Environment.GetEnvironmentVariable("SLIPSTREAM_EF_QUERIES") ?? "1-60").Split('-');
            var (first, last) = (int.Parse(range[0], CultureInfo.InvariantCulture), int.Parse(range[1], CultureInfo.InvariantCulture));
            return Enumerable.Range(first, last - first + 1).Union(Known);
        }
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Composed_queries_have_the_same_rows(ServerKind kind)
    {
        var (same, refused, untranslated, limited, failures) = (0, 0, 0, 0, new List<string>());
        foreach (var number in Numbers)
        {
            await using var shop = await fixture.OpenAsync(kind);
            var expected = Texts(new RandomQuery(Tables.Of(ShopFixture.Data), number).Compose().ToList());
            var query = new RandomQuery(Tables.Of(shop), number).Compose();
            List<string> actual;
            string? text = null;
            try
            {
                text = query.ToQueryString();
                actual = Texts(await query.ToListAsync(TestContext.Current.CancellationToken));
            }
            catch (InvalidOperationException exception) when (exception.Message.Contains("needs LATERAL", StringComparison.Ordinal))
            {
                refused++;
                TestContext.Current.SendDiagnosticMessage($"{number}: {exception.Message}");
                continue;
            }
            catch (Exception exception) when (text is null && exception is InvalidOperationException or ArgumentException or KeyNotFoundException)
            {
                // What EF Core does not translate is the same on every server.
                untranslated++;
                TestContext.Current.SendDiagnosticMessage($"{number}: {exception.GetType().Name} {exception.Message}");
                continue;
            }
            catch (MySqlException exception) when (exception.Number == 1054 && exception.Message.Contains("having", StringComparison.OrdinalIgnoreCase))
            {
                // In a subquery of HAVING, the servers do not find the columns of the groups around it.
                limited++;
                continue;
            }
            catch (Exception exception)
            {
                failures.Add($"Query {number}: {exception.Message}\n{text}");
                continue;
            }

            if (expected.SequenceEqual(actual))
                same++;
            else
                failures.Add($"Query {number}: expected\n{string.Join('\n', expected.Take(12))}\nfound\n{string.Join('\n', actual.Take(12))}\n{text}");
        }

        var counts = $"{same} same, {refused} refused, {untranslated} not translated, {limited} without columns in HAVING, {failures.Count} failed";
        TestContext.Current.SendDiagnosticMessage(counts);
        Assert.True(failures.Count == 0, $"{counts}\n{string.Join("\n\n", failures.Take(4))}");
        Assert.True(same > refused * 4, counts);
    }

    private static List<string> Texts(List<Answer> answers) =>
        answers.Select(static answer => JsonSerializer.Serialize(answer)).Order(StringComparer.Ordinal).ToList();
}
