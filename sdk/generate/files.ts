import { join } from 'node:path/posix';
import { format, resolveConfig } from 'prettier';
import { writeFacts } from './cli/write.ts';
import { readDocument, readOperations } from './document.ts';
import { writeEvents, writeResources, writeSummaries, writeTable } from './resources.ts';
import { writeSchemas } from './schemas.ts';

const generatedFolder = 'sdk/typescript/src/generated';

/** Text of each generated file by its path. */
export async function generateFiles(): Promise<Map<string, string>> {
  const document = readDocument();
  const operations = readOperations(document);
  const texts = {
    'schemas.ts': writeSchemas(document),
    'resources.ts': writeResources(operations),
    'events.ts': writeEvents(document),
    'table.ts': writeTable(operations),
    '../../../cli/src/generated/summaries.ts': writeSummaries(operations),
    '../../../cli/src/generated/facts.ts': writeFacts(operations, document),
  };
  const style = await resolveConfig('sdk/generate/files.ts');
  const files = Object.entries(texts).map(async ([name, text]) => {
    const path = join(generatedFolder, name);
    const whole = `// Written by \`npm run generate -- sdk\` from the OpenAPI document.\n${text}`;
    return [path, await format(whole, { ...style, parser: 'typescript' })] as const;
  });
  return new Map(await Promise.all(files));
}
