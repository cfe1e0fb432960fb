/** Measures the time from a visitor's message to the internal bot's reply in the changes log, on an idle system. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { Change } from '#shared/models/change.ts';
import { api } from '../support/api.ts';
import { aFleet } from '../support/fleet.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';
import { readUtterances, UTTERANCE_SETS } from '../support/intent-accuracy.ts';

const MESSAGES = 100;
const POLL_MS = 2;
const PAUSE_MS = 100;

describe('Replies of internal bots', function latency() {
  this.timeout(300_000);

  it('the median time from a message to its reply in the changes log is under 150 ms', async () => {
    const fleet = await aFleet({ EMBEDDING_MODEL_FILE: config.EMBEDDING_MODEL_FILE ?? 'off' });
    try {
      await fleet.worker();
      const { project, admin, guest } = await aProject();
      const intents = (await readUtterances(UTTERANCE_SETS.test)).en?.intents ?? {};
      const file = Object.entries(intents).map(([name, { phrases }]) => ({
        intent_display_name: name,
        question: phrases.join('\n'),
        answer: `About ${name}`,
      }));
      const bot = (
        await api(admin).post(`/v3/${project.id}/bots/importjson/null?create=true`, { name: 'Robbie', intents: file })
      ).body._id;
      const path = `/v3/${project.id}/requests/bench/messages`;
      const utterances = Object.values(intents).flatMap((intent) => intent.utterances);
      const replied = { id_project: project.id, event: 'message.create', 'payload.sender': `bot_${bot}` };
      const measure = async (n: number): Promise<number> => {
        const before = await Change.countDocuments(replied);
        const started = performance.now();
        await api(guest).post(path, { text: utterances[n % utterances.length], participants: [`bot_${bot}`] });
        while ((await Change.countDocuments(replied)) === before) await sleep(POLL_MS);
        return performance.now() - started;
      };
      for (const n of times(10, (each) => each)) await measure(n);
      await sleep(5000); // until the phrases are embedded
      const all: number[] = [];
      for (const n of times(MESSAGES, (each) => each)) {
        all.push(await measure(n));
        await sleep(PAUSE_MS);
      }
      const sorted = all.toSorted((one, other) => one - other);
      const at = (part: number) => Math.round(sorted[Math.floor(sorted.length * part)] ?? 0);
      console.log(
        `      from a message to the reply in the changes log: median ${at(0.5)} ms, p90 ${at(0.9)} ms, max ${at(0.999)} ms`,
      );
      expect(at(0.5)).to.be.below(150);
    } finally {
      await fleet.close();
    }
  });
});
