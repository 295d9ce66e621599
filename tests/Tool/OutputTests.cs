using System.CommandLine;
using System.CommandLine.Help;
using System.Text.Json;
using System.Text.RegularExpressions;
using Slipstream.Tool.Commands;
using Slipstream.Tool.Output;

namespace Slipstream.Tool.Tests;

/// <summary>The help, the documentation page, and what a terminal gets.</summary>
public sealed partial class OutputTests
{
    public static TheoryData<string> Commands => ["doctor", "migrate", "bench", "cache create"];

    [Theory]
    [MemberData(nameof(Commands))]
    public async Task The_help_and_the_page_name_every_option(string name)
    {
        var (code, output, error) = await Run.ToolAsync([.. name.Split(' '), "--help"]);
        Assert.Equal((0, ""), (code, error));
        Assert.Contains("Exit codes: 0 ", output, StringComparison.Ordinal);
        var page = await File.ReadAllTextAsync(Path.Combine(Repository.Root, "docs", "tool.md"), TestContext.Current.CancellationToken);
        var terminal = new Terminal(TextWriter.Null, TextWriter.Null, isRedirected: true);
        var command = name switch
        {
            "doctor" => DoctorCommand.Create(terminal, TextReader.Null),
            "migrate" => MigrateCommand.Create(terminal),
            "cache create" => CacheCommand.CreateTable(terminal, TextReader.Null),
            _ => BenchCommand.Create(terminal, TextReader.Null),
        };
        Assert.All(command.Options.Where(static option => option is not HelpOption), option =>
        {
            Assert.Contains(option.Name, output, StringComparison.Ordinal);
            Assert.Contains(option.Name, page, StringComparison.Ordinal);
            Assert.EndsWith(".", option.Description, StringComparison.Ordinal);
        });
    }

    // Every option on the page exists in a command.
    [Fact]
    public async Task The_page_names_no_option_that_does_not_exist()
    {
        var help = "";
        foreach (var name in (string[])["doctor", "migrate", "bench", "cache create"])
            help += (await Run.ToolAsync([.. name.Split(' '), "--help"])).Output;
        var page = File.ReadAllText(Path.Combine(Repository.Root, "docs", "tool.md"));
        string[] ofDotnet = ["--global", "--version", "--add-source", "--tool-path"];
        Assert.DoesNotContain(
            Option().Matches(page).Select(static match => match.Value).Distinct().Except(ofDotnet), option => !help.Contains(option, StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_help_of_the_program_lists_the_commands()
    {
        var (code, output, _) = await Run.ToolAsync("--help");
        Assert.Equal(0, code);
        Assert.Contains("  slipstream [command] [options]", output, StringComparison.Ordinal);
        Assert.All((string[])["doctor", "migrate", "bench", "cache"], name => Assert.Contains($"  {name}", output, StringComparison.Ordinal));
    }

    [Fact]
    public void A_terminal_gets_a_table_whose_texts_are_not_markup_or_commands()
    {
        using var output = new StringWriter();
        var terminal = new Terminal(output, TextWriter.Null, isRedirected: false);
        terminal.Secrets.Add("hunter2");
        terminal.Table(["place", "text"], [["[red]a[/]", "b\u001b[2Jhunter2"]], "[title]");
        var printed = output.ToString();
        Assert.Contains("[red]a[/]", printed, StringComparison.Ordinal);
        Assert.Contains("[title]", printed, StringComparison.Ordinal);
        Assert.Contains("│", printed, StringComparison.Ordinal);
        Assert.DoesNotContain("\u001b[2J", printed, StringComparison.Ordinal);
        Assert.DoesNotContain("hunter2", printed, StringComparison.Ordinal);
    }

    // A password with characters that JSON escapes is found before it is escaped.
    [Fact]
    public void A_JSON_document_has_no_secret_and_stays_valid()
    {
        using var output = new StringWriter();
        var terminal = new Terminal(output, TextWriter.Null, isRedirected: true);
        terminal.Secrets.Add("a\"b\\c");
        terminal.Json(new { Text = "before a\"b\\c after", Number = 1, List = (string[])["a\"b\\c"] });
        using var document = JsonDocument.Parse(output.ToString());
        Assert.Equal("before *** after", document.RootElement.GetProperty("text").GetString());
        Assert.Equal("***", document.RootElement.GetProperty("list")[0].GetString());
    }

    [GeneratedRegex(@"(?<![\w-])--[a-z][a-z-]*")]
    private static partial Regex Option();
}
