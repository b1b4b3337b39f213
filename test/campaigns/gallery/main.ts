import { randomUUID } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { format } from 'prettier';
import { eventually } from '../../support/eventually.ts';
import { aBrowser } from '../../widget/a-browser.ts';
import { openMachine } from '../../world/machine.ts';
import type { Machine } from '../../world/machine.ts';
import { newTeam } from '../../world/teams.ts';
import type { Team } from '../../world/teams.ts';

// `npm run pictures -- gallery`: fetches public e-mail templates from GitHub, sends each one by a service that
// runs, and writes docs/gallery.md with pictures of what arrived. Templates are not kept here.

interface Template {
  name: string;
  author: string;
  /** At GitHub, under the MIT license. */
  repository: string;
  commit: string;
  path: string;
}

interface Warning {
  kind: string;
  name?: string;
  count: number;
}

/** An e-mail as it arrived. */
interface Sent {
  html: string;
  text: string;
  warnings: Warning[];
}

const folder = path.resolve('.onward', 'gallery');
const pictures = path.resolve('docs', 'images', 'gallery');
const widths = [375, 800] as const;
/** Pixels of a picture; the ends of long e-mails add nothing. */
const longest = 1_400;
const templates = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'templates.json'), 'utf8'),
) as Template[];

/** The text of a template; its repository is fetched once. */
function read({ repository, commit, path: file }: Template): string {
  const clone = path.join(folder, repository.replace('/', '+'));
  if (!existsSync(clone)) {
    console.log(`Fetching ${repository} …`);
    const address = `https://github.com/${repository}.git`;
    execFileSync('git', ['clone', '--quiet', '--bare', address, clone], { stdio: 'inherit' });
  }
  return execFileSync('git', ['-C', clone, 'show', `${commit}:${file}`]).toString();
}

/**
 * Words in the place of variables that another program would fill in: their syntax (Mustache) is
 * not Liquid. A block is shown once.
 */
function filled(html: string): string {
  return html
    .replaceAll(/\{\{\{?\s*[#/^][^}]*\}?\}\}/g, '')
    .replaceAll(/\{\{\{?\s*([\w.]+)\s*\}?\}\}/g, (_, name: string) =>
      name.endsWith('url') ? 'https://shop.example/' : name.replaceAll(/[_.]/g, ' '),
    );
}

async function send(machine: Machine, team: Team, { name, ...about }: Template): Promise<Sent> {
  const objective = await team.must('POST', '/v2/partner/objectives', {
    ...{ key: randomUUID(), name },
  });
  const campaign = await team.must('POST', '/v2/partner/templates', {
    ...{ name, objective_ids: [objective.id] },
  });
  const at = `/v2/partner/templates/${String(campaign.id)}`;
  const message = await team.must('POST', `${at}/messages`, {
    ...{ name, channel: 'email', purpose: 'transactional', trigger: { kind: 'on_request' } },
    ...{
      from_email: 'hello@shop.example',
      subject: name,
      body_html: filled(read({ name, ...about })),
    },
  });
  await team.must('POST', `${at}/launch`);
  const contact = await team.must('POST', '/v2/partner/contacts', {
    ...{ unique_id: randomUUID(), email: `${randomUUID()}@example.com`, locale: 'en' },
  });
  const asked = { contact_id: contact.id };
  await team.must('POST', `/v2/partner/messages/${String(message.id)}/sends`, asked);
  const [mail] = await eventually(
    () =>
      machine.database.read(
        (sql) => sql<{ content: { html: string; text: string } }[]>`
          select content from mailbox_messages where contact_id = ${contact.id}`,
      ),
    (rows) => rows.length > 0,
  );
  if (!mail) throw new Error(`${name} did not arrive`);
  return { ...mail.content, warnings: message.warnings ?? [] };
}

/** Takes a picture of an e-mail, which loads nothing, and tells how wide it has become. */
async function draw(page: Page, html: string, width: number, file: string): Promise<number> {
  await page.setViewportSize({ width, height: 700 });
  await page.setContent(html);
  const size = await page.evaluate<{ width: number; height: number }>(
    '({ width: document.documentElement.scrollWidth, height: document.body.scrollHeight })',
  );
  const height = Math.min(size.height + 16, longest);
  await page.setViewportSize({ width, height });
  await page.screenshot({ path: file, type: 'jpeg', quality: 70 });
  return size.width;
}

/** Such as "style `position` (2 times)". */
const describe = ({ kind, name, count }: Warning) =>
  `${kind}${name === undefined ? '' : ` \`${name}\``}${count > 1 ? ` (${String(count)} times)` : ''}`;

/** Authors whose text parts are alike; the first one of each is shown. */
const authors = new Set<string>();

function sectionOf(template: Template, { text, warnings }: Sent, file: string): string {
  const { name, author, repository, commit, path: source } = template;
  const textPart = authors.has(author)
    ? ''
    : `\n\`\`\`\n${text.replaceAll('```', "'''").trim()}\n\`\`\`\n`;
  authors.add(author);
  const address = `https://github.com/${repository}/blob/${commit}/${source}`;
  const removed = warnings.map(describe).join(', ');
  return `## ${name} (${author})

[Source](${address}). ${removed === '' ? 'Nothing was removed.' : `Removed: ${removed}.`}

![${name}, 800 pixels wide](images/gallery/${file}-800.jpg)

![${name}, 375 pixels wide](images/gallery/${file}-375.jpg)
${textPart}`;
}

const browser = await aBrowser();
if (!browser) throw new Error('There is no browser: npm run browser');
const context = await browser.newContext();
await context.route('**/*', (route) => route.abort());
const page = await context.newPage();
mkdirSync(pictures, { recursive: true });
const machine = await openMachine({
  ...{ name: 'gallery-service', apis: 1, workers: 1, settings: { MAILBOX_SENDS: 'true' } },
  onNotice: (line) => process.stderr.write(`${line}\n`),
});
const sections: string[] = [];
try {
  const team = await newTeam(machine);
  await team.must('PATCH', '/v2/partner/team', { frequency_cap: null, locale: 'en-US' });
  for (const template of templates) {
    const file = `${template.author} ${template.name}`.toLowerCase().replaceAll(/[^a-z]+/g, '-');
    const sent = await send(machine, team, template);
    for (const width of widths) {
      const target = path.join(pictures, `${file}-${String(width)}.jpg`);
      const shown = await draw(page, sent.html, width, target);
      console.log(
        `${template.author}: ${template.name}, ${String(width)}: ${String(shown)} pixels`,
      );
    }
    sections.push(sectionOf(template, sent, file));
  }
} finally {
  await browser.close();
  await machine.close({ keepLogs: false });
}
const introduction = readFileSync(path.join(import.meta.dirname, 'introduction.md'), 'utf8');
const markdown = await format(`${introduction}\n${sections.join('\n')}`, {
  ...{ parser: 'markdown', proseWrap: 'preserve' },
});
writeFileSync(path.resolve('docs', 'gallery.md'), markdown);
