import { networkOf } from '../../platform/http/client-address.ts';
import type { Credential } from './access/queries.ts';
import { limits } from './rules.ts';

/** Gives a place back; once, however often it is called. */
type Leave = () => void;

export type Admission = ReturnType<typeof createAdmission>;

/** Counts the connections and sessions of one process, so that no client can occupy all places. */
export function createAdmission() {
  const connections = createPlaces();
  const sessions = createPlaces();
  return {
    /** A place for a connection that has not authenticated; undefined where its network is full. */
    forStranger: (address: string): Leave | undefined =>
      connections.take(networkOf(address), limits.unauthenticatedConnections),
    /** A place for a connection that has; undefined where its credential or its team is full. */
    forCredential({ id, team_id: teamId }: Credential): Leave | undefined {
      const leaveTeam = connections.take(teamId, limits.teamConnections);
      if (!leaveTeam) return undefined;
      const leaveCredential = connections.take(id, limits.credentialConnections);
      if (!leaveCredential) {
        leaveTeam();
        return undefined;
      }
      return () => {
        leaveCredential();
        leaveTeam();
      };
    },
    forSession: ({ id }: Credential): Leave | undefined => sessions.take(id, limits.sessions),
  };
}

/** Occupied places, by the key of their client. */
function createPlaces() {
  const taken = new Map<string, number>();
  const add = (key: string, by: number) => {
    const count = (taken.get(key) ?? 0) + by;
    if (count > 0) taken.set(key, count);
    else taken.delete(key);
  };
  return {
    take(key: string, limit: number): Leave | undefined {
      if ((taken.get(key) ?? 0) >= limit) return undefined;
      add(key, 1);
      let isTaken = true;
      return () => {
        if (isTaken) add(key, -1);
        isTaken = false;
      };
    },
  };
}
