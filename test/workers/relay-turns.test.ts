import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { ulid } from 'ulid';
import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import { state } from '#shared/domain/events/relay.ts';
import { emits } from '#shared/emits.ts';
import { Change } from '#shared/models/change.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import { Relay } from '#shared/models/relay.ts';
import { startRelay } from '../../workers/relay/relay.ts';
import { caughtUp, logged } from '../support/changes.ts';
import { aProject } from '../support/people.ts';
import { stopRelaying } from '../support/relay.ts';
import { times } from '../support/stage.ts';
import { expectInOrder } from '../support/tales.ts';
import { until } from '../support/until.ts';

const UPDATES = 200;

/** Follows as any reader may: whatever lies behind the last position it has seen. */
const aFollower = (id_project: string) => {
  const seen: string[] = [];
  let over = false;
  const look = async (cursor: string): Promise<string> => {
    const found = await Change.find({ id_project, position: { $gt: cursor } })
      .sort({ position: 1 })
      .lean();
    seen.push(...found.map(({ _id }) => _id));
    return found.at(-1)?.position ?? cursor;
  };
  const following = (async () => {
    for (let cursor = ''; !over; await sleep(1)) cursor = await look(cursor);
  })();
  return async (): Promise<string[]> => {
    over = true;
    await following;
    return seen;
  };
};

describe('Several relays', () => {
  it('that believe at once that it is their turn tell each event once, and no reader misses one', async () => {
    await stopRelaying();
    const id_project = (await aProject()).project.id;
    const { id } = await namespaces.add(id_project, { name: 'Name' });
    const before = (await state())?.epoch ?? 0;
    const relays = times(3, () => startRelay(ulid()));
    const stop = aFollower(id_project);
    for (const at of times(UPDATES, Number)) {
      await KbNamespace.updateOne({ id_project, id }, { $set: { name: `n${at}` } }, emits('kb.namespace.update'));
      if (at % 10 === 0) await Relay.updateOne({ _id: 'relay' }, { $set: { until: new Date(0) } });
    }
    await until(async () => {
      await Relay.updateOne({ _id: 'relay' }, { $set: { until: new Date(0) } });
      return ((await state())?.epoch ?? 0) > before + 1;
    });
    await caughtUp();
    await Promise.all(relays.map((relay) => relay.stop()));
    const log = await logged(id_project);
    expectInOrder(log);
    const updates = log.filter(({ event }) => event === 'kb.namespace.update');
    expect(updates.map(({ revision }) => revision)).to.deep.equal(times(UPDATES, (at) => at + 1));
    expect((await stop()).slice(-UPDATES)).to.deep.equal(updates.map(({ _id }) => _id));
  });

  it('take turns: one that is stopped hands over at once, and its epoch ends with it', async () => {
    const first = startRelay(ulid());
    await caughtUp();
    const { epoch = 0 } = (await state()) ?? {};
    const second = startRelay(ulid());
    await first.stop();
    await caughtUp();
    expect((await state())?.epoch).to.be.greaterThan(epoch);
    await second.stop();
  });

  it('note how far the log is read while nothing is told, so that their place in it does not age', async () => {
    const relay = startRelay(ulid());
    await caughtUp();
    const place = async () => JSON.stringify((await Relay.findById('relay').lean())?.token);
    const before = await place();
    await until(async () => (await place()) > before);
    await relay.stop();
  });
});
