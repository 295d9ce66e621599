using System.Collections;

namespace Slipstream.PostgreSql;

/// <summary>An open or closed sequence of connected points: PostgreSQL's type path. The server refuses a value without points.</summary>
/// <remarks>Copies of the structure share the list of points.</remarks>
public struct PgPath : IList<PgPoint>, IEquatable<PgPath>
{
    private List<PgPoint>? _points;

    /// <summary>Creates an empty closed path.</summary>
    public PgPath() => _points = [];

    /// <summary>Creates a closed path from points, which are copied.</summary>
    /// <param name="points">The points.</param>
    /// <exception cref="ArgumentNullException">The points are null.</exception>
    public PgPath(IEnumerable<PgPoint> points) => _points = [.. points ?? throw new ArgumentNullException(nameof(points))];

    /// <summary>Creates a closed path from points, which are copied.</summary>
    /// <param name="points">The points.</param>
    /// <exception cref="ArgumentNullException">The points are null.</exception>
    public PgPath(params PgPoint[] points) : this((IEnumerable<PgPoint>)points)
    {
    }

    /// <summary>Creates an empty closed path with room for points.</summary>
    /// <param name="capacity">The number of points.</param>
    /// <exception cref="ArgumentOutOfRangeException">The capacity is negative.</exception>
    public PgPath(int capacity) => _points = new(capacity);

    /// <summary>Creates an open or closed path from points, which are copied.</summary>
    /// <param name="points">The points.</param>
    /// <param name="open">True for an open path: its last point is not connected to its first.</param>
    /// <exception cref="ArgumentNullException">The points are null.</exception>
    public PgPath(IEnumerable<PgPoint> points, bool open)
    {
        _points = [.. points ?? throw new ArgumentNullException(nameof(points))];
        Open = open;
    }

    /// <summary>Creates an empty path.</summary>
    /// <param name="open">True for an open path: its last point is not connected to its first.</param>
    public PgPath(bool open)
    {
        _points = [];
        Open = open;
    }

    /// <summary>Creates an empty path with room for points.</summary>
    /// <param name="capacity">The number of points.</param>
    /// <param name="open">True for an open path: its last point is not connected to its first.</param>
    /// <exception cref="ArgumentOutOfRangeException">The capacity is negative.</exception>
    public PgPath(int capacity, bool open)
    {
        _points = new(capacity);
        Open = open;
    }

    /// <summary>Gets or sets whether the path is open: its last point is not connected to its first.</summary>
    public bool Open { get; set; }

    /// <summary>Gets the number of points for which there is room.</summary>
    public readonly int Capacity => _points?.Capacity ?? 0;

    /// <summary>Gets the number of points.</summary>
    public readonly int Count => _points?.Count ?? 0;

    /// <summary>Gets false: points can be added and removed.</summary>
    public readonly bool IsReadOnly => false;

    private readonly IEnumerable<PgPoint> Points => _points ?? [];

    private readonly string Text => string.Join(',', Points);

    /// <summary>Gets or sets a point.</summary>
    /// <param name="index">The index, from 0.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is no such point.</exception>
    public PgPoint this[int index]
    {
        get => Existing[index];
        set => Existing[index] = value;
    }

    private List<PgPoint> Existing => _points ??= [];

    /// <summary>Returns whether the points are equal, and both are open or both are closed.</summary>
    /// <param name="x">The first value.</param>
    /// <param name="y">The second value.</param>
    /// <returns>True if they are equal.</returns>
    public static bool operator ==(PgPath x, PgPath y) => x.Equals(y);

    /// <summary>Returns whether the values differ.</summary>
    /// <param name="x">The first value.</param>
    /// <param name="y">The second value.</param>
    /// <returns>True if they differ.</returns>
    public static bool operator !=(PgPath x, PgPath y) => !x.Equals(y);

    /// <summary>Returns whether the points are equal, and both are open or both are closed.</summary>
    /// <param name="other">The other value.</param>
    /// <returns>True if they are equal.</returns>
    public readonly bool Equals(PgPath other) => Open == other.Open && Points.SequenceEqual(other.Points);

    /// <inheritdoc/>
    public override readonly bool Equals(object? obj) => obj is PgPath other && Equals(other);

    /// <inheritdoc/>
    public override readonly int GetHashCode() => Hash();

    /// <summary>Returns the index of a point.</summary>
    /// <param name="item">The point.</param>
    /// <returns>The index of the first equal point, or -1.</returns>
    public readonly int IndexOf(PgPoint item) => _points?.IndexOf(item) ?? -1;

    /// <summary>Inserts a point.</summary>
    /// <param name="index">The index of the new point.</param>
    /// <param name="item">The point.</param>
    /// <exception cref="ArgumentOutOfRangeException">The index is negative, or greater than the number of points.</exception>
    public void Insert(int index, PgPoint item) => Existing.Insert(index, item);

    /// <summary>Removes a point.</summary>
    /// <param name="index">The index of the point.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is no such point.</exception>
    public void RemoveAt(int index) => Existing.RemoveAt(index);

    /// <summary>Adds a point at the end.</summary>
    /// <param name="item">The point.</param>
    public void Add(PgPoint item) => Existing.Add(item);

    /// <summary>Removes all points.</summary>
    public readonly void Clear() => _points?.Clear();

    /// <summary>Returns whether there is an equal point.</summary>
    /// <param name="item">The point.</param>
    /// <returns>True if there is one.</returns>
    public readonly bool Contains(PgPoint item) => IndexOf(item) >= 0;

    /// <summary>Copies the points.</summary>
    /// <param name="array">The destination.</param>
    /// <param name="arrayIndex">The index of the first point in the destination.</param>
    /// <exception cref="ArgumentException">The destination is too small.</exception>
    public void CopyTo(PgPoint[] array, int arrayIndex) => Existing.CopyTo(array, arrayIndex);

    /// <summary>Removes the first equal point.</summary>
    /// <param name="item">The point.</param>
    /// <returns>True if there was one.</returns>
    public readonly bool Remove(PgPoint item) => _points?.Remove(item) ?? false;

    /// <summary>Returns an enumerator of the points.</summary>
    /// <returns>The enumerator.</returns>
    public readonly IEnumerator<PgPoint> GetEnumerator() => Points.GetEnumerator();

    readonly IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>Returns the value in PostgreSQL's text format, such as <c>[(1,2),(3,4)]</c> if it is open, or <c>((1,2),(3,4))</c>.</summary>
    /// <returns>The text.</returns>
    public override readonly string ToString() => Open ? $"[{Text}]" : $"({Text})";

    private readonly int Hash()
    {
        var hash = new HashCode();
        foreach (var point in Points)
            hash.Add(point);
        hash.Add(Open);
        return hash.ToHashCode();
    }
}
