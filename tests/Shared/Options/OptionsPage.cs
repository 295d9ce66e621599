using System.Text;
using Slipstream.Core.Options;

namespace Slipstream.Testing;

/// <summary>Writes a provider's part of docs/options.md: one table for each group of options.</summary>
internal static class OptionsPage
{
    /// <summary>If this variable is set, the tests write their files instead of comparing them.</summary>
    public const string UpdateVariable = "SLIPSTREAM_UPDATE_DOCS";

    /// <summary>Returns the text below the provider's heading.</summary>
    public static string Write(OptionTable table, IEnumerable<DeclaredOption> options)
    {
        var declared = options.ToDictionary(static option => option.Option);
        var page = new StringBuilder();
        foreach (var group in table.Groups)
        {
            page.Append($"\n### {group.Title}\n\n| Option | Default | Values | Meaning |\n|---|---|---|---|\n");
            foreach (var option in group.Options)
                page.Append(Row(declared[option])).Append('\n');
        }

        return page.ToString();
    }

    /// <summary>Returns an option's row.</summary>
    public static string Row(DeclaredOption declared)
    {
        var option = declared.Option;
        var aliases = option.Aliases.Count > 0 ? "<br>" + string.Join(", ", option.Aliases) : "";
        var peer = declared.Peer.Length > 0 ? $" ({declared.Peer})" : "";
        return $"| **{option.Name}**{aliases} | {declared.Default} | {option.AllowedInShort} | {option.Doc}{peer} |";
    }
}
