/**
 * Decides which URLs are safe to store, to send and to open. The schemas, the rendering, the
 * sanitizer and the scripts of browsers all use it, so this file imports nothing.
 *
 * - `web`: a page or a file, http or https.
 * - `link`: the same, and `mailto`, `tel` and `sms`.
 * - `app`: `link`, and an address that an app on a device opens, such as `mybank://accounts`.
 */
export type UrlUse = 'web' | 'link' | 'app';

const linkSchemes = ['mailto', 'tel', 'sms'];

/**
 * Schemes that no app of a partner has: a browser or a system handles them by itself, and they run
 * script, read files, install programs, open a shell or let a page choose what an app does.
 */
const handledSchemes = [
  'javascript',
  'vbscript',
  'livescript',
  'mocha',
  'ecmascript',
  'jscript',
  'data',
  'blob',
  'filesystem',
  'file',
  'about',
  'view-source',
  'jar',
  'resource',
  'chrome',
  'chrome-extension',
  'edge',
  'moz-extension',
  'ms-browser-extension',
  'safari-extension',
  'safari-web-extension',
  'x-javascript',
  'mhtml',
  'res',
  'ftp',
  'ws',
  'wss',
  'feed',
  'wyciwyg',
  'content',
  'devtools',
  'brave',
  'opera',
  'vivaldi',
  'webkit-fake-url',
  'mk',
  'its',
  'ms-its',
  'hcp',
  'intent',
  'android-app',
  'itms-services',
  'apple-shortcuts',
  'shortcuts',
  'x-apple-helpbasic',
  'ms-msdt',
  'ms-officecmd',
  'ms-appinstaller',
  'ms-settings',
  'ms-search',
  'search-ms',
  'search',
  'shell',
  'ssh',
  'sftp',
  'telnet',
  'rdp',
  'vnc',
  'smb',
  'afp',
  'nfs',
  'ldap',
  'ldaps',
];

/** Whether an absolute URL is safe for a use. */
export function isSafeUrl(text: string, use: UrlUse): boolean {
  // Browsers drop these characters, so that a scheme can be written around a pattern.
  if (/^\s|\p{Cc}|\s$/u.test(text)) return false;
  const scheme = schemeOf(text);
  if (scheme === '') return false;
  if (scheme === 'http' || scheme === 'https') return /^https?:\/\/[^/\\]/i.test(text);
  if (use === 'web') return false;
  if (linkSchemes.includes(scheme)) return true;
  return use === 'app' && /^[^:]+:\/\/[^/]/.test(text) && !handledSchemes.includes(scheme);
}

/** Whether a URL, or a reference within the page that contains it, is safe to follow. */
export function isSafeReference(text: string): boolean {
  // A path or a fragment has no scheme; two slashes or backslashes would name another host.
  const isRelative = !/^[^/?#]*:/.test(text) && !/^[/\\]{2}/.test(text);
  return isRelative ? !/\p{Cc}/u.test(text) : isSafeUrl(text, 'link');
}

/** In lower case; an empty text for what is no URL. */
function schemeOf(text: string): string {
  try {
    return new URL(text).protocol.slice(0, -1);
  } catch {
    return '';
  }
}
