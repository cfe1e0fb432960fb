/** A replica set of three MongoDB servers, whose primary can be killed or can step down. */
import { join } from 'node:path';
import { mongo } from 'mongoose';
import { aDedicatedDatabase } from './dedicated-database.ts';
import { times } from './fleet-fixture.ts';
import { waitUntil } from './wait-until.ts';

const NAME = 'rs0';
const MEMBERS = 3;
/** A small cache, because three servers share the machine with the processes of the test. */
const CACHE_GB = 0.25;
const OPLOG_MB = '128';
const ELECTION_SECONDS = 60;
/** A primary that has stepped down does not become primary again within this time. */
const STEP_DOWN_SECONDS = 20;
/** The time within which another member must have all writes; it is then elected immediately. */
const CATCH_UP_SECONDS = 15;
const PRIMARY = 1;
const SECONDARY = 2;

type Member = Awaited<ReturnType<typeof aDedicatedDatabase>>;

const hostOf = ({ port }: Member): string => `127.0.0.1:${port}`;

/** Runs a command on one member; null if the member does not answer. */
const commandOn = async (member: Member, command: object): Promise<mongo.BSON.Document | null> => {
  const options = { directConnection: true, serverSelectionTimeoutMS: 2000 };
  const client = new mongo.MongoClient(`mongodb://${hostOf(member)}`, options);
  try {
    return await client.db('admin').command(command);
  } catch (error) {
    if (error instanceof mongo.MongoServerError) throw error;
    return null;
  } finally {
    await client.close();
  }
};

/** The states of the members by host, as the first member that answers sees them. */
const statesOf = async (members: Member[]): Promise<Map<string, number>> => {
  for (const member of members) {
    const status = await commandOn(member, { replSetGetStatus: 1 });
    const found = (status?.members ?? []) as { name: string; state: number }[];
    if (status) return new Map(found.map(({ name, state }) => [name, state]));
  }
  return new Map();
};

const isWhole = async (members: Member[]): Promise<boolean> => {
  const states = [...(await statesOf(members)).values()];
  return states.length === MEMBERS && states.includes(PRIMARY) && states.every((s) => s === PRIMARY || s === SECONDARY);
};

const primaryOf = async (members: Member[]): Promise<Member> => {
  for (;;) {
    for (const member of members) if ((await commandOn(member, { hello: 1 }))?.isWritablePrimary) return member;
  }
};

/** A disturbance that has just begun. `restore` ends it and waits until all servers serve again. */
export interface Disturbance {
  name: string;
  restore(): Promise<void>;
}

/** Starts the replica set with its data in `folder`. */
export const aReplicaSet = async (folder: string) => {
  const options = { cacheGb: CACHE_GB, isMember: true, more: ['--oplogSize', OPLOG_MB] };
  const start = (index: number) => aDedicatedDatabase('mongodb', join(folder, `member-${index}`), options);
  const members = await Promise.all(times(MEMBERS, start));
  const hosts = members.map(hostOf);
  const config = { _id: NAME, members: hosts.map((host, _id) => ({ _id, host })) };
  await commandOn(members[0] as Member, { replSetInitiate: config });
  const waitUntilWhole = () => waitUntil(() => isWhole(members), ELECTION_SECONDS);
  await waitUntilWhole();
  return {
    url: `mongodb://${hosts.join(',')}/support-chat?replicaSet=${NAME}`,
    /** Kills the primary with SIGKILL; `restore` starts it again. */
    killPrimary: async (): Promise<Disturbance> => {
      const primary = await primaryOf(members);
      await primary.kill();
      const restore = async () => {
        await primary.restart();
        await waitUntilWhole();
      };
      return { name: 'kill', restore };
    },
    /** Makes the primary step down, so that another member is elected. */
    stepDown: async (): Promise<Disturbance> => {
      await commandOn(await primaryOf(members), {
        replSetStepDown: STEP_DOWN_SECONDS,
        secondaryCatchUpPeriodSecs: CATCH_UP_SECONDS,
      });
      return { name: 'step-down', restore: waitUntilWhole };
    },
    close: async (): Promise<void> => {
      await Promise.all(members.map(({ kill }) => kill()));
    },
  };
};

/** A running replica set. */
export type ReplicaSet = Awaited<ReturnType<typeof aReplicaSet>>;
