namespace Slipstream.MySql.Authentication;

/// <summary>
/// A point of edwards25519 in extended coordinates (x = X/Z, y = Y/Z, T = XY/Z). The addition formula also works for doubling, because it is complete on this
/// curve (Hisil, Wong, Carter, Dawson 2008, §3.1).
/// </summary>
internal readonly struct Ed25519Point(Ed25519Field x, Ed25519Field y, Ed25519Field z, Ed25519Field t)
{
    private static readonly Ed25519Field TwiceD = new(0x69B9426B2F159, 0x35050762ADD7A, 0x3CF44C0038052, 0x6738CC7407977, 0x2406D9DC56DFF);

    private static readonly Ed25519Point Base = new(
        new(0x62D608F25D51A, 0x412A4B4F6592A, 0x75B7171A4B31D, 0x1FF60527118FE, 0x216936D3CD6E5),
        new(0x6666666666658, 0x4CCCCCCCCCCCC, 0x1999999999999, 0x3333333333333, 0x6666666666666),
        Ed25519Field.One,
        new(0x68AB3A5B7DDA3, 0xEEA2A5EADBB, 0x2AF8DF483C27E, 0x332B375274732, 0x67875F0FD78B7));

    private readonly Ed25519Field _x = x, _y = y, _z = z, _t = t;

    public static Ed25519Point operator +(Ed25519Point p, Ed25519Point q)
    {
        var a = (p._y - p._x) * (q._y - q._x);
        var b = (p._y + p._x) * (q._y + q._x);
        var c = p._t * TwiceD * q._t;
        var d = (p._z + p._z) * q._z;
        var e = b - a;
        var f = d - c;
        var g = d + c;
        var h = b + a;
        return new(e * f, g * h, f * g, e * h);
    }

    /// <summary>Multiplies the base point by a scalar of 32 bytes, little-endian: 256 doublings and 256 additions for any scalar.</summary>
    public static Ed25519Point MultiplyBase(ReadOnlySpan<byte> scalar)
    {
        Ed25519Point sum = new(Ed25519Field.Zero, Ed25519Field.One, Ed25519Field.One, Ed25519Field.Zero);
        for (var bit = 255; bit >= 0; bit--)
        {
            sum += sum;
            sum = Select((ulong)(scalar[bit >> 3] >> (bit & 7) & 1), sum, sum + Base);
        }

        return sum;
    }

    /// <summary>Writes 32 bytes: y, with the lowest bit of x as the highest bit.</summary>
    public void Encode(Span<byte> target)
    {
        var inverse = _z.Invert();
        Span<byte> xBytes = stackalloc byte[32];
        (_x * inverse).Write(xBytes);
        (_y * inverse).Write(target);
        target[31] |= (byte)(xBytes[0] << 7);
    }

    private static Ed25519Point Select(ulong bit, Ed25519Point ifZero, Ed25519Point ifOne) => new(
        Ed25519Field.Select(bit, ifZero._x, ifOne._x),
        Ed25519Field.Select(bit, ifZero._y, ifOne._y),
        Ed25519Field.Select(bit, ifZero._z, ifOne._z),
        Ed25519Field.Select(bit, ifZero._t, ifOne._t));
}
