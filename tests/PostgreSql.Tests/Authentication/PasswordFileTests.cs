using Slipstream.PostgreSql.Authentication;

namespace Slipstream.PostgreSql.Tests.Authentication;

public class PasswordFileTests
{
    [Theory]
    [InlineData("h:5432:d:u:secret", "secret")]
    [InlineData("*:*:*:*:secret", "secret")]
    [InlineData("h:*:d:*:", "")]
    [InlineData("#h:5432:d:u:comment\n\nh:5432:d:u:secret", "secret")]
    [InlineData("h:5432:d:u:first\nh:5432:d:u:second", "first")]
    [InlineData(@"h:5432:d:u:a\:b\\c:d", @"a:b\c:d")]
    [InlineData("h:5432:d:u:*", "*")]
    [InlineData("h:5432:d\nh:5432:d:u:secret", "secret")]
    [InlineData(@"\*:5432:d:u:secret", null)]
    [InlineData("i:5432:d:u:secret", null)]
    [InlineData("h:5433:d:u:secret", null)]
    [InlineData("h:5432:e:u:secret", null)]
    [InlineData("h:5432:d:U:secret", null)]
    [InlineData("h:5432:d:u", null)]
    [InlineData("", null)]
    public void The_first_line_that_matches_has_the_password(string lines, string? expected) =>
        Assert.Equal(expected, PasswordFile.Find(lines.Split('\n'), ["h"], 5432, "d", "u"));

    [Theory]
    [InlineData("/run/postgresql:5432:d:u:secret")]
    [InlineData("localhost:5432:d:u:secret")]
    public void A_host_may_have_two_names(string line) =>
        Assert.Equal("secret", PasswordFile.Find([line], ["/run/postgresql", "localhost"], 5432, "d", "u"));

    [Theory]
    [InlineData(UnixFileMode.UserRead | UnixFileMode.UserWrite, false)]
    [InlineData(UnixFileMode.UserRead | UnixFileMode.GroupRead, true)]
    [InlineData(UnixFileMode.UserRead | UnixFileMode.OtherExecute, true)]
    public void A_file_that_others_can_use_is_recognized(UnixFileMode mode, bool expected)
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("Windows has no such modes.");
            return;
        }

        var path = Path.GetTempFileName();
        try
        {
            File.SetUnixFileMode(path, mode);
            using var file = File.OpenHandle(path);
            Assert.Equal(expected, PasswordFile.IsOpenToOthers(file));
        }
        finally
        {
            File.Delete(path);
        }
    }

    // The test would not end if the file were opened.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_FIFO_is_refused_before_it_is_opened(bool isLinked)
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("Windows has no FIFOs.");
            return;
        }

        var folder = Directory.CreateTempSubdirectory().FullName;
        try
        {
            var path = Path.Combine(folder, "fifo");
            using (var mkfifo = System.Diagnostics.Process.Start("mkfifo", ["-m", "600", path]))
                await mkfifo.WaitForExitAsync(TestContext.Current.CancellationToken);
            Assert.True(File.Exists(path));
            var given = isLinked ? File.CreateSymbolicLink(Path.Combine(folder, "link"), path).FullName : path;
            var opening = Task.Run(() => PasswordFile.Open(given), TestContext.Current.CancellationToken);
            if (await Task.WhenAny(opening, Task.Delay(60_000, TestContext.Current.CancellationToken)) != opening)
            {
                // Lets the opening end.
                using var writer = File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite);
                Assert.Fail("The opening of the FIFO waits for a writer.");
            }

            Assert.Contains("not a regular file", (await Assert.ThrowsAsync<IOException>(() => opening)).Message);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public void Only_a_regular_file_with_lines_is_opened()
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("Windows has no such devices.");
            return;
        }

        var folder = Directory.CreateTempSubdirectory().FullName;
        try
        {
            var path = Path.Combine(folder, "pgpass");
            File.WriteAllText(path, "");
            Assert.Throws<IOException>(() => PasswordFile.Open(path));
            Assert.Throws<IOException>(() => PasswordFile.Open("/dev/zero"));
            File.WriteAllText(path, "h:5432:d:u:secret");
            // A folder of mounted secrets may link to the file through another link.
            File.CreateSymbolicLink(Path.Combine(folder, "one"), path);
            File.CreateSymbolicLink(Path.Combine(folder, "two"), Path.Combine(folder, "one"));
            using var file = PasswordFile.Open(Path.Combine(folder, "two"));
            Assert.Equal("secret", PasswordFile.Find(PasswordFile.Lines(file), ["h"], 5432, "d", "u"));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Theory]
    [InlineData("\uFEFFh:5432:d:u:secret\r\n")]
    [InlineData("#\n\n  \nh:5432:d:u:secret")]
    public void Lines_end_as_on_any_system(string text) =>
        Assert.Equal("secret", OfFile(text, static file => PasswordFile.Find(PasswordFile.Lines(file), ["h"], 5432, "d", "u")));

    [Fact]
    public void A_file_without_an_end_is_not_read_to_its_end()
    {
        var secret = "h:5432:d:u:secret\n" + new string('#', (1 << 20) - 18);
        Assert.Equal("secret", OfFile(secret, static file => PasswordFile.Find(PasswordFile.Lines(file), ["h"], 5432, "d", "u")));
        Assert.Throws<IOException>(() => OfFile(secret + '#', static file => PasswordFile.Find(PasswordFile.Lines(file), ["h"], 5432, "d", "u")));
        if (File.Exists("/dev/zero"))
        {
            using var zeros = File.OpenHandle("/dev/zero");
            Assert.Throws<IOException>(() => PasswordFile.Lines(zeros));
        }
    }

    private static string? OfFile(string text, Func<Microsoft.Win32.SafeHandles.SafeFileHandle, string?> use)
    {
        var path = Path.GetTempFileName();
        try
        {
            File.WriteAllText(path, text);
            using var file = File.OpenHandle(path);
            return use(file);
        }
        finally
        {
            File.Delete(path);
        }
    }
}
