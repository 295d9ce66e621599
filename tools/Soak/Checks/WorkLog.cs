using System.Diagnostics;
using System.Globalization;

namespace Slipstream.Soak.Checks;

/// <summary>How a change ended, according to the driver.</summary>
internal enum Outcome
{
    UnderWay,

    /// <summary>The driver reported success: all rows must be there.</summary>
    Acknowledged,

    /// <summary>The change was rolled back, refused by the server, or lost before its commit was sent: no row may be there.</summary>
    Refused,

    /// <summary>The driver reported that nothing was sent and that a repetition is safe: no row may be there.</summary>
    NotSent,

    /// <summary>The driver does not know: either all rows or none must be there.</summary>
    Unknown,
}

/// <summary>Records every attempted change by the number that it writes, and compares it with the server's tables.</summary>
internal sealed class WorkLog
{
    private readonly Dictionary<long, (int Parts, Outcome Outcome, string What, long Ended)> _entries = [];
    private readonly Lock _lock = new();
    private long _last;

    public long Acknowledged { get; private set; }
    public long Refused { get; private set; }
    public long NotSent { get; private set; }
    public long Unknown { get; private set; }
    public long UnknownThatHappened { get; private set; }

    /// <summary>Gets the number of acknowledged changes that a lost server had not replicated yet.</summary>
    public long LostByReplication { get; private set; }

    /// <summary>Records a new change, which writes this many rows with its number.</summary>
    public long Begin(string what, int parts)
    {
        lock (_lock)
        {
            _entries.Add(++_last, (parts, Outcome.UnderWay, what, 0));
            return _last;
        }
    }

    public void End(long id, Outcome outcome)
    {
        lock (_lock)
        {
            var entry = _entries[id];
            if (entry.Outcome != Outcome.UnderWay)
                throw new InvalidOperationException($"change {id} ended already");
            _entries[id] = entry with { Outcome = outcome, Ended = Stopwatch.GetTimestamp() };
        }
    }

    /// <summary>Compares the changes with the rows that the server has for each number, and forgets them.</summary>
    /// <param name="found">The number of rows for each number.</param>
    /// <param name="mayBeLost">
    /// Returns whether an acknowledged change of that time may be lost, because it was not replicated before its server was lost.
    /// </param>
    /// <returns>The violations.</returns>
    public IReadOnlyList<string> Settle(IReadOnlyDictionary<long, int> found, Func<long, bool>? mayBeLost = null)
    {
        var faults = new List<string>();
        lock (_lock)
        {
            foreach (var (id, entry) in _entries)
            {
                var rows = found.GetValueOrDefault(id);
                var isRight = entry.Outcome switch
                {
                    Outcome.Acknowledged => rows == entry.Parts,
                    Outcome.Refused or Outcome.NotSent => rows == 0,
                    Outcome.Unknown => rows == 0 || rows == entry.Parts,
                    _ => false,
                };
                if (!isRight && entry.Outcome == Outcome.Acknowledged && rows == 0 && mayBeLost is not null && mayBeLost(entry.Ended))
                    LostByReplication++;
                else if (!isRight)
                    faults.Add(
                        string.Create(CultureInfo.InvariantCulture, $"{entry.What} {id} is {entry.Outcome}, but {rows} of its {entry.Parts} rows are there"));
                Count(entry.Outcome, rows > 0);
            }

            foreach (var id in found.Keys)
            {
                if (!_entries.ContainsKey(id))
                    faults.Add(string.Create(CultureInfo.InvariantCulture, $"change {id} is there, but no worker made it since the last quiet point"));
            }

            _entries.Clear();
        }

        return faults;
    }

    private void Count(Outcome outcome, bool isThere)
    {
        switch (outcome)
        {
            case Outcome.Acknowledged:
                Acknowledged++;
                break;
            case Outcome.Refused:
                Refused++;
                break;
            case Outcome.NotSent:
                NotSent++;
                break;
            case Outcome.Unknown:
                Unknown++;
                UnknownThatHappened += isThere ? 1 : 0;
                break;
        }
    }
}
