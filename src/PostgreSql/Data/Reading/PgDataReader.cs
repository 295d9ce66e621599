using System.Data;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Data;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Sessions;

namespace Slipstream.PostgreSql;

/// <summary>Reads the rows of a command. After <c>Read</c> no getter waits, unless the reader was asked for sequential access.</summary>
[SuppressMessage("Naming", "CA1710:Identifiers should have correct suffix", Justification = "ADO.NET's own naming.")]
[SuppressMessage("Design", "CA1010:Generic interface should also be implemented", Justification = "The base class of ADO.NET decides the interfaces.")]
public sealed class PgDataReader : ProviderDataReader
{
    internal PgDataReader(ProviderCommand command, PgSession session, CommandBehavior behavior)
        : base(command, session, behavior)
    {
    }

    // A constraint that is checked behind the rows, a statement behind the first: what was read may be undone.
    /// <inheritdoc/>
    private protected override bool TellsErrorsWhenClosed => true;

    /// <summary>An interval, or a time as the span since midnight.</summary>
    /// <exception cref="InvalidCastException">The interval has months, whose length a TimeSpan cannot express.</exception>
    public TimeSpan GetTimeSpan(int ordinal) => GetFieldValue<TimeSpan>(ordinal);

    /// <inheritdoc/>
    public override char GetChar(int ordinal) => GetFieldValue<char>(ordinal);

    /// <summary>timestamptz with offset zero, or timetz.</summary>
    public DateTimeOffset GetDateTimeOffset(int ordinal) => GetFieldValue<DateTimeOffset>(ordinal);

    /// <summary>The object id of the column's type in pg_type.</summary>
    public uint GetDataTypeOID(int ordinal) => (uint)Described.Describe(ordinal).ProviderType;
}
