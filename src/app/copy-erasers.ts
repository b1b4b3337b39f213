import type { CopyEraser } from '../contacts/contact-erasures/sweeping/eraser.ts';
import { eraseCallbackCopies } from '../inbound/erasing/erase.ts';
import { eraseArchived } from '../messaging/archived-messages/deleting/erase.ts';
import { eraseLoggedRequests } from '../meta/requests/erase.ts';
import { eraseMessageData } from '../messaging/requested-sends/erase.ts';
import { eraseOperationCopies } from '../operations/erasing/erase.ts';

/** Erasers of what capabilities above contacts store of persons, in the order of a sweep. */
export const copyErasers: readonly CopyEraser[] = [
  eraseMessageData,
  eraseArchived,
  eraseCallbackCopies,
  eraseOperationCopies,
  eraseLoggedRequests,
];
