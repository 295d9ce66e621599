using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Slipstream.Fuzzing.Engine;

/// <summary>
/// Memory in which the last byte of an input is the last readable byte: the next page is not accessible. The memory is mapped from a file, so that the input
/// remains after the process has crashed. Without mmap (systems other than Linux) it is an array.
/// </summary>
internal sealed unsafe partial class GuardedMemory : IDisposable
{
    // The size of the largest page in use (arm64).
    private const int Page = 64 * 1024;
    private const int HeaderLength = Page;
    private const int NameAt = 8;
    private const nuint Reserved = HeaderLength + Mutator.MostLength + 2 * Page;

    private readonly string? _path;
    private readonly byte* _base;
    private readonly byte[]? _array;
    private int _length;

    public GuardedMemory(string folder, string target)
    {
        if (!OperatingSystem.IsLinux())
        {
            _array = GC.AllocateUninitializedArray<byte>(Mutator.MostLength, pinned: true);
            return;
        }

        Directory.CreateDirectory(folder);
        _path = Path.Combine(folder, $"{Environment.ProcessId}-{target}");
        _base = Map(_path);
        var header = new Span<byte>(_base, HeaderLength);
        header.Clear();
        header[4] = (byte)Encoding.UTF8.GetBytes(target, header[NameAt..]);
    }

    /// <summary>Places the input directly before the page that cannot be read. The result is valid until the next call.</summary>
    public ReadOnlySpan<byte> Place(ReadOnlySpan<byte> input)
    {
        _length = input.Length;
        if (_array is not null)
        {
            var end = _array.AsSpan(_array.Length - input.Length);
            input.CopyTo(end);
            return end;
        }

        BinaryPrimitives.WriteInt32LittleEndian(new(_base, sizeof(int)), input.Length);
        var place = new Span<byte>(_base + HeaderLength + Mutator.MostLength - input.Length, input.Length);
        input.CopyTo(place);
        return place;
    }

    /// <summary>Returns a copy of the last input, for a thread that finds that its execution does not end.</summary>
    public byte[] Copy()
    {
        if (_array is not null)
            return _array[^_length..];
        return new ReadOnlySpan<byte>(_base + HeaderLength + Mutator.MostLength - _length, _length).ToArray();
    }

    public void Dispose()
    {
        if (_base is null)
            return;
        _ = munmap(_base - Page, Reserved);
        File.Delete(_path!);
    }

    /// <summary>Reads the target's name and the input of a process that died.</summary>
    public static (string Target, byte[] Input) Read(string path)
    {
        var bytes = File.ReadAllBytes(path);
        var length = BinaryPrimitives.ReadInt32LittleEndian(bytes);
        return (Encoding.UTF8.GetString(bytes, NameAt, bytes[4]), bytes[^length..]);
    }

    [SupportedOSPlatform("linux")]
    private static byte* Map(string path)
    {
        const int ProtNone = 0, ReadWrite = 3, Shared = 1, Private = 2, Fixed = 0x10, Anonymous = 0x20;
        var failed = (void*)-1;
        var reserved = mmap(null, Reserved, ProtNone, Private | Anonymous, -1, 0);
        if (reserved == failed)
            throw new InvalidOperationException($"No memory could be reserved: error {Marshal.GetLastPInvokeError()}.");
        using var file = File.OpenHandle(path, FileMode.Create, FileAccess.ReadWrite, FileShare.ReadWrite);
        RandomAccess.SetLength(file, HeaderLength + Mutator.MostLength);
        var mapped = mmap((byte*)reserved + Page, HeaderLength + Mutator.MostLength, ReadWrite, Shared | Fixed, Descriptor(file), 0);
        return mapped != failed ? (byte*)mapped : throw new InvalidOperationException($"{path} could not be mapped: error {Marshal.GetLastPInvokeError()}.");
    }

    private static int Descriptor(SafeFileHandle file) => (int)file.DangerousGetHandle();

    [LibraryImport("libc", SetLastError = true)]
    private static partial void* mmap(void* address, nuint length, int protection, int flags, int descriptor, nint offset);

    [LibraryImport("libc", SetLastError = true)]
    private static partial int munmap(void* address, nuint length);
}
