using Slipstream.Core.Clusters;
using Slipstream.Core.Topology;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Data;

public abstract partial class ProviderDataSource
{
    /// <summary>
    /// Gets the servers as the driver knows them now, with their roles and states: of a data source that asks them for their roles in the background, and of
    /// its views. The driver begins to ask when the first connection is opened. The call sends nothing.
    /// </summary>
    /// <value>
    /// The servers. A data source that does not ask its servers, such as that of a single server, has
    /// <see cref="TopologyDescription.IsWatched"/> = false, and lists its servers with unknown roles and states.
    /// </value>
    public TopologyDescription Topology => Sessions is ClusterView view ? view.Cluster.News.Describe() : DescribeUnwatched();

    /// <summary>
    /// Gets whether the driver knows a server now that suits the role of this data source. If not, <c>Open</c> waits for one, for at most
    /// <c>Server Selection Timeout</c>.
    /// </summary>
    /// <value>False before the first connection is opened. Always true if the data source does not ask its servers for their roles.</value>
    public bool HasSuitableHost => Sessions is not ClusterView view || view.HasServer;

    /// <summary>
    /// Occurs when the role or the state of a server has changed, or another server has become the primary. All views share it, and the sender is the data
    /// source that owns them. It never occurs if the data source does not ask its servers for their roles.
    /// </summary>
    /// <remarks>
    /// The handlers run on a thread of the pool, outside of locks, one change after another in the order of the changes. They delay no request. An exception of
    /// a handler is logged and ignored. After 100 changes that a handler has not taken yet, further changes share one event. No event begins after the data
    /// source was disposed.
    /// </remarks>
    public event EventHandler<TopologyChangedEventArgs>? TopologyChanged
    {
        add
        {
            if (Sessions is ClusterView view)
                view.Cluster.News.Changed += value;
        }

        remove
        {
            if (Sessions is ClusterView view)
                view.Cluster.News.Changed -= value;
        }
    }

    /// <summary>The servers of the connection string.</summary>
    internal abstract IReadOnlyList<Endpoint> Endpoints { get; }

    private TopologyDescription DescribeUnwatched()
    {
        HostDescription[] hosts = [.. Endpoints.Select(static one => new HostDescription(one.Host, one.Port))];
        return new(0, Array.AsReadOnly(hosts), null, isWatched: false);
    }
}
