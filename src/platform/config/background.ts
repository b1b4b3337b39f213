import type { SettingsReader } from './settings-reader.ts';

export interface InboundConfig {
  /** Pauses before a callback that could not be applied is tried again, in ms. ADR 40. */
  retryScheduleMs: readonly number[];
  /** Pauses before a file that could not be fetched is tried again, in ms. ADR 42. */
  fetchScheduleMs: readonly number[];
}

export interface OperationsConfig {
  /** Share of the time that a worker's batches and imports may be working. */
  share: number;
}

/** Work that competes for the time of a process. */
export interface BackgroundConfig {
  inbound: InboundConfig;
  operations: OperationsConfig;
  /** Responses that take this long or longer are cached for some minutes. ADR 27. */
  insights: { keptFromMs: number };
}

export function readBackground({ integer, share, schedule }: SettingsReader): BackgroundConfig {
  return {
    inbound: {
      retryScheduleMs: schedule('INBOUND_RETRY_SCHEDULE_SECONDS', [60, 600, 3_600]),
      fetchScheduleMs: schedule('FILE_FETCH_RETRY_SCHEDULE_SECONDS', [10, 60, 300, 1_800, 7_200]),
    },
    operations: { share: share('BATCH_CPU_SHARE', 0.5, 0.05) },
    insights: { keptFromMs: integer('INSIGHTS_CACHE_MIN_MS', 50, 0, 3_600_000) },
  };
}
