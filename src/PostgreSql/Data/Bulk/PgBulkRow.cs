using Slipstream.Core.Data;
using Slipstream.PostgreSql.Conversations;

namespace Slipstream.PostgreSql;

/// <summary>One row on its way into a table: write its values from left to right, one for each column that is filled.</summary>
public readonly struct PgBulkRow : IBulkRow, IEquatable<PgBulkRow>
{
    private readonly CopyExchange _exchange;

    internal PgBulkRow(CopyExchange exchange) => _exchange = exchange;

    /// <summary>
    /// Writes the next value as what its column is; null and <see cref="DBNull"/> are NULL. A value type that is the column's own is not boxed.
    /// </summary>
    /// <exception cref="InvalidOperationException">The row has all its values.</exception>
    /// <exception cref="InvalidCastException">The value cannot be one of the column's type.</exception>
    public void Write<T>(T value) => _exchange.Write(value);

    /// <summary>Writes the next value, or NULL.</summary>
    public void Write<T>(T? value) where T : struct
    {
        if (value is { } present)
            _exchange.Write(present);
        else
            _exchange.WriteNull();
    }

    /// <summary>Writes NULL.</summary>
    public void WriteNull() => _exchange.WriteNull();

    /// <inheritdoc/>
    public bool Equals(PgBulkRow other) => ReferenceEquals(_exchange, other._exchange);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is PgBulkRow other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => _exchange is null ? 0 : _exchange.GetHashCode();

    /// <summary>Whether they are rows of the same copy, or not.</summary>
    public static bool operator ==(PgBulkRow left, PgBulkRow right) => left.Equals(right);

    /// <summary>Whether they are rows of the same copy, or not.</summary>
    public static bool operator !=(PgBulkRow left, PgBulkRow right) => !left.Equals(right);
}
