import { cutText } from '../platform/cut-text.ts';

/**
 * Errors of push services that say that a device or its token no longer exists. Errors of the
 * sender's own credentials or topic are none: they would remove the devices of everybody.
 */
const goneErrors = [
  // FCM and GCM: UNREGISTERED, NotRegistered, messaging/registration-token-not-registered.
  /unregistered|notregistered|missingregistrations|unauthorizedregistration/,
  // FCM as a sentence: HTTP 404, and 400 for a token that was never one.
  /requestedentitywasnotfound|notavalid(?:[a-z]{0,8})registrationtoken/,
  // APNs, and as aggregators write it: "Apns Bad Device Token".
  /baddevicetoken|expired(?:push|device)?token/,
  // Other aggregators: an invalid token, subscription or registration.
  /tokeninvalid|notavalid(?:[a-z]{0,8})pushtoken/,
  /invalid(?!provider|auth|access|bearer|jwt)[a-z]{0,16}?(?:token|subscription|registration)/,
];

/** Whether an error says that the device no longer exists, in any spelling. */
export function isGoneError(text: string | undefined): boolean {
  const letters = cutText(text ?? '', 500)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
  return goneErrors.some((error) => error.test(letters));
}
