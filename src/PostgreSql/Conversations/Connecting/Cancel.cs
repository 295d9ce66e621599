using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Options;
using Slipstream.PostgreSql.Protocol.Connect;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>
/// Asks the server to cancel the running command of another session, over a separate connection under the same rules for TLS.
/// The server closes that connection after it has read the request; it never reports whether it cancelled anything. Source:
/// PostgreSQL 18, 54.2.8 "Canceling Requests in Progress".
/// </summary>
internal sealed class Cancel(PgSettings settings, BackendKeyData session, bool inTls) : Script
{
    protected override byte[]? TryTake(Wire wire) => wire.Buffered == 0 ? null : [wire.In[wire.Start++]];

    protected override IEnumerable<Step> Run()
    {
        if (settings.SslMode != SslMode.Disable && Wire.Transport.Trust != PeerTrust.UnixSocket && settings.SslNegotiation == SslNegotiation.Direct)
            yield return Step.Upgrade;
        else if (settings.SslMode != SslMode.Disable && Wire.Transport.Trust != PeerTrust.UnixSocket)
        {
            SslRequest.Write(Wire.Out);                              // C: SSLRequest
            yield return Step.Send;
            yield return Step.Receive;                               // S: 'S' or 'N'
            if (Message[0] == SslRequest.Accepted)
                yield return Step.Upgrade;
            else if (inTls || settings.SslMode != SslMode.Prefer || Message[0] != SslRequest.Refused || Wire.Buffered > 0)
                throw new WireException(
                    WireFailure.TlsNotOffered, $"{Wire.Transport.Peer} no longer offers TLS: the cancellation, whose key is a secret, was not sent.");
        }

        CancelRequest.Write(Wire.Out, session);                      // C: CancelRequest
        yield return Step.Send;
        yield return Step.Receive;                                   // S: closes
    }
}
