using System.Data;

namespace Slipstream.Core.Data;

// What is told of the state. The arguments are shared: the event is raised at every pooled open and close, which allocate nothing.
public abstract partial class ProviderConnection
{
    private static readonly StateChangeEventArgs ToOpen = new(ConnectionState.Closed, ConnectionState.Open);
    private static readonly StateChangeEventArgs ToClosed = new(ConnectionState.Open, ConnectionState.Closed);
    private static readonly StateChangeEventArgs ToConnecting = new(ConnectionState.Closed, ConnectionState.Connecting);
    private static readonly StateChangeEventArgs ConnectingToOpen = new(ConnectionState.Connecting, ConnectionState.Open);
    private static readonly StateChangeEventArgs ConnectingToClosed = new(ConnectionState.Connecting, ConnectionState.Closed);

    /// <summary>Whether StateChange tells of Connecting too. The peers of the databases differ in that.</summary>
    private protected virtual bool TellsConnecting => false;

    private void TellConnecting()
    {
        if (TellsConnecting)
            OnStateChange(ToConnecting);
    }

    private void TellOpen() => OnStateChange(TellsConnecting ? ConnectingToOpen : ToOpen);

    private void TellNotOpened()
    {
        if (TellsConnecting)
            OnStateChange(ConnectingToClosed);
    }
}
