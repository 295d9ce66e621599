namespace Slipstream.Core.Data;

/// <summary>One row on its way into a table: its values are written from left to right, one for each column that is filled.</summary>
public interface IBulkRow
{
    /// <summary>Writes the next value; null and <see cref="DBNull"/> are NULL. A value type is not boxed.</summary>
    /// <exception cref="InvalidOperationException">The row has all its values.</exception>
    void Write<T>(T value);

    /// <summary>Writes NULL.</summary>
    void WriteNull();
}
