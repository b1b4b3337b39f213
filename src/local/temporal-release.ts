/** Version of the `temporal` program that is downloaded or built; temporal-server/go.mod has it too. */
export const temporalVersion = '1.8.2';

/**
 * SHA-256 of the official archives of this version, by `platform-architecture` of Node.js. Source:
 * checksums.txt of the release. They are stored here because a digest from the same source as the
 * archive proves nothing.
 */
export const temporalArchiveDigests: Readonly<Record<string, string>> = {
  'darwin-arm64': 'dacdc3587682c04cf27e67c8878ca2d755230b6ad63c0c6ebddd7348ae90ed94',
  'darwin-x64': '489d7f5420cae02b559774ac23df035141954c33a51dba96f5759a0ddccdf1b6',
  'linux-arm64': '83600a8fac6e3da54093e5da6918d399f501532b9f1172235603f9606f4ac6e4',
  'linux-x64': 'd8421bda989e6514b4bdb4d63a9012a8a05a806892e881a5aad8510496349a94',
  'win32-arm64': 'da78339510b1f91a8212ff247940d3b1dd3022ccfa00add400359311f941697e',
  'win32-x64': 'c845948aa4ab3b1a3643f9fea6d1cd691188bc31513de5f2dc5f7eceea25f22a',
};
