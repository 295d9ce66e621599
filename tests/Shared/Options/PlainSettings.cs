using System.Text;
using Slipstream.Core.Options;

namespace Slipstream.Testing;

/// <summary>Writes the settings that equal their options. The others contain logic and are written by hand.</summary>
internal static class PlainSettings
{
    /// <summary>Returns the name of their class, which is the base class of the provider's settings.</summary>
    public static string NameOf(Type builder) => PrefixOf(builder) + "PlainSettings";

    /// <summary>Returns the file of that class.</summary>
    /// <param name="declarations">The class whose fields declare the options.</param>
    /// <param name="builder">The connection-string builder.</param>
    /// <param name="options">The declared options.</param>
    public static string Write(Type declarations, Type builder, IEnumerable<DeclaredOption> options)
    {
        var written = options.Where(static option => option.IsSetting).ToArray();
        var text = new StringBuilder(GeneratedFile.Head(declarations, declarations.Namespace!, written));
        text.Append($"""
            /// <summary>Options that the driver uses as they are given. <see cref="{PrefixOf(builder)}Settings"/> adds what is computed.</summary>
            internal abstract class {NameOf(builder)}({builder.Name} options)
            {"{"}

            """);
        var separator = "";
        foreach (var option in written)
        {
            var (type, cast) = TypeOf(option);
            text.Append($$"""
                {{separator}}    /// <inheritdoc cref="{{builder.Name}}.{{option.Field}}"/>
                    public {{type}} {{option.Field}} { get; } = {{cast}}options.{{option.Field}};

                """);
            separator = "\n";
        }

        return text.Append("}\n").ToString();
    }

    // The driver uses signed numbers. An unsigned option that does not fit is clamped by hand, so it cannot be a plain setting.
    private static (string Type, string Cast) TypeOf(DeclaredOption declared)
    {
        var option = declared.Option;
        Assert.True(declared.Property == OptionProperty.Current, $"{option.Name} cannot be a setting: the builder has no current property for it");
        switch (option.ValueOf(option.DefaultText))
        {
            case uint:
                Assert.Throws<ArgumentException>(() => option.Canonical(int.MaxValue + 1L));
                return ("int", "(int)");
            case bool:
                return ("bool", "");
            case int:
                return ("int", "");
            case long:
                return ("long", "");
            case string:
                return ("string", "");
            case var word:
                return (word.GetType().Name, "");
        }
    }

    private static string PrefixOf(Type builder) => builder.Name.Replace("ConnectionStringBuilder", "", StringComparison.Ordinal);
}
