using System.Globalization;

namespace Slipstream.PostgreSql;

/// <summary>The physical position of a row in its table: PostgreSQL's type tid, as in the system column <c>ctid</c>.</summary>
public readonly struct PgTid : IEquatable<PgTid>
{
    /// <summary>Creates a position.</summary>
    /// <param name="blockNumber">The number of the block, from 0.</param>
    /// <param name="offsetNumber">The number of the row in the block, from 1.</param>
    public PgTid(uint blockNumber, ushort offsetNumber) => (BlockNumber, OffsetNumber) = (blockNumber, offsetNumber);

    /// <summary>Gets the number of the block, from 0.</summary>
    public uint BlockNumber { get; }

    /// <summary>Gets the number of the row in the block, from 1.</summary>
    public ushort OffsetNumber { get; }

    /// <summary>Returns whether block and offset are equal.</summary>
    /// <param name="left">The first value.</param>
    /// <param name="right">The second value.</param>
    /// <returns>True if they are equal.</returns>
    public static bool operator ==(PgTid left, PgTid right) => left.Equals(right);

    /// <summary>Returns whether the values differ.</summary>
    /// <param name="left">The first value.</param>
    /// <param name="right">The second value.</param>
    /// <returns>True if they differ.</returns>
    public static bool operator !=(PgTid left, PgTid right) => !left.Equals(right);

    /// <summary>Returns whether block and offset are equal.</summary>
    /// <param name="other">The other value.</param>
    /// <returns>True if they are equal.</returns>
    public bool Equals(PgTid other) => BlockNumber == other.BlockNumber && OffsetNumber == other.OffsetNumber;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is PgTid other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(BlockNumber, OffsetNumber);

    /// <summary>Returns block and offset.</summary>
    /// <param name="blockNumber">The number of the block.</param>
    /// <param name="offsetNumber">The number of the row in the block.</param>
    public void Deconstruct(out uint blockNumber, out ushort offsetNumber) => (blockNumber, offsetNumber) = (BlockNumber, OffsetNumber);

    /// <summary>Returns the value in PostgreSQL's text format, such as <c>(0,1)</c>.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"({BlockNumber},{OffsetNumber})");
}
