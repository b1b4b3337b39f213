// Who may import whom: the table of docs/architecture.md, a rule for each of its lines; and which
// packages may be used where.

const words =
  '^src/platform/(schema/|time/rules\\.ts$|config\\.ts$|config/|cancellation\\.ts$|cut-text\\.ts$|group-by\\.ts$|observability/)';
const mechanisms =
  '^src/platform/(http|auth|lists|database|events|jobs|temporal|egress|content|time|replays|batching|circuit-breaker|resources)/';
// The event types that a capability declares.
const events = '^src/[a-z]+/events\\.ts$';
// From the lowest to the highest: each may import those before it only.
const order = [
  'platform',
  'team',
  'contacts',
  'cohorts',
  'campaigns',
  'engagement',
  'messaging',
  'journeys',
  'webhooks',
  'insights',
  'operations',
  'inbound',
  'widget',
  'meta',
  'maintenance',
  'app',
];
const capabilities = `^src/(${order.slice(1, -1).join('|')})/`;
const roots = '^src/((main|api|worker)\\.ts$|app/|commands/)';
// A noun is named for its folder: contacts/contact.ts.
const nouns = [
  '^src/(contact|cohort|journey|team)s?/\\1\\.ts$',
  '^src/(?:contacts|engagement|campaigns|messaging|webhooks|inbound|operations|team)/([a-z-]+)(?:s|ies)/\\2y?\\.ts$',
];
const rules = '^src/.+/rules\\.ts$';
// Names that workers, workflows and the operator's UI share; @temporalio/common and nothing of ours.
const sharedNames = '^src/platform/(temporal/(search-attributes|task-queues)|jobs/shape)\\.ts$';
const queries = '^src/.+/queries\\.ts$';
const endpoints = '^src/.+/endpoints\\.ts$';
const typesOnly = ['type-only'];

/** A rule for each part of the order, types included. */
const downwards = order.slice(0, -1).map((part, at) => ({
  name: `${part}-imports-downwards`,
  comment: 'Pass the data in, move the caller up, or register it at the top.',
  severity: 'error',
  from: { path: `^src/${part}/` },
  to: { path: `^src/(${order.slice(at + 1).join('|')})/` },
}));

/** Packages that few places use, with what the others use. Types go anywhere. */
const homes = [
  {
    packages: 'postgres',
    at: '^src/platform/database/',
    use: 'Take a `Sql` (src/platform/database/sql.ts).',
  },
  {
    packages: 'koa|@koa/router',
    at: '^src/(app/create-app\\.ts$|platform/http/)',
    use: 'Declare an endpoint (src/platform/http/endpoint.ts).',
  },
  {
    packages: 'undici',
    at: '^src/(platform/egress|local)/',
    use: 'Call out through src/platform/egress/client.ts, which guards addresses.',
  },
  {
    packages: 'jose',
    at: '^src/(platform/auth/|inbound/signatures/(oidc-bearer|signed-jwt)\\.ts$|messaging/providers/)',
    use: 'Use src/platform/auth/tokens.ts or src/platform/auth/signing-keys.ts.',
  },
  {
    packages: 'pino',
    at: '^src/platform/observability/log\\.ts$',
    use: 'Take a `Log` (src/platform/observability/log.ts).',
  },
  {
    packages: 'prom-client',
    at: '^src/platform/http/',
    use: 'Declare the metric in src/platform/http/metrics.ts.',
  },
  {
    packages: '@temporalio/worker',
    at: '^src/(app/worker-(poller|queues)\\.ts$|platform/temporal/)',
    use: 'Workers are created by src/app/worker-poller.ts, with the queues of src/app/worker-queues.ts.',
  },
  {
    packages: '@temporalio/activity',
    at: '^(activities|src/platform/temporal)/',
    use: 'Take withHeartbeat or the retry limit of src/platform/temporal.',
  },
  {
    packages: '@temporalio/workflow',
    at: '^workflows/',
    use: 'Only workflows/ runs in the sandbox of a workflow.',
  },
  {
    packages: 'liquidjs|sanitize-html|htmlparser2',
    at: '^src/platform/content/',
    use: 'src/platform/content renders and cleans what partners write.',
  },
  {
    packages: 'ssh2',
    at: '^src/operations/(sftp-credentials/key-pairs\\.ts$|sftp/)',
    use: 'src/operations/sftp serves files; sftp-credentials/key-pairs.ts reads and makes keys.',
  },
  {
    packages: 'nodemailer|aws4',
    at: '^src/messaging/providers/',
    use: 'Messages leave through src/messaging/providers.',
  },
  {
    packages: 'commander',
    at: '^(src/commands|sdk/cli)/',
    use: 'src/commands and sdk/cli read arguments.',
  },
];
const packageHomes = homes.map(({ packages, at, use }) => ({
  name: `home-of-${packages.split('|')[0].replace(/[@/]+/g, '-').replace(/^-/, '')}`,
  comment: use,
  severity: 'error',
  from: { path: '^(src|workflows|activities|sdk|site)/', pathNot: at },
  to: { path: `node_modules/(${packages})/`, dependencyTypesNot: typesOnly },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
const config = {
  forbidden: [
    ...downwards,
    ...packageHomes,
    {
      name: 'home-of-http',
      comment:
        'Listen through src/platform/http/listen.ts, call out through src/platform/egress/client.ts.',
      severity: 'error',
      from: {
        path: '^(src|workflows|activities|sdk|site)/',
        pathNot: '^src/(platform/(http|egress)|local)/',
      },
      to: { path: '^(node:)?https?$', dependencyTypesNot: typesOnly },
    },
    {
      name: 'documented-nodemailer',
      comment:
        'Only modules that its documentation names: nodemailer, MailComposer, SMTPConnection.',
      severity: 'error',
      from: { path: '^(src|workflows|activities|sdk|site)/' },
      to: {
        path: 'node_modules/nodemailer/dist/',
        pathNot:
          'node_modules/nodemailer/dist/(cjs|esm)/(nodemailer|mail-composer/index|smtp-connection/index)\\.',
        dependencyTypesNot: typesOnly,
      },
    },
    {
      name: 'no-cycles',
      comment: 'A file can be read, moved and tested without those that need it; types count too.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'The file does not exist, or the package is not in package.json.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-tests-in-the-service',
      severity: 'error',
      from: { pathNot: '^test/' },
      to: { path: '^test/' },
    },
    {
      name: 'roots-on-top',
      comment: 'Roots compose everything, so nothing that they compose may import them.',
      severity: 'error',
      from: { path: '^(src|workflows|activities)/', pathNot: roots },
      to: { path: roots },
    },
    {
      name: 'words',
      comment: 'fields, config and log: packages, nothing of ours.',
      severity: 'error',
      from: { path: words },
      to: { path: '^(src|workflows|activities)/', pathNot: words },
    },
    {
      name: 'mechanisms',
      comment: 'No business words: words and other mechanisms; never capabilities or activities.',
      severity: 'error',
      from: { path: mechanisms },
      to: { path: '^(src|workflows|activities)/', pathNot: [words, mechanisms] },
    },
    {
      name: 'events',
      comment: 'Mechanisms and the schemas of nouns, so that the catalog draws in nothing else.',
      severity: 'error',
      from: { path: events },
      to: { path: '^(src|workflows|activities)/', pathNot: [words, mechanisms, capabilities] },
    },
    {
      name: 'events-see-schemas-only',
      severity: 'error',
      from: { path: events },
      to: { path: [queries, endpoints, rules] },
    },
    {
      name: 'nouns',
      comment: 'A shape and its list: fields and other nouns; no I/O. rules.ts may lend a type.',
      severity: 'error',
      from: { path: nouns },
      to: {
        path: '^(src|workflows|activities)/',
        pathNot: [words, capabilities, '^src/platform/lists/declaration\\.ts$'],
      },
    },
    {
      name: 'nouns-are-shapes',
      severity: 'error',
      from: { path: nouns },
      to: { path: [queries, endpoints, 'node_modules/(?!typebox/)', '^node:'] },
    },
    {
      name: 'rules',
      comment: 'Pure law, bundled into workflows: at run time only other rules, no package at all.',
      severity: 'error',
      from: { path: rules },
      to: { pathNot: rules, dependencyTypesNot: typesOnly },
    },
    {
      name: 'queries',
      comment: 'database, listing, fail() and the files of its own resource; types from anywhere.',
      severity: 'error',
      from: { path: '^(src/[^/]+)/.*queries\\.ts$' },
      to: {
        path: '^(src|workflows|activities)/',
        pathNot: [
          '^src/platform/(database|events|lists)/',
          '^src/platform/resources/table\\.ts$',
          words,
          '^src/platform/http/errors\\.ts$',
          '^$1/',
        ],
        dependencyTypesNot: typesOnly,
      },
    },
    {
      name: 'endpoints-stand-alone',
      comment: 'Share the query or the rule, not the endpoint. A resource may list those in it.',
      severity: 'error',
      from: { path: '^(src/.+)/endpoints\\.ts$', pathNot: roots },
      to: { path: endpoints, pathNot: '^$1/' },
    },
    {
      name: 'capabilities',
      comment: 'Wake activities, do not call them; Koa stays behind src/platform/http.',
      severity: 'error',
      from: { path: capabilities, pathNot: '^src/meta/site\\.ts$' },
      to: { path: '^activities/|^src/local/|node_modules/(@types/)?(koa|@koa)/' },
    },
    {
      name: 'capabilities-know-workflows-by-name',
      comment: 'A file of workflows/ lends its id and signal names; only activities lend types.',
      severity: 'error',
      from: { path: '^src/', pathNot: roots },
      to: { path: '^workflows/index\\.ts$' },
    },
    {
      name: 'workflows',
      comment: 'The bundle: @temporalio/workflow and common, rules and types of activities.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: {
        pathNot: ['^workflows/', rules, sharedNames, 'node_modules/@temporalio/(workflow|common)/'],
        dependencyTypesNot: typesOnly,
      },
    },
    {
      name: 'workflows-see-types-of-activities',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: '^src/', pathNot: [rules, sharedNames] },
    },
    {
      name: 'names-of-workflows',
      comment: 'Bundled into workflows.',
      severity: 'error',
      from: { path: sharedNames },
      to: { pathNot: 'node_modules/@temporalio/common/' },
    },
    {
      name: 'activities',
      comment: 'Effects: everything but Koa, endpoints, the local servers and running workflows.',
      severity: 'error',
      from: { path: '^activities/' },
      to: { path: [endpoints, '^src/local/', 'node_modules/(@types/)?(koa|@koa)/'] },
    },
    {
      name: 'packages-stand-alone',
      comment: 'The SDK and the command line are published: they know the interface alone.',
      severity: 'error',
      from: { path: '^sdk/(typescript|cli)/' },
      to: { path: '^(src|workflows|activities)/' },
    },
    {
      name: 'packages-are-for-commands',
      comment: 'The service does not call itself; commands for one machine may.',
      severity: 'error',
      from: { path: '^(src|workflows|activities)/', pathNot: '^src/commands/' },
      to: { path: '^sdk/' },
    },
    {
      name: 'local',
      comment: 'Servers for one machine: know nothing of the service.',
      severity: 'error',
      from: { path: '^src/local/' },
      to: { path: '^(src|workflows|activities)/', pathNot: ['^src/local/', words] },
    },
    {
      name: 'local-for-npm-start',
      comment: 'The production roots must run without the local servers.',
      severity: 'error',
      from: {
        path: '^(src|workflows|activities)/',
        pathNot: ['^src/local/', '^src/main\\.ts$', '^src/commands/'],
      },
      to: { path: '^src/local/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Recordings, and stories whose packages are installed elsewhere.
    exclude: {
      path: [
        '^test/histories/',
        '^test/clients/(typescript|runtimes)/',
        '^test/field/\\w+/programs/',
      ],
    },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
export { config as default };
