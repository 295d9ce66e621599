namespace Slipstream.Core.Data;

/// <summary>
/// Finds parameters by name among thousands: chains of indexes by the case-insensitive hash of the bare name, so that one lookup finds both the exact name and
/// other spellings. No string is created for a name.
/// </summary>
internal sealed class ParameterIndex<TParameter>(List<TParameter> parameters) where TParameter : ProviderParameter
{
    private const int None = -1;
    private const int NotInChain = -2;

    private int[] _heads = [];
    private int[] _next = [];
    private int[] _hashes = [];
    private int _count;

    /// <summary>
    /// The first parameter with exactly that name; otherwise, unless <paramref name="exactly"/>, the first one that differs only in case. −1 if there is none.
    /// </summary>
    public int Find(ReadOnlySpan<char> name, bool exactly)
    {
        if (_count < parameters.Count)
            Extend();
        var hash = Hash(name);
        int exact = int.MaxValue, loose = int.MaxValue;
        for (var i = _heads[hash & (_heads.Length - 1)]; i >= 0; i = _next[i])
        {
            if (_hashes[i] != hash)
                continue;
            var other = parameters[i].Bare;
            if (name.SequenceEqual(other))
                exact = Math.Min(exact, i);
            else if (!exactly && name.Equals(other, StringComparison.OrdinalIgnoreCase))
                loose = Math.Min(loose, i);
        }

        return exact != int.MaxValue ? exact : loose != int.MaxValue ? loose : -1;
    }

    /// <summary>Clears the index, because positions have changed.</summary>
    public void Clear()
    {
        _count = 0;
        Array.Fill(_heads, None);
    }

    /// <summary>
    /// Updates the index for a new name. A parameter that gets its name after it was added, as is usual with CreateParameter, costs no search.
    /// </summary>
    public void Renamed(TParameter parameter, ReadOnlySpan<char> oldName)
    {
        var index = oldName.IsEmpty ? parameters.LastIndexOf(parameter) : Unlink(parameter, Hash(oldName));
        if ((uint)index < (uint)_count)
            Link(index);
    }

    private static int Hash(ReadOnlySpan<char> name) => string.GetHashCode(name, StringComparison.OrdinalIgnoreCase);

    private void Extend()
    {
        if (parameters.Count > _next.Length)
        {
            // A power of two, so that the low bits of the hash select the chain. All entries are linked again.
            var capacity = (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)Math.Max(32, parameters.Count + 1));
            Array.Resize(ref _next, capacity);
            Array.Resize(ref _hashes, capacity);
            _heads = new int[capacity];
            Array.Fill(_heads, None);
            for (var i = 0; i < _count; i++)
            {
                if (_next[i] != NotInChain)
                    Link(i, _hashes[i]);
            }
        }

        while (_count < parameters.Count)
            Link(_count++);
    }

    private void Link(int index)
    {
        var name = parameters[index].Bare;
        if (name.IsEmpty)
            _next[index] = NotInChain;
        else
            Link(index, Hash(name));
    }

    private void Link(int index, int hash)
    {
        ref var head = ref _heads[hash & (_heads.Length - 1)];
        _hashes[index] = hash;
        _next[index] = head;
        head = index;
    }

    private int Unlink(TParameter parameter, int hash)
    {
        if (_heads.Length == 0)
            return -1;
        ref var link = ref _heads[hash & (_heads.Length - 1)];
        while (link >= 0)
        {
            var index = link;
            if (ReferenceEquals(parameters[index], parameter))
            {
                link = _next[index];
                return index;
            }

            link = ref _next[index];
        }

        return -1;
    }
}
