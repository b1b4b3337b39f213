import { format, resolveConfig } from 'prettier';
import { readDocument, readOperations } from './document.ts';
import { writeEvents, writeResources, writeTable } from './resources.ts';
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
  };
  const style = await resolveConfig('sdk/generate/files.ts');
  const files = Object.entries(texts).map(async ([name, text]) => {
    const path = `${generatedFolder}/${name}`;
    const whole = `// Written by \`npm run sdk\` from the OpenAPI document.\n${text}`;
    return [path, await format(whole, { ...style, parser: 'typescript' })] as const;
  });
  return new Map(await Promise.all(files));
}
