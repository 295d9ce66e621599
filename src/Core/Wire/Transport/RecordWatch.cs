namespace Slipstream.Core.Wires;

/// <summary>Follows TLS records by their headers, which are never encrypted (RFC 8446, 5.1; RFC 5246, 6.2.1), however their bytes are split.</summary>
internal struct RecordWatch
{
    private const byte ApplicationData = 23;

    private int _headerAt;
    private int _lengthHigh;
    private int _left;

    private bool _hasSeenData;

    /// <summary>
    /// Whether a record of another type has followed a record of type application data. Records of the handshake do not do that. Under TLS 1.3, messages after
    /// the handshake (tickets, new keys, alerts) also have the outer type application data.
    /// </summary>
    public bool HasSeenOther { get; private set; }

    /// <summary>Whether a record has arrived only in part.</summary>
    public readonly bool IsWithin => _headerAt > 0 || _left > 0;

    /// <summary>Resets <see cref="HasSeenOther"/>.</summary>
    public void Forget() => HasSeenOther = false;

    public void Process(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            if (_left > 0)
            {
                var count = Math.Min(_left, bytes.Length);
                _left -= count;
                bytes = bytes[count..];
                continue;
            }

            // Type, two bytes of the version, two bytes of the length.
            var one = bytes[0];
            switch (_headerAt++)
            {
                case 0:
                    HasSeenOther |= _hasSeenData && one != ApplicationData;
                    _hasSeenData |= one == ApplicationData;
                    break;
                case 3:
                    _lengthHigh = one << 8;
                    break;
                case 4:
                    _left = _lengthHigh | one;
                    _headerAt = 0;
                    break;
            }

            bytes = bytes[1..];
        }
    }
}
