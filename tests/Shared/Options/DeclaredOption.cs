using System.Reflection;
using Slipstream.Core.Options;

namespace Slipstream.Testing;

/// <summary>An option as its table declares it: the option, the name of its field, and the field's attributes.</summary>
/// <param name="Option">The option.</param>
/// <param name="Field">The name of its field, which is the name of the builder's property.</param>
/// <param name="Property">The kind of its property.</param>
/// <param name="IsSetting">True if the settings contain it unchanged.</param>
/// <param name="Peer">How the peer differs; empty if it does not.</param>
/// <param name="GroupPeer">How the peer differs for the whole group, as the group's heading states it.</param>
internal sealed record DeclaredOption(Option Option, string Field, OptionProperty Property, bool IsSetting, string Peer, string GroupPeer)
{
    /// <summary>Gets the default with its unit.</summary>
    public string Default => Option.DefaultText switch
    {
        "" => "empty",
        var text when Option.Unit.Length > 0 && char.IsAsciiDigit(text[^1]) => $"`{text}` {Option.Unit}",
        var text => $"`{text}`",
    };

    /// <summary>Gets the range of a number with its unit; empty for other kinds of options, whose type determines their values.</summary>
    public string Range => Option is NumberOption ? Option.AllowedInShort : "";

    /// <summary>Returns all options of a table, in its order.</summary>
    /// <param name="declarations">The class whose fields declare the options.</param>
    /// <param name="table">The table that contains them.</param>
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
