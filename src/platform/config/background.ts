import { integer, schedule, share } from './kinds.ts';
import { readGroup } from './setting.ts';
import type { ValuesOf } from './setting.ts';
import type { SettingsReader } from './settings-reader.ts';

/** Retries of what comes in. ADRs 40 and 42. */
export const inboundSettings = {
  retryScheduleMs: schedule('INBOUND_RETRY_SCHEDULE_SECONDS', {
    default: [60, 600, 3_600],
    meaning: 'Pauses before a callback that could not be applied is tried again',
  }),
  fetchScheduleMs: schedule('FILE_FETCH_RETRY_SCHEDULE_SECONDS', {
    default: [10, 60, 300, 1_800, 7_200],
    meaning:
      'Pauses before a file that could not be fetched is tried again ([file-sources.md](file-sources.md))',
  }),
};

export const batchSettings = {
  share: share('BATCH_CPU_SHARE', {
    default: 0.5,
    min: 0.05,
    meaning:
      "Share of the time that a worker's batches and executions may be working; the rest is left to webhooks ([batch.md](batch.md))",
  }),
};

export const insightSettings = {
  keptFromMs: integer('INSIGHTS_CACHE_MIN_MS', {
    default: 50,
    range: [0, 3_600_000],
    unit: 'ms',
    meaning:
      'Answers that take this long or longer are cached for ten minutes ([insights.md](insights.md)); 0 caches all, 3600000 practically none',
  }),
};

export type InboundConfig = ValuesOf<typeof inboundSettings>;
export type OperationsConfig = ValuesOf<typeof batchSettings>;

/** Work that competes for the time of a process. */
export interface BackgroundConfig {
  inbound: InboundConfig;
  operations: OperationsConfig;
  insights: ValuesOf<typeof insightSettings>;
}

export const readBackground = (reader: SettingsReader): BackgroundConfig => ({
  inbound: readGroup(inboundSettings, reader),
  operations: readGroup(batchSettings, reader),
  insights: readGroup(insightSettings, reader),
});
