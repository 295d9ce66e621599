using System.Diagnostics;

namespace Slipstream.Core.Diagnostics;

/// <summary>
/// The application's callbacks for the spans of commands. Their exceptions are ignored: telemetry must not change the result of a command.
/// </summary>
internal abstract class SpanCallbacks
{
    /// <summary>Returns whether the operation gets a span. Default: true.</summary>
    /// <param name="subject">The command, or the text of an operation that is not a command.</param>
    public bool IsWanted(object subject)
    {
        try
        {
            return Filter(subject);
        }
        catch (Exception)
        {
            return true;
        }
    }

    /// <summary>Returns the name of the operation's span; null for the default name.</summary>
    /// <param name="subject">The command, or the text of an operation that is not a command.</param>
    public string? NameOf(object subject)
    {
        try
        {
            return ProvideName(subject);
        }
        catch (Exception)
        {
            return null;
        }
    }

    /// <summary>Adds to a span that has begun.</summary>
    /// <param name="span">The span.</param>
    /// <param name="subject">The command, or the text of an operation that is not a command.</param>
    public void Enrich(Activity span, object subject)
    {
        try
        {
            Add(span, subject);
        }
        catch (Exception)
        {
            // The span then lacks what the callback would have added.
        }
    }

    /// <inheritdoc cref="IsWanted"/>
    protected abstract bool Filter(object subject);

    /// <inheritdoc cref="NameOf"/>
    protected abstract string? ProvideName(object subject);

    /// <inheritdoc cref="Enrich"/>
    protected abstract void Add(Activity span, object subject);
}
