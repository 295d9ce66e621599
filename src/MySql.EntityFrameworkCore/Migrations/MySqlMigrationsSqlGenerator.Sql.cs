using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Migrations.Operations;

namespace Slipstream.MySql.EntityFrameworkCore.Migrations;

/// <summary>The SQL that the application writes.</summary>
internal sealed partial class MySqlMigrationsSqlGenerator
{
    /// <remarks>
    /// A command that is sent needs no semicolon, but a script goes on with the next statement. A text with DELIMITER has its own ends.
    /// </remarks>
    protected override void Generate(SqlOperation operation, IModel? model, MigrationCommandListBuilder builder)
    {
        var text = operation.Sql.TrimEnd();
        if (!Options.HasFlag(MigrationsSqlGenerationOptions.Script) || text.Length == 0 || text.EndsWith(';')
            || text.Contains("DELIMITER", StringComparison.OrdinalIgnoreCase))
        {
            base.Generate(operation, model, builder);
            return;
        }

        // The last line may be a comment.
        builder.AppendLine(text).AppendLine(";");
        EndStatement(builder, operation.SuppressTransaction);
    }
}
