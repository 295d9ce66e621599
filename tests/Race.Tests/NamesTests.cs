namespace Slipstream.Race.Tests;

public class NamesTests
{
    private static readonly string[] Known = ["mariadb", "mysql", "postgresql"];

    [Fact]
    public void Takes_names_whatever_their_case() => Assert.Equal(["mysql", "mariadb"], Names.Choose("--server", "MySQL, MariaDB", Known));

    [Theory]
    [InlineData("pg", "postgresql")]
    [InlineData("mysq", "mysql")]
    [InlineData("mariabd", "mariadb")]
    [InlineData("postgers", "postgresql")]
    public void Suggests_the_nearest_name(string typed, string nearest)
    {
        var exception = Assert.Throws<RequestException>(() => Names.Choose("--server", typed, Known).ToArray());

        Assert.Contains($"Nearest: {nearest}.", exception.Message, StringComparison.Ordinal);
    }
}
