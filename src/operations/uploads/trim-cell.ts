// White space, and marks of width zero and of the direction of writing, which copied texts and
// spreadsheets leave around what people see.
const invisible = /[\s\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
const isVisible = (unit: string) => !invisible.test(unit);

/** Whether a text begins or ends with what nobody sees; apostrophes around it do not count. */
export function hasHiddenEnds(text: string): boolean {
  let [first, last] = [0, text.length - 1];
  while (text.charAt(first) === "'") first += 1;
  while (text.charAt(last) === "'") last -= 1;
  return !isVisible(text.charAt(first)) || !isVisible(text.charAt(last));
}

/** A cell, or a name of a column, without what nobody sees at its ends. */
export function trimCell(text: string): string {
  if (isVisible(text.charAt(0)) && isVisible(text.charAt(text.length - 1))) return text;
  const units = text.split('');
  const first = units.findIndex(isVisible);
  return units.slice(first < 0 ? units.length : first, units.findLastIndex(isVisible) + 1).join('');
}
