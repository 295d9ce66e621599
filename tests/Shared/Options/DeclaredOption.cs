using System.Reflection;
using Slipstream.Core.Options;

namespace Slipstream.Testing;

/// <summary>An option as its table declares it: the option itself, the name of its field, and the facts that stand on the field.</summary>
/// <param name="Option">The option.</param>
/// <param name="Field">The name of its field, which is the name of the builder's property.</param>
/// <param name="Property">Which property it has.</param>
/// <param name="IsSetting">Whether the settings have it as it is given.</param>
/// <param name="Peer">How the peer differs; empty when it does not.</param>
/// <param name="GroupPeer">The same for the whole group, whose heading says it already.</param>
internal sealed record DeclaredOption(Option Option, string Field, OptionProperty Property, bool IsSetting, string Peer, string GroupPeer)
{
    /// <summary>The default as a reader needs it: with its unit.</summary>
    public string Default => Option.DefaultText switch
    {
        "" => "empty",
        var text when Option.Unit.Length > 0 && char.IsAsciiDigit(text[^1]) => $"`{text}` {Option.Unit}",
        var text => $"`{text}`",
    };

    /// <summary>The bounds of a number with their unit; empty for other kinds of options, whose type says what they take.</summary>
    public string Range => Option is NumberOption ? Option.AllowedInShort : "";

    /// <summary>All options of a table, in its order.</summary>
    /// <param name="declarations">The class whose fields declare the options.</param>
    /// <param name="table">The table that they were added to.</param>
    public static DeclaredOption[] Of(Type declarations, OptionTable table)
    {
        var fields = declarations.GetFields(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic)
            .Where(static field => field.FieldType == typeof(OptionGroup) || field.FieldType.IsAssignableTo(typeof(Option)))
            .ToDictionary(static field => field.GetValue(null)!);
        return
        [
            .. from @group in table.Groups
               from option in @group.Options
               let field = FieldOf(option, option.Name)
               let facts = FactsOf(field)
               select new DeclaredOption(option, field.Name, facts.Property, facts.IsSetting, facts.Peer, FactsOf(FieldOf(@group, @group.Title)).Peer),
        ];

        FieldInfo FieldOf(object declared, string name) =>
            fields.TryGetValue(declared, out var field)
                ? field
                : throw new InvalidOperationException(
                    $"'{name}' is no field of {declarations.Name}: declare it as a static field, named as the builder's property.");
    }

    private static OptionFactsAttribute FactsOf(FieldInfo field) => field.GetCustomAttribute<OptionFactsAttribute>() ?? new();
}
