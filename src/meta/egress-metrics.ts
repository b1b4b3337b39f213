import type { Egress } from '../platform/egress/client.ts';
import {
  egressAbandonedWaits,
  egressConnections,
  egressConnectionsLimit,
  egressWaiting,
} from '../platform/http/metrics.ts';

/** `npm start` runs an API and a worker in one process, each with an egress of its own. */
const observed = new Set<Pick<Egress, 'load'>>();

/** Makes the metrics show the load of an egress until the returned function is called. */
export function observeEgress(egress: Pick<Egress, 'load'>): () => void {
  observed.add(egress);
  return () => {
    observed.delete(egress);
  };
}

/** Reads the load of this moment into the metrics. */
export function setEgressMetrics(): void {
  const loads = [...observed].map((egress) => egress.load());
  const sumOf = (field: keyof (typeof loads)[number]) =>
    loads.reduce((sum, load) => sum + load[field], 0);
  egressConnections.set({ state: 'in_use' }, sumOf('inUse'));
  egressConnections.set({ state: 'idle' }, sumOf('idle'));
  egressConnectionsLimit.set(sumOf('limit'));
  egressWaiting.set({ limit: 'process' }, sumOf('waitingForProcess'));
  egressWaiting.set({ limit: 'owner' }, sumOf('waitingForOwner'));
  egressAbandonedWaits.reset();
  egressAbandonedWaits.inc(sumOf('abandonedWaits'));
}
