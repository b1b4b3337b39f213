import { readFile } from 'node:fs/promises';

/** The icon of site/public/icon.svg for programs that do not show SVG, in 16 and 32 pixels. */
export const iconFile = new URL('../favicon.ico', import.meta.url);

let icon: Promise<Buffer> | undefined;
/** Read once: every browser asks for it. */
export const readIcon = () => (icon ??= readFile(iconFile));
