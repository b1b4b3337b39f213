import { spawn } from 'node:child_process';

type Environment = Readonly<Record<string, string | undefined>>;

/** The program that opens an address here; undefined where nobody could see a browser. */
export function browserCommand(
  platform: NodeJS.Platform,
  { BROWSER, DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION, CI, WSL_DISTRO_NAME }: Environment,
): readonly string[] | undefined {
  if (BROWSER === 'none' || CI) return undefined;
  if (BROWSER) return [BROWSER];
  if (platform === 'darwin') return SSH_CONNECTION ? undefined : ['open'];
  // `start` is a word of cmd.exe, which would read & in an address.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  if (WSL_DISTRO_NAME) return ['wslview'];
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}

/** Opens a web address; false where there is no browser. The address is an argument, in no shell. */
export function openBrowser(
  address: string,
  environment: Environment = process.env,
): Promise<boolean> {
  const [program, ...words] = browserCommand(process.platform, environment) ?? [];
  if (program === undefined || !/^https?:\/\//.test(address)) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(program, [...words, address], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
