using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Update;

namespace Slipstream.MySql.EntityFrameworkCore.Update;

#pragma warning disable EF1001 // how a part of a document is written has no public hook

/// <summary>A change of one row. A boolean inside a document is written as JSON's word for it.</summary>
internal sealed class MySqlModificationCommand : ModificationCommand
{
    public MySqlModificationCommand(in ModificationCommandParameters modificationCommandParameters)
        : base(modificationCommandParameters)
    {
    }

    public MySqlModificationCommand(in NonTrackedModificationCommandParameters modificationCommandParameters)
        : base(modificationCommandParameters)
    {
    }

    protected override void ProcessSinglePropertyJsonUpdate(ref ColumnModificationParameters parameters)
    {
        var converter = parameters.Property!.GetTypeMapping().Converter;
        if ((converter is null ? parameters.Value : converter.ConvertToProvider(parameters.Value)) is bool value)
            parameters = parameters with { Value = value ? "true" : "false" };
        else
            base.ProcessSinglePropertyJsonUpdate(ref parameters);
    }
}
