import { connectTemporal } from '../../platform/temporal/client.ts';
import { connectionAdvice } from '../../platform/temporal/connection-advice.ts';
import { createPayloadCodec } from '../../platform/temporal/payload-codec.ts';
import { readConfig } from '../../platform/config.ts';
import { codeOf } from '../../platform/database/failures.ts';
import { openDataDirectory } from '../data-directory.ts';
import { readDemoFile } from '../demo-file.ts';
import { openServiceKeys } from './connection.ts';

/** Temporal of the service: the configured one, else that of the `npm start` on this machine. */
export interface TemporalPlace {
  address: string | undefined;
  namespace: string;
  /** Absent where no setting names it. */
  uiUrl: string | undefined;
}

export async function findTemporal(): Promise<TemporalPlace> {
  const config = readConfig({ development: true });
  const { temporalAddress, temporalNamespace: namespace, temporalUiUrl } = config;
  if (temporalAddress !== undefined) {
    return { address: temporalAddress, namespace, uiUrl: temporalUiUrl };
  }
  const demo = await readDemoFile(openDataDirectory(config.dataDirectory).demo);
  return {
    address: demo?.temporal_address,
    namespace: demo?.temporal_namespace ?? namespace,
    uiUrl: temporalUiUrl ?? demo?.temporal_ui_url,
  };
}

/** Page of a workflow in the Temporal UI: of one run, or of the latest. */
export function workflowUrl(
  { uiUrl, namespace }: TemporalPlace,
  id: string,
  runId?: string,
): string | undefined {
  if (uiUrl === undefined) return undefined;
  const run = runId === undefined ? '' : `/${encodeURIComponent(runId)}/history`;
  return `${workflowsUrl(uiUrl, namespace)}/${encodeURIComponent(id)}${run}`;
}

/** List of workflows in the Temporal UI that a query finds. */
export function queryUrl({ uiUrl, namespace }: TemporalPlace, query: string): string | undefined {
  if (uiUrl === undefined) return undefined;
  return `${workflowsUrl(uiUrl, namespace)}?query=${encodeURIComponent(query)}`;
}

const workflowsUrl = (uiUrl: string, namespace: string) =>
  `${uiUrl.replace(/\/$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows`;

/** A run of a workflow, as Temporal knows it. */
export interface SeenWorkflow {
  id: string;
  runId?: string;
  status: string;
  /** Its current details, which a worker answers. */
  details?: string;
}

/** The latest run of each workflow; or why Temporal cannot be asked. */
export async function lookUpWorkflows(
  place: TemporalPlace,
  ids: readonly string[],
): Promise<SeenWorkflow[] | { away: string }> {
  const { address, namespace } = place;
  if (address === undefined) return { away: 'no setting names it: set TEMPORAL_ADDRESS' };
  const { temporalProfile, temporalEncrypts } = readConfig({ development: true });
  const codec = temporalEncrypts ? createPayloadCodec(await openServiceKeys(), true) : undefined;
  const settings = { temporalAddress: address, temporalNamespace: namespace, temporalProfile };
  const temporal = connectTemporal(settings, codec);
  try {
    const seen: SeenWorkflow[] = [];
    for (const id of ids) seen.push(await describe(temporal, id));
    return seen;
  } catch (error) {
    return { away: connectionAdvice(error) ?? `no server answers at ${address}` };
  } finally {
    await temporal.close();
  }
}

type Temporal = ReturnType<typeof connectTemporal>;

async function describe(temporal: Temporal, id: string): Promise<SeenWorkflow> {
  const handle = temporal.client.workflow.getHandle(id);
  try {
    const { runId, status } = await temporal.within(() => handle.describe());
    const details = await readDetails(temporal, id);
    const name = status.name.toLowerCase();
    return { id, runId, status: name, ...(details !== '' && { details }) };
  } catch (error) {
    if (error instanceof Error && error.name === 'WorkflowNotFoundError') {
      return { id, status: 'none' };
    }
    throw error;
  }
}

/** Without a worker nobody answers. */
async function readDetails({ client, within }: Temporal, id: string): Promise<string> {
  const ask = () =>
    client.workflow
      .getHandle(id)
      .query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  try {
    return (await within(ask)).currentDetails ?? '';
  } catch (error) {
    return `(no worker answers: ${codeOf(error) || 'see /readyz of the workers'})`;
  }
}
