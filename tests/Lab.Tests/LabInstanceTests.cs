namespace Slipstream.Lab.Tests;

public sealed class LabInstanceTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("lab-private-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Abandoned_servers_are_removed_while_their_watchers_remove_them_too()
    {
        for (var round = 0; round < 20; round++)
        {
            for (var server = 0; server < 50; server++)
                Directory.CreateDirectory(Path.Combine(_folder, $"server-{server}", "data"));
            Parallel.For(0, 4, _ => LabInstance.RemoveAbandoned(_folder));
            LabInstance.RemoveAbandoned(_folder);
            Assert.Empty(Directory.GetDirectories(_folder));
        }
    }

    [Fact]
    public void A_server_with_a_user_is_not_abandoned()
    {
        var server = Directory.CreateDirectory(Path.Combine(_folder, "server")).FullName;
        using (FileLock.SharedAsync(Path.Combine(server, "users.lock"), TestContext.Current.CancellationToken).Result)
        {
            LabInstance.RemoveAbandoned(_folder);
            Assert.True(Directory.Exists(server));
        }

        LabInstance.RemoveAbandoned(_folder);
        Assert.False(Directory.Exists(server));
    }
}
