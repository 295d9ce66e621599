namespace Slipstream.Architecture.Arrows.Samples;

internal abstract class User<T> : Base, IInterface
    where T : IConstraint
{
    private readonly FieldType? _field;
    private readonly List<Argument[]> _arguments = [];

    protected User(FieldType? field) => _field = field;

    [Mark]
    public override string ToString() => $"{_field} {_arguments.Count}";

    public abstract Result? Ask(ref Parameter? parameter);

    public static void Call(int kind)
    {
        try
        {
            switch (kind)
            {
                case 0 or 1 or 2 or 3:
                    Called.Run();
                    break;
                default:
                    GC.KeepAlive(typeof(Outer.Nested));
                    break;
            }
        }
        catch (CaughtException)
        {
            throw new InvalidOperationException();
        }
    }

    public static Func<int> Later(int count) => () => count + InClosure.Count;

    public static async Task<int> Wait()
    {
        await Task.Yield();
        return AfterAwait.Count;
    }
}
