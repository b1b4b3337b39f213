/** What the widget itself says; a page may say it otherwise, by `words`. */
export const englishWords = {
  steps: 'Steps',
  step: 'Step {at} of {of}',
  done: 'Done',
  open: 'To do',
  locked: 'Confirm who you are to see this',
  loading: 'Loading…',
  next: 'Next',
  saved: 'Saved. Thank you.',
  save: 'Save',
  failed: 'That did not work. Please try again.',
  expired: 'This page has expired. Please open the link in your latest message again.',
  offline: 'We cannot be reached. Please check your connection and try again.',
  retry: 'Try again',
  confirm: 'Confirm who you are',
  why: 'So that nobody else sees what is yours, please answer one question.',
  question: 'Question',
  postal_code: 'Postal code',
  date_of_birth: 'Date of birth',
  unique_id_last4: 'Last four characters of your customer number',
  otp_sms: 'The code that we have sent you by text message',
  otp_email: 'The code that we have sent you by email',
  answer: 'Confirm',
  wrong: 'That is not what we have. Attempts left: {left}.',
  blocked: 'Too many attempts. Please try again after {time}.',
  instead: 'Too many wrong answers. We have sent you a code instead.',
  confirmed: 'Thank you, we know it is you.',
  enroll: 'Get started',
  first_name: 'First name',
  last_name: 'Last name',
  check: 'Please check what you have written.',
  channels: 'How may we reach you?',
  email: 'Email',
  sms: 'Text message',
  push: 'Notifications in our app',
  pending: 'Please confirm by the message that we send you.',
  merchants: 'Where do you pay with your card?',
  apps: 'Get the app',
  ios: 'App Store',
  android: 'Google Play',
};
export type Words = typeof englishWords;

/** A text with its blanks filled in. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (blank, name: string) => String(values[name] ?? blank));
}
