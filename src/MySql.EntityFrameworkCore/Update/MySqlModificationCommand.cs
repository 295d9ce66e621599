using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Update;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Update;

#pragma warning disable EF1001 // how a part of a document is written has no public hook

/// <summary>A change of one row. A boolean or a decimal inside a document is written as JSON.</summary>
internal sealed class MySqlModificationCommand : ModificationCommand
{
    private readonly Func<string>? _parameterName;

    public MySqlModificationCommand(in ModificationCommandParameters modificationCommandParameters)
        : base(modificationCommandParameters) =>
        (_parameterName, DetailedErrors) = (modificationCommandParameters.GenerateParameterName, modificationCommandParameters.DetailedErrorsEnabled);

    public MySqlModificationCommand(in NonTrackedModificationCommandParameters modificationCommandParameters)
        : base(modificationCommandParameters)
    {
    }

    /// <summary>Whether an error in reading a value names the property.</summary>
    public bool DetailedErrors { get; }

    public override IReadOnlyList<IColumnModification> ColumnModifications => field ??= base.ColumnModifications is var all
        && all.Any(static column => column.JsonPath is { Length: > 1 }) && Entries is [var entry, ..]
            ? [.. all.Select(column =>
                column.JsonPath is { Length: > 1 } path ? WithPath(column, JsonPaths.Quote(path, column.ColumnName, entry.EntityType)) : column)]
            : all;

    private ColumnModification WithPath(IColumnModification column, string path) => new(new ColumnModificationParameters(
        column.ColumnName, column.Value, column.Property, column.ColumnType, column.TypeMapping!, path, column.IsRead, column.IsWrite,
        column.IsKey, column.IsCondition, sensitiveLoggingEnabled: false, column.IsNullable) { GenerateParameterName = _parameterName });

    protected override void ProcessSinglePropertyJsonUpdate(ref ColumnModificationParameters parameters)
    {
        var converter = parameters.Property!.GetTypeMapping().Converter;
        switch (converter is null ? parameters.Value : converter.ConvertToProvider(parameters.Value))
        {
            case bool value:
                parameters = parameters with { Value = value ? "true" : "false" };
                break;
            case decimal value:
                parameters = parameters with { Value = JsonDecimals.Instance.ToJsonString(value) };
                break;
            default:
                base.ProcessSinglePropertyJsonUpdate(ref parameters);
                break;
        }
    }
}
