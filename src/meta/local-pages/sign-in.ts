/** Fields of a form that names the caller: the script shows the teams of this machine instead. */
export const tokenFields =
  '<div id="sign-in"><label for="token">Access token</label><input id="token" name="token" type="password" required size="30"></div>';
