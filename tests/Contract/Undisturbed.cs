using System.Data.Common;

namespace Slipstream.Contract;

/// <summary>Looks at what a server tells of its sessions.</summary>
public static class Undisturbed
{
    /// <summary>What was seen at last: a server may be unable to list its sessions while one of them runs what cannot be shown.</summary>
    /// <param name="look">Asks the server.</param>
    /// <param name="comesFromOthers">Whether an error is due to what other sessions do.</param>
    public static async Task<T> Look<T>(Func<Task<T>> look, Func<DbException, bool> comesFromOthers)
    {
        for (var tries = 1; ; tries++)
        {
            try
            {
                return await look();
            }
            catch (DbException error) when (tries < 200 && comesFromOthers(error))
            {
                await Task.Delay(20);
            }
        }
    }
}
