namespace Slipstream.Core.Errors;

/// <summary>The application's callback for the password of a new connection failed. The data source converts it to a public exception.</summary>
internal sealed class CallbackException(string message, Exception inner) : Exception(message, inner);
