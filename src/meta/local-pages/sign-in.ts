/**
 * Fields of a form that names the caller. Where the service was started for this machine, the script
 * asks for its teams and shows them instead.
 */
export const tokenFields = (isLocal: boolean): string =>
  `<div id="sign-in"${isLocal ? ' data-local' : ''}><label for="token">Access token</label><input id="token" name="token" type="password" required size="30"></div>`;
