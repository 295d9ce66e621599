using Slipstream.Core.Options;
using Slipstream.MySql.Options;
using Slipstream.Testing;

namespace Slipstream.MySql.Tests.Data;

/// <summary>
/// MySqlOptions is the only declaration of the options: the builder's properties, the plain settings and docs/options.md are generated from it.
/// </summary>
public class OptionDeclarationTests
{
    private const string Folder = "MySql/Options";

    private static readonly OptionDeclarations Declared = new(typeof(MySqlOptions), MySqlOptions.Table, typeof(MySqlConnectionStringBuilder));

    [Fact]
    public void The_documentation_page_is_current() => Declared.CheckPage("MySQL and MariaDB");

    [Fact]
    public void The_generated_files_are_current() => Declared.CheckGeneratedFiles(Folder);

    [Fact]
    public void Summaries_rows_and_messages_name_the_unit_and_the_default() => Declared.CheckTexts();

    [Fact]
    public void An_option_that_is_missing_in_a_generated_file_is_named_with_what_to_run()
    {
        var declared = new OptionDeclarations(typeof(OneMore), OneMore.Table, typeof(MySqlConnectionStringBuilder));
        Assert.Equal(
            [
                "MySqlConnectionStringBuilder.Options.g.cs is not what OneMore declares: Frobnication is missing. "
                + "Run MySql.Tests once with SLIPSTREAM_UPDATE_DOCS=1, and commit what it writes.",
                "MySqlPlainSettings.g.cs is not what OneMore declares: Frobnication is missing. "
                + "Run MySql.Tests once with SLIPSTREAM_UPDATE_DOCS=1, and commit what it writes.",
            ],
            declared.ComplaintsAboutGeneratedFiles(Folder));
    }

    [Fact]
    public void An_option_outside_a_field_is_an_error()
    {
        var table = new OptionTable();
        table.Group("Lost").Switch("Lost Switch", [], false, "Never found.");
        Assert.Contains("'Lost Switch'", Assert.Throws<InvalidOperationException>(() => DeclaredOption.Of(typeof(OneMore), table)).Message);
    }

    private static class OneMore
    {
        public static readonly OptionTable Table = new();

        private static readonly OptionGroup Group = Table.Group("More");

        public static readonly SwitchOption Pooling = Group.Switch("Pooling", [], true, "Known to the builder.");

        [OptionFacts(IsSetting = true)]
        public static readonly SwitchOption Frobnication = Group.Switch("Frobnication", [], false, "Not known to the builder yet.");
    }
}
