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
    private CausalNeed? _need;
    private bool _isDisposed;

    private CausalScope(object domain, CausalScope? outer, CausalNeed? need) => (_domain, _outer, _need) = (domain, outer, need);

    /// <summary>
    /// Gets the token of all writes of the scope and of those around it, and of the tokens with which they began. Null if there are none. If the position of a
    /// write is not known, such as after a lost connection, no replica satisfies the token.
    /// </summary>
    public WriteToken? Token => Need is { } need ? new(need.Position) : null;

    /// <summary>What reads must see; null for nothing. Another flow may write in an outer scope while this one lasts.</summary>
    internal CausalNeed? Need
    {
        get
        {
            CausalNeed? joined = null;
            for (var scope = this; scope is not null; scope = scope._outer?.For(_domain))
                lock (scope._gate)
                    joined = scope._need?.Join(joined) ?? joined;
            return joined;
        }
    }

    /// <summary>Begins a scope.</summary>
    /// <param name="domain">The cluster.</param>
    /// <param name="token">Writes that its reads must see; null for none.</param>
    internal static CausalScope Begin(object domain, WriteToken? token)
    {
        var outer = Innermost.Value;
        var need = Find(domain)?.Need;
        if (token is not null)
            need = new CausalNeed(token.Position, null).Join(need);
        return Innermost.Value = new(domain, outer, need);
    }

    /// <summary>Returns the innermost scope of a cluster; null without one.</summary>
    internal static CausalScope? Find(object domain) => Innermost.Value?.For(domain);

    /// <summary>Records a write. The outer scopes of the cluster contain it, too.</summary>
    /// <param name="position">Its position.</param>
    /// <param name="writer">The server that has executed it; null if it is not known.</param>
    internal void Wrote(LogPosition position, ICausalServer? writer)
    {
        CausalNeed written = new(position, writer);
        for (var scope = this; scope is not null; scope = scope._outer?.For(_domain))
            lock (scope._gate)
                scope._need = written.Join(scope._need);
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
