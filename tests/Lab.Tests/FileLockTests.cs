namespace Slipstream.Lab.Tests;

public sealed class FileLockTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("lab-lock-").FullName;

    private string Path => System.IO.Path.Combine(_folder, "lock");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Users_share_and_nobody_is_alone_among_them()
    {
        using var one = await FileLock.SharedAsync(Path, TestContext.Current.CancellationToken);
        using var two = await FileLock.SharedAsync(Path, TestContext.Current.CancellationToken);
        Assert.Null(FileLock.TryExclusive(Path));
    }

    [Fact]
    public async Task The_last_user_leaving_lets_one_be_alone()
    {
        (await FileLock.SharedAsync(Path, TestContext.Current.CancellationToken)).Dispose();
        using var alone = FileLock.TryExclusive(Path);
        Assert.NotNull(alone);
    }

    [Fact]
    public async Task A_new_user_waits_for_the_one_who_is_alone()
    {
        using var alone = FileLock.TryExclusive(Path);
        var joining = FileLock.SharedAsync(Path, TestContext.Current.CancellationToken);
        // A user that did not wait would join within this time.
        await Task.Delay(100, TestContext.Current.CancellationToken);
        Assert.False(joining.IsCompleted);

        alone!.Dispose();
        using var joined = await joining.WaitAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken);
    }

    [Fact]
    public void The_shell_s_flock_respects_the_lock()
    {
        using var alone = FileLock.TryExclusive(Path);
        Assert.Equal(1, Shell.Run("flock", ["--nonblock", "--shared", Path, "true"]).ExitCode);
        alone!.Dispose();
        Assert.Equal(0, Shell.Run("flock", ["--nonblock", "--shared", Path, "true"]).ExitCode);
    }
}
