using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Slipstream.Tool.Migrate.CSharp;

/// <summary>Rewrites the methods that register a data source, and the instruments of OpenTelemetry.</summary>
internal static class Registrations
{
    private const string Rule = "registration";
    private const string NpgsqlPools = "migrating.md#npgsql-connections-and-pools";
    private const string Telemetry = "migrating.md#npgsql-bulk-copy-schema-telemetry-and-logging";

    public static void Migrate(SourceFile source, bool usesMySqlConnectorPackage, Drivers stays)
    {
        foreach (var call in source.Unit.DescendantNodes().OfType<InvocationExpressionSyntax>())
        {
            if (call.Expression is not MemberAccessExpressionSyntax { Name: SimpleNameSyntax name })
                continue;
            if (stays.HasFlag(Drivers.Npgsql) && name.Identifier.ValueText.Contains("Npgsql", StringComparison.Ordinal))
                continue;
            switch (name.Identifier.ValueText)
            {
                case "AddNpgsqlDataSource":
                    DataSource(source, call, name);
                    break;
                case "AddNpgsqlSlimDataSource" or "AddMultiHostNpgsqlDataSource" or "AddMultiHostNpgsqlSlimDataSource":
                    source.Changes.Add(
                        name.SpanStart, FindingKind.Manual, Rule,
                        $"{name} has no counterpart: use AddSlipstreamPostgreSql, or register the PgDataSource that a PgDataSourceBuilder builds.",
                            NpgsqlPools);
                    break;
                case "AddNpgsql" or "AddNpgsqlInstrumentation":
                    Instruments(source, call, name);
                    break;
                case "AddMySqlDataSource" or "AddKeyedMySqlDataSource" when usesMySqlConnectorPackage && !stays.HasFlag(Drivers.MySqlConnector):
                    Usings.Require(source, Names.MySql, $"{name} is a method of the driver's own package.", name.SpanStart);
                    break;
                case "AddSource" or "AddMeter":
                    Source(source, call);
                    break;
            }
        }
    }

    private static void DataSource(SourceFile source, InvocationExpressionSyntax call, SimpleNameSyntax name)
    {
        const string Target = "AddSlipstreamPostgreSql";
        var arguments = call.ArgumentList.Arguments;
        if (arguments.Any(static one => one.NameColon?.Name.Identifier.ValueText == "serviceKey"))
        {
            source.Changes.Add(
                name.SpanStart, FindingKind.Manual, Rule, $"{name} with a key becomes AddKeyedSlipstreamPostgreSql(key, connectionString).", NpgsqlPools);
            return;
        }

        // Npgsql calls the callback with the builder, this driver with the provider of services and the builder.
        if (arguments.FirstOrDefault(static one => one.NameColon?.Name.Identifier.ValueText == "dataSourceBuilderAction") is { } named)
            source.Changes.Silently(new Edit(named.NameColon!.Name.SpanStart, named.NameColon.Name.Span.Length, "configure"));
        foreach (var argument in arguments.Skip(1))
        {
            switch (argument.Expression)
            {
                case SimpleLambdaExpressionSyntax lambda:
                    source.Changes.Silently(new Edit(lambda.Parameter.SpanStart, lambda.Parameter.Span.Length, $"(_, {lambda.Parameter})"));
                    break;
                case ParenthesizedLambdaExpressionSyntax { ParameterList.Parameters: [var only] } lambda:
                    var first = only.Type is null ? "_, " : "System.IServiceProvider _, ";
                    source.Changes.Silently(new Edit(lambda.ParameterList.OpenParenToken.Span.End, 0, first));
                    break;
                case IdentifierNameSyntax or MemberAccessExpressionSyntax when argument == arguments[1]
                    && argument.ToString().Contains("ifetime", StringComparison.Ordinal) is false:
                    source.Changes.Add(
                        argument.SpanStart, FindingKind.Manual, Rule, "The callback has two parameters: the service provider and the builder.", NpgsqlPools);
                    break;
            }
        }

        source.Changes.Automatic(
            new Edit(name.Identifier.SpanStart, name.Identifier.Span.Length, Target), Rule, $"{name} becomes {Target}.", NpgsqlPools);
        Usings.Require(source, Names.PostgreSql, $"{Target} is a method of the driver's own package.", name.SpanStart);
    }

    private static void Instruments(SourceFile source, InvocationExpressionSyntax call, SimpleNameSyntax name)
    {
        const string Target = "AddSlipstreamPostgreSql";
        if (call.ArgumentList.Arguments.Count > 0)
            source.Changes.Add(
                name.SpanStart, FindingKind.Manual, Rule, $"{name} with options becomes {Target}(): ConfigureTracing of the data source's builder has them.",
                    Telemetry);
        else
            source.Changes.Automatic(
                new Edit(name.Identifier.SpanStart, name.Identifier.Span.Length, Target), Rule, $"{name} becomes {Target}.", Telemetry);
    }

    private static void Source(SourceFile source, InvocationExpressionSyntax call)
    {
        foreach (var argument in call.ArgumentList.Arguments)
            if (argument.Expression is LiteralExpressionSyntax { Token.Value: "Npgsql" or "MySqlConnector" } literal)
            {
                var target = (string)literal.Token.Value! == "Npgsql" ? Names.PostgreSql : Names.MySql;
                source.Changes.Add(
                    literal.SpanStart, FindingKind.Manual, "telemetry", $"The activity source and the meter {literal} are named \"{target}\".",
                    (string)literal.Token.Value! == "Npgsql" ? Telemetry : "migrating.md#telemetry-and-logging");
            }
    }
}
