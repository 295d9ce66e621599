using System.Diagnostics;
using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Data;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers.Hostile;

/// <summary>
/// A server that performs a login correctly up to one step: there it stops, closes, repeats, omits, swaps, hurries, or accepts the client. In every case, the
/// client trusts no peer that has not proved its identity, sends the password to no unauthorised peer, and ends with the documented exception within its own
/// time limit.
/// </summary>
public sealed class EveryStepOfEveryLogin(EveryStepOfEveryLogin.SideBySide runs) : IClassFixture<EveryStepOfEveryLogin.SideBySide>
{
    /// <summary>What the server does at the step.</summary>
    public enum Trick
    {
        /// <summary>Nothing: the login is correct.</summary>
        None,

        /// <summary>Sends nothing more.</summary>
        Stop,

        /// <summary>Closes the connection.</summary>
        Close,

        /// <summary>Sends the message twice.</summary>
        Repeat,

        /// <summary>Omits the message.</summary>
        Omit,

        /// <summary>Sends the next message first.</summary>
        Exchange,

        /// <summary>Sends its last message at once.</summary>
        AcceptLogin,

        /// <summary>The same, with a forged proof.</summary>
        Forge,

        /// <summary>Sends all that follows without waiting for the client.</summary>
        Hurry,
    }

    public static TheoryData<string, bool> Logins
    {
        get
        {
            var logins = new TheoryData<string, bool>();
            foreach (var login in HonestLogins.All)
            {
                logins.Add(login.Name, false);
                logins.Add(login.Name, true);
            }

            return logins;
        }
    }

    [Fact]
    public void Every_method_is_among_the_logins()
    {
        Assert.InRange(HonestLogins.All.Count, 17, int.MaxValue);
        Assert.InRange(HonestLogins.All.Count(static login => login.ProofAt >= 0), 6, int.MaxValue);
        Assert.InRange(HonestLogins.All.Sum(static login => Cases(login).Count()), 400, int.MaxValue);
    }

    [Theory, MemberData(nameof(Logins))]
    public async Task The_honest_login_is_content(string login, bool asynchronously) =>
        Assert.Null(await Play(Named(login), new(Trick.None, -1), asynchronously, seconds: 30));

    [Theory, MemberData(nameof(Logins))]
    public async Task At_no_step_is_a_hostile_server_trusted_told_a_secret_or_waited_for(string login, bool asynchronously) =>
        Assert.Empty(await runs.FaultsOf(login, asynchronously));

    private static HonestLogin Named(string name) => HonestLogins.All.Single(login => login.Name == name);

    private sealed record Case(Trick Trick, int At);

    private static IEnumerable<Case> Cases(HonestLogin login)
    {
        var last = Array.FindLastIndex(login.Steps, static step => step.Turn == Turn.Sends);
        for (var at = 0; at <= last; at++)
        {
            if (login.Steps[at].Turn != Turn.Sends || IsOneOfManySettings(login, at))
                continue;
            foreach (var trick in (Trick[])[Trick.Stop, Trick.Close, Trick.Repeat, Trick.Omit, Trick.Hurry])
                yield return new(trick, at);
            if (login.Forgery is not null)
                yield return new(Trick.Forge, at);
            if (at == last)
                continue;
            yield return new(Trick.Exchange, at);
            if (at < login.EndAt)
                yield return new(Trick.AcceptLogin, at);
        }
    }

    // A PostgreSQL server reports a dozen settings: the tests use only the first.
    private static bool IsOneOfManySettings(HonestLogin login, int at) =>
        login.Victim == Victim.PostgreSql
            && at > 0
            && login.Steps[at - 1].Turn == Turn.Sends
            && login.Steps[at].Message!([]) is [(byte)'S', ..]
            && login.Steps[at - 1].Message!([]) is [(byte)'S', ..];

    // Null if the client accepted the login, otherwise the exception.
    private static async Task<Exception?> Play(HonestLogin login, Case one, bool asynchronously, int seconds, List<string>? faults = null)
    {
        var clear = int.MaxValue;
        using var server = FakeServer.Start(peer => Serve(peer, login, one, () => clear = peer.Received.Length));
        await using ProviderDataSource source = login.Victim == Victim.MySql
            ? new MySqlDataSource($"Server=127.0.0.1;Port={server.Port};Connection Timeout={seconds};Pipelining Mode=On;{login.Options}")
            : PgDataSource.Create(
                $"Host=127.0.0.1;Port={server.Port};Timeout={seconds};Server Compatibility Mode=NoTypeLoading;{login.Options}");
        Exception? failure = null;
        var opening = asynchronously
            ? Task.Run(async () => await (await source.OpenConnectionAsync()).DisposeAsync())
            : Task.Factory.StartNew(() => source.OpenConnection().Dispose(), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        try
        {
            await opening.WaitAsync(Client.Deadline);
        }
        catch (Exception exception)
        {
            failure = exception;
        }

        if (faults is null)
            return failure;
        var name = $"{one.Trick} at step {one.At}: ";
        if (failure is not (null or MySqlException or PgException))
            faults.Add($"{name}{failure}");
        // A server that sends a message twice or too early still has the knowledge that it proves.
        if (failure is null && one.At <= login.ProofAt && one.Trick is not (Trick.Repeat or Trick.Hurry))
            faults.Add($"{name}the client trusts a server that has not proved itself.");
        if (failure is not null && (source.Statistics.Idle != 0 || source.Statistics.Busy != 0))
            faults.Add($"{name}the pool keeps what could not be opened.");
        if (failure is not null && login.Password.Length > 0 && failure.ToString().Contains(login.Password, StringComparison.Ordinal))
            faults.Add($"{name}the exception tells the password.");
        var heard = server.Received;
        if (login.Password.Length > 0
            && heard.AsSpan(0, login.MayReceivePassword ? Math.Min(clear, heard.Length) : heard.Length).IndexOf(Encoding.UTF8.GetBytes(login.Password)) >= 0)
            faults.Add($"{name}the password was sent.");
        return failure;
    }

    private static void Serve(FakePeer peer, HonestLogin login, Case one, Action tlsBegins)
    {
        var sequence = 0;
        byte[] heard = [];
        var hasStarted = false;
        var hurries = false;
        for (var at = 0; at < login.Steps.Length; at++)
        {
            var step = login.Steps[at];
            switch (step.Turn)
            {
                case Turn.Receives when hurries && !IsBeforeTls(login, at):
                    break;
                case Turn.Receives:
                    heard = Hear();
                    break;
                case Turn.BeginsTls:
                    tlsBegins();
                    peer.UpgradeToTls(login.Certificate!);
                    break;
                default:
                    if (at == one.At)
                    {
                        if (one.Trick is Trick.Stop)
                            return;
                        if (one.Trick is Trick.Close)
                        {
                            peer.Close();
                            return;
                        }

                        if (one.Trick is Trick.Omit)
                            break;
                        if (one.Trick is Trick.AcceptLogin)
                        {
                            foreach (var words in login.Steps[login.EndAt..])
                                Send(words);
                            return;
                        }

                        if (one.Trick is Trick.Forge)
                        {
                            Send(LoginStep.Send(login.Forgery!));
                            return;
                        }

                        if (one.Trick is Trick.Exchange)
                            Send(login.Steps[Array.FindIndex(login.Steps, at + 1, static next => next.Turn == Turn.Sends)]);
                        if (one.Trick is Trick.Repeat)
                            Send(step);
                        hurries = one.Trick is Trick.Hurry;
                    }

                    Send(step);
                    break;
            }
        }

        void Send(LoginStep step)
        {
            byte[] message;
            try
            {
                message = step.Message!(heard);
            }
            catch (Exception exception) when (exception is ArgumentException or KeyNotFoundException)
            {
                // The step's message has not been sent.
                peer.Stall();
                throw new HungUpException();
            }

            peer.Send(login.Victim == Victim.MySql ? MySqlWords.Packet(sequence++, message) : message);
        }

        byte[] Hear()
        {
            if (login.Victim == Victim.MySql)
            {
                var (number, payload) = peer.ReadPacket();
                sequence = number + 1;
                return payload;
            }

            if (hasStarted)
                return peer.ReadMessage().Body;
            var (code, body) = peer.ReadStartup();
            hasStarted = code != PgWords.SslRequestCode;
            return body;
        }
    }

    private static bool IsBeforeTls(HonestLogin login, int at) => Array.FindIndex(login.Steps, at, static step => step.Turn == Turn.BeginsTls) >= 0;

    /// <summary>Runs all cases in parallel, because many only wait for the client's deadline.</summary>
    public sealed class SideBySide : IDisposable
    {
        private const int AtOnce = 32;

        private readonly SemaphoreSlim _turns = new(AtOnce);
        private readonly Lazy<Dictionary<(string, bool), Task<List<string>>>> _runs;

        public SideBySide() => _runs = new(() => HonestLogins.All
            .SelectMany(static login => new[] { (Login: login, Asynchronously: false), (Login: login, Asynchronously: true) })
            .ToDictionary(static run => (run.Login.Name, run.Asynchronously), run => All(run.Login, run.Asynchronously)));

        public Task<List<string>> FaultsOf(string login, bool asynchronously) => _runs.Value[(login, asynchronously)];

        public void Dispose() => _turns.Dispose();

        private async Task<List<string>> All(HonestLogin login, bool asynchronously)
        {
            var faults = await Task.WhenAll(Cases(login).Select(async one =>
            {
                await _turns.WaitAsync();
                try
                {
                    List<string> found = [];
                    await Play(login, one, asynchronously, seconds: 1, found);
                    return found;
                }
                finally
                {
                    _turns.Release();
                }
            }));
            return [.. faults.SelectMany(static found => found)];
        }
    }
}
