using System.Data.Common;
using System.Security.Authentication;
using System.Text;
using Slipstream.Core.Data;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers.Peers;

/// <summary>The layers between a server of either provider and its client: TLS, the compressed protocol of MySQL, both or none.</summary>
internal sealed record Layers(bool IsMySql, bool IsTls, bool IsCompressed)
{
    private const uint Compress = 0x20;

    /// <summary>The server's versions of TLS; None: the system's defaults.</summary>
    public SslProtocols Protocols { get; init; }

    /// <summary>Creates a data source that neither prepares nor resets: each command is one request.</summary>
    public ProviderDataSource Connect(FakeServer server) => IsMySql
        ? new MySqlDataSource(
            $"Server=127.0.0.1;Port={server.Port};User ID=somebody;Password=open sesame;Pipelining Mode=On;Auto Prepare=false;Connection Reset=false;"
            + (IsTls ? $"SSL Mode=VerifyFull;SSL CA={Certificates.AuthorityFile};" : "SSL Mode=None;") + (IsCompressed ? "Use Compression=true" : ""))
        : PgDataSource.Create($"Host=127.0.0.1;Port={server.Port};{PgLogin.Text};Password=open sesame;Database=db;Auto Prepare=false;No Reset On Close=true;"
            + (IsTls ? $"SSL Mode=VerifyFull;Root Certificate={Certificates.AuthorityFile}" : "SSL Mode=Disable"));

    /// <summary>Accepts the client.</summary>
    public void Welcome(FakePeer peer)
    {
        if (IsMySql)
        {
            peer.Send(MySqlWords.Greeting(capabilities: MySqlWords.Capabilities | (IsTls ? MySqlWords.Tls : 0) | (IsCompressed ? Compress : 0)));
            if (IsTls)
            {
                peer.ReadPacket();
                peer.UpgradeToTls(Certificates.Server, Protocols);
            }

            peer.ReadPacket();
            peer.Send([.. MySqlWords.AuthMore(IsTls ? 3 : 2, 3), .. MySqlWords.Ok(IsTls ? 4 : 3)]);
            return;
        }

        if (IsTls)
        {
            peer.ExpectSslRequest();
            peer.Send((byte)'S');
            peer.UpgradeToTls(Certificates.Server, Protocols);
            peer.ReadStartup();
        }
        else
            peer.ReadStartupWithoutTls();

        peer.Send(PgWords.LoginSuccess);
    }

    /// <summary>Accepts the client before it has sent its login, together with the end of the handshake, a TLS message, and data after that.</summary>
    public void WelcomeTooEarly(FakePeer peer, string word, byte[] behind)
    {
        if (IsMySql)
        {
            peer.Send(MySqlWords.Greeting(capabilities: MySqlWords.Capabilities | MySqlWords.Tls));
            peer.ReadPacket();
        }
        else
        {
            peer.ExpectSslRequest();
            peer.Send((byte)'S');
        }

        peer.UpgradeToTls(Certificates.Server, Protocols, keepsEnd: true);
        peer.Send(IsMySql ? [.. MySqlWords.AuthMore(3, 3), .. MySqlWords.Ok(4)] : PgWords.LoginSuccess);
        peer.SendAround([], word, behind);
    }

    public void ReadQuery(FakePeer peer)
    {
        if (!IsMySql)
            peer.ReadToSync();
        else if (!IsCompressed)
            peer.Expect(3);
        else
        {
            var header = peer.Read(7);
            peer.Read(header[0] | header[1] << 8 | header[2] << 16);
        }
    }

    /// <summary>The answer to a query for one text.</summary>
    public byte[] Result(string value)
    {
        var text = Encoding.ASCII.GetBytes(value);
        return IsMySql
            ? [.. MySqlWords.Columns(1, MySqlWords.StringType, "a"),
                .. MySqlWords.Packet(3, [.. text.Length < 251 ? (byte[])[(byte)text.Length] : [0xFC, (byte)text.Length, (byte)(text.Length >> 8)], .. text]),
                .. MySqlWords.End(4)]
            : [.. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.RowDescription(("a", PgWords.TextOid)), .. PgWords.DataRow(text),
                .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready()];
    }

    /// <summary>Creates a frame of the compressed protocol that is not compressed.</summary>
    public static byte[] Frame(byte[] bytes) => [.. MySqlWords.Header(bytes.Length, 1), 0, 0, 0, .. bytes];

    public static async Task<object?> Scalar(DbConnection connection, bool asynchronously)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT a";
        return asynchronously ? await command.ExecuteScalarAsync() : command.ExecuteScalar();
    }
}
