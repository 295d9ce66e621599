using System.Data;
using System.Data.Common;

namespace Slipstream.Contract;

// The rules in the documentation of DbParameter and DbParameterCollection.
public abstract partial class ProviderContract
{
    [Fact]
    public void A_parameter_keeps_what_it_is_given_and_refuses_the_impossible()
    {
        var parameter = Server.Factory.CreateParameter()!;
        (parameter.ParameterName, parameter.Direction, parameter.Size, parameter.SourceColumn) = ("@name", ParameterDirection.InputOutput, 12, "column");
        (parameter.SourceColumnNullMapping, parameter.SourceVersion, parameter.IsNullable) = (true, DataRowVersion.Original, true);
        (parameter.Precision, parameter.Scale) = (10, 3);
        Assert.Equal(
            ("@name", ParameterDirection.InputOutput, 12, "column"), (parameter.ParameterName, parameter.Direction, parameter.Size, parameter.SourceColumn));
        Assert.Equal(
            (true, DataRowVersion.Original, (byte)10, (byte)3),
            (parameter.SourceColumnNullMapping, parameter.SourceVersion, parameter.Precision, parameter.Scale));
        ((IDbDataParameter)parameter).Precision = 5;
        ((IDbDataParameter)parameter).Scale = 2;
        Assert.Equal((5, 2, 5, 2), (parameter.Precision, parameter.Scale, ((IDbDataParameter)parameter).Precision, ((IDbDataParameter)parameter).Scale));
        parameter.SourceColumn = null;
        Assert.Equal("", parameter.SourceColumn);
        foreach (var value in new object?[] { null, DBNull.Value, 1, "text", new[] { 1, 2 }, new Version(1, 0) })
        {
            parameter.Value = value;
            Assert.Same(value, parameter.Value);
        }

        Assert.ThrowsAny<ArgumentException>(() => parameter.Direction = (ParameterDirection)42);
        Assert.Equal(ParameterDirection.InputOutput, parameter.Direction);
    }

    [Theory]
    [InlineData(1, DbType.Int32)]
    [InlineData(1L, DbType.Int64)]
    [InlineData((short)1, DbType.Int16)]
    [InlineData(1d, DbType.Double)]
    [InlineData(1f, DbType.Single)]
    [InlineData(true, DbType.Boolean)]
    [InlineData("text", DbType.String)]
    [InlineData(new byte[] { 1 }, DbType.Binary)]
    public void The_type_is_that_of_the_value_until_it_is_set_and_again_when_it_is_reset(object value, DbType expected)
    {
        var parameter = Server.Factory.CreateParameter()!;
        parameter.Value = value;
        Assert.Equal(expected, parameter.DbType);
        parameter.DbType = DbType.Decimal;
        Assert.Equal(DbType.Decimal, parameter.DbType);
        parameter.ResetDbType();
        Assert.Equal(expected, parameter.DbType);
    }

    [Fact]
    public void The_collection_takes_parameters_of_its_own_provider_only()
    {
        using var command = Server.Factory.CreateCommand()!;
        var parameters = command.Parameters;
        Add(command, "@kept", 1);
        foreach (var wrong in new object[] { 1, "text", new StrangeParameter() })
        {
            Assert.Throws<InvalidCastException>(() => parameters.Add(wrong));
            Assert.Throws<InvalidCastException>(() => parameters.Insert(0, wrong));
            Assert.Throws<InvalidCastException>(() => parameters.AddRange(new[] { wrong }));
            Assert.Throws<InvalidCastException>(() => parameters.Remove(wrong));
            Assert.False(parameters.Contains(wrong) && wrong is not string);
            Assert.Equal(-1, wrong is string text ? parameters.IndexOf(text) : parameters.IndexOf(wrong));
        }

        Assert.Throws<InvalidCastException>(() => parameters[0] = new StrangeParameter());
        Assert.ThrowsAny<ArgumentException>(() => parameters.Add(null!));
        Assert.ThrowsAny<ArgumentException>(() => parameters.Insert(0, null!));
        Assert.ThrowsAny<ArgumentException>(() => parameters.AddRange(null!));
        Assert.ThrowsAny<ArgumentException>(() => parameters[0] = null!);
        Assert.False(parameters.Contains((object)null!));
        Assert.Equal(-1, parameters.IndexOf((object)null!));
        Assert.Equal("@kept", Assert.Single(parameters.Cast<DbParameter>()).ParameterName);
    }

    [Fact]
    public void The_collection_refuses_places_and_names_that_it_has_not()
    {
        using var command = Server.Factory.CreateCommand()!;
        var parameters = command.Parameters;
        var kept = Add(command, "@kept", 1);
        var other = command.CreateParameter();
        AssertOutOfRange(() => parameters[1]);
        AssertOutOfRange(() => parameters[-1]);
        AssertOutOfRange(() => parameters[1] = other);
        AssertOutOfRange(() => { parameters.RemoveAt(1); return null; });
        AssertOutOfRange(() => { parameters.Insert(3, other); return null; });
        foreach (var refused in new Action[]
        {
            () => _ = parameters["@missing"],
            () => parameters["@missing"] = other,
            () => parameters.RemoveAt("@missing"),
            () => parameters.Remove(other)
        })
        {
            var error = Record.Exception(refused);
            Assert.True(error is ArgumentException or IndexOutOfRangeException, $"{error?.GetType().Name ?? "nothing"} was thrown");
        }

        Assert.Same(kept, Assert.Single(parameters.Cast<DbParameter>()));
    }

    [Fact]
    public void The_collection_replaces_and_is_an_ordinary_list()
    {
        using var command = Server.Factory.CreateCommand()!;
        var parameters = command.Parameters;
        Add(command, "@a", 1);
        Add(command, "@b", 2);
        var (c, d) = (command.CreateParameter(), command.CreateParameter());
        (c.ParameterName, d.ParameterName) = ("@c", "@B");
        parameters[0] = c;
        parameters["@b"] = d;
        Assert.Equal([c, d], parameters.Cast<DbParameter>());
        d.ParameterName = "@d";
        Assert.Equal((-1, 0, 1), (parameters.IndexOf("@a"), parameters.IndexOf("@c"), parameters.IndexOf("@d")));
        Assert.Equal((false, false, false), (parameters.IsFixedSize, parameters.IsReadOnly, parameters.IsSynchronized));
        Assert.NotNull(parameters.SyncRoot);
        Assert.Equal(2, parameters.Add(Server.Factory.CreateParameter()!));
        // An exact match of the name precedes one that ignores case. A renamed parameter is found under its new name.
        d.ParameterName = "@C";
        Assert.Equal((0, 1), (parameters.IndexOf("@c"), parameters.IndexOf("@C")));
        c.ParameterName = "@e";
        Assert.Equal((1, 0, 0), (parameters.IndexOf("@c"), parameters.IndexOf("@e"), parameters.IndexOf("@E")));
        Assert.ThrowsAny<ArgumentException>(() => parameters.CopyTo(new DbParameter[1], 0));
    }

    private sealed class StrangeParameter : DbParameter
    {
        public override DbType DbType { get; set; }

        public override ParameterDirection Direction { get; set; }

        public override bool IsNullable { get; set; }

        [System.Diagnostics.CodeAnalysis.AllowNull]
        public override string ParameterName { get; set; } = "";

        public override int Size { get; set; }

        [System.Diagnostics.CodeAnalysis.AllowNull]
        public override string SourceColumn { get; set; } = "";

        public override bool SourceColumnNullMapping { get; set; }

        public override object? Value { get; set; }

        public override void ResetDbType() => DbType = default;
    }
}
