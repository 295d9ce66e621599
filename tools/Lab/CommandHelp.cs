using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using System.Reflection;

namespace Slipstream.Lab;

/// <summary>
/// Prints the help of a command. It is a text file, <c>eng/help/NAME.txt</c>, which the script in the repository's root prints without a build. The program has
/// the same file as its resource <c>help.txt</c> and prints it when it is started directly.
/// </summary>
public static class CommandHelp
{
    /// <summary>Makes <c>--help</c> of a command and its subcommands print the text file.</summary>
    /// <param name="root">The command.</param>
    /// <param name="program">The assembly that contains the file.</param>
    public static T WithHelp<T>(this T root, Assembly program)
        where T : Command
    {
        ArgumentNullException.ThrowIfNull(root);
        ArgumentNullException.ThrowIfNull(program);
        if (root.Options.OfType<HelpOption>().FirstOrDefault() is not { } option)
            root.Options.Add(option = new HelpOption());
        option.Action = new Print(program);
        return root;
    }

    private sealed class Print(Assembly program) : SynchronousCommandLineAction
    {
        // The rest of the command line may be wrong, which is often the reason for the request.
        public override bool ClearsParseErrors => true;

        public override int Invoke(ParseResult parseResult)
        {
            ArgumentNullException.ThrowIfNull(parseResult);
            using var reader = new StreamReader(program.GetManifestResourceStream("help.txt")!);
            parseResult.InvocationConfiguration.Output.Write(reader.ReadToEnd());
            return 0;
        }
    }
}
