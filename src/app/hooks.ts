import { journeysOutdated, smsSenderWritten, templateLaunched } from '../campaigns/hooks.ts';
import { contactsLeftCohort } from '../cohorts/hooks.ts';
import { mergeMemberships } from '../cohorts/merging/merge.ts';
import {
  accountsChanged,
  contactsDeleted,
  contactsMerged,
  contactsSuppressed,
  contactsUnsubscribed,
} from '../contacts/hooks.ts';
import { refuseWhileHeld } from '../contacts/legal-holds/place.ts';
import { recordAccountChanges } from '../engagement/account-changes.ts';
import { mergeCompletions } from '../engagement/completions/merging/merge.ts';
import { engagementRecorded, objectivesCompleted } from '../engagement/hooks.ts';
import {
  endForDeletedContacts,
  endForLeaving,
  endForSuppressed,
  endForUnsubscribed,
  endFulfilled,
} from '../journeys/ending/end.ts';
import { mergeJourneys } from '../journeys/merging/merge.ts';
import { cancelRequestedSends } from '../messaging/requested-sends/erase.ts';
import { releaseAllProviders } from '../messaging/sending-providers/release/queries.ts';
import { providerReleaseRequired, retentionShortened } from '../team/hooks.ts';
import { checkSmsSender } from '../messaging/sending-providers/sender.ts';
import { requestResync } from '../journeys/resyncs/queries.ts';
import { beginScan } from '../journeys/scans/scan.ts';
import { applyEventsToJourneys } from '../journeys/signals/apply.ts';

/** Registers the handlers of all hooks, each in the order of its calls. A second call has no effect. */
export function registerHooks(): void {
  contactsDeleted.register(endForDeletedContacts, cancelRequestedSends);
  contactsSuppressed.register(endForSuppressed);
  contactsUnsubscribed.register(endForUnsubscribed);
  contactsMerged.register(mergeJourneys, mergeCompletions, mergeMemberships);
  accountsChanged.register(recordAccountChanges);
  contactsLeftCohort.register(endForLeaving);
  templateLaunched.register(beginScan);
  journeysOutdated.register(requestResync);
  smsSenderWritten.register(checkSmsSender);
  retentionShortened.register(refuseWhileHeld);
  providerReleaseRequired.register(releaseAllProviders);
  engagementRecorded.register(applyEventsToJourneys);
  objectivesCompleted.register(endFulfilled);
}
