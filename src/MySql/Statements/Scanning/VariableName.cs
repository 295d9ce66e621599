namespace Slipstream.MySql.Statements;

/// <summary>Recognises the name of a user variable as an application writes it into a list of columns: <c>@total</c>, <c>@`a b`</c>.</summary>
internal static class VariableName
{
    /// <summary>Returns whether the whole text is such a name under every rule for backslashes.</summary>
    public static bool Is(string text)
    {
        if (text is not ['@', var first, ..])
            return false;
        var name = text.AsSpan(1);
        if (first is not ('`' or '\'' or '"'))
        {
            foreach (var character in name)
                if (!SqlScanner.IsNameCharacter(character))
                    return false;
            return true;
        }

        // Two quotes inside represent one.
        if (name.Length < 3 || name[^1] != first || (first != '`' && name.Contains('\\')))
            return false;
        name = name[1..^1];
        for (var at = 0; at < name.Length; at++)
            if (name[at] == first && (++at == name.Length || name[at] != first))
                return false;
        return true;
    }
}
