import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { scratchDirectory } from '../local/scratch.ts';
import { followGuide } from './a-guide.ts';
import { samplesRunBy } from './samples.ts';

const copy = join(scratchDirectory(), 'onward');

test('docs/add-a-job.md works when it is followed to the letter', () => {
  const { inCopy, edit, codeAfter, writeFiles, add, run } = followGuide('docs/add-a-job.md', copy);
  expect(writeFiles()).toEqual([
    'src/platform/database/migrations/NNNN-reminders.sql',
    'src/contacts/reminders/queries.ts',
    'activities/send-reminder.ts',
    'test/contacts/reminders.test.ts',
  ]);
  const shape = codeAfter('In `workflows/jobs.ts`, add the shape');
  const list = 'export const jobs: readonly JobShape[] = [';
  edit('workflows/jobs.ts', list, `${shape}\n${list}\n  reminderJob,`);
  add(
    'activities/index.ts',
    "import { sendReminder } from './send-reminder.ts';",
    '    jobs: [',
    '    sendReminder(tools)',
  );
  const [documents = '', ownTest = ''] = samplesRunBy(
    'docs/add-a-job.md',
    'test/site/add-a-job.test.ts',
  )
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.trim().split('\n'))
    .map((line) => line.replace(/ +#.*$/, ''));
  run(documents);
  expect(inCopy('docs/generated/workflows.md')).toContain(
    'Sends a reminder when its time has come.',
  );
  run(ownTest);
  run('npx oxlint src/contacts activities workflows test/contacts/reminders.test.ts');
});
