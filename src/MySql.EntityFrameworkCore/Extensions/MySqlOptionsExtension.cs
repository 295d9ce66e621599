using System.Data.Common;
using System.Text;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.Extensions.DependencyInjection;
using Pomelo.EntityFrameworkCore.MySql.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Infrastructure;

/// <summary>The options that <c>UseMySql</c> sets.</summary>
public sealed class MySqlOptionsExtension : RelationalOptionsExtension, MySqlOptions.IHolder
{
    private readonly MySqlOptions _options;
    private MySqlOptions? _complete;

    /// <summary>Creates the options with their defaults.</summary>
    public MySqlOptionsExtension() => _options = new();

    private MySqlOptionsExtension(MySqlOptionsExtension other, MySqlOptions options)
        : base(other) => _options = options;

    /// <inheritdoc/>
    public override DbContextOptionsExtensionInfo Info => field ??= new ExtensionInfo(this);

    /// <summary>Gets the data source, if the context takes its connections from one.</summary>
    public DbDataSource? DataSource => _options.DataSource;

    /// <summary>Gets the version of the server; null if the provider asks the server when it first needs the version.</summary>
    public ServerVersion? ServerVersion => _options.ServerVersion;

    // A connection string that is only a name is not known yet.
    MySqlOptions MySqlOptions.IHolder.Options => _complete ??= _options with
    {
        GuidFormat = GuidFormats.Of(DataSource?.ConnectionString ?? Connection?.ConnectionString ?? ConnectionString),
    };

    ServerVersion MySqlOptions.IHolder.Version => ServerVersion ?? ServerVersions.Find(DataSource, Connection, ConnectionString, _options.Retries);

    internal MySqlOptionsExtension With(Func<MySqlOptions, MySqlOptions> change) => new(this, change(_options));

    /// <inheritdoc/>
    protected override RelationalOptionsExtension Clone() => new MySqlOptionsExtension(this, _options);

    /// <inheritdoc/>
    public override void ApplyServices(IServiceCollection services) => services.AddEntityFrameworkMySql();

    private sealed class ExtensionInfo(MySqlOptionsExtension extension) : RelationalExtensionInfo(extension)
    {
        private new MySqlOptionsExtension Extension => (MySqlOptionsExtension)base.Extension;

        public override string LogFragment
        {
            get
            {
                var fragment = new StringBuilder(base.LogFragment);
                if (Extension.ServerVersion is { } version)
                    fragment.Append("ServerVersion ").Append(version).Append(' ');
                return fragment.ToString();
            }
        }

        // Everything that singleton services use.
        private MySqlOptions Shared => field ??= ((MySqlOptions.IHolder)Extension).Options with
        {
            DataSource = null, TransactionsInText = false, Retries = null, ServerVersion = ((MySqlOptions.IHolder)Extension).Version,
        };

        public override int GetServiceProviderHashCode() => Shared.GetHashCode();

        public override bool ShouldUseSameServiceProvider(DbContextOptionsExtensionInfo other) =>
            other is ExtensionInfo info && Shared.Equals(info.Shared);

        public override void PopulateDebugInfo(IDictionary<string, string> debugInfo) =>
            debugInfo["Slipstream.MySql:" + nameof(ServerVersion)] = Shared.ServerVersion!.ToString();
    }
}
