import tseslint from 'typescript-eslint';

const ours = [
  ...['src/**/*.ts', 'workflows/**/*.ts', 'activities/**/*.ts', 'sdk/**/*.ts'],
  ...['site/**/*.ts', 'site/.vitepress/**/*.ts'],
];
const tests = ['test/**/*.ts'];

/** Packages that few places use; elsewhere the message names what to use. Types go anywhere. */
const homes = [
  {
    packages: ['postgres'],
    at: ['src/platform/database/**/*.ts'],
    use: 'Take a `Sql` (src/platform/database/sql.ts).',
  },
  {
    packages: ['koa', '@koa/router'],
    at: ['src/app/create-app.ts', 'src/platform/http/**/*.ts'],
    use: 'Declare an endpoint (src/platform/http/endpoint.ts).',
  },
  {
    packages: ['node:http', 'node:https'],
    at: ['src/platform/http/**/*.ts', 'src/platform/egress/**/*.ts', 'src/local/**/*.ts'],
    use: 'Listen through src/platform/http/listen.ts, call out through src/platform/egress/client.ts.',
  },
  {
    packages: ['undici'],
    at: ['src/platform/egress/**/*.ts', 'src/local/**/*.ts'],
    use: 'Call out through src/platform/egress/client.ts, which guards addresses.',
  },
  {
    packages: ['jose'],
    at: [
      'src/platform/auth/**/*.ts',
      'src/inbound/signatures/{oidc-bearer,signed-jwt}.ts',
      'src/messaging/providers/**/*.ts',
    ],
    use: 'Use src/platform/auth/tokens.ts or src/platform/auth/signing-keys.ts.',
  },
  {
    packages: ['pino'],
    at: ['src/platform/observability/log.ts'],
    use: 'Take a `Log` (src/platform/observability/log.ts).',
  },
  {
    packages: ['prom-client'],
    at: ['src/platform/http/**/*.ts'],
    use: 'Declare the metric in src/platform/http/metrics.ts.',
  },
  {
    packages: ['@temporalio/worker'],
    at: ['src/app/start-worker.ts', 'src/platform/temporal/**/*.ts'],
    use: 'Workers are started by src/app/start-worker.ts.',
  },
  {
    packages: ['@temporalio/activity'],
    at: ['activities/**/*.ts', 'src/platform/temporal/**/*.ts'],
    use: 'Take withHeartbeat or the retry limit of src/platform/temporal.',
  },
  {
    packages: ['@temporalio/workflow'],
    at: ['workflows/**/*.ts'],
    use: 'Only workflows/ runs in the sandbox of a workflow.',
  },
  {
    packages: ['liquidjs', 'sanitize-html'],
    at: ['src/platform/content/**/*.ts'],
    use: 'src/platform/content renders and cleans what partners write.',
  },
  {
    packages: ['ssh2'],
    at: ['src/operations/sftp-credentials/key-pairs.ts', 'src/operations/sftp/**/*.ts'],
    use: 'src/operations/sftp serves files; keys are read and made by src/operations/sftp-credentials/key-pairs.ts.',
  },
  {
    packages: ['nodemailer', 'aws4'],
    at: ['src/messaging/providers/**/*.ts'],
    use: 'Messages leave through src/messaging/providers.',
  },
  {
    packages: ['commander'],
    at: ['src/commands/**/*.ts', 'sdk/cli/**/*.ts'],
    use: 'src/commands and sdk/cli read arguments.',
  },
];

/** For the files of one glob of `homes`, or for those of none. */
function restrictImports(glob, patterns = []) {
  const paths = homes
    .filter(({ at }) => !at.includes(glob))
    .flatMap(({ packages, use }) =>
      packages.map((name) => ({ name, message: use, allowTypeImports: true })),
    );
  return { '@typescript-eslint/no-restricted-imports': ['error', { paths, patterns }] };
}

const noDefaultExport = [
  {
    selector: 'ExportDefaultDeclaration, ExportSpecifier[exported.name="default"]',
    message: 'Export by name, so that a search for the name finds every use.',
  },
];

/** The pure law of rules.ts and the sandbox of workflows: what they must be given instead. */
const noClock = [
  {
    selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
    message: 'Take the time as an argument.',
  },
  {
    selector: 'MemberExpression[object.name="Date"][property.name="now"]',
    message: 'Take the time as an argument.',
  },
  {
    selector: 'MemberExpression[object.name="Math"][property.name="random"]',
    message: 'Take the random number as an argument.',
  },
  {
    selector: 'Identifier[name=/^(process|crypto|performance|fetch)$/]',
    message: 'Pure functions only: take what you need as an argument.',
  },
];

const config = tseslint.config(
  { plugins: { '@typescript-eslint': tseslint.plugin } },
  {
    ignores: [
      'node_modules/',
      '.onward/',
      'dist/',
      'coverage/',
      'test/histories/',
      'sdk/*/src/generated/',
      'site/.vitepress/.temp/',
      'site/.vitepress/cache/',
    ],
  },
  {
    // The few files that run before anything is installed or that configure a tool.
    files: ['**/*.{js,mjs}'],
    rules: {
      eqeqeq: 'error',
      'no-unreachable': 'error',
      'no-unused-vars': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: [...ours, ...tests],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      // `== null` means null or undefined.
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-control-regex': 'error',
      'no-restricted-syntax': ['error', ...noDefaultExport],
      'object-shorthand': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // `() => socket.destroy()` reads better than a block, and a number prints as it is.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // Type parameters used once are how schemas keep their literal types.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // No enums, and no classes but errors: nothing to find at two thirds of the whole time.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      // No classes, so no method that is taken out of its object misses its `this`.
      '@typescript-eslint/unbound-method': 'off',
      // An async function without await still turns what it throws into a rejection.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ours,
    rules: {
      'max-lines': ['warn', { max: 300 }],
      'no-console': 'error',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      ...restrictImports(),
    },
  },
  // A table: one entry per code, and no better order than one below the other.
  { files: ['src/platform/http/error-catalog.ts'], rules: { 'max-lines': 'off' } },
  ...homes.flatMap(({ at }) => at.map((glob) => ({ files: [glob], rules: restrictImports(glob) }))),
  {
    files: ours,
    // What runs in browsers has no other client.
    ignores: [
      ...['src/platform/egress/**/*.ts', 'src/local/**', 'workflows/**', 'src/**/rules.ts'],
      ...['src/widget/script/**/*.ts', 'src/meta/local-pages/script/**/*.ts'],
      'sdk/**/*.ts',
    ],
    rules: {
      'no-restricted-globals': [
        'error',
        {
          name: 'fetch',
          message: 'Call out through src/platform/egress/client.ts, which guards addresses.',
        },
      ],
    },
  },
  {
    files: ['src/**/rules.ts'],
    rules: { 'no-restricted-syntax': ['error', ...noDefaultExport, ...noClock] },
  },
  {
    files: ['workflows/**/*.ts'],
    rules: restrictImports('workflows/**/*.ts', [
      {
        regex: '^(?!@temporalio/(workflow|common)$|\\.)',
        allowTypeImports: true,
        message: 'The sandbox has @temporalio/workflow and common only: effects go to activities/.',
      },
      {
        regex:
          '^\\.\\./(?!(src/.*/rules|src/platform/temporal/search-attributes|activities/.*)\\.ts$)',
        message: 'A workflow may import rules.ts, search-attributes.ts and types of activities.',
      },
      {
        regex: '^\\.\\./activities/',
        allowTypeImports: true,
        message: 'Import the type of an activity only: `import type`.',
      },
    ]),
  },
  {
    files: ['workflows/**/*.ts'],
    // What a signal handler sets looks constant to the reader of the loop beside it.
    rules: { '@typescript-eslint/no-unnecessary-condition': 'off' },
  },
  {
    files: ['src/main.ts', 'src/commands/**/*.ts', 'sdk/generate/**/main.ts'],
    // What `npm start` and the commands print is their result.
    rules: { 'no-console': 'off' },
  },
  {
    files: tests,
    rules: {
      // Tests look into answers of any shape and build wrong ones on purpose.
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    // Jest and VitePress take these by their default export.
    files: [
      ...['test/support/global-setup.ts', 'test/support/global-teardown.ts'],
      ...['site/.vitepress/config.ts', 'site/.vitepress/theme/index.ts'],
    ],
    rules: { 'no-restricted-syntax': 'off' },
  },
);
export { config as default };
