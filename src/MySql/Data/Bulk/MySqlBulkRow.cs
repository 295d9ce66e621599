using Slipstream.Core.Data;
using Slipstream.MySql.Conversations;

namespace Slipstream.MySql;

/// <summary>One row on its way into a table: write its values from left to right, one for each column that is filled.</summary>
public readonly struct MySqlBulkRow : IBulkRow, IEquatable<MySqlBulkRow>
{
    private readonly BulkCopyExchange _exchange;

    internal MySqlBulkRow(BulkCopyExchange exchange) => _exchange = exchange;

    /// <summary>Writes the next value, of any type that a parameter can have; null and <see cref="DBNull"/> are NULL. A value type is not boxed.</summary>
    /// <exception cref="InvalidOperationException">The row has all its values.</exception>
    /// <exception cref="NotSupportedException">A value of this type cannot be sent.</exception>
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

    /// <summary>Whether both write the same row of the same copy.</summary>
    public bool Equals(MySqlBulkRow other) => ReferenceEquals(_exchange, other._exchange);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is MySqlBulkRow other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => _exchange is null ? 0 : _exchange.GetHashCode();

    /// <summary>Whether both write the same row of the same copy.</summary>
    public static bool operator ==(MySqlBulkRow left, MySqlBulkRow right) => left.Equals(right);

    /// <summary>Whether they write different rows.</summary>
    public static bool operator !=(MySqlBulkRow left, MySqlBulkRow right) => !left.Equals(right);
}
