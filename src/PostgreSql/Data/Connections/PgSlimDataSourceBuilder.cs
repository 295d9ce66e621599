using System.Diagnostics.CodeAnalysis;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Microsoft.Extensions.Logging;

namespace Slipstream.PostgreSql;

/// <summary>
/// The same as <see cref="PgDataSourceBuilder"/>, for programs that were written for Npgsql. There, it leaves out what is not enabled, so that the program is
/// smaller. Here, nothing needs to be left out: no feature needs reflection, and the linker removes code that is not used. So everything is always enabled, and
/// TLS cannot be forgotten.
/// </summary>
public sealed class PgSlimDataSourceBuilder : IPgTypeMapper
{
    private readonly PgDataSourceBuilder _builder;

    /// <summary>Creates a builder of data sources.</summary>
    /// <param name="connectionString">The connection string; null means an empty one.</param>
    /// <exception cref="ArgumentException">An option does not exist, or its value is not allowed; the message names both.</exception>
    public PgSlimDataSourceBuilder(string? connectionString = null) => _builder = new(connectionString);

    /// <inheritdoc cref="PgDataSourceBuilder.ConnectionStringBuilder"/>
    public PgConnectionStringBuilder ConnectionStringBuilder => _builder.ConnectionStringBuilder;

    /// <inheritdoc cref="PgDataSourceBuilder.ConnectionString"/>
    public string ConnectionString => _builder.ConnectionString;

    /// <inheritdoc cref="PgDataSourceBuilder.Name"/>
    public string? Name
    {
        get => _builder.Name;
        set => _builder.Name = value;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.DefaultNameTranslator"/>
    public IPgNameTranslator DefaultNameTranslator
    {
        get => _builder.DefaultNameTranslator;
        set => _builder.DefaultNameTranslator = value;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.UseLoggerFactory"/>
    public PgSlimDataSourceBuilder UseLoggerFactory(ILoggerFactory? loggerFactory)
    {
        _builder.UseLoggerFactory(loggerFactory);
        return this;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.EnableParameterLogging"/>
    public PgSlimDataSourceBuilder EnableParameterLogging(bool parameterLoggingEnabled = true)
    {
        _builder.EnableParameterLogging(parameterLoggingEnabled);
        return this;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.ConfigureTracing"/>
    public PgSlimDataSourceBuilder ConfigureTracing(Action<PgTracingOptionsBuilder> configureAction)
    {
        _builder.ConfigureTracing(configureAction);
        return this;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.ConfigureTypeLoading"/>
    public PgSlimDataSourceBuilder ConfigureTypeLoading(Action<PgTypeLoadingOptionsBuilder> configureAction)
    {
        _builder.ConfigureTypeLoading(configureAction);
        return this;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.ConfigureJsonOptions"/>
    public PgSlimDataSourceBuilder ConfigureJsonOptions(JsonSerializerOptions serializerOptions)
    {
        _builder.ConfigureJsonOptions(serializerOptions);
        return this;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.EnableDynamicJson"/>
    [RequiresUnreferencedCode("The members of the types may have been removed: use ConfigureJsonOptions with a source-generated context.")]
    [RequiresDynamicCode("The serializers of the types must be created at run time: use ConfigureJsonOptions with a source-generated context.")]
    public PgSlimDataSourceBuilder EnableDynamicJson(Type[]? jsonbClrTypes = null, Type[]? jsonClrTypes = null)
    {
        _builder.EnableDynamicJson(jsonbClrTypes, jsonClrTypes);
        return this;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.UseClientCertificate"/>
    [Obsolete("Use UseSslClientAuthenticationOptionsCallback.")]
    public PgSlimDataSourceBuilder UseClientCertificate(X509Certificate? clientCertificate)
    {
        _builder.UseClientCertificate(clientCertificate);
        return this;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.UseClientCertificates"/>
    [Obsolete("Use UseSslClientAuthenticationOptionsCallback.")]
    public PgSlimDataSourceBuilder UseClientCertificates(X509CertificateCollection? clientCertificates)
    {
        _builder.UseClientCertificates(clientCertificates);
        return this;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.UseClientCertificatesCallback"/>
    [Obsolete("Use UseSslClientAuthenticationOptionsCallback.")]
    public PgSlimDataSourceBuilder UseClientCertificatesCallback(Action<X509CertificateCollection>? clientCertificatesCallback)
    {
        _builder.UseClientCertificatesCallback(clientCertificatesCallback);
        return this;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.UseRootCertificate"/>
    public PgSlimDataSourceBuilder UseRootCertificate(X509Certificate2? rootCertificate)
    {
        _builder.UseRootCertificate(rootCertificate);
        return this;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.UseRootCertificates"/>
    public PgSlimDataSourceBuilder UseRootCertificates(X509Certificate2Collection? rootCertificates)
    {
        _builder.UseRootCertificates(rootCertificates);
        return this;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.UseRootCertificateCallback"/>
    public PgSlimDataSourceBuilder UseRootCertificateCallback(Func<X509Certificate2>? rootCertificateCallback)
    {
        _builder.UseRootCertificateCallback(rootCertificateCallback);
        return this;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.UseRootCertificatesCallback"/>
    public PgSlimDataSourceBuilder UseRootCertificatesCallback(Func<X509Certificate2Collection>? rootCertificateCallback)
    {
        _builder.UseRootCertificatesCallback(rootCertificateCallback);
        return this;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.UseUserCertificateValidationCallback"/>
    [Obsolete("Use UseSslClientAuthenticationOptionsCallback.")]
    public PgSlimDataSourceBuilder UseUserCertificateValidationCallback(RemoteCertificateValidationCallback? userCertificateValidationCallback)
    {
        _builder.UseUserCertificateValidationCallback(userCertificateValidationCallback);
        return this;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.UseSslClientAuthenticationOptionsCallback"/>
    public PgSlimDataSourceBuilder UseSslClientAuthenticationOptionsCallback(Action<SslClientAuthenticationOptions>? sslClientAuthenticationOptionsCallback)
    {
        _builder.UseSslClientAuthenticationOptionsCallback(sslClientAuthenticationOptionsCallback);
        return this;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.UseNegotiateOptionsCallback"/>
    public PgSlimDataSourceBuilder UseNegotiateOptionsCallback(Action<NegotiateAuthenticationClientOptions>? negotiateOptionsCallback)
    {
        _builder.UseNegotiateOptionsCallback(negotiateOptionsCallback);
        return this;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.UsePasswordProvider"/>
    public PgSlimDataSourceBuilder UsePasswordProvider(
        Func<PgConnectionStringBuilder, string>? passwordProvider, Func<PgConnectionStringBuilder, CancellationToken, ValueTask<string>>? passwordProviderAsync)
    {
        _builder.UsePasswordProvider(passwordProvider, passwordProviderAsync);
        return this;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.UsePeriodicPasswordProvider"/>
    public PgSlimDataSourceBuilder UsePeriodicPasswordProvider(
        Func<PgConnectionStringBuilder, CancellationToken, ValueTask<string>>? passwordProvider, TimeSpan successRefreshInterval,
        TimeSpan failureRefreshInterval)
    {
        _builder.UsePeriodicPasswordProvider(passwordProvider, successRefreshInterval, failureRefreshInterval);
        return this;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.UsePhysicalConnectionInitializer"/>
    public PgSlimDataSourceBuilder UsePhysicalConnectionInitializer(
        Action<PgConnection>? connectionInitializer, Func<PgConnection, Task>? connectionInitializerAsync)
    {
        _builder.UsePhysicalConnectionInitializer(connectionInitializer, connectionInitializerAsync);
        return this;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.MapEnum{TEnum}"/>
    public PgSlimDataSourceBuilder MapEnum<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)] TEnum>(
        string? pgName = null, IPgNameTranslator? nameTranslator = null)
        where TEnum : struct, Enum
    {
        _builder.MapEnum<TEnum>(pgName, nameTranslator);
        return this;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.MapEnum(Type, string, IPgNameTranslator)"/>
    [RequiresUnreferencedCode("The members of the type may have been removed: use MapEnum<TEnum>.")]
    [RequiresDynamicCode("The mapping of the type must be created at run time: use MapEnum<TEnum>.")]
    public PgSlimDataSourceBuilder MapEnum(Type clrType, string? pgName = null, IPgNameTranslator? nameTranslator = null)
    {
        _builder.MapEnum(clrType, pgName, nameTranslator);
        return this;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.UnmapEnum{TEnum}"/>
    public bool UnmapEnum<TEnum>(string? pgName = null, IPgNameTranslator? nameTranslator = null)
        where TEnum : struct, Enum => _builder.UnmapEnum<TEnum>(pgName, nameTranslator);

    /// <inheritdoc cref="PgDataSourceBuilder.UnmapEnum(Type, string, IPgNameTranslator)"/>
    public bool UnmapEnum(Type clrType, string? pgName = null, IPgNameTranslator? nameTranslator = null) =>
        _builder.UnmapEnum(clrType, pgName, nameTranslator);

    /// <inheritdoc cref="PgDataSourceBuilder.MapComposite{T}"/>
    public PgSlimDataSourceBuilder MapComposite<
        [DynamicallyAccessedMembers(
            DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties
            | DynamicallyAccessedMemberTypes.PublicConstructors)] T>(string? pgName = null, IPgNameTranslator? nameTranslator = null)
        where T : notnull
    {
        _builder.MapComposite<T>(pgName, nameTranslator);
        return this;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.MapComposite(Type, string, IPgNameTranslator)"/>
    [RequiresUnreferencedCode("The members of the type may have been removed: use MapComposite<T>.")]
    [RequiresDynamicCode("The mapping of the type must be created at run time: use MapComposite<T>.")]
    public PgSlimDataSourceBuilder MapComposite(Type clrType, string? pgName = null, IPgNameTranslator? nameTranslator = null)
    {
        _builder.MapComposite(clrType, pgName, nameTranslator);
        return this;
    }

    /// <inheritdoc cref="PgDataSourceBuilder.UnmapComposite{T}"/>
    public bool UnmapComposite<T>(string? pgName = null, IPgNameTranslator? nameTranslator = null) =>
        _builder.UnmapComposite<T>(pgName, nameTranslator);

    /// <inheritdoc cref="PgDataSourceBuilder.UnmapComposite(Type, string, IPgNameTranslator)"/>
    public bool UnmapComposite(Type clrType, string? pgName = null, IPgNameTranslator? nameTranslator = null) =>
        _builder.UnmapComposite(clrType, pgName, nameTranslator);

    /// <summary>Does nothing: arrays are always read and sent. It exists for programs that were written for Npgsql.</summary>
    /// <returns>The builder.</returns>
    public PgSlimDataSourceBuilder EnableArrays() => this;

    /// <summary>Does nothing: the type cube is always read and sent. It exists for programs that were written for Npgsql.</summary>
    /// <returns>The builder.</returns>
    public PgSlimDataSourceBuilder EnableCube() => this;

    /// <summary>Does nothing: all conversions are always available. It exists for programs that were written for Npgsql.</summary>
    /// <returns>The builder.</returns>
    public PgSlimDataSourceBuilder EnableExtraConversions() => this;

    /// <summary>Does nothing: tsvector and tsquery are always read and sent. It exists for programs that were written for Npgsql.</summary>
    /// <returns>The builder.</returns>
    public PgSlimDataSourceBuilder EnableFullTextSearch() => this;

    /// <summary>Does nothing: geometric types are always read and sent. It exists for programs that were written for Npgsql.</summary>
    /// <returns>The builder.</returns>
    public PgSlimDataSourceBuilder EnableGeometricTypes() => this;

    /// <summary>Does nothing: Kerberos is always available. It exists for programs that were written for Npgsql.</summary>
    /// <returns>The builder.</returns>
    public PgSlimDataSourceBuilder EnableIntegratedSecurity() => this;

    /// <summary>Does nothing: JSON documents are always read and sent. It exists for programs that were written for Npgsql.</summary>
    /// <returns>The builder.</returns>
    public PgSlimDataSourceBuilder EnableJsonTypes() => this;

    /// <summary>Does nothing: ltree, lquery and ltxtquery are always read and sent. It exists for programs that were written for Npgsql.</summary>
    /// <returns>The builder.</returns>
    public PgSlimDataSourceBuilder EnableLTree() => this;

    /// <summary>Does nothing: multiranges are always read and sent. It exists for programs that were written for Npgsql.</summary>
    /// <returns>The builder.</returns>
    public PgSlimDataSourceBuilder EnableMultiranges() => this;

    /// <summary>Does nothing: addresses are always read and sent. It exists for programs that were written for Npgsql.</summary>
    /// <returns>The builder.</returns>
    public PgSlimDataSourceBuilder EnableNetworkTypes() => this;

    /// <summary>Does nothing: ranges are always read and sent. It exists for programs that were written for Npgsql.</summary>
    /// <returns>The builder.</returns>
    public PgSlimDataSourceBuilder EnableRanges() => this;

    /// <summary>Does nothing: records are always read. It exists for programs that were written for Npgsql.</summary>
    /// <returns>The builder.</returns>
    public PgSlimDataSourceBuilder EnableRecords() => this;

    /// <summary>Does nothing: composite values and records can always be read as tuples. It exists for programs that were written for Npgsql.</summary>
    /// <returns>The builder.</returns>
    public PgSlimDataSourceBuilder EnableRecordsAsTuples() => this;

    /// <summary>Does nothing: TLS is always available, and SSL Mode determines its use. It exists for programs that were written for Npgsql.</summary>
    /// <returns>The builder.</returns>
    public PgSlimDataSourceBuilder EnableTransportSecurity() => this;

    /// <summary>Does nothing: types without a mapping can always be read. It exists for programs that were written for Npgsql.</summary>
    /// <returns>The builder.</returns>
    public PgSlimDataSourceBuilder EnableUnmappedTypes() => this;

    /// <inheritdoc cref="PgDataSourceBuilder.Build"/>
    public PgDataSource Build() => _builder.Build();

    /// <inheritdoc cref="PgDataSourceBuilder.BuildMultiHost"/>
    public PgMultiHostDataSource BuildMultiHost() => _builder.BuildMultiHost();

    IPgTypeMapper IPgTypeMapper.MapEnum<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)] TEnum>(
        string? pgName, IPgNameTranslator? nameTranslator) => MapEnum<TEnum>(pgName, nameTranslator);

    [RequiresUnreferencedCode("The members of the type may have been removed: use MapEnum<TEnum>.")]
    [RequiresDynamicCode("The mapping of the type must be created at run time: use MapEnum<TEnum>.")]
    IPgTypeMapper IPgTypeMapper.MapEnum(Type clrType, string? pgName, IPgNameTranslator? nameTranslator) => MapEnum(clrType, pgName, nameTranslator);

    IPgTypeMapper IPgTypeMapper.MapComposite<
        [DynamicallyAccessedMembers(
            DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties
            | DynamicallyAccessedMemberTypes.PublicConstructors)] T>(string? pgName, IPgNameTranslator? nameTranslator) =>
        MapComposite<T>(pgName, nameTranslator);

    [RequiresUnreferencedCode("The members of the type may have been removed: use MapComposite<T>.")]
    [RequiresDynamicCode("The mapping of the type must be created at run time: use MapComposite<T>.")]
    IPgTypeMapper IPgTypeMapper.MapComposite(Type clrType, string? pgName, IPgNameTranslator? nameTranslator) =>
        MapComposite(clrType, pgName, nameTranslator);

    IPgTypeMapper IPgTypeMapper.ConfigureJsonOptions(JsonSerializerOptions serializerOptions) => ConfigureJsonOptions(serializerOptions);

    [RequiresUnreferencedCode("The members of the types may have been removed: use ConfigureJsonOptions with a source-generated context.")]
    [RequiresDynamicCode("The serializers of the types must be created at run time: use ConfigureJsonOptions with a source-generated context.")]
    IPgTypeMapper IPgTypeMapper.EnableDynamicJson(Type[]? jsonbClrTypes, Type[]? jsonClrTypes) => EnableDynamicJson(jsonbClrTypes, jsonClrTypes);

    IPgTypeMapper IPgTypeMapper.EnableRecordsAsTuples() => EnableRecordsAsTuples();

    IPgTypeMapper IPgTypeMapper.EnableUnmappedTypes() => EnableUnmappedTypes();

    void IPgTypeMapper.Reset() => ((IPgTypeMapper)_builder).Reset();
}
