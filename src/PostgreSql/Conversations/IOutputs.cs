namespace Slipstream.PostgreSql.Conversations;

/// <summary>Receives the first row of the first result: implemented by a command, or a command of a batch, with output parameters.</summary>
internal interface IOutputs
{
    void Take(PgRow row);
}
