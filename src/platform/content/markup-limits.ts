import { Parser } from 'htmlparser2';

/** Elements within each other at most; deeper ones are dropped, and their contents stay. */
export const maxDepth = 60;

/** Limits of one HTML text: within them, sanitizing takes less than 40 ms. */
const htmlLimits = {
  elements: 3_000,
  /** Each end tag is compared with the open elements. */
  openElements: 250,
  attributes: 8_000,
  elementAttributes: 50,
  styleCharacters: 2_048,
  /** Characters `<` and `&`, each of which ends a run of text. */
  marks: 12_000,
};

/** Why a text is not accepted as HTML; undefined where it is. */
export function limitProblem(html: string): string | undefined {
  const counts = { elements: 0, openElements: 0, attributes: 0, elementAttributes: 0 };
  let problem = hasMoreMarks(html) ? tooMany('marks', 'characters < and &') : undefined;
  const refuse = (reason: string) => {
    problem ??= reason;
    parser.pause();
  };
  const parser = new Parser({
    onopentagname() {
      counts.elementAttributes = 0;
      counts.elements += 1;
      counts.openElements += 1;
      if (counts.elements > htmlLimits.elements) refuse(tooMany('elements', 'elements'));
      if (counts.openElements > htmlLimits.openElements) {
        refuse(tooMany('openElements', 'elements within each other'));
      }
    },
    onclosetag() {
      counts.openElements -= 1;
    },
    onattribute(name, value) {
      counts.elementAttributes += 1;
      counts.attributes += 1;
      if (counts.attributes > htmlLimits.attributes) refuse(tooMany('attributes', 'attributes'));
      if (counts.elementAttributes > htmlLimits.elementAttributes) {
        refuse(tooMany('elementAttributes', 'attributes in one element'));
      }
      if (name === 'style' && value.length > htmlLimits.styleCharacters) {
        refuse(tooMany('styleCharacters', 'characters in one style'));
      }
    },
  });
  if (problem === undefined) parser.write(html);
  return problem;
}

function hasMoreMarks(html: string): boolean {
  let count = 0;
  for (const mark of ['<', '&']) {
    for (let at = html.indexOf(mark); at >= 0; at = html.indexOf(mark, at + 1)) count += 1;
  }
  return count > htmlLimits.marks;
}

const tooMany = (limit: keyof typeof htmlLimits, things: string) =>
  `it has more than ${htmlLimits[limit].toLocaleString('en-US')} ${things}`;
