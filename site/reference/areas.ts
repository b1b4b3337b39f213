/** The tags of the interface in the order of the menu, by area, with the titles of their pages. */
export const areas: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Start here': { Access: 'Access tokens', Team: 'Team', Meta: 'About the interface' },
  Contacts: {
    Contacts: 'Contacts',
    Accounts: 'Accounts',
    Cohorts: 'Cohorts',
    Topics: 'Topics',
    Suppressions: 'Suppressions',
  },
  Campaigns: {
    Templates: 'Templates',
    Pages: 'Pages',
    Messages: 'Messages',
    'Content blocks': 'Content blocks',
    'Landing pages': 'Landing pages',
    Objectives: 'Objectives',
    Journeys: 'Journeys',
  },
  'Sending and results': {
    'Message deliveries': 'Message deliveries',
    'Engagement events': 'Engagement events',
    Insights: 'Insights',
    Archive: 'Message archive',
    'Sending domains': 'Sending domains',
    'Sending providers': 'Sending providers',
  },
  'Events and webhooks': { Webhooks: 'Webhook subscriptions', 'Custom events': 'Custom events' },
  'Callbacks of providers': {
    'Incoming webhook receivers': 'Callback receivers',
    'Inbound webhooks': 'Received callbacks',
    InboundReceivers: 'Callback addresses',
  },
  'Data in and out': {
    'Integration operations': 'Integration operations',
    Batch: 'Batches',
    SFTP: 'Files by SFTP',
    Exports: 'Exports',
  },
  Widget: { Widgets: 'Widgets', Recipients: 'Recipients' },
  Administration: { Users: 'Users', Portal: 'Portal links', Audit: 'Audit trail' },
};

/** Address of the page of a tag, without the base of the site. */
export function pageOfTag(tag: string): string {
  return `/reference/${tag
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replaceAll(' ', '-')}`;
}

export const tagsInOrder = () =>
  Object.entries(areas).flatMap(([area, tags]) =>
    Object.entries(tags).map(([tag, title]) => ({ area, tag, title })),
  );
