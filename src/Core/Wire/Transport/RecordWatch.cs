namespace Slipstream.Core.Wires;

/// <summary>Follows the records of TLS by their headers, which are never encrypted (RFC 8446, 5.1; RFC 5246, 6.2.1), however their bytes are cut.</summary>
internal struct RecordWatch
{
    private const byte ApplicationData = 23;

    private int _headerAt;
    private int _lengthHigh;
    private int _left;

    private bool _hasSeenData;

    /// <summary>
    /// True once a record of another type than application data has come behind one of that type, as the handshake's do not. Under TLS 1.3 what has a meaning
    /// behind the handshake (tickets, new keys, alerts) is of that type outside, too.
    /// </summary>
    public bool HasSeenOther { get; private set; }

    /// <summary>True when a record has begun to come and has not come whole.</summary>
    public readonly bool IsWithin => _headerAt > 0 || _left > 0;

    /// <summary>What has come before counts no more.</summary>
    public void Forget() => HasSeenOther = false;

    public void Saw(ReadOnlySpan<byte> bytes)
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

            // Type, two bytes of a version, two of the length.
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
