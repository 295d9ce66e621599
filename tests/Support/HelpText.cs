using System.CommandLine;
using System.CommandLine.Help;
using System.Text.RegularExpressions;
using Xunit;

namespace Slipstream.Testing;

/// <summary>Compares the help of a command, <c>eng/help/NAME.txt</c>, with its options.</summary>
public static partial class HelpText
{
    public static string Read(string name) => File.ReadAllText(Path.Combine(Root(), "eng", "help", name + ".txt"));

    /// <summary>Fails if the text lacks a subcommand or an option, or names one that does not exist.</summary>
    /// <param name="name">The command, such as <c>soak</c>.</param>
    /// <param name="command">The command as its program declares it.</param>
    public static void AssertComplete(string name, Command command)
    {
        ArgumentNullException.ThrowIfNull(command);
        var text = Read(name);
        Command[] all = [command, .. command.Subcommands];
        var options = all.SelectMany(static one => one.Options).Where(static option => !option.Hidden).ToList();
        var known = options.SelectMany(static option => option.Aliases.Append(option.Name)).ToHashSet();
        var documented = Option().Matches(OwnLines(text, name)).Select(static match => match.Value).ToHashSet();
        Assert.Empty(options.Where(static option => option is not HelpOption).Select(static option => option.Name).Except(documented));
        Assert.Empty(documented.Except(known));
        foreach (var subcommand in command.Subcommands)
            Assert.Matches($@"(?m)^  {subcommand.Name}\b", text);
    }

    // An example may call other programs, which have their own options.
    private static string OwnLines(string text, string name) =>
        string.Join('\n', text.Split('\n').Select(line => line.Contains($"./{name} run", StringComparison.Ordinal) ? line.Split(" -- ")[0] : line));

    private static string Root()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "Slipstream.slnx")))
            folder = folder.Parent ?? throw new DirectoryNotFoundException("The repository is not above the test's folder.");
        return folder.FullName;
    }

    [GeneratedRegex(@"(?<![\w-])--[a-z][a-z-]*")]
    private static partial Regex Option();
}
