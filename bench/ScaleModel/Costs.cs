using System.Text.Json;

namespace Slipstream.ScaleModel;

/// <summary>
/// The service times of an operation: a caller takes a connection from the pool, reads a row by its key, and returns the connection. All times are in
/// microseconds; processor times are those of one processor whose neighbour is idle.
/// </summary>
internal sealed record Costs
{
    /// <summary>Gets the client's processor time from an answer to the caller's next open: epoll_wait, recv, the caller's code, close.</summary>
    public required double Receive { get; init; }

    /// <summary>Gets the client's processor time from open to the end of the send.</summary>
    public required double Send { get; init; }

    /// <summary>Gets the additional processor time of the client if its engine had to sleep before the answer.</summary>
    public required double Sleep { get; init; }

    /// <summary>
    /// Gets the additional processor time of the client if a caller waits for a connection: the wait, and its continuation on the thread pool.
    /// </summary>
    public required double Hop { get; init; }

    /// <summary>Gets the server's processor time of a command, with the wake-up of the session's thread.</summary>
    public required double Server { get; init; }

    /// <summary>Gets the time from a wake-up until the thread runs on an idle processor.</summary>
    public required double WakeUp { get; init; }

    /// <summary>Gets the number of operations between two collections of the client's garbage; 0 for none.</summary>
    public required double OperationsPerCollection { get; init; }

    /// <summary>Gets the length of the pause of a collection.</summary>
    public required double Collection { get; init; }

    /// <summary>Gets how much longer everything takes while another processor of the measured machine is busy.</summary>
    public required double Neighbour { get; init; }

    /// <summary>
    /// Gets by which share the client's processor time grows with each doubling of the sessions above 16, up to 128: more of what they use must come from
    /// memory.
    /// </summary>
    public double ClientCrowding { get; init; }

    /// <summary>Gets the same of the server's processor time.</summary>
    public double ServerCrowding { get; init; }

    /// <summary>Gets the share of cases in which a processor takes any ready thread instead of the one that has waited longest. 0: always that one.</summary>
    public double Disorder { get; init; }

    /// <summary>Returns the factor for a number of sessions. More than 128 have not been measured: it then stays the same.</summary>
    public static double Crowded(double crowding, int sessions) => 1 + (crowding * Math.Log2(Math.Clamp(sessions, 16, 128) / 16.0));

    /// <summary>Returns the measured costs of each server.</summary>
    /// <param name="file">The file that a calibration has written; null for the costs of the machine that docs/scale-model.md describes.</param>
    public static Dictionary<string, Costs> ReadAll(string? file)
    {
        using var stream = file is null ? typeof(Costs).Assembly.GetManifestResourceStream("costs.json")! : File.OpenRead(file);
        return JsonSerializer.Deserialize<Dictionary<string, Costs>>(stream)!;
    }
}
