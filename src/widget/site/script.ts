import { browserScript } from '../../browser-script.ts';

const parts = [
  ...['words', 'style', 'dom', 'model', 'client', 'challenge', 'enrollment', 'settings', 'page'],
  ...['show', 'main'],
].map((name) => new URL(`../script/${name}.ts`, import.meta.url));

/** /widget.js */
export const widgetScript = browserScript(parts);
