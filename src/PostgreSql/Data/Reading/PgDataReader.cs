using System.Data;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Data;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Sessions;

namespace Slipstream.PostgreSql;

/// <summary>Reads the rows of a command. After <c>Read</c>, no getter waits for the network, except with sequential access.</summary>
[SuppressMessage("Naming", "CA1710:Identifiers should have correct suffix", Justification = "ADO.NET's own naming.")]
[SuppressMessage("Design", "CA1010:Generic interface should also be implemented", Justification = "The base class of ADO.NET decides the interfaces.")]
public sealed class PgDataReader : ProviderDataReader
{
    internal PgDataReader(ProviderCommand command, PgSession session, CommandBehavior behavior)
        : base(command, session, behavior)
    {
    }

    // A deferred constraint or a later statement may fail after the rows have been read; the rows are then rolled back.
    /// <inheritdoc/>
    private protected override bool ThrowsErrorsOnClose => true;

    /// <summary>Returns an interval, or a time as the span since midnight.</summary>
    /// <param name="ordinal">The column's index, from 0.</param>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidCastException">The value is NULL, of another type, or an interval with months, whose length a TimeSpan cannot
    /// express.</exception>
    public TimeSpan GetTimeSpan(int ordinal) => GetFieldValue<TimeSpan>(ordinal);

    /// <inheritdoc/>
    public override char GetChar(int ordinal) => GetFieldValue<char>(ordinal);

    /// <summary>Returns timestamptz with offset zero, or timetz.</summary>
    /// <param name="ordinal">The column's index, from 0.</param>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidCastException">The value is NULL or of another type.</exception>
    public DateTimeOffset GetDateTimeOffset(int ordinal) => GetFieldValue<DateTimeOffset>(ordinal);

    /// <summary>Returns the object id of the column's type in pg_type.</summary>
    /// <param name="ordinal">The column's index, from 0.</param>
    /// <returns>The object id.</returns>
    public uint GetDataTypeOID(int ordinal) => (uint)Described.Describe(ordinal).ProviderType;
}
