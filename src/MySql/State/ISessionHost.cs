using Slipstream.Core.Errors;

namespace Slipstream.MySql.State;

/// <summary>The session as its state may use it, and as its exchanges report to it.</summary>
internal interface ISessionHost
{
    /// <summary>Whether several commands may travel in one send.</summary>
    bool MayPipeline { get; }

    /// <summary>No other lease follows.</summary>
    void ServeOnce();

    /// <summary>The server has rolled back all of the open transaction, though nobody has ended it.</summary>
    void LoseTransaction(ServerError error);

    /// <summary>Throws when something has arrived that answers nothing.</summary>
    void RefuseLeftovers();

    /// <summary>The question of <see cref="SendBufferGrowth"/> is owed: it travels in front of a command that does not see what it leaves.</summary>
    void OweQuestion();

    /// <summary>The packet of <see cref="SendBufferGrowth"/> is owed: it travels in front of the next command.</summary>
    void OwePacket();
}
