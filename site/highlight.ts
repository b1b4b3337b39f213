import type { MarkdownRenderer } from 'vitepress';

/**
 * Tokens that the samples of the reference show in colors. The highlighter of the other pages would
 * make each of these 2,000 blocks five times as long.
 */
const tokens: Readonly<Record<string, RegExp>> = {
  json: /(?<key>"(?:[^"\\]|\\.)*")(?=\s*:)|(?<string>"(?:[^"\\]|\\.)*")|(?<constant>\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*\b)/g,
  bash: /(?<comment>^#.*$)|(?<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<key>(?<=\s)--?[A-Za-z][\w-]*)|(?<constant>^(?:curl|onward)\b)/gm,
  ts: /(?<string>'(?:[^'\\]|\\.)*')|(?<key>\b(?:import|from|const|new|await|for|of)\b)|(?<constant>\b(?:true|false|null)\b|\b\d[\d.]*\b)/g,
  python:
    /(?<string>"(?:[^"\\]|\\.)*")|(?<key>\b(?:import|from|for|in)\b)|(?<constant>\b(?:True|False|None)\b|\b\d[\d.]*\b)/g,
};
const aliases: Readonly<Record<string, string>> = { shell: 'bash' };

/** Blocks of code of generated pages (reference, events, errors) get few and short marks. */
export function highlightBriefly(markdown: MarkdownRenderer): void {
  const { fence } = markdown.renderer.rules;
  if (!fence) throw new Error('the renderer has no rule for blocks of code');
  markdown.renderer.rules.fence = (all, at, options, env, self) => {
    const token = all[at];
    if (!token || !isGenerated(env)) return fence(all, at, options, env, self);
    const language = /^\w+/.exec(token.info)?.[0] ?? 'text';
    const active = / active( |$)/.test(token.info) ? ' active' : '';
    const code = withMarks(token.content.trimEnd(), language, markdown.utils.escapeHtml);
    return (
      `<div class="language-${language} brief vp-adaptive-theme${active}">` +
      '<button title="Copy code" class="copy"></button>' +
      `<pre v-pre tabindex="0"><code>${code}</code></pre></div>\n`
    );
  };
}

function isGenerated(env: unknown): boolean {
  return (
    typeof env === 'object' &&
    env !== null &&
    'relativePath' in env &&
    /^(reference|events|errors)\//.test(String(env.relativePath))
  );
}

/** The text of a block, with a mark around each token. */
function withMarks(text: string, language: string, escape: (text: string) => string): string {
  const pattern = tokens[aliases[language] ?? language];
  if (!pattern) return escape(text);
  let marked = '';
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    const found: Readonly<Record<string, string | undefined>> = match.groups ?? {};
    const kind = Object.keys(found).find((name) => found[name] !== undefined) ?? '';
    marked += `${escape(text.slice(at, match.index))}<i class="${kind.charAt(0)}">${escape(match[0])}</i>`;
    at = match.index + match[0].length;
  }
  return marked + escape(text.slice(at));
}
