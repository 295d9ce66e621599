namespace Slipstream.Lab.Tests;

public sealed class LabFolderTests
{
    [Fact]
    public void A_socket_path_that_fits_stays_in_its_folder() =>
        Assert.Equal("/srv/lab/mysql/run", LabFolder.SocketFolder("/srv/lab/mysql/run", "mysql.sock"));

    [Fact]
    public void A_socket_path_of_more_than_107_bytes_moves_to_a_short_folder()
    {
        var limit = 107 - "/mysql.sock".Length;
        var longest = "/" + new string('x', limit - 1);
        Assert.Equal(longest, LabFolder.SocketFolder(longest, "mysql.sock"));

        var moved = LabFolder.SocketFolder(longest + "x", "mysql.sock");
        Assert.StartsWith("/tmp/slipstream-", moved, StringComparison.Ordinal);
        Assert.Equal(moved, LabFolder.SocketFolder(longest + "x", "mysql.sock"));
        Assert.NotEqual(moved, LabFolder.SocketFolder(longest + "y", "mysql.sock"));
    }

    [Fact]
    public void Socket_paths_are_counted_in_bytes()
    {
        var folder = "/" + new string('ä', 50);
        Assert.StartsWith("/tmp/slipstream-", LabFolder.SocketFolder(folder, "mysql.sock"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_folder_behind_a_closed_one_cannot_be_entered_by_all()
    {
        var root = Directory.CreateTempSubdirectory("lab-folder-").FullName;
        try
        {
            var inner = Path.Combine(root, "lab");
            File.SetUnixFileMode(root, LabFolder.Everyone);
            Assert.True(LabFolder.CanBeEnteredByAll(inner));
            File.SetUnixFileMode(root, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
            Assert.False(LabFolder.CanBeEnteredByAll(inner));
        }
        finally
        {
            Directory.Delete(root, recursive: true);
        }
    }
}
