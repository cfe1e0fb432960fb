/** Attack A17 on everything that a password or a key of a mail passes. */
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { queues } from '#shared/queue.ts';
import { Mail } from '#shared/models/mail.ts';
import { call } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import { aMailbox } from '../support/mailbox.ts';
import { aPerson, PASSWORD } from '../support/people.ts';

const CANARIES = ['canary-1-4c1f', 'canary-2-9b7e', 'canary-3-02aa'] as const;

/** All that the queues hold, done or not. */
const jobs = async (): Promise<string> => {
  const every = await Promise.all(queues().map((queue) => queue.getJobs()));
  return JSON.stringify(every.flat().map(({ data, returnvalue, stacktrace }) => ({ data, returnvalue, stacktrace })));
};

describe('The secrets of an account', () => {
  it('are in no log, job, record of a mail or answer, whether the call is right or wrong (A17)', async () => {
    const mailbox = await aMailbox();
    const { url, output, stop } = await anApiProcess({ LOG_LEVEL: 'trace', QUEUE_PREFIX: config.QUEUE_PREFIX });
    const { email, authorization } = await aPerson();
    const [first, second, third] = CANARIES;
    const put = (path: string, body: object, headers = {}) => call('PUT', url + path, { body, headers });
    const answers: string[] = [];
    const say = async (reply: ReturnType<typeof put>) => void answers.push((await reply).text);

    await say(put('/v3/auth/requestresetpsw', { email, password: first, key: first }));
    const key = await mailbox.keyTo(email);
    await say(put(`/v3/auth/resetpsw/${first}`, { password: first }));
    await say(put(`/v3/auth/resetpsw/${key}`, { password: '?' }));
    await say(put(`/v3/auth/resetpsw/${key}`, { password: second }));
    await say(put(`/v3/auth/resetpsw/${key}`, { password: third }));
    const token = (await call('POST', `${url}/v3/auth/signin`, { body: { email, password: second } })).body.token;
    await say(put('/v3/users/changepsw', { oldpsw: first, newpsw: third }, { authorization: token }));
    await say(put('/v3/users/changepsw', { oldpsw: [second], newpsw: third }, { authorization: token }));
    await say(put('/v3/users/changepsw', { oldpsw: second, newpsw: third }, { authorization: token }));
    await say(put('/v3/users/changepsw', { oldpsw: third, newpsw: first }, { authorization }));
    await mailbox.to(email);

    const held = await jobs();
    const written = JSON.stringify(await Mail.find({ to: email }).lean());
    await stop();
    mailbox.close();
    expect(output()).to.include('/v3/auth/resetpsw/:resetpswrequestid');
    expect(key).to.match(/^[\w-]{43}$/);
    expect(held).to.include('"mail"');
    const places = { answers: answers.join(), log: output(), held, written };
    for (const secret of [...CANARIES, PASSWORD, key, token])
      for (const [place, text] of Object.entries(places)) expect(text, place).to.not.include(secret);
  });
});
