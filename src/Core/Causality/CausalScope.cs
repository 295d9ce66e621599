namespace Slipstream.Core.Causality;

/// <summary>
/// Reads that see the writes before them. It flows with the asynchronous context: writes through the same cluster update its token, and reads from replicas
/// wait for them or use the primary. Begin it in the method that disposes it.
/// </summary>
public sealed class CausalScope : IDisposable
{
    private static readonly AsyncLocal<CausalScope?> Innermost = new();

    private readonly object _domain;
    private readonly CausalScope? _outer;
    private readonly Lock _gate = new();
    private LogPosition? _position;
    private bool _isDisposed;

    private CausalScope(object domain, CausalScope? outer, LogPosition? position) => (_domain, _outer, _position) = (domain, outer, position);

    /// <summary>
    /// Gets the token of all writes of the scope and of those around it, and of the tokens with which they began. Null if there are none. If the position of a
    /// write is not known, such as after a lost connection, no replica satisfies the token.
    /// </summary>
    public WriteToken? Token => Position is { } position ? new(position) : null;

    /// <summary>The position that reads must see; null for none. Another flow may write in an outer scope while this one lasts.</summary>
    internal LogPosition? Position
    {
        get
        {
            LogPosition? joined = null;
            for (var scope = this; scope is not null; scope = scope._outer?.For(_domain))
                lock (scope._gate)
                    joined = scope._position is { } own ? joined?.Join(own) ?? own : joined;
            return joined;
        }
    }

    /// <summary>Begins a scope.</summary>
    /// <param name="domain">The cluster.</param>
    /// <param name="token">Writes that its reads must see; null for none.</param>
    internal static CausalScope Begin(object domain, WriteToken? token)
    {
        var outer = Innermost.Value;
        var position = Find(domain)?.Position;
        if (token is not null)
            position = position?.Join(token.Position) ?? token.Position;
        return Innermost.Value = new(domain, outer, position);
    }

    /// <summary>Returns the innermost scope of a cluster; null without one.</summary>
    internal static CausalScope? Find(object domain) => Innermost.Value?.For(domain);

    /// <summary>Records a write. The outer scopes of the cluster contain it, too.</summary>
    internal void Wrote(LogPosition position)
    {
        for (var scope = this; scope is not null; scope = scope._outer?.For(_domain))
            lock (scope._gate)
                scope._position = scope._position?.Join(position) ?? position;
    }

    /// <summary>Ends the scope. Reads no longer respect its token.</summary>
    public void Dispose()
    {
        Volatile.Write(ref _isDisposed, true);
        if (ReferenceEquals(Innermost.Value, this))
            Innermost.Value = _outer;
    }

    // A flow that outlives the scope still refers to it.
    private CausalScope? For(object domain)
    {
        var scope = this;
        while (scope is not null && (!ReferenceEquals(scope._domain, domain) || Volatile.Read(ref scope._isDisposed)))
            scope = scope._outer;
        return scope;
    }
}
