import { end, untouchedFor, waitUntil } from '../src/platform/jobs/job.ts';
import type { Job } from '../src/platform/jobs/job.ts';
import type { Round } from '../src/platform/jobs/shape.ts';
import { fetchDueFile, giveUpFetch } from '../src/operations/sftp/fetching/fetch.ts';
import type { FetchOutlook, Fetching } from '../src/operations/sftp/fetching/fetch.ts';
import { listOverdueFetches } from '../src/operations/sftp/fetching/queries.ts';
import { fileFetchJob } from '../workflows/jobs.ts';
import { toTimestamp } from '../src/platform/time/rules.ts';

export function fetchFile(fetching: Fetching): Job {
  return {
    shape: fileFetchJob,
    overdue: [untouchedFor(8, listOverdueFetches)],
    async round({ teamId, id, asOfMs }) {
      return afterFetch(await fetchDueFile(fetching, { teamId, uploadId: id, asOfMs }));
    },
    async giveUp({ teamId, id }) {
      await giveUpFetch(fetching.database, teamId, id);
      return afterFetch({ attempts: 0, lastError: 'internal_error' });
    },
  };
}

/** `ended`: there was nothing to fetch any more. */
export function afterFetch({ attempts, nextAtMs, lastError }: FetchOutlook): Round<never> {
  const last = lastError === undefined ? '' : ` Last error: ${lastError}.`;
  const made = `${String(attempts)} attempts.${last}`;
  if (nextAtMs !== undefined) {
    const next = `Next attempt at ${toTimestamp(nextAtMs)}`;
    return waitUntil(nextAtMs, next, `${made} ${next}.`, { shown: { dueAt: nextAtMs } });
  }
  if (lastError !== undefined) {
    const remedy = 'The fetch has failed: its source or the callback is to be corrected.';
    return end({ outcome: 'failed', attempts, error: lastError }, `${made} ${remedy}`);
  }
  if (attempts > 0) {
    const details = `${made} The file was fetched, and its import has begun.`;
    return end({ outcome: 'fetched', attempts }, details);
  }
  const details = 'Nothing was to be fetched: the fetch had ended before.';
  return end({ outcome: 'ended', attempts }, details);
}
