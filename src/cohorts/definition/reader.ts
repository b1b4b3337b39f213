import { isUuid } from '../../platform/schema/fields.ts';
import { ProblemList } from '../../platform/http/errors.ts';
import { quote, suggest } from '../../platform/lists/suggest.ts';
import { countOps } from './tree.ts';
import type { CountTest } from './tree.ts';
import { cutText } from '../../platform/cut-text.ts';

export type Json = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const maxTextLength = 255;

export type Reader = ReturnType<typeof createReader>;

/** Reads the values of a definition. What cannot be read is null, and a problem by its pointer. */
export function createReader() {
  const problems = new ProblemList();

  function refuse(pointer: string, rule: string, detail: string, expected?: unknown): null {
    const meta = { pointer, rule, ...(expected !== undefined && { expected }) };
    problems.add({ code: 'validation_failed', detail, meta });
    return null;
  }

  return {
    problems,
    refuse,
    /** Refuses every field that is none of these. */
    only(value: Json, names: readonly string[], pointer: string): void {
      for (const name of Object.keys(value)) {
        if (problems.isFull) return;
        if (names.includes(name)) continue;
        const detail = `${quote(name)} has no meaning here.${suggest(name, names)}`;
        refuse(`${pointer}/${escaped(name)}`, 'unknown_field', detail, names);
      }
    },
    choice<const Choice extends string>(
      value: unknown,
      choices: readonly Choice[],
      pointer: string,
    ): Choice | null {
      const found = choices.find((one) => one === value);
      if (found !== undefined) return found;
      const hint = typeof value === 'string' ? suggest(value, choices) : '';
      return refuse(pointer, 'enum', `It must be one of ${choices.join(', ')}.${hint}`, choices);
    },
    text(value: unknown, pointer: string): string | null {
      const isGood =
        typeof value === 'string' &&
        value !== '' &&
        value.length <= maxTextLength &&
        !value.includes('\0');
      if (isGood) return value;
      const detail = `A text of 1 to ${String(maxTextLength)} characters.`;
      return refuse(pointer, 'type', detail, 'string');
    },
    id(value: unknown, pointer: string): string | null {
      if (typeof value === 'string' && isUuid(value)) return value.toLowerCase();
      return refuse(pointer, 'format', 'An id.', 'uuid');
    },
    flag(value: unknown, pointer: string): boolean | null {
      if (typeof value === 'boolean') return value;
      return refuse(pointer, 'type', 'true or false.', 'boolean');
    },
    duration(value: unknown, pointer: string): string | null {
      if (typeof value === 'string' && isDuration(value)) return value;
      const detail = 'An ISO 8601 duration such as P30D or PT12H, of ten years at most.';
      return refuse(pointer, 'format', detail, 'duration');
    },
    count(value: unknown, pointer: string): CountTest | null {
      if (!isRecord(value)) {
        return refuse(pointer, 'type', 'An object with op and value.', 'object');
      }
      this.only(value, ['op', 'value'], pointer);
      const op = this.choice(value['op'], countOps, `${pointer}/op`);
      const { value: number } = value;
      if (typeof number !== 'number' || !Number.isInteger(number) || number < 0 || number > 1e6) {
        return refuse(`${pointer}/value`, 'range', 'An integer from 0 to 1,000,000.', [0, 1e6]);
      }
      return op && { op, value: number };
    },
  };
}

const units =
  /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
/** Limits of years, months, weeks, days, hours, minutes and seconds: each ten years. */
const maxOfUnit = [10, 120, 520, 3_660, 87_840, 5_270_400, 316_224_000];

/** Whole units in their order, at least one of them. */
function isDuration(text: string): boolean {
  const amounts: readonly (string | undefined)[] | undefined = units.exec(text)?.slice(1);
  if (!amounts || !/\d[A-Z]$/.test(text)) return false;
  return amounts.every(
    (amount, at) => amount === undefined || Number(amount) <= (maxOfUnit[at] ?? 0),
  );
}

function escaped(name: string): string {
  return cutText(name, 80).replaceAll('~', '~0').replaceAll('/', '~1');
}
