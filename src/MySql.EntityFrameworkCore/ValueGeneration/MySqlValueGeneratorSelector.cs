using System.Data.Common;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Update;
using Microsoft.EntityFrameworkCore.ValueGeneration;

namespace Slipstream.MySql.EntityFrameworkCore.ValueGeneration;

/// <summary>Selects what makes values in the program: for HiLo, blocks of a sequence.</summary>
internal sealed class MySqlValueGeneratorSelector(
    ValueGeneratorSelectorDependencies dependencies, SequenceBlocks blocks, IRelationalConnection connection, IRawSqlCommandBuilder rawSqlCommandBuilder,
    IUpdateSqlGenerator sql, IRelationalCommandDiagnosticsLogger logger) : RelationalValueGeneratorSelector(dependencies)
{
    // For the database of the context's connection, which may change.
    private readonly Dictionary<IProperty, ValueGenerator> _generators = [];
    private (DbConnection? Connection, string? Text, string? Database, int Version) _place;

    public override bool TrySelect(IProperty property, ITypeBase typeBase, out ValueGenerator? valueGenerator)
    {
        if (!MySqlPropertyExtensions.UsesHiLo(property) || property.GetValueGeneratorFactory() is not null)
            return base.TrySelect(property, typeBase, out valueGenerator);
        var mine = connection.DbConnection;
        var place = (mine, mine.ConnectionString, mine.Database, blocks.Version);
        if (_place != place)
            _generators.Clear();
        _place = place;
        if (!_generators.TryGetValue(property, out valueGenerator))
            _generators.Add(property, valueGenerator = Create(property, mine));
        return true;
    }

    private ValueGenerator Create(IProperty property, DbConnection mine)
    {
        if (property.FindHiLoSequence() is not { } sequence)
            throw new InvalidOperationException(
                $"The sequence '{property.GetHiLoSequenceName()}' of the property '{property.DeclaringType.DisplayName()}.{property.Name}' is not in the "
                    + "model. Add it with HasSequence, or call UseHiLo again after it was removed.");
        var question = rawSqlCommandBuilder.Build(sql.GenerateNextSequenceValueOperation(sequence.Name, sequence.Schema));
        var state = blocks.Of(sequence, mine);
        var converter = property.GetTypeMapping().Converter;
        var type = converter?.ProviderClrType ?? property.ClrType;
        type = Nullable.GetUnderlyingType(type) ?? type;
        var generator = Create(type.IsEnum ? Enum.GetUnderlyingType(type) : type, state, question)
            ?? throw new InvalidOperationException(
                $"The property '{property.DeclaringType.DisplayName()}.{property.Name}' of type {property.ClrType.Name} cannot use HiLo, which makes "
                    + "integers.");
        return converter is null ? generator : generator.WithConverter(converter);
    }

    private ValueGenerator? Create(Type type, HiLoValueGeneratorState state, IRelationalCommand question) => Type.GetTypeCode(type) switch
    {
        TypeCode.SByte => Create<sbyte>(state, question),
        TypeCode.Byte => Create<byte>(state, question),
        TypeCode.Int16 => Create<short>(state, question),
        TypeCode.UInt16 => Create<ushort>(state, question),
        TypeCode.Int32 => Create<int>(state, question),
        TypeCode.UInt32 => Create<uint>(state, question),
        TypeCode.Int64 => Create<long>(state, question),
        TypeCode.UInt64 => Create<ulong>(state, question),
        _ => null,
    };

    private SequenceHiLoValueGenerator<TValue> Create<TValue>(HiLoValueGeneratorState state, IRelationalCommand question) =>
        new(state, question, connection, logger);
}
