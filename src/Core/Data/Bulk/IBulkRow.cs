namespace Slipstream.Core.Data;

/// <summary>Writes one row of a bulk copy: its values from left to right, one for each destination column.</summary>
public interface IBulkRow
{
    /// <summary>Writes the next value. Null and <see cref="DBNull"/> are written as NULL. A value type is not boxed.</summary>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="value">The value.</param>
    /// <exception cref="InvalidOperationException">The row has all its values already.</exception>
    void Write<T>(T value);

    /// <summary>Writes NULL as the next value.</summary>
    /// <exception cref="InvalidOperationException">The row has all its values already.</exception>
    void WriteNull();
}
