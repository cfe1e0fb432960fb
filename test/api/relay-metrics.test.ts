import { expect } from 'chai';
import { RelayState } from '#shared/models/relay-state.ts';
import { api } from '../support/api.ts';
import { waitForRelay } from '../support/changes-log.ts';
import { anInstanceAdmin } from '../support/people.ts';
import { startRelayOnce, stopRelay } from '../support/relay.ts';

const MINUTE_MS = 60_000;

const readRelayMetrics = async (): Promise<Map<string, number>> => {
  const { text } = await api(await anInstanceAdmin()).get('/metrics');
  const lines = text.split('\n').filter((line) => line.startsWith('relay_'));
  return new Map(
    lines.map((line) => line.split(' ') as [string, string]).map(([name, value]) => [name, Number(value)]),
  );
};

describe('Relay metrics', () => {
  it('the metrics report how late events enter the changes log, and how far the log lags behind the database while no relay is running', async () => {
    startRelayOnce();
    await waitForRelay();
    await stopRelay();
    const running = await readRelayMetrics();
    expect(running.get('relay_event_lag_seconds{quantile="0.5"}')).to.be.greaterThan(0);
    expect(running.get('relay_epoch')).to.be.greaterThan(0);
    expect(running.get('relay_dead_letters')).to.be.at.least(0);
    await RelayState.updateOne({ _id: 'relay' }, { $set: { relayedUntil: new Date(Date.now() - MINUTE_MS) } });
    expect((await readRelayMetrics()).get('relay_lag_seconds')).to.be.at.least(MINUTE_MS / 1000);
  });
});
