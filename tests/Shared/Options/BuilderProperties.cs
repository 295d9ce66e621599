using System.Text;
using Slipstream.Core.Options;

namespace Slipstream.Testing;

/// <summary>Writes the properties of a connection-string builder, with their documentation, from the declared options.</summary>
internal static class BuilderProperties
{
    private const int Columns = 160;
    private const string Comment = "    /// ";

    // Replaces a space inside `code` while lines are wrapped.
    private const char Unbroken = '\u0001';

    /// <summary>Returns the generated part of the builder.</summary>
    /// <param name="declarations">The class whose fields declare the options.</param>
    /// <param name="builder">The builder.</param>
    /// <param name="options">The declared options.</param>
    public static string Write(Type declarations, Type builder, IEnumerable<DeclaredOption> options)
    {
        var written = options.Where(static option => option.Property != OptionProperty.None).ToArray();
        var text = new StringBuilder(GeneratedFile.Head(declarations, builder.Namespace!, written, declarations.Namespace!, "System.Diagnostics.CodeAnalysis"));
        text.Append($"""
            /// <content>The properties of the options.</content>
            public sealed partial class {builder.Name}
            {"{"}

            """);
        var separator = "";
        foreach (var option in written)
        {
            text.Append(separator);
            Append(text, declarations.Name, option);
            separator = "\n";
        }

        return text.Append("}\n").ToString();
    }

    /// <summary>Returns the text of a property's summary, with code between backticks.</summary>
    public static string Summary(DeclaredOption option) =>
        $"{option.Option.Doc} Default: {option.Default}.{(option.Range.Length > 0 ? $" Range: {option.Range}." : "")}";

    private static void Append(StringBuilder text, string table, DeclaredOption option)
    {
        AppendComment(text, "summary", Summary(option));
        if ((option.Peer.Length > 0 ? option.Peer : option.GroupPeer) is { Length: > 0 } peer)
            AppendComment(text, "remarks", peer);
        if (option.Property == OptionProperty.Obsolete)
            text.Append("    [Obsolete(\"Has no effect.\")]\n");
        var (type, cast) = TypeOf(option.Option);
        if (type == "string")
            text.Append("    [AllowNull]\n");
        text.Append($$"""
                public {{type}} {{option.Field}}
                {
                    get => {{cast}}Get({{table}}.{{option.Field}});
                    set => Set({{table}}.{{option.Field}}, value);
                }

            """);
    }

    private static (string Type, string Cast) TypeOf(Option option) => option switch
    {
        SwitchOption => ("bool", ""),
        WordOption word => (word.Default.GetType().Name, $"({word.Default.GetType().Name})"),
        NumberOption number => number.ValueOf(number.DefaultText) switch
        {
            int => ("int", "(int)"),
            uint => ("uint", "(uint)"),
            _ => ("long", ""),
        },
        _ => ("string", ""),
    };

    private static void AppendComment(StringBuilder text, string element, string content)
    {
        var xml = ToXml(content);
        var line = $"{Comment}<{element}>{xml}</{element}>";
        if (line.Length <= Columns)
        {
            text.Append(line.Replace(Unbroken, ' ')).Append('\n');
            return;
        }

        text.Append($"{Comment}<{element}>\n");
        line = "";
        foreach (var word in xml.Split(' '))
        {
            if (Comment.Length + line.Length + 1 + word.Length > Columns)
            {
                text.Append(Comment).Append(line.Replace(Unbroken, ' ')).Append('\n');
                line = "";
            }

            line += line.Length > 0 ? " " + word : word;
        }

        text.Append(Comment).Append(line.Replace(Unbroken, ' ')).Append($"\n{Comment}</{element}>\n");
    }

    private static string ToXml(string content)
    {
        var xml = new StringBuilder();
        var isCode = false;
        foreach (var letter in content)
        {
            _ = letter switch
            {
                '`' => xml.Append((isCode = !isCode) ? "<c>" : "</c>"),
                '&' => xml.Append("&amp;"),
                '<' => xml.Append("&lt;"),
                '>' => xml.Append("&gt;"),
                ' ' when isCode => xml.Append(Unbroken),
                _ => xml.Append(letter),
            };
        }

        return xml.ToString();
    }
}
