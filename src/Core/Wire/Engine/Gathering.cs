using System.Net.Sockets;

namespace Slipstream.Core.Wires;

/// <summary>A receive that completes when several small answers have arrived.</summary>
internal sealed class Gathering
{
    private readonly EngineSocket _owner;
    private readonly SafeSocketHandle _socket;

    /// <param name="owner">The receiver.</param>
    /// <param name="socket">Its descriptor.</param>
    public Gathering(EngineSocket owner, SafeSocketHandle socket)
    {
        (_owner, _socket) = (owner, socket);
        Place = new(this);
    }

    /// <summary>The place in <see cref="Gatherings"/>.</summary>
    public LinkedListNode<Gathering> Place { get; }

    /// <summary>When what has arrived is enough, in the unit of <see cref="Time.Clock.Precise"/>.</summary>
    public long Deadline { get; set; }

    /// <summary>Whether the receive has begun and has not ended. Only for the receive itself.</summary>
    public bool IsRunning { get; set; }

    /// <summary>Makes a single byte complete the receive, also one that has arrived.</summary>
    public void GiveUp()
    {
        Want(1);
        // Linux reports the bytes that have arrived when the number is lowered. Kernels that imitate it may not.
        _owner.CheckAgain();
    }

    /// <summary>Makes this many bytes complete the receive. Returns false if the kernel refuses it.</summary>
    public bool Want(int bytes) => Epoll.SetLowWater(_socket, bytes) >= 0;
}
