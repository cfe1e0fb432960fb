import { expect } from 'chai';
import { Relay } from '#shared/models/relay.ts';
import { api } from '../support/api.ts';
import { caughtUp } from '../support/changes.ts';
import { anOperator } from '../support/people.ts';
import { relaying, stopRelaying } from '../support/relay.ts';

const MINUTE_MS = 60_000;

const numbers = async (): Promise<Map<string, number>> => {
  const { text } = await api(await anOperator()).get('/metrics');
  const lines = text.split('\n').filter((line) => line.startsWith('relay_'));
  return new Map(
    lines.map((line) => line.split(' ') as [string, string]).map(([name, value]) => [name, Number(value)]),
  );
};

describe('The numbers of the relay', () => {
  it('tell how late events are, and how long ago the log was complete while nobody relays', async () => {
    relaying();
    await caughtUp();
    await stopRelaying();
    const running = await numbers();
    expect(running.get('relay_event_lag_seconds{quantile="0.5"}')).to.be.greaterThan(0);
    expect(running.get('relay_epoch')).to.be.greaterThan(0);
    expect(running.get('relay_dead_events')).to.be.at.least(0);
    await Relay.updateOne({ _id: 'relay' }, { $set: { complete: new Date(Date.now() - MINUTE_MS) } });
    expect((await numbers()).get('relay_lag_seconds')).to.be.at.least(MINUTE_MS / 1000);
  });
});
