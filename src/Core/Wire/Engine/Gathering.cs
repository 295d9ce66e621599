using System.Net.Sockets;

namespace Slipstream.Core.Wires;

/// <summary>A receive that completes when several small answers have arrived.</summary>
internal sealed class Gathering
{
    private readonly SafeSocketHandle _socket;

    /// <param name="socket">The descriptor.</param>
    public Gathering(SafeSocketHandle socket)
    {
        _socket = socket;
        Place = new(this);
    }

    /// <summary>The place in <see cref="Gatherings"/>.</summary>
    public LinkedListNode<Gathering> Place { get; }

    /// <summary>When what has arrived is enough, in the unit of <see cref="Time.Clock.Precise"/>.</summary>
    public long Deadline { get; set; }

    /// <summary>Whether the receive has begun and has not ended. Only for the receive itself.</summary>
    public bool IsRunning { get; set; }

    /// <summary>Makes this many bytes complete the receive. Returns false if the kernel refuses it.</summary>
    public bool Want(int bytes) => Epoll.SetLowWater(_socket, bytes) >= 0;
}
