namespace Slipstream.MySql.EntityFrameworkCore.Migrations;

/// <summary>How far a migration has come.</summary>
/// <param name="Command">The command that was begun last, counted from 0.</param>
/// <param name="TextsBefore">A hash of the texts of the commands before it, which are done.</param>
/// <param name="Text">A hash of its text.</param>
/// <param name="State">How it ended.</param>
internal sealed record MigrationPoint(int Command, string TextsBefore, string Text, string State)
{
    /// <summary>It was begun. Whether the server has executed it is not known.</summary>
    public const string Begun = "begun";

    /// <summary>The server has refused it.</summary>
    public const string Refused = "refused";

    /// <summary>It was executed: a person has looked.</summary>
    public const string Done = "done";
}
