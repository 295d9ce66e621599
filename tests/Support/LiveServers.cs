using System.Collections.Concurrent;
using Slipstream.Lab;
using Xunit;

namespace Slipstream.Testing;

/// <summary>
/// The lab's servers for tests: each is started once and stays a user's until the test program ends. A test whose server cannot be had is reported as skipped, with the reason;
/// with <c>SLIPSTREAM_REQUIRE_SERVERS=1</c> it fails instead.
/// </summary>
public static class LiveServers
{
    private static readonly ConcurrentDictionary<ServerKind, Lazy<Task<LabServer>>> Servers = new();

    /// <summary>Whether a server that cannot be had is a failure.</summary>
    public static bool AreRequired => Environment.GetEnvironmentVariable("SLIPSTREAM_REQUIRE_SERVERS") == "1";

    /// <summary>The shared server of a kind. It is not the caller's to dispose.</summary>
    public static Task<LabServer> GetAsync(ServerKind kind) =>
        OrSkipAsync(Servers.GetOrAdd(kind, static kind => new Lazy<Task<LabServer>>(() => LabServer.StartAsync(kind))).Value);

    /// <summary>A server of the caller's own, to be disposed by it, for tests that stop or break one.</summary>
    public static Task<LabServer> StartPrivateAsync(ServerKind kind, params string[] extraArguments) =>
        OrSkipAsync(LabServer.StartPrivateAsync(kind, extraArguments));

    /// <summary>The user of an authentication method (or with this name); skips the test when the server has none.</summary>
    public static LabUser RequireUser(this LabServer server, string methodOrName)
    {
        ArgumentNullException.ThrowIfNull(server);
        if (server.FindUser(methodOrName) is { } user)
            return user;
        var reason = $"{server.Kind.DisplayName()} {server.Version} at {server.Host}:{server.Port} has no user for {methodOrName}.";
        if (AreRequired)
            Assert.Fail(reason);
        Assert.Skip(reason);
        throw new InvalidOperationException(reason);
    }

    /// <summary>The passwords of every server and user that tests have been given: what no log, span, metric or exception may hold.</summary>
    public static ConcurrentDictionary<string, string> Passwords { get; } = new();

    private static LabServer Told(LabServer server)
    {
        Passwords.TryAdd(server.Password, $"the password of {server.User} on {server.Kind}");
        foreach (var user in server.Users)
            Passwords.TryAdd(user.Password, $"the password of {user.Name} on {server.Kind}");
        return server;
    }

    private static async Task<LabServer> OrSkipAsync(Task<LabServer> starting)
    {
        try
        {
            return Told(await starting);
        }
        catch (LabUnavailableException e) when (!AreRequired)
        {
            Assert.Skip(e.Message);
            throw;
        }
    }
}
