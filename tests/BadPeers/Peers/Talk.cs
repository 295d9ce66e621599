using System.Collections.Concurrent;
using System.Text;
using Slipstream.PostgreSql;
using Slipstream.MySql;
using Slipstream.Core.Data;

namespace Slipstream.BadPeers.Peers;

/// <summary>
/// A small honest server: it answers whatever the provider sends, and a query with one row that contains the query's own text. It records all messages with
/// their session and in their order. For tests across several connections.
/// </summary>
public abstract class Talk
{
    /// <summary>What the sessions sent, as <c>number: text</c>, in the order of arrival, together with what the script adds.</summary>
    public ConcurrentQueue<string> Received { get; } = new();

    /// <summary>Called before the answer to a query.</summary>
    public Action<FakePeer, string>? BeforeAnswer { get; init; }

    /// <summary>Handles a request to cancel; by default it is answered at once.</summary>
    public Action<FakePeer>? Cancels { get; init; }

    /// <summary>Creates a data source for a port, with options that both providers understand.</summary>
    public abstract ProviderDataSource Connect(int port, string options);

    /// <summary>The script.</summary>
    public abstract void Serve(FakePeer peer);

    /// <summary>Creates the server by the provider's name, for theories.</summary>
    public static Talk Of(string provider, Action<FakePeer, string>? beforeAnswer = null, Action<FakePeer>? cancels = null) =>
        provider == "PostgreSQL"
            ? new PgTalk { BeforeAnswer = beforeAnswer, Cancels = cancels }
            : new MySqlTalk { BeforeAnswer = beforeAnswer, Cancels = cancels };

    protected void Note(FakePeer peer, string text) => Received.Enqueue($"{peer.Number}: {text}");

    private sealed class MySqlTalk : Talk
    {
        public override ProviderDataSource Connect(int port, string options) => new MySqlDataSource(
            $"Server=127.0.0.1;Port={port};User ID=somebody;Password=open sesame;SSL Mode=None;Pipelining Mode=On;Auto "
                + $"Prepare=false;{options.Replace("Connect Seconds", "Connection Timeout").Replace("Cancel Seconds", "Cancellation Timeout")}");

        public override void Serve(FakePeer peer)
        {
            peer.Welcome();
            while (true)
            {
                var (_, payload) = peer.ReadPacket();
                if (payload[0] == 3 && MySqlWords.TryAnswerOrigin(peer, payload))
                    continue;
                var text = payload[0] == 3 ? Encoding.UTF8.GetString(payload.AsSpan(1)) : $"command {payload[0]}";
                Note(peer, text);
                if (payload[0] == 1)
                    return;
                if (text.StartsWith("KILL", StringComparison.Ordinal) && Cancels is not null)
                {
                    Cancels(peer);
                    Note(peer, "cancelled");
                }

                if (payload[0] == 3)
                    BeforeAnswer?.Invoke(peer, text);
                peer.Send(text.StartsWith("SELECT", StringComparison.Ordinal)
                    ? [.. MySqlWords.Columns(1, MySqlWords.StringType, "a"), .. MySqlWords.TextRow(3, text), .. MySqlWords.End(4)]
                    : MySqlWords.Ok(1));
            }
        }
    }

    private sealed class PgTalk : Talk
    {
        public override ProviderDataSource Connect(int port, string options) => PgDataSource.Create(
            $"Host=127.0.0.1;Port={port};{PgLogin.Text};Password=open sesame;Database=db;SSL "
                + $"Mode=Disable;{Milliseconds(options).Replace("Connect Seconds", "Timeout")}");

        // "Cancel Seconds=2" is "Cancellation Timeout=2000" here.
        private static string Milliseconds(string options) =>
            options.Replace("Cancel Seconds=2", "Cancellation Timeout=2000").Replace("Cancel Seconds=30", "Cancellation Timeout=30000");

        private static string Word(byte[] body, int number) => Encoding.UTF8.GetString(body).Split('\0')[number];

        public override void Serve(FakePeer peer)
        {
            var (code, _) = peer.ReadStartup();
            if (code == PgWords.CancelRequestCode)
            {
                Note(peer, "KILL");
                Cancels?.Invoke(peer);
                Note(peer, "cancelled");
                peer.Close();
                return;
            }

            peer.Send(PgWords.LoginSuccess);
            var text = "";
            List<byte> answer = [];
            Dictionary<string, string> statements = [];
            while (true)
            {
                var (type, body) = peer.ReadMessage();
                switch (type)
                {
                    case 'X':
                        Note(peer, "goodbye");
                        return;
                    case 'Q':
                        text = Encoding.UTF8.GetString(body.AsSpan(0, body.Length - 1));
                        Note(peer, text);
                        if (text.Length == 0)
                            answer.AddRange(PgWords.Message('I'));
                        else
                            foreach (var _ in text.Split(';'))
                                answer.AddRange(PgWords.CommandComplete("SET"));
                        answer.AddRange(PgWords.Ready());
                        break;
                    case 'P':
                        text = Word(body, 1);
                        statements[Word(body, 0)] = text;
                        Note(peer, text);
                        answer.AddRange(PgWords.ParseComplete);
                        continue;
                    case 'B':
                        text = statements[Word(body, 1)];
                        answer.AddRange(PgWords.BindComplete);
                        continue;
                    case 'C':
                        answer.AddRange(PgWords.Message('3'));
                        continue;
                    case 'D':
                        if (body[0] == 'S')
                            answer.AddRange(PgWords.ParameterDescription());
                        answer.AddRange(PgWords.RowDescription(("a", PgWords.TextOid)));
                        continue;
                    case 'E':
                        answer.AddRange(PgWords.DataRow(Encoding.UTF8.GetBytes(text)));
                        answer.AddRange(PgWords.CommandComplete("SELECT 1"));
                        continue;
                    case 'S':
                        BeforeAnswer?.Invoke(peer, text);
                        answer.AddRange(PgWords.Ready());
                        break;
                    default:
                        throw new InvalidDataException($"A message of type {type} came.");
                }

                peer.Send([.. answer]);
                answer.Clear();
            }
        }
    }
}
