// Bars over the rows in the page: one group per scenario, one bar per provider. Multiples of Slipstream's figure begin at 1, which is Slipstream's own.
(() => {
  const rows = JSON.parse(document.getElementById('rows').textContent);
  const host = document.getElementById('charts');
  if (!rows.length || typeof Chart === 'undefined') return;

  const metrics = {
    'CPU per operation, multiple of Slipstream': { field: 'cpuRatio', ratio: true },
    'wall time per operation, multiple of Slipstream': { field: 'wallRatio', ratio: true },
    'CPU per operation, µs': { field: 'cpuMicroseconds', log: true },
    'wall time per operation, µs': { field: 'wallMicroseconds', log: true },
    'allocated bytes per operation': { field: 'allocatedBytes', log: true },
    'round trips per operation': { field: 'roundTrips' },
    'operations per second (load)': { field: 'operationsPerSecond', load: true },
  };
  const colours = { Slipstream: '#0a7d62', MySqlConnector: '#3b6fb5', 'MySql.Data': '#c98a1b', Npgsql: '#3b6fb5', Raw: '#8a8a8a' };
  const spare = ['#7a4fa3', '#b5483b', '#5f8f2f'];
  const distinct = field => [...new Set(rows.map(row => row[field]))];

  const selects = {};
  const select = (name, values) => {
    const element = document.createElement('select');
    for (const value of values) element.add(new Option(value, value));
    element.addEventListener('change', draw);
    element.setAttribute('aria-label', name);
    host.append(element);
    selects[name] = element;
  };

  let chart;
  function draw() {
    const metric = metrics[selects.metric.value];
    const chosen = rows.filter(row => ['server', 'settings', 'mode'].every(name => row[name] === selects[name].value) && (!metric.load || row.workers > 1));
    const scenarios = [...new Set(chosen.map(row => row.scenario))];
    const providers = [...new Set(chosen.map(row => row.provider))].filter(provider => !metric.ratio || provider !== 'Slipstream');
    // The rows' own figure, also where it is a ratio: the table shows the same.
    const figure = (scenario, provider) => chosen.find(row => row.scenario === scenario && row.provider === provider)?.[metric.field] ?? null;
    chart?.destroy();
    frame.style.height = `${80 + scenarios.length * (18 + providers.length * 14)}px`;
    chart = new Chart(canvas, {
      type: 'bar',
      data: {
        labels: scenarios,
        datasets: providers.map((provider, index) => ({
          label: provider,
          data: scenarios.map(scenario => figure(scenario, provider)),
          base: metric.ratio ? 1 : undefined,
          backgroundColor: colours[provider] ?? spare[index % spare.length],
        })),
      },
      options: {
        indexAxis: 'y',
        animation: false,
        maintainAspectRatio: false,
        scales: {
          x: {
            type: metric.ratio || metric.log ? 'logarithmic' : 'linear',
            beginAtZero: true,
            position: 'top',
            title: { display: true, text: selects.metric.value },
            ticks: { maxRotation: 0, autoSkipPadding: 12 },
          },
        },
        plugins: { legend: { position: 'top' } },
      },
    });
  }

  const raced = rows.some(row => row.provider === 'Slipstream');
  const loaded = rows.some(row => row.workers > 1);
  select('metric', Object.keys(metrics).filter(name => (raced || !metrics[name].ratio) && (loaded || !metrics[name].load)));
  select('server', distinct('server'));
  select('settings', distinct('settings'));
  select('mode', distinct('mode'));
  const frame = document.createElement('div');
  frame.className = 'frame';
  const canvas = document.createElement('canvas');
  frame.append(canvas);
  host.append(frame);
  draw();
})();
