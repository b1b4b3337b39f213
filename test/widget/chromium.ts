import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';

/** Where `npm run browser` keeps what it fetches. */
export const browsers = path.resolve('.onward', 'browsers');

/** The one that `npm run browser` fetches from npm. */
export const fetched = path.join(browsers, 'chromium', 'chromium');

/** Where Chromium is: the one that is named, one of `npm run browser`, or the machine's. */
export function executable(): string | undefined {
  const { ONWARD_CHROMIUM: named = '', PATH = '' } = process.env;
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const onPath = PATH.split(path.delimiter).flatMap((folder) =>
    names.map((name) => path.join(folder, name)),
  );
  return [named, fetched, ofPlaywright(), ...onPath].find(
    (file) => file !== '' && existsSync(file),
  );
}

function ofPlaywright(): string {
  process.env['PLAYWRIGHT_BROWSERS_PATH'] ??= browsers;
  try {
    return chromium.executablePath();
  } catch {
    return '';
  }
}
