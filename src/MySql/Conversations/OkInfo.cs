using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Protocol;

namespace Slipstream.MySql.Conversations;

/// <summary>The info of the last OK_Packet, what the server says for people ("Rows matched: 1 …"). Kept as bytes: few ever ask for it.</summary>
internal struct OkInfo()
{
    private byte[] _bytes = [];
    private int _length;

    /// <param name="rest">What stands behind the packet's warnings.</param>
    /// <param name="sessionTrack">CLIENT_SESSION_TRACK was agreed: it has a length, and more may follow.</param>
    public void Take(ReadOnlySpan<byte> rest, bool sessionTrack)
    {
        var reader = new ByteReader(rest);
        var info = rest.IsEmpty ? rest : sessionTrack ? reader.LengthEncodedBytes() : rest;
        if (info.Length > _bytes.Length)
            _bytes = new byte[Math.Max(info.Length, 64)];
        info.CopyTo(_bytes);
        _length = info.Length;
    }

    /// <summary>There is none.</summary>
    public void Clear() => _length = 0;

    /// <summary>Empty when there is none.</summary>
    public override readonly string ToString() => Encoding.UTF8.GetString(_bytes, 0, _length);
}
