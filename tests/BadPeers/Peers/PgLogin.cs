namespace Slipstream.BadPeers;

/// <summary>The login at a scripted PostgreSQL server, which has no catalogue of types.</summary>
internal static class PgLogin
{
    public const string Text = "Username=somebody;Server Compatibility Mode=NoTypeLoading";
}
