import type { Story } from '../story.ts';
import { use } from './checks.ts';
import { commandDrivers } from './commands.ts';
import { actions } from './driver.ts';
import type { Action, Driver, KeyType } from './driver.ts';
import { libraryDrivers } from './libraries.ts';

function storiesOf(driver: Driver): Story[] {
  const { program } = driver;
  const story = (action: Action, keyType: KeyType): Story => ({
    program,
    story: `${actions[action]}, with a key of type ${keyType}`,
    expects: 'the file is imported once, byte for byte, under its final name',
    prepare: (directory) => Promise.resolve(driver.prepare(directory)),
    run: (service) => use(service, driver, action, keyType),
  });
  const others = driver.keyTypes.filter((keyType) => keyType !== 'ed25519');
  return [
    ...driver.actions.map((action) => story(action, 'ed25519')),
    ...others.map((keyType) => story('upload', keyType)),
  ];
}

/** Programs that put files into the drop, told by `npm run verify -- field`. */
export const stories: readonly Story[] = [...commandDrivers, ...libraryDrivers].flatMap(storiesOf);
