namespace Slipstream.MySql.Sessions;

/// <summary>Who asks for a session, with code of the application's own for making it. The opener finds it as the holder of the attempt.</summary>
internal interface IHasCallbacks
{
    /// <summary><see cref="SecurityCallbacks.None"/> where there are none.</summary>
    SecurityCallbacks Callbacks { get; }
}
