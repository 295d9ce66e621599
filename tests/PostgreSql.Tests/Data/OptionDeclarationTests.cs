using Slipstream.PostgreSql.Options;
using Slipstream.Testing;

namespace Slipstream.PostgreSql.Tests.Data;

/// <summary>PgOptions is the only declaration of the options: the builder's properties, the plain settings and docs/options.md are generated from it.</summary>
public class OptionDeclarationTests
{
    private static readonly OptionDeclarations Declared = new(typeof(PgOptions), PgOptions.Table, typeof(PgConnectionStringBuilder));

    [Fact]
    public void The_documentation_page_is_current() => Declared.CheckPage("PostgreSQL");

    [Fact]
    public void The_generated_files_are_current() => Declared.CheckGeneratedFiles("PostgreSql/Options");

    [Fact]
    public void Summaries_rows_and_messages_name_the_unit_and_the_default() => Declared.CheckTexts();
}
