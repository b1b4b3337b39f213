export interface SiteOptions {
  folder: string;
  /** With a slash at both ends. */
  base: string;
  htmlLinks: boolean;
  api?: string;
}
