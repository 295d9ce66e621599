using Slipstream.Core.Data;
using Slipstream.PostgreSql.Conversations;

namespace Slipstream.PostgreSql;

/// <summary>A row of a bulk copy. Write its values from left to right, one for each column of the copy.</summary>
public readonly struct PgBulkRow : IBulkRow, IEquatable<PgBulkRow>
{
    private readonly CopyExchange _exchange;

    internal PgBulkRow(CopyExchange exchange) => _exchange = exchange;

    /// <summary>
    /// Writes the next value in the column's type; null and <see cref="DBNull"/> are NULL. A value type that matches the column's type is not boxed.
    /// </summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="value">The value.</param>
    /// <exception cref="InvalidOperationException">The row already has all its values.</exception>
    /// <exception cref="InvalidCastException">The value cannot be converted to the column's type.</exception>
    public void Write<T>(T value) => _exchange.Write(value);

    /// <summary>Writes the next value, or NULL.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="value">The value; null is NULL.</param>
    /// <exception cref="InvalidOperationException">The row already has all its values.</exception>
    /// <exception cref="InvalidCastException">The value cannot be converted to the column's type.</exception>
    public void Write<T>(T? value) where T : struct
    {
        if (value is { } present)
            _exchange.Write(present);
        else
            _exchange.WriteNull();
    }

    /// <summary>Writes NULL as the next value.</summary>
    /// <exception cref="InvalidOperationException">The row already has all its values.</exception>
    public void WriteNull() => _exchange.WriteNull();

    /// <inheritdoc/>
    public bool Equals(PgBulkRow other) => ReferenceEquals(_exchange, other._exchange);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is PgBulkRow other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => _exchange is null ? 0 : _exchange.GetHashCode();

    /// <summary>Returns true if both are rows of the same copy.</summary>
    /// <param name="left">One row.</param>
    /// <param name="right">The other row.</param>
    public static bool operator ==(PgBulkRow left, PgBulkRow right) => left.Equals(right);

    /// <summary>Returns true if the rows belong to different copies.</summary>
    /// <param name="left">One row.</param>
    /// <param name="right">The other row.</param>
    public static bool operator !=(PgBulkRow left, PgBulkRow right) => !left.Equals(right);
}
