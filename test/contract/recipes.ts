import { accountRecipes } from './recipes/accounts.ts';
import { archivedMessageRecipes } from './recipes/archived-messages.ts';
import { batchRecipes } from './recipes/batch.ts';
import { cohortRecipes } from './recipes/cohorts.ts';
import { contactReadRecipes } from './recipes/contact-reads.ts';
import { contactRecipes } from './recipes/contacts.ts';
import { contentBlockRecipes } from './recipes/content-blocks.ts';
import { customEventRecipes } from './recipes/custom-events.ts';
import { engagementEventRecipes } from './recipes/engagement-events.ts';
import { exportRecipes } from './recipes/exports.ts';
import { inboundRecipes } from './recipes/inbound.ts';
import { journeyRecipes } from './recipes/journeys.ts';
import { landingPageRecipes } from './recipes/landing-pages.ts';
import { legalHoldRecipes } from './recipes/legal-holds.ts';
import { messageRecipes } from './recipes/messages.ts';
import { objectiveRecipes } from './recipes/objectives.ts';
import { operationRecipes } from './recipes/operations.ts';
import { pageRecipes } from './recipes/pages.ts';
import type { Make, Recipe, Recipes } from './recipes/recipe.ts';
import { requestRecipes } from './recipes/requests.ts';
import { sendingDomainRecipes } from './recipes/sending-domains.ts';
import { sendingProviderRecipes } from './recipes/sending-providers.ts';
import { sftpRecipes } from './recipes/sftp.ts';
import { suppressionRecipes } from './recipes/suppressions.ts';
import { teamRecipes } from './recipes/team.ts';
import { templateRecipes } from './recipes/templates.ts';
import { topicRecipes } from './recipes/topics.ts';
import { uploadRecipes } from './recipes/uploads.ts';
import { userRecipes } from './recipes/users.ts';
import { webhookSubscriptionRecipes } from './recipes/webhook-subscriptions.ts';
import { widgetInstanceRecipes } from './recipes/widget-instances.ts';

/** Properties that the schemas do not contain, a file for each resource. */
const all: readonly Recipes[] = [
  requestRecipes,
  contactReadRecipes,
  contactRecipes,
  topicRecipes,
  accountRecipes,
  cohortRecipes,
  suppressionRecipes,
  legalHoldRecipes,
  engagementEventRecipes,
  customEventRecipes,
  objectiveRecipes,
  templateRecipes,
  journeyRecipes,
  messageRecipes,
  archivedMessageRecipes,
  pageRecipes,
  landingPageRecipes,
  contentBlockRecipes,
  teamRecipes,
  userRecipes,
  sendingDomainRecipes,
  sendingProviderRecipes,
  uploadRecipes,
  sftpRecipes,
  widgetInstanceRecipes,
  exportRecipes,
  webhookSubscriptionRecipes,
  inboundRecipes,
  operationRecipes,
  batchRecipes,
];

/** By path up to an id. */
export const places = gather<Make>(({ places: own }) => own);
/** By operation id. */
export const operations = gather<Recipe>(({ operations: own }) => own);
/** By the name of a field. */
export const references = gather<Make>(({ references: own }) => own);
/** By the name of a path parameter. */
export const texts = gather<string>(({ texts: own }) => own);
export const foreignIds = new Set(all.flatMap(({ foreignIds: own = [] }) => own));

function gather<T>(
  of: (recipes: Recipes) => Readonly<Record<string, T>> | undefined,
): Readonly<Record<string, T>> {
  const entries = all.flatMap((recipes) => Object.entries(of(recipes) ?? {}));
  const names = entries.map(([name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`two recipes tell of ${twice}`);
  return Object.fromEntries(entries);
}
