namespace Slipstream.Tool.Tests;

/// <summary>
/// <c>slipstream migrate</c> separates names of drivers that a library receives from texts that only contain the word, and finds error codes.
/// </summary>
public sealed class MigrateTextTests
{
    [Theory]
    [InlineData("MySqlConnector", "class A { string S = \"MySqlConnector\"; }")]
    [InlineData("MySqlConnector", "class A { void M() => System.Console.WriteLine(\"MySqlConnector, the driver\"); }")]
    [InlineData("MySqlConnector", "class A { void M() => System.Console.WriteLine(\"MySqlConnector\"); }")]
    [InlineData("MySqlConnector", "// See MySqlConnector.MySqlConnection, MySqlConnector.\nclass A { string Title = \"MySqlConnector.Tests\"; }")]
    [InlineData("Npgsql", "[Title(\"Npgsql\")]\nclass A { bool Is(string name) => name == \"Npgsql\"; }")]
    [InlineData("Npgsql", "class A { string[] Words = [\"Npgsql\", \"Npgsql.json\"]; }")]
    [InlineData("MySqlConnector", "#if NETFRAMEWORK\n// MySqlConnector does this.\nvar text = \"MySqlConnector\";\n#endif\nclass A { }")]
    [InlineData("MySqlConnector", "class A { string MySqlConnector => nameof(MySqlConnector); }")]
    [InlineData("MySql.Data", "using MySql.Data.MySqlClient;\nclass A { object M(Coupon c, MySqlException e) => c.Code; }")]
    [InlineData(
        "MySql.Data",
        "using MySql.Data.MySqlClient;\nclass A { void M() { try { } catch (MySqlException e) { N(e.Number); } catch (MyException e) { N(e.Code); } } }")]
    public async Task Ordinary_text_and_other_members_are_not_reported(string package, string source)
    {
        var output = await RunAsync(package, source);
        Assert.DoesNotContain("names a driver", output, StringComparison.Ordinal);
        Assert.DoesNotContain("does not compile without", output, StringComparison.Ordinal);
        Assert.DoesNotContain("is not compiled", output, StringComparison.Ordinal);
        Assert.DoesNotContain("`MySqlException.Code`", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("MySqlConnector", "class A { object F = System.Data.Common.DbProviderFactories.GetFactory(\"MySqlConnector\"); }")]
    [InlineData("MySqlConnector", "class A { string N = \"MySqlConnector.MySqlConnectorFactory, MySqlConnector\"; }")]
    [InlineData("MySqlConnector", "class A { string N = \"MySqlConnector, Version=2.0.0.0, Culture=neutral\"; }")]
    [InlineData("MySqlConnector", "class A { string N = \"MySqlConnector.MySqlConnection\"; }")]
    [InlineData("MySqlConnector", "class A { const string ProviderName = \"MySqlConnector\"; }")]
    [InlineData("MySql.Data", "class A { int M(string provider) { switch (provider) { case \"MySql.Data.MySqlClient\": return 1; default: return 2; } } }")]
    [InlineData("Npgsql", "class A { void M(dynamic logging) => logging.AddFilter(\"Npgsql.Command\", 1); }")]
    [InlineData("Npgsql", "class A { bool M(System.Diagnostics.ActivitySource source) => source.Name == \"Npgsql\"; }")]
    public async Task The_name_of_a_driver_that_a_library_receives_is_reported(string package, string source) =>
        Assert.Contains("names a driver, an assembly or a type", await RunAsync(package, source), StringComparison.Ordinal);

    [Theory]
    [InlineData("MySqlConnector", "nameof(MySqlConnector)")]
    [InlineData("MySql.Data", "nameof(MySql.Data.MySqlClient)")]
    [InlineData("Npgsql", "nameof(global::Npgsql)")]
    public async Task The_nameof_a_namespace_is_reported(string package, string expression)
    {
        var output = await RunAsync(package, $"class A {{ string N = {expression}; }}");
        Assert.Contains($"App.cs:1:22:  by hand  {expression} does not compile without", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("void M() { try { } catch (MySqlException e) when (e.Code == 1062) { } }")]
    [InlineData("void M() { try { } catch (MySql.Data.MySqlClient.MySqlException e) { N((int)e.Code); } }")]
    [InlineData("bool M(System.Exception e) => e is MySqlException { Code: 1062 };")]
    [InlineData("bool M(System.Exception e) => e is MySqlException error && error.Code == 1062;")]
    [InlineData("uint? M(System.Exception e) => (e as MySqlException)?.Code;")]
    [InlineData("uint M(System.Exception e) => ((MySqlException)e.InnerException!).Code;")]
    [InlineData("uint M(MySqlException? e) => e!.Code;")]
    [InlineData("uint M(System.Exception e) { var error = (MySqlException)e; return error.Code; }")]
    [InlineData("MySqlException? Last { get; set; } uint M() => this.Last.Code;")]
    [InlineData("bool M(MySqlException e) => e is { Code: 1062 };")]
    public async Task The_code_of_an_exception_of_MySql_Data_is_reported(string member)
    {
        var source = $"using MySql.Data.MySqlClient;\nclass A {{ {member} }}";
        const string expected = "by hand  `MySqlException.Code`: in MySql.Data, the error's number, unsigned";
        Assert.Contains(expected, await RunAsync("MySql.Data", source), StringComparison.Ordinal);
        // The difference is still there after the names have changed.
        using var folder = TemporaryFolder.With("MySql.Data", source + "\n");
        await Run.ToolAsync("migrate", folder.Path, "--apply");
        var (_, output, _) = await Run.ToolAsync("migrate", folder.Path);
        Assert.Contains("`MySqlException.Code`", output, StringComparison.Ordinal);
    }

    private static async Task<string> RunAsync(string package, string source)
    {
        using var folder = TemporaryFolder.With(package, source + "\n");
        var (_, output, error) = await Run.ToolAsync("migrate", folder.Path);
        Assert.Equal("", error);
        return output;
    }
}
