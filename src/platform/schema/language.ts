/**
 * The tag among `available` that suits a language tag best, by the lookup of RFC 4647: subtags are
 * removed from the end one by one, and a single letter together with what follows it. Letter case
 * does not matter. Undefined where none suits: the default of the content applies.
 */
export function lookUpLanguage(requested: string, available: Iterable<string>): string | undefined {
  const tags = new Map<string, string>();
  for (const tag of available) {
    const folded = tag.toLowerCase();
    if (!tags.has(folded)) tags.set(folded, tag);
  }
  const subtags = requested.toLowerCase().split('-');
  while (subtags.length > 0) {
    const found = tags.get(subtags.join('-'));
    if (found !== undefined) return found;
    subtags.pop();
    if (subtags.at(-1)?.length === 1) subtags.pop();
  }
  return undefined;
}

/** Content with the texts of the language that suits a reader best; as it is where none does. */
export function localized<Content extends object>(
  content: Content,
  localizations: Readonly<Record<string, object>>,
  locale: string | undefined,
): Content {
  const language =
    locale === undefined ? undefined : lookUpLanguage(locale, Object.keys(localizations));
  return language === undefined ? content : { ...content, ...localizations[language] };
}
