using System.Data;
using Slipstream.PostgreSql.Conversations;

namespace Slipstream.PostgreSql;

/// <summary>Sets the output parameters of a command from the first row of its first result.</summary>
internal static class OutputParameters
{
    /// <summary>Matches the parameters to columns by name first. The remaining parameters take the remaining columns, in order.</summary>
    public static void Take(PgParameterCollection parameters, PgRow row)
    {
        var isTaken = new bool[row.FieldCount];
        var left = new List<PgParameter>();
        foreach (var parameter in (IEnumerable<PgParameter>)parameters)
        {
            if (parameter.Direction is not (ParameterDirection.Output or ParameterDirection.InputOutput))
                continue;
            if (IndexOf(row, parameter.BareName, isTaken) is >= 0 and var column)
                Fill(parameter, row, column, isTaken);
            else
                left.Add(parameter);
        }

        foreach (var parameter in left)
            if (Array.IndexOf(isTaken, false) is >= 0 and var column)
                Fill(parameter, row, column, isTaken);
    }

    private static void Fill(PgParameter parameter, PgRow row, int column, bool[] isTaken)
    {
        isTaken[column] = true;
        parameter.Take(row, column);
    }

    private static int IndexOf(PgRow row, ReadOnlySpan<char> name, bool[] isTaken)
    {
        var alike = -1;
        for (var i = 0; i < isTaken.Length && !name.IsEmpty; i++)
        {
            if (isTaken[i])
                continue;
            if (name.SequenceEqual(row.GetName(i)))
                return i;
            if (alike < 0 && name.Equals(row.GetName(i), StringComparison.OrdinalIgnoreCase))
                alike = i;
        }

        return alike;
    }
}
