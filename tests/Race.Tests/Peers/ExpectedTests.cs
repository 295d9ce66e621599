namespace Slipstream.PeerRace.Tests;

public class ExpectedTests
{
    private static readonly Expected Database = new(new Dictionary<int, int> { [7] = 42 });

    [Theory]
    [InlineData("7:42", true)]
    [InlineData("7:43", false)]
    [InlineData("8:42", false)]
    [InlineData("7", false)]
    [InlineData("undefined:undefined", false)]
    public void A_row_must_have_the_number_of_the_database(string check, bool isRight) => Assert.Equal(isRight, Database.IsRight(Plan.Single, check));

    // Computed by another implementation of FNV-1a, over the fortunes in their order.
    [Theory]
    [InlineData("c13bfee2", true)]
    [InlineData("00000000", false)]
    public void Fortunes_must_be_complete_and_sorted(string check, bool isRight) => Assert.Equal(isRight, Database.IsRight(Plan.Fortunes, check));

    [Fact]
    public void The_checksum_is_FNV_1a_of_32_bits() => Assert.Equal("811c9dc5", Checksum.Of([]));
}
