namespace Slipstream.WebRace;

/// <summary>A contestant's program, which serves the pages.</summary>
/// <param name="Name">The contestant's name.</param>
/// <param name="Words">The program and its arguments.</param>
/// <param name="Variables">Its environment variables.</param>
/// <param name="CountsBytes">Whether it has the page <c>usage</c>, with the bytes that it has allocated.</param>
internal sealed record SiteProgram(string Name, IReadOnlyList<string> Words, IReadOnlyDictionary<string, string> Variables, bool CountsBytes)
{
    /// <summary>Returns the site in C#.</summary>
    /// <param name="name">The contestant's name.</param>
    /// <param name="assembly">The provider's assembly; null for the floor.</param>
    /// <param name="connectionString">The connection string; null for the floor.</param>
    public static SiteProgram OfDotNet(string name, string? assembly, string? connectionString)
    {
        var variables = new Dictionary<string, string> { ["DOTNET_TieredPGO"] = "1" };
        if (assembly is not null)
            (variables["SITE_ASSEMBLY"], variables["SITE_CONNECTION"]) = (assembly, connectionString!);
        return new(name, ["dotnet", "exec", Path.Combine(Contestant.SiteFolder, "Slipstream.WebRace.Site.dll")], variables, CountsBytes: true);
    }
}
