/** Tags of the document in the order of reading, with the group that each opens. */
export const tags: readonly { name: string; description: string }[] = [
  {
    name: 'Access',
    description:
      'Access tokens by the OAuth 2.0 client credentials grant. Start here: every other call of a ' +
      'partner carries such a token.',
  },
  {
    name: 'Contacts',
    description: 'People whom the team onboards, with their consents, devices, merges and erasure.',
  },
  {
    name: 'Suppressions',
    description: 'Addresses, phone numbers and contacts to which no message is sent.',
  },
  {
    name: 'Topics',
    description: 'Subjects of marketing messages that recipients choose one by one.',
  },
  { name: 'Accounts', description: 'Financial accounts of contacts, open or closed.' },
  {
    name: 'Cohorts',
    description: 'Groups of contacts: static lists, and dynamic groups that follow a definition.',
  },
  {
    name: 'Templates',
    description: 'Onboarding programs, from draft over launch to expiry, with their history.',
  },
  { name: 'Pages', description: 'Pages that a template shows to a recipient.' },
  {
    name: 'Messages',
    description: 'E-mail, SMS and push messages that a template sends, and test sends of them.',
  },
  { name: 'Content blocks', description: 'Reusable content that pages and messages embed.' },
  {
    name: 'Landing pages',
    description: 'Public pages with an address of their own, drafted and published.',
  },
  {
    name: 'Journeys',
    description: 'The way of one contact through one template: enrollment, progress and end.',
  },
  {
    name: 'Message deliveries',
    description: 'Single messages to single contacts, with the reasons for their state.',
  },
  {
    name: 'Objectives',
    description: 'Goals that contacts complete, and the record of their completions.',
  },
  {
    name: 'Engagement events',
    description: 'Sent, opened, clicked, submitted: everything contacts and providers did.',
  },
  {
    name: 'Custom events',
    description: 'Event types that the team defines, and events of these types from its systems.',
  },
  { name: 'Insights', description: 'Aggregated figures of the team for a period.' },
  {
    name: 'Exports',
    description: 'Files with the data of the team or of one contact, made in the background.',
  },
  {
    name: 'Webhooks',
    description:
      'Subscriptions to events that the service sends to the partner, with deliveries, attempts ' +
      'and replays.',
  },
  {
    name: 'Events',
    description: 'Requests that the service sends to the target of a subscription, by event type.',
  },
  {
    name: 'Incoming webhook receivers',
    description: 'Addresses at which providers deliver callbacks, and the keys that verify them.',
  },
  {
    name: 'InboundReceivers',
    description: 'The addresses themselves: a provider calls these, or a relay on its behalf.',
  },
  {
    name: 'Inbound webhooks',
    description: 'Callbacks that were received, and replays of them.',
  },
  {
    name: 'Integration operations',
    description: 'Operations for integration platforms: describe, execute, read the result.',
  },
  {
    name: 'Batch',
    description: 'Large imports: upload a file, validate it, run it, read the errors.',
  },
  { name: 'SFTP', description: 'Credentials for file transfer, and the files that arrived.' },
  { name: 'Team', description: 'Settings of the team that the token belongs to.' },
  {
    name: 'Sending domains',
    description: 'Domains from which the team sends e-mail in its own name, and their DNS records.',
  },
  {
    name: 'Sending providers',
    description: 'Accounts at providers, through which the messages of the team leave.',
  },
  { name: 'Archive', description: 'Messages as they were sent, and what holds their deletion.' },
  { name: 'Users', description: 'People who work for the team, their roles and invitations.' },
  {
    name: 'Portal',
    description: 'Links to the team’s pages for people who have no client of their own.',
  },
  { name: 'Audit', description: 'The tamper-evident record of administrative changes.' },
  {
    name: 'Widgets',
    description: 'Widget instances that the partner embeds, and the tokens that open them.',
  },
  {
    name: 'Recipients',
    description:
      'Calls of the widget and of recipient pages, with a widget token or the session cookie.',
  },
  {
    name: 'Meta',
    description: 'Facts about the interface: capabilities, error codes, event types, requests.',
  },
];
