/** Who reads a rendered text: decides how times and amounts are written. */
export interface Reader {
  /** BCP 47. */
  locale: string;
  /** IANA name of a time zone. */
  timezone: string;
  /** ISO 4217; of amounts that name none. */
  currency: string;
}

/** The languages of `Intl`: one that it does not know must not be replaced by that of the process. */
export const languagesOf = ({ locale }: Pick<Reader, 'locale'>) => [locale, 'en-US'];

/** Formatters of `Intl` that a process caches: each takes 0.1 ms to build. */
export const maxFormatters = 500;
