import { Command } from 'commander';
import { createOutput } from '../../sdk/cli/src/output.ts';
import { readConfig } from '../platform/config.ts';
import { LocalFailure } from '../local/local-failure.ts';
import { print, runCommand } from './command.ts';
import { openDataDirectory } from './data-directory.ts';
import { requireDemoFile } from './demo-file.ts';
import { readZone, writeZone } from './dns/zone.ts';
import { connectAs } from './service-client.ts';

// `npm run dns -- publish bank.test`: the records of sending domains in the zone of this machine.
runCommand(async () => {
  const directory = openDataDirectory(readConfig({ development: true }).dataDirectory);
  const { zone } = directory;
  const output = createOutput(() => false, print);
  const show = async () => {
    const rows = Object.entries(await readZone(zone)).map(([name, texts]) => ({ name, texts }));
    output.rows(rows, ['name', 'texts']);
  };
  const program = new Command('npm run dns --')
    .description('Publish DNS records of sending domains on this machine, for `npm start`.')
    .showHelpAfterError();
  program.command('list').description('Show the records that are published.').action(show);
  program
    .command('publish <domain>')
    .description('Publish the records of a sending domain of the demo team, and have it checked.')
    .action(async (name: string) => {
      const { onward, domain } = await findDomain(directory.demo, name);
      const records = domain.dns_records;
      const next = { ...(await readZone(zone)) };
      for (const record of records) next[record.name] = [record.value];
      await writeZone(zone, next);
      await onward.sendingDomains.verify(domain.id);
      output.remark(`Published ${String(records.length)} records; ${name} is verified in seconds.`);
      output.remark(`See: npm run --silent onward -- sending-domains get ${domain.id}`);
    });
  program
    .command('remove <domain>')
    .description('Remove the records of a sending domain of the demo team, and have it checked.')
    .action(async (name: string) => {
      const { onward, domain } = await findDomain(directory.demo, name);
      const names = domain.dns_records.map((record) => record.name);
      const rest = Object.entries(await readZone(zone)).filter(([of]) => !names.includes(of));
      await writeZone(zone, Object.fromEntries(rest));
      await onward.sendingDomains.verify(domain.id);
      output.remark(`Removed ${String(names.length)} records; the domain fails after two checks.`);
    });
  await program.parseAsync();
});

async function findDomain(demo: string, name: string) {
  const onward = connectAs(await requireDemoFile(demo));
  const filter = { domain: name.toLowerCase() };
  const [domain] = (await onward.sendingDomains.list({ filter })).data;
  if (domain) return { onward, domain };
  throw new LocalFailure(
    `The demo team has no such sending domain. Add it first:\nnpm run --silent onward -- sending-domains create domain=${name}`,
  );
}
