/**
 * Reports the election of a new primary. An election may undo writes that the former primary had not copied to a
 * majority of the nodes, even if this process has already read them.
 */
import mongoose, { mongo } from 'mongoose';

const listeners: (() => void)[] = [];
/** Identifies the election of the current primary; undefined until a primary is known. */
let election: string | undefined;

const notice = ({ newDescription }: mongo.TopologyDescriptionChangedEvent): void => {
  const primary = [...newDescription.servers.values()].find(({ type }) => type === mongo.ServerType.RSPrimary);
  if (!primary) return;
  const current = `${primary.setVersion} ${String(primary.electionId)}`;
  const isNew = election !== undefined && election !== current;
  election = current;
  if (isNew) for (const listener of listeners) listener();
};

/** Calls a function after each election. The function must drop what was cached from the former primary. */
export const onNewPrimary = (listener: () => void): void => {
  listeners.push(listener);
};

/** Starts watching for elections. Called once per connection. */
export const watchPrimary = (): void => {
  election = undefined;
  mongoose.connection.getClient().on('topologyDescriptionChanged', notice);
};
