import { browserScript } from '../../browser-script.ts';

const names = [
  ...['words', 'style', 'dom', 'model', 'client', 'challenge', 'enrollment', 'settings', 'page'],
  ...['show', 'main'],
];
const parts = ['../../safe-url.ts', ...names.map((name) => `../script/${name}.ts`)].map(
  (path) => new URL(path, import.meta.url),
);

/** /widget.js */
export const widgetScript = browserScript(parts);
