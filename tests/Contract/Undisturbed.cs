using System.Data.Common;

namespace Slipstream.Contract;

/// <summary>Reads a server's list of sessions.</summary>
public static class Undisturbed
{
    /// <summary>
    /// Returns the first successful result. A server may be unable to list its sessions while one of them runs a text that cannot be shown.
    /// </summary>
    /// <param name="look">Queries the server.</param>
    /// <param name="comesFromOthers">Returns true if other sessions caused the error.</param>
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
