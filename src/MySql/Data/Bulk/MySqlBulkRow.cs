using Slipstream.Core.Data;
using Slipstream.MySql.Conversations;

namespace Slipstream.MySql;

/// <summary>One row of a bulk copy. Write its values from left to right, one for each column that the copy fills.</summary>
public readonly struct MySqlBulkRow : IBulkRow, IEquatable<MySqlBulkRow>
{
    private readonly BulkCopyExchange _exchange;

    internal MySqlBulkRow(BulkCopyExchange exchange) => _exchange = exchange;

    /// <summary>Writes the next value. Null and <see cref="DBNull"/> are NULL. A value type is not boxed.</summary>
    /// <typeparam name="T">Any type that a parameter can have.</typeparam>
    /// <param name="value">The value.</param>
    /// <exception cref="InvalidOperationException">The row already has all its values.</exception>
    /// <exception cref="NotSupportedException">The driver cannot send values of this type.</exception>
    public void Write<T>(T value) => _exchange.Write(value);

    /// <summary>Writes the next value, or NULL.</summary>
    /// <typeparam name="T">Any value type that a parameter can have.</typeparam>
    /// <param name="value">The value; null is NULL.</param>
    /// <exception cref="InvalidOperationException">The row already has all its values.</exception>
    /// <exception cref="NotSupportedException">The driver cannot send values of this type.</exception>
    public void Write<T>(T? value) where T : struct
    {
        if (value is { } present)
            _exchange.Write(present);
        else
            _exchange.WriteNull();
    }

    /// <summary>Writes NULL.</summary>
    /// <exception cref="InvalidOperationException">The row already has all its values.</exception>
    public void WriteNull() => _exchange.WriteNull();

    /// <summary>Returns whether both write the same row of the same copy.</summary>
    /// <param name="other">The other row.</param>
    /// <returns>True if they are equal.</returns>
    public bool Equals(MySqlBulkRow other) => ReferenceEquals(_exchange, other._exchange);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is MySqlBulkRow other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => _exchange is null ? 0 : _exchange.GetHashCode();

    /// <summary>Returns whether both write the same row of the same copy.</summary>
    /// <param name="left">A row.</param>
    /// <param name="right">Another row.</param>
    /// <returns>True if they are equal.</returns>
    public static bool operator ==(MySqlBulkRow left, MySqlBulkRow right) => left.Equals(right);

    /// <summary>Returns whether they write different rows.</summary>
    /// <param name="left">A row.</param>
    /// <param name="right">Another row.</param>
    /// <returns>True if they are different.</returns>
    public static bool operator !=(MySqlBulkRow left, MySqlBulkRow right) => !left.Equals(right);
}
