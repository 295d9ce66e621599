namespace Slipstream.Architecture.Arrows.Samples;

// UserSample.cs uses each of these types in exactly one way.
internal class Base;

internal interface IInterface;

internal interface IConstraint;

[AttributeUsage(AttributeTargets.Method)]
internal sealed class MarkAttribute : Attribute;

internal sealed class FieldType;

internal sealed class Argument;

internal sealed class Parameter;

internal sealed class Result;

internal sealed class CaughtException : Exception;

internal static class Called
{
    public static void Run() => GC.KeepAlive(null);
}

internal static class InClosure
{
    public static int Count => 1;
}

internal static class AfterAwait
{
    public static int Count => 1;
}

internal static class Outer
{
    internal sealed class Nested;
}
