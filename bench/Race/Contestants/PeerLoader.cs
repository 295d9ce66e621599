namespace Slipstream.Race.Contestants;

/// <summary>Loads a provider as a contestant.</summary>
internal static class PeerLoader
{
    public const string ConnectorNet = "MySql.Data";
    public const string MySqlConnector = "MySqlConnector";
    public const string Npgsql = "Npgsql";

    /// <exception cref="PeerException">The file, the factory or one of its dependencies is missing; the message names it.</exception>
    public static AdoContestant Load(string name, string path, string? factoryType, Dialect dialect)
    {
        var (factory, version) = ProviderAssembly.Load(name, path, factoryType);
        return new AdoContestant(name, version, dialect, factory, TypedScalars.For(factory), Path.GetFullPath(path));
    }
}
