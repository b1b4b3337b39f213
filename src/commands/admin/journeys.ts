import { jobId } from '../../platform/jobs/shape.ts';
import type { Command } from 'commander';
import type { Sql } from '../../platform/database/sql.ts';
import { lockJourney } from '../../journeys/queries.ts';
import type { JourneyRow } from '../../journeys/journey.ts';
import { isOpen } from '../../journeys/rules.ts';
import { countWatches, isWatched, unwatch, watch } from '../../journeys/watches/queries.ts';
import { maxWatches } from '../../journeys/watches/rules.ts';
import { LocalFailure } from '../../local/local-failure.ts';
import { signalJob } from '../../platform/jobs/queries.ts';
import { journeyJob } from '../../../workflows/jobs.ts';
import type { Output } from '../../../sdk/cli/src/output.ts';
import { parseId } from './arguments.ts';
import { withDatabase } from './connection.ts';
import { findRow } from './find/queries.ts';
import { recordCommand } from './record-command.ts';
import { findTemporal, workflowUrl } from './temporal.ts';

/** The watch of a journey, as a client of its team makes it by `POST …/journeys/{id}/watch`. */
export function addJourneyCommands(program: Command, output: Output): void {
  const journeys = program.command('journeys').description('watches of journeys');

  journeys
    .command('watch')
    .description('give an open journey a workflow that shows each of its steps')
    .argument('<journey-id>', 'id of the journey', parseId)
    .action(async (id: string) => {
      const until = await withJourney(id, async (sql, journey) => {
        if (!isOpen(journey.status)) {
          throw new LocalFailure(`The journey is ${journey.status}: it takes no more steps.`);
        }
        const { team_id: teamId } = journey;
        if (!(await isWatched(sql, journey)) && (await countWatches(sql, teamId)) >= maxWatches) {
          throw new LocalFailure(
            `The team watches ${String(maxWatches)} journeys; end a watch with \`journeys unwatch\`.`,
          );
        }
        const watchedUntil = await watch(sql, journey);
        await recordCommand(sql, { teamId, action: 'journey.watched', resourceId: id });
        await signalJob(sql, journeyJob, id, teamId);
        return watchedUntil;
      });
      const workflow = jobId(journeyJob, id);
      const url = workflowUrl(await findTemporal(), workflow);
      output.row({ workflow, watched_until: until, url: url ?? null });
    });

  journeys
    .command('unwatch')
    .description('end the watch of a journey; the journey continues')
    .argument('<journey-id>', 'id of the journey', parseId)
    .action(async (id: string) => {
      const wasWatched = await withJourney(id, async (sql, journey) => {
        const { team_id: teamId } = journey;
        if (!(await unwatch(sql, journey))) return false;
        await recordCommand(sql, { teamId, action: 'journey.unwatched', resourceId: id });
        await signalJob(sql, journeyJob, id, teamId);
        return true;
      });
      output.row({ journey: id, was_watched: wasWatched });
    });
}

/** Runs work on a journey of any team, which is locked. */
async function withJourney<T>(
  id: string,
  work: (sql: Sql, journey: JourneyRow) => Promise<T>,
): Promise<T> {
  return withDatabase((database) =>
    database.transact(async (sql) => {
      const found = await findRow(sql, 'journey', id);
      if (!found) throw new LocalFailure(`There is no journey ${id}; see \`find <contact id>\`.`);
      return work(sql, await lockJourney(sql, found.team_id, id));
    }),
  );
}
