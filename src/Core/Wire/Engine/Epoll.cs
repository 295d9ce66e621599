using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Slipstream.Core.Wires;

/// <summary>The system calls of Linux for the completion engine. A failure is returned as the negative error number.</summary>
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

    /// <summary>The failure of a descriptor that its owner has closed.</summary>
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
    private const int SocketLevel = 1;
    private const int ReceiveLowWater = 18;

    /// <summary>Offset of the data in struct epoll_event, which is packed on x64 (12 bytes) and naturally aligned on arm64 (16 bytes).</summary>
    private static readonly int DataAt = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 4 : 8;

    /// <summary>Creates an epoll set; negative: a failure.</summary>
    public static int Create() => Checked(epoll_create1(CloseOnExec));

    /// <summary>Creates a counter that makes an epoll set readable; negative: a failure. Each read decrements it.</summary>
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

    /// <summary>Returns 1 with one event, 0 if the time runs out (−1: no limit, 0: only poll), or a failure.</summary>
    public static int Wait(int set, int milliseconds, out uint events, out ulong data)
    {
        var room = stackalloc byte[16];
        var count = epoll_wait(set, room, 1, milliseconds);
        events = Unsafe.ReadUnaligned<uint>(room);
        data = Unsafe.ReadUnaligned<ulong>(room + DataAt);
        return Checked(count);
    }

    /// <summary>Receives available bytes without waiting. Returns 0 if the peer has closed.</summary>
    public static int Receive(SafeHandle socket, Span<byte> room) => Receive(socket, room, DoNotWait);

    /// <summary>Waits for bytes and receives them. Returns 0 if the peer has closed.</summary>
    public static int ReceiveBlocking(SafeHandle socket, Span<byte> room) => Receive(socket, room, 0);

    /// <summary>
    /// Sets how many bytes make a TCP socket readable (socket(7): SO_RCVLOWAT). If that many have arrived, an epoll set reports it once more. The end of the
    /// connection is reported in any case.
    /// </summary>
    public static int SetLowWater(SafeHandle socket, int bytes)
    {
        try
        {
            return Checked(setsockopt(socket, SocketLevel, ReceiveLowWater, &bytes, sizeof(int)));
        }
        catch (ObjectDisposedException)
        {
            return Gone;
        }
    }

    /// <summary>Sends the bytes for which the kernel has room, without waiting.</summary>
    public static int Send(SafeHandle socket, ReadOnlySpan<byte> bytes) => Send(socket, bytes, DoNotWait | NoSignal);

    /// <summary>Sends bytes, and waits until the kernel has room.</summary>
    public static int SendBlocking(SafeHandle socket, ReadOnlySpan<byte> bytes) => Send(socket, bytes, NoSignal);

    /// <summary>One end of a TCP connection that the runtime did not make and does not know; null without one.</summary>
    public static IPEndPoint? EndOf(SafeHandle socket, bool isRemote)
    {
        const int Internet = 2;
        const int Internet6 = 10;
        Span<byte> address = stackalloc byte[28];
        var length = (uint)address.Length;
        try
        {
            fixed (byte* start = address)
            {
                if ((isRemote ? getpeername(socket, start, &length) : getsockname(socket, start, &length)) < 0)
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

    /// <summary>Starts connecting, or returns the outcome. −<see cref="Again"/> while it continues; afterwards the descriptor is blocking again.</summary>
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

    /// <summary>Increments a counter.</summary>
    public static void Count(int counter)
    {
        ulong one = 1;
        _ = write(counter, &one, sizeof(ulong));
    }

    /// <summary>Decrements a counter. Returns false if it is 0.</summary>
    public static bool TryTake(int counter)
    {
        ulong taken;
        return read(counter, &taken, sizeof(ulong)) == sizeof(ulong);
    }

    public static void Close(int descriptor) => _ = close(descriptor);

    /// <summary>The runtime's error code of a failure.</summary>
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
    private static partial int setsockopt(SafeHandle socket, int level, int option, void* value, uint length);

    [LibraryImport("libc", SetLastError = true)]
    private static partial int fcntl(SafeHandle socket, int command, int value);

    [LibraryImport("libc", SetLastError = true)]
    private static partial nint write(int descriptor, void* bytes, nuint count);

    [LibraryImport("libc", SetLastError = true)]
    private static partial nint read(int descriptor, void* room, nuint count);

    [LibraryImport("libc", SetLastError = true)]
    private static partial int close(int descriptor);
}
