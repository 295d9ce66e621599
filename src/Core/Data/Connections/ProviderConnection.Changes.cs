using System.Data;

namespace Slipstream.Core.Data;

// The StateChange events. Their arguments are shared, because each open and close of a pooled connection raises the event, and must not allocate.
public abstract partial class ProviderConnection
{
    private static readonly StateChangeEventArgs ToOpen = new(ConnectionState.Closed, ConnectionState.Open);
    private static readonly StateChangeEventArgs ToClosed = new(ConnectionState.Open, ConnectionState.Closed);
    private static readonly StateChangeEventArgs ToConnecting = new(ConnectionState.Closed, ConnectionState.Connecting);
    private static readonly StateChangeEventArgs ConnectingToOpen = new(ConnectionState.Connecting, ConnectionState.Open);
    private static readonly StateChangeEventArgs ConnectingToClosed = new(ConnectionState.Connecting, ConnectionState.Closed);

    /// <summary>Whether StateChange also reports the state Connecting. Comparable drivers differ in that.</summary>
    private protected virtual bool ReportsConnecting => false;

    private void RaiseConnecting()
    {
        if (ReportsConnecting)
            OnStateChange(ToConnecting);
    }

    private void RaiseOpened() => OnStateChange(ReportsConnecting ? ConnectingToOpen : ToOpen);

    private void RaiseOpenFailed()
    {
        if (ReportsConnecting)
            OnStateChange(ConnectingToClosed);
    }
}
