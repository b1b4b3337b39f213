import ts from 'typescript';
import type { Finding, SourceFile } from './invariants.ts';

/**
 * Loops of API and workers over rows of several owners, with the files of the statements that find
 * these rows. Each loop is a row of docs/faults.md, and has a scene under test/abuse in which one of
 * its rows fails.
 */
const rowLoops: Readonly<Record<string, readonly string[]>> = {
  journeys: ['src/journeys/lanes/queries.ts'],
  'journey-endings': [],
  'journey-resyncs': ['src/journeys/resyncs/queries.ts'],
  enrollments: [],
  'send-preparation': ['src/messaging/send-queue/waiting/queries.ts'],
  sends: [],
  'webhook-outcomes': [
    'src/webhooks/dispatch/lanes/queries.ts',
    'src/webhooks/dispatch/outcomes/queries.ts',
  ],
  'cohort-changes': ['src/cohorts/realtime/lanes/queries.ts'],
  'inbound-callbacks': ['src/inbound/projection/queries.ts'],
  outbox: ['src/platform/temporal/outbox.ts'],
  rollups: ['src/insights/rollups/queries.ts'],
  'rollup-comparison': [],
  benchmarks: ['src/insights/answers/objective-completion-benchmarks.ts'],
  'audit-seals': ['src/team/audit-events/sealing/queries.ts'],
  'deprecation-notices': ['src/webhooks/deprecations/queries.ts'],
  'sftp-files': ['src/operations/sftp/queries.ts'],
  'soft-bounces': ['src/contacts/suppressions/queries.ts'],
};

/** Files whose statements on rows of any team work on one row, or only find work for a workflow. */
const lookups: Readonly<Record<string, string>> = {
  'src/platform/auth/recipients.ts': 'a secret names its row',
  'src/platform/http/origins.ts': 'an origin before the caller is known',
  'src/platform/database/parked-rows.ts': 'the mechanism itself',
  'src/platform/replays/queries.ts': 'a replay of its own workflow',
  'src/journeys/watches/queries.ts': 'a journey of its own workflow',
  'src/team/sending-domains/queries.ts': 'a domain of its own workflow',
  'src/team/queries.ts': 'operators and a figure',
  'src/team/suspending/queries.ts': 'reads the ids of what operators have suspended',
  'src/team/portal-sessions/queries.ts': 'a link names its session; deletes by term',
  'src/team/oauth2/queries.ts': 'a client names itself',
  'src/inbound/intake/queries.ts': 'an address names its receiver',
  'src/contacts/contact-erasures/sweeping/queries.ts': 'an erasure of its own workflow',
  'src/messaging/sending-providers/testing/queries.ts': 'a test of its own workflow',
  'src/operations/exports/writing/queries.ts': 'an export of its own workflow; deletes by term',
  'src/operations/sftp/fetching/queries.ts': 'a file of its own workflow',
  'src/operations/sftp/access/queries.ts': 'a login before the credential is known',
  'src/webhooks/dispatch/limits/queries.ts': 'sets a constant',
  'src/widget/site/queries.ts': 'a key names its widget',
  'src/campaigns/templates/queries.ts': 'a template of its own workflow',
  'src/insights/cache/queries.ts': 'an answer that fails is dropped',
  'src/commands/admin/find/queries.ts': 'an operator names the row',
  'src/commands/admin/find/requests/queries.ts': 'an operator names the request',
  'src/commands/admin/workflows/queries.ts': 'an operator',
  'src/inbound/deliveries/queries.ts': 'deletes by term',
  'src/messaging/message-deliveries/queries.ts': 'deletes by term',
  'src/messaging/sending-providers/queries.ts': 'deletes by term',
  'src/messaging/archived-messages/deleting/queries.ts': 'deletes by term',
  'src/messaging/confirming/queries.ts': 'deletes by term',
  'src/messaging/dev-mailbox/queries.ts': 'deletes by term',
  'src/operations/uploads/queries.ts': 'deletes by term',
};

/**
 * Loops without a scene; `scenes` are the tests that let one of their rows fail, and measure how long
 * the rows of others take.
 */
export function findMissingScenes(scenes: string): Finding[] {
  const calls = scenes.replaceAll(/\(\s+/g, '(');
  const isCalled = (call: string, name: string) => calls.includes(`${call}('${name}',`);
  return Object.keys(rowLoops)
    .filter((name) => !isCalled('setAside', name) || !isCalled('inTime', name))
    .map((name) => ({
      ...{ path: 'test/gate/row-loops.ts', line: 1 },
      message: `the loop ${name} has no scene in test/abuse/poison-rows*.test.ts`,
    }));
}

/** Loops in the sources that are not listed, and statements on rows of any team that belong to none. */
export function findUnlistedLoops(files: readonly SourceFile[], faults: string): Finding[] {
  const listed = new Set(Object.values(rowLoops).flat());
  return files.flatMap(({ path, text }) => {
    if (!/^(src|activities)\//.test(path)) return [];
    const found: Finding[] = [];
    const lineAt = (at: number) => text.slice(0, at).split('\n').length;
    const at = text.indexOf('/* any team');
    if (at >= 0 && !listed.has(path) && !(path in lookups)) {
      const message = 'name the loop of this statement in test/gate/row-loops.ts';
      found.push({ path, line: lineAt(at), message });
    }
    for (const name of loopNamesIn(path, text)) {
      const isKnown = name.text in rowLoops && faults.includes(`\`${name.text}\``);
      if (isKnown) continue;
      const message = `list the loop ${name.text} in test/gate/row-loops.ts and docs/faults.md`;
      found.push({ path, line: lineAt(name.at), message });
    }
    return found;
  });
}

/** Names in `teamLoop('…')`, in `const …LoopName = '…'`, and in values of the type RowLoop. */
function loopNamesIn(path: string, text: string): { text: string; at: number }[] {
  const names: { text: string; at: number }[] = [];
  const add = (node: ts.Node | undefined) => {
    if (node && ts.isStringLiteral(node)) names.push({ text: node.text, at: node.getStart() });
  };
  const isRowLoop = (type: ts.TypeNode | undefined) => type?.getText().startsWith('RowLoop<');
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'teamLoop')
      add(node.arguments[0]);
    if (ts.isVariableDeclaration(node) && node.name.getText().endsWith('LoopName')) {
      add(node.initializer);
    }
    const isTyped =
      (ts.isVariableDeclaration(node) || ts.isArrowFunction(node)) && isRowLoop(node.type);
    if (isTyped) ts.forEachChild(node, (child) => addNames(child));
    ts.forEachChild(node, visit);
  };
  const addNames = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'name') add(node.initializer);
    if (ts.isObjectLiteralExpression(node) || ts.isParenthesizedExpression(node)) {
      ts.forEachChild(node, addNames);
    }
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return names;
}
