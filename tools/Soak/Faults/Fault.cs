using System.Globalization;
using System.Runtime.InteropServices;

namespace Slipstream.Soak.Faults;

/// <summary>A fault, which is over when <see cref="Inject"/> returns.</summary>
internal sealed record Fault(string Name, Func<FaultScenario, Task> Inject, bool IsOfNetwork = false, bool OnlyPostgreSql = false)
{
    public static IReadOnlyList<Fault> All { get; } =
    [
        new("cut all", static stage =>
        {
            stage.Proxy.CutAll();
            return Task.CompletedTask;
        }, IsOfNetwork: true),
        new("cut some", static async stage =>
        {
            for (var i = stage.Random.Next(1, 5); i > 0; i--)
            {
                stage.Proxy.Cut(_ => stage.Random.Next(4) == 0);
                await stage.Last(20, 400);
            }
        }, IsOfNetwork: true),
        new("stall", static stage => While(stage, on => stage.Proxy.Stalled = on, 200, 4000), IsOfNetwork: true),
        new("split", static stage => While(stage, on => stage.Proxy.SplitIntoSingleBytes = on, 500, 2000), IsOfNetwork: true),
        new(
            "delay",
            static stage => While(stage, on => stage.Proxy.Latency = on ? TimeSpan.FromMilliseconds(stage.Random.Next(5, 150)) : TimeSpan.Zero, 500, 3000),
            IsOfNetwork: true),
        new("black hole", static async stage =>
        {
            await While(stage, on => stage.Proxy.BlackHole = on, 300, 9000);
            // The connections that were in the black hole have lost bytes.
            stage.Proxy.CutAll();
        }, IsOfNetwork: true),
        new("kill -9", static async stage =>
        {
            await stage.Server.KillAsync();
            await stage.Last(0, 3000);
            await stage.StartAgain();
        }),
        new("stop", static async stage =>
        {
            stage.Server.Pause();
            await stage.Last(200, 8000);
            stage.Server.Continue();
            await stage.WaitUntilItServes();
        }),
        new("restart", static async stage =>
        {
            await stage.Server.StopAsync();
            await stage.Last(0, 1000);
            await stage.StartAgain();
        }),
        new("read-only", static async stage =>
        {
            try
            {
                await stage.Run(stage.Store.SetReadOnly(true));
                await stage.Last(200, 2000);
            }
            finally
            {
                await stage.Run(stage.Store.SetReadOnly(false));
            }
        }),
        new("kill sessions", static async stage =>
        {
            foreach (var session in await stage.Column(stage.Store.ListSessions))
            {
                if (stage.Random.Next(2) == 0)
                    await Ignoring(stage.Run(stage.Store.KillSession(session)));
            }
        }),
        new("new certificate", static async stage =>
        {
            var (certificate, key) = stage.Authority.SignServer();
            stage.Server.ReplaceCertificate(certificate, key, stage.Authorities);
            await stage.Run(stage.Store.ReloadCertificate);
            // Existing sessions keep the old certificate; new connections get the new one.
            stage.Proxy.Cut(_ => stage.Random.Next(3) == 0);
        }),
        new("few sessions", static async stage =>
        {
            await stage.Run(stage.Store.Limit(20));
            stage.Proxy.CutAll();
            await stage.Last(300, 2000);
            await stage.Run(stage.Store.Limit(null));
        }),
        new("crash", static async stage =>
        {
            // If SIGKILL ends one backend, the postmaster ends all of them and recovers.
            var backends = await stage.Column(stage.Store.ListSessions);
            if (backends.Count > 0)
                _ = Kill(int.Parse(backends[stage.Random.Next(backends.Count)], CultureInfo.InvariantCulture), 9);
            await Task.Delay(200);
            await stage.WaitUntilItServes();
        }, OnlyPostgreSql: true),
    ];

    private static async Task While(FaultScenario stage, Action<bool> set, int least, int most)
    {
        set(true);
        try
        {
            await stage.Last(least, most);
        }
        finally
        {
            set(false);
        }
    }

    // The session may already have ended.
    private static async Task Ignoring(Task task)
    {
        try
        {
            await task;
        }
        catch (System.Data.Common.DbException)
        {
        }
    }

    [DllImport("libc", EntryPoint = "kill", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Kill(int id, int signal);
}
