using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Slipstream.Core.Wires;

/// <summary>The system calls of Linux that the completion engine needs. Failures are returned as the negative error number.</summary>
internal static unsafe partial class Epoll
{
    public const uint Readable = 0x001;
    public const uint Writable = 0x004;
    public const uint Error = 0x008;
    public const uint HangUp = 0x010;
    public const uint PeerClosed = 0x2000;
    public const uint EdgeTriggered = 1u << 31;

    public const int Add = 1;
    public const int Delete = 2;
    public const int Modify = 3;

    public const int Again = 11;

    /// <summary>The failure of a descriptor that has been closed by its owner.</summary>
    public const int Gone = -125;

    private const int Interrupted = 4;
    private const int IsConnected = 106;
    private const int Already = 114;
    private const int InProgress = 115;

    private const int CloseOnExec = 0x80000;
    private const int SemaphoreAndNonBlocking = 0x801;
    private const int DoNotWait = 0x40;
    private const int NoSignal = 0x4000;
    private const int SetFlags = 4;
    private const int NonBlocking = 0x800;

    /// <summary>struct epoll_event is packed on x64 (12 bytes) and naturally aligned on arm64 (16 bytes): where its data begins.</summary>
    private static readonly int DataAt = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 4 : 8;

    /// <summary>An epoll set, or a failure.</summary>
    public static int Create() => Checked(epoll_create1(CloseOnExec));

    /// <summary>A counter that makes an epoll set readable, or a failure. A read takes one off.</summary>
    public static int CreateCounter() => Checked(eventfd(0, SemaphoreAndNonBlocking | CloseOnExec));

    public static int Control(int set, int operation, SafeHandle descriptor, uint events, ulong data)
    {
        var room = stackalloc byte[16];
        Unsafe.WriteUnaligned(room, events);
        Unsafe.WriteUnaligned(room + DataAt, data);
        return Checked(epoll_ctl(set, operation, descriptor, room));
    }

    public static int Control(int set, int operation, int descriptor, uint events, ulong data)
    {
        var room = stackalloc byte[16];
        Unsafe.WriteUnaligned(room, events);
        Unsafe.WriteUnaligned(room + DataAt, data);
        return Checked(epoll_ctl(set, operation, descriptor, room));
    }

    /// <summary>1 with one event, 0 when there is none within the time (−1: no limit, 0: only look), or a failure.</summary>
    public static int Wait(int set, int milliseconds, out uint events, out ulong data)
    {
        var room = stackalloc byte[16];
        var count = epoll_wait(set, room, 1, milliseconds);
        events = Unsafe.ReadUnaligned<uint>(room);
        data = Unsafe.ReadUnaligned<ulong>(room + DataAt);
        return Checked(count);
    }

    /// <summary>What has arrived, without waiting; 0 when the peer has closed.</summary>
    public static int Receive(SafeHandle socket, Span<byte> room) => Receive(socket, room, DoNotWait);

    /// <summary>What has arrived, after waiting for it; 0 when the peer has closed.</summary>
    public static int ReceiveBlocking(SafeHandle socket, Span<byte> room) => Receive(socket, room, 0);

    /// <summary>Sends what the kernel has room for, without waiting.</summary>
    public static int Send(SafeHandle socket, ReadOnlySpan<byte> bytes) => Send(socket, bytes, DoNotWait | NoSignal);

    /// <summary>Sends, and waits until the kernel has room.</summary>
    public static int SendBlocking(SafeHandle socket, ReadOnlySpan<byte> bytes) => Send(socket, bytes, NoSignal);

    /// <summary>An end of a TCP connection that the runtime has not made, and does not know; null when it has none.</summary>
    public static IPEndPoint? EndOf(SafeHandle socket, bool isPeers)
    {
        const int Internet = 2;
        const int Internet6 = 10;
        Span<byte> address = stackalloc byte[28];
        var length = (uint)address.Length;
        try
        {
            fixed (byte* start = address)
            {
                if ((isPeers ? getpeername(socket, start, &length) : getsockname(socket, start, &length)) < 0)
                    return null;
            }
        }
        catch (ObjectDisposedException)
        {
            return null;
        }

        var port = BinaryPrimitives.ReadUInt16BigEndian(address[2..]);
        return Unsafe.ReadUnaligned<ushort>(ref address[0]) switch
        {
            Internet => new(new IPAddress(address.Slice(4, 4)), port),
            Internet6 => new(new IPAddress(address.Slice(8, 16), Unsafe.ReadUnaligned<uint>(ref address[24])), port),
            _ => null,
        };
    }

    private static int Receive(SafeHandle socket, Span<byte> room, int flags)
    {
        try
        {
            fixed (byte* start = room)
            {
                int result;
                do
                    result = Checked((int)recv(socket, start, (nuint)room.Length, flags));
                while (result == -Interrupted);
                return result;
            }
        }
        catch (ObjectDisposedException)
        {
            return Gone;
        }
    }

    private static int Send(SafeHandle socket, ReadOnlySpan<byte> bytes, int flags)
    {
        try
        {
            fixed (byte* start = bytes)
            {
                int result;
                do
                    result = Checked((int)send(socket, start, (nuint)bytes.Length, flags));
                while (result == -Interrupted);
                return result;
            }
        }
        catch (ObjectDisposedException)
        {
            return Gone;
        }
    }

    /// <summary>Begins to connect, or looks how it has ended. −<see cref="Again"/> while it goes on; afterwards the descriptor blocks again.</summary>
    public static int Connect(SafeHandle socket, ReadOnlySpan<byte> address)
    {
        try
        {
            var result = Checked(fcntl(socket, SetFlags, NonBlocking));
            if (result < 0)
                return result;
            fixed (byte* start = address)
                result = Checked(connect(socket, start, (uint)address.Length));
            if (result is -InProgress or -Already or -Interrupted)
                return -Again;
            return fcntl(socket, SetFlags, 0) < 0 ? Checked(-1) : result == -IsConnected ? 0 : result;
        }
        catch (ObjectDisposedException)
        {
            return Gone;
        }
    }

    /// <summary>Adds one to a counter.</summary>
    public static void Count(int counter)
    {
        ulong one = 1;
        _ = write(counter, &one, sizeof(ulong));
    }

    /// <summary>Takes one off a counter; false when it is at 0.</summary>
    public static bool TryTake(int counter)
    {
        ulong taken;
        return read(counter, &taken, sizeof(ulong)) == sizeof(ulong);
    }

    public static void Close(int descriptor) => _ = close(descriptor);

    /// <summary>The runtime's word for a failure.</summary>
    public static SocketError Translate(int failure) => -failure switch
    {
        13 => SocketError.AccessDenied,
        2 or 99 => SocketError.AddressNotAvailable,
        Again => SocketError.WouldBlock,
        32 => SocketError.Shutdown,
        101 => SocketError.NetworkUnreachable,
        103 => SocketError.ConnectionAborted,
        104 => SocketError.ConnectionReset,
        107 => SocketError.NotConnected,
        110 => SocketError.TimedOut,
        111 => SocketError.ConnectionRefused,
        112 => SocketError.HostDown,
        113 => SocketError.HostUnreachable,
        125 => SocketError.OperationAborted,
        _ => SocketError.SocketError,
    };

    private static int Checked(int result) => result >= 0 ? result : -Marshal.GetLastPInvokeError();

    [LibraryImport("libc", SetLastError = true)]
    private static partial int getsockname(SafeHandle socket, byte* address, uint* length);

    [LibraryImport("libc", SetLastError = true)]
    private static partial int getpeername(SafeHandle socket, byte* address, uint* length);

    [LibraryImport("libc", SetLastError = true)]
    private static partial int epoll_create1(int flags);

    [LibraryImport("libc", SetLastError = true)]
    private static partial int epoll_ctl(int set, int operation, SafeHandle descriptor, byte* item);

    [LibraryImport("libc", SetLastError = true)]
    private static partial int epoll_ctl(int set, int operation, int descriptor, byte* item);

    [LibraryImport("libc", SetLastError = true)]
    private static partial int epoll_wait(int set, byte* items, int count, int milliseconds);

    [LibraryImport("libc", SetLastError = true)]
    private static partial int eventfd(uint initial, int flags);

    [LibraryImport("libc", SetLastError = true)]
    private static partial nint recv(SafeHandle socket, byte* room, nuint length, int flags);

    [LibraryImport("libc", SetLastError = true)]
    private static partial nint send(SafeHandle socket, byte* bytes, nuint length, int flags);

    [LibraryImport("libc", SetLastError = true)]
    private static partial int connect(SafeHandle socket, byte* address, uint length);

    [LibraryImport("libc", SetLastError = true)]
    private static partial int fcntl(SafeHandle socket, int command, int value);

    [LibraryImport("libc", SetLastError = true)]
    private static partial nint write(int descriptor, void* bytes, nuint count);

    [LibraryImport("libc", SetLastError = true)]
    private static partial nint read(int descriptor, void* room, nuint count);

    [LibraryImport("libc", SetLastError = true)]
    private static partial int close(int descriptor);
}
