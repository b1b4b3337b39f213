/** Kinds of the providers through which teams send. */
export const providerKinds = {
  email: ['smtp', 'email_a', 'email_b', 'email_c'],
  sms: ['sms_a', 'sms_b'],
  push: ['push_a', 'push_b'],
} as const;

export type ProviderKind = (typeof providerKinds)[keyof typeof providerKinds][number];

/** A provider of a team, without its secret. */
export interface TeamProvider {
  team_id: string;
  id: string;
  channel: keyof typeof providerKinds;
  kind: ProviderKind;
  /** `smtp://host:port`, `smtps://host:port`, or the base of an HTTP interface. */
  url: string;
  /** User name, account, project, application or mail domain at the provider. */
  account: string | null;
  /** The provider behind an SMTP server. */
  family: 'email_a' | 'email_b' | 'email_c' | null;
  /** The first is the sender of messages that name none; push has none. */
  senders: readonly string[];
}

/** Secrets of a provider. `previous` is used where the provider rejects the current one. */
export interface ProviderSecrets {
  current: string;
  previous: string | undefined;
}
