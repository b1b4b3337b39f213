import { defineSearchAttributeKey } from '@temporalio/common';

/** Typed search attributes, so that an operator finds workflows by id in the Temporal UI. */
export const searchAttributes = {
  teamId: defineSearchAttributeKey('TeamId', 'KEYWORD'),
  templateId: defineSearchAttributeKey('TemplateId', 'KEYWORD'),
  contactId: defineSearchAttributeKey('ContactId', 'KEYWORD'),
  subscriptionId: defineSearchAttributeKey('SubscriptionId', 'KEYWORD'),
  cohortId: defineSearchAttributeKey('CohortId', 'KEYWORD'),
  receiverId: defineSearchAttributeKey('ReceiverId', 'KEYWORD'),
  operationKind: defineSearchAttributeKey('OperationKind', 'KEYWORD'),
  outcome: defineSearchAttributeKey('Outcome', 'KEYWORD'),
  /** When the workflow acts next. */
  dueAt: defineSearchAttributeKey('DueAt', 'DATETIME'),
  /** Deliveries, callbacks or items that wait. */
  waiting: defineSearchAttributeKey('Waiting', 'INT'),
};

/** The same in the form of the server: name → type. */
export const searchAttributeTypes: Readonly<Record<string, string>> = {
  TeamId: 'Keyword',
  TemplateId: 'Keyword',
  ContactId: 'Keyword',
  SubscriptionId: 'Keyword',
  CohortId: 'Keyword',
  ReceiverId: 'Keyword',
  OperationKind: 'Keyword',
  Outcome: 'Keyword',
  DueAt: 'Datetime',
  Waiting: 'Int',
};

/** Key of the memo with the names, separated by spaces, of those that the namespace lacked. */
export const missingAttributesMemo = 'missingSearchAttributes';
