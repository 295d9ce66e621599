namespace Slipstream.MySql.Errors;

/// <summary>Code of the application's own failed, which was to give the password of a new connection. The data source makes a public exception of it.</summary>
internal sealed class CallbackException(string message, Exception inner) : Exception(message, inner);
