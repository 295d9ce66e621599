using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore;
using Pomelo.EntityFrameworkCore.MySql.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Metadata;

/// <summary>Refuses models whose sequences the server does not have, or cannot use.</summary>
internal static class SequenceRules
{
    /// <exception cref="InvalidOperationException">The model has a sequence, or a property uses one, that cannot be.</exception>
    public static void Validate(IModel model, MySqlSingletonOptions options)
    {
        // The version may be known later, when the SQL is written.
        if (!options.Capabilities.Sequences && !options.IsVersionAssumed && model.GetSequences().FirstOrDefault() is { } first)
            throw new InvalidOperationException(
                $"The model has the sequence '{first.Name}', and {options.ServerVersion} has no sequences. Remove HasSequence, UseSequence, UseKeySequences "
                    + "and UseHiLo, so that AUTO_INCREMENT makes the keys, or use MariaDB 10.3 or later.");
        if (options.Values.SchemaBehavior == MySqlSchemaBehavior.Throw
            && model.GetSequences().FirstOrDefault(static sequence => sequence.Schema is not null) is { } other)
            throw new InvalidOperationException(
                $"The sequence '{other.Name}' has the schema '{other.Schema}'. MySQL and MariaDB have no schemas inside a database. Remove it, or choose "
                    + "Ignore or Translate with SchemaBehavior in the options of UseMySql.");
        foreach (var property in model.GetEntityTypes().SelectMany(static type => type.GetDeclaredProperties()))
            Validate(property);
    }

    private static void Validate(IProperty property)
    {
        var strategy = property.GetValueGenerationStrategy();
        if (strategy is not (MySqlValueGenerationStrategy.SequenceHiLo or MySqlValueGenerationStrategy.Sequence))
            return;
        if (!MySqlPropertyExtensions.CanAutoIncrement(property))
            throw new InvalidOperationException(
                $"The property '{property.DeclaringType.DisplayName()}.{property.Name}' of type {property.ClrType.Name} uses a sequence, which makes integers. "
                    + "Remove UseSequence or UseHiLo, or give it a conversion to an integer.");
        if (strategy == MySqlValueGenerationStrategy.SequenceHiLo && property.FindHiLoSequence() is { IncrementBy: < 1 } sequence)
            throw new InvalidOperationException(
                $"The sequence '{sequence.Name}' of the property '{property.DeclaringType.DisplayName()}.{property.Name}' has the increment "
                    + $"{sequence.IncrementBy}. HiLo takes blocks of that size: set a positive number with IncrementsBy.");
    }
}
