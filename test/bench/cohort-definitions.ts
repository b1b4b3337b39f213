// Definitions for the contacts that `npm run seed` makes.

/** Ten rules, which most of the contacts meet. */
export const most = {
  op: 'all',
  rules: [
    { field: 'contact.status', op: 'eq', value: 'active' },
    { field: 'contact.locale', op: 'in', value: ['en-US', 'es-US', 'fr-CA'] },
    { field: 'contact.email', op: 'present' },
    { field: 'contact.postal_code', op: 'present' },
    { field: 'contact.attributes.segment', op: 'in', value: ['retail', 'business', 'student'] },
    { field: 'contact.attributes.score', op: 'gte', value: 50 },
    {
      op: 'any',
      rules: [
        {
          account: {
            where: [
              { field: 'kind', op: 'eq', value: 'deposit' },
              { field: 'balance_cents', op: 'gte', value: 100_000 },
            ],
          },
        },
        { consent: { channel: 'email', status: 'subscribed' } },
        { field: 'contact.last_engaged_at', op: 'within_last', value: 'P30D' },
        { field: 'contact.tags', op: 'contains', value: 'vip' },
      ],
    },
  ],
};

/** The contacts of a place among the followers, by nine more rules. */
export const placed = (place: number) => ({
  op: 'all',
  rules: [{ field: 'contact.attributes.place', op: 'eq', value: place }, ...most.rules],
});

/** Ten rules that ask every table for every contact. */
export const asking = (place: number) => ({
  op: 'any',
  rules: [
    { event: { kind: 'page.viewed', times: { op: 'gte', value: 2 }, within: 'P90D' } },
    {
      event: { kind: 'message.clicked', where: [{ field: 'is_machine', op: 'eq', value: false }] },
    },
    { objective: { key: 'direct-deposit', completed: true } },
    { objective: { key: 'estatements', completed: true, within: 'P30D' } },
    {
      account: {
        where: [{ field: 'kind', op: 'eq', value: 'loan' }],
        count: { op: 'gte', value: 2 },
      },
    },
    { account: { where: [{ field: 'balance_cents', op: 'gt', value: 9_000_000 }] } },
    { field: 'contact.attributes.score', op: 'eq', value: place },
    { field: 'contact.tags', op: 'contains', value: 'nobody' },
    { field: 'contact.first_name', op: 'starts_with', value: `nobody ${String(place)}` },
    { consent: { channel: 'sms', status: 'subscribed' } },
  ],
});
