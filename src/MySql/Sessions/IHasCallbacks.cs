namespace Slipstream.MySql.Sessions;

/// <summary>The requester of a session, with the application's callbacks for opening it. The opener finds it as the holder of the attempt.</summary>
internal interface IHasCallbacks
{
    /// <summary>Gets the callbacks; <see cref="SecurityCallbacks.None"/> if there are none.</summary>
    SecurityCallbacks Callbacks { get; }
}
