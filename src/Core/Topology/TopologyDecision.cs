namespace Slipstream.Core.Topology;

/// <summary>What the monitor and the pools must do.</summary>
internal enum TopologyAction
{
    /// <summary>Send a probe. <see cref="TopologyDecision.Number"/> identifies it.</summary>
    Probe,

    /// <summary>Close the session of the unanswered probe with this number. The next probe needs a new session.</summary>
    Abandon,

    /// <summary>Close the server's idle sessions at once, and the others when they are returned or when the drain time ends.</summary>
    Retire,

    /// <summary>End the sessions in use, too. The server has not answered for so long that no answer can be expected.</summary>
    Cut,

    /// <summary>The server can be used again.</summary>
    Admit,

    /// <summary>Remove the server, which is no longer listed.</summary>
    Remove,

    /// <summary>Report that two servers say at the same time that they are the primary, and that nothing shows which one is right.</summary>
    ReportTwoPrimaries,
}

/// <summary>A decision of <see cref="TopologyMachine"/>.</summary>
internal readonly record struct TopologyDecision(TopologyAction Action, string Host, long Number = 0, string Reason = "");
