namespace Slipstream.Lab;

/// <summary>An advisory lock on a file with flock(2). The kernel releases it when its process ends in any way.</summary>
internal sealed class FileLock : IDisposable
{
    private readonly FileStream _stream;

    private FileLock(FileStream stream) => _stream = stream;

    public static FileLock? TryExclusive(string path) => Try(path, shared: false);

    public static async Task<FileLock> SharedAsync(string path, CancellationToken ct) => await WaitAsync(path, shared: true, ct);

    public static async Task<FileLock> ExclusiveAsync(string path, CancellationToken ct) => await WaitAsync(path, shared: false, ct);

    public void Dispose() => _stream.Dispose();

    private static async Task<FileLock> WaitAsync(string path, bool shared, CancellationToken ct)
    {
        while (true)
        {
            if (Try(path, shared) is { } held)
                return held;
            await Task.Delay(20, ct);
        }
    }

    // .NET maps FileShare.None to LOCK_EX, and reading with FileShare.Read to LOCK_SH, both without waiting.
    private static FileLock? Try(string path, bool shared)
    {
        try
        {
            if (!File.Exists(path))
                Create(path);
            return new FileLock(shared
                ? new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read)
                : new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.None));
        }
        catch (IOException e) when (e is not (FileNotFoundException or DirectoryNotFoundException))
        {
            return null;
        }
    }

    private static void Create(string path)
    {
        try
        {
            // All users may read it: another user may join a running server.
            using var _ = new FileStream(path, FileMode.CreateNew, FileAccess.Write, FileShare.ReadWrite);
        }
        catch (IOException) when (File.Exists(path))
        {
            // Another program created it first.
        }
    }
}
