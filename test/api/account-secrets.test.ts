/**
 * Passwords, and the keys in emailed links, must not leak: the tests send canary values in their place, and
 * search all outputs for these values.
 */
import { expect } from 'chai';
import { Mail } from '#shared/models/mail.ts';
import { queues } from '#shared/queue/queue.ts';
import { call } from '../support/api.ts';
import { completeOutput, theLimitedApi } from '../support/api-process.ts';
import { aMailbox } from '../support/mailbox.ts';
import { aPerson, PASSWORD } from '../support/people.ts';

const CANARIES = ['canary-1-4c1f', 'canary-2-9b7e', 'canary-3-02aa'] as const;

/** All jobs of all queues as JSON, including finished ones. */
const jobs = async (): Promise<string> => {
  const every = await Promise.all(queues().map((queue) => queue.getJobs()));
  return JSON.stringify(every.flat().map(({ data, returnvalue, stacktrace }) => ({ data, returnvalue, stacktrace })));
};

describe('Account secrets', () => {
  it('passwords, keys and tokens of an account appear in no log, job, stored email or reply, whether calls succeed or fail', async () => {
    const mailbox = await aMailbox();
    const logging = await theLimitedApi();
    const { url } = logging;
    const { email, authorization } = await aPerson();
    const [first, second, third] = CANARIES;
    const put = (path: string, body: object, headers = {}) => call('PUT', url + path, { body, headers });
    const answers: string[] = [];
    const recordReply = async (reply: ReturnType<typeof put>) => void answers.push((await reply).text);

    await recordReply(put('/v3/auth/requestresetpsw', { email, password: first, key: first }));
    const key = await mailbox.secretTo(email);
    await recordReply(put(`/v3/auth/resetpsw/${first}`, { password: first }));
    await recordReply(put(`/v3/auth/resetpsw/${key}`, { password: '?' }));
    await recordReply(put(`/v3/auth/resetpsw/${key}`, { password: second }));
    await recordReply(put(`/v3/auth/resetpsw/${key}`, { password: third }));
    const token = (await call('POST', `${url}/v3/auth/signin`, { body: { email, password: second } })).body.token;
    await recordReply(put('/v3/users/changepsw', { oldpsw: first, newpsw: third }, { authorization: token }));
    await recordReply(put('/v3/users/changepsw', { oldpsw: [second], newpsw: third }, { authorization: token }));
    await recordReply(put('/v3/users/changepsw', { oldpsw: second, newpsw: third }, { authorization: token }));
    await recordReply(put('/v3/users/changepsw', { oldpsw: third, newpsw: first }, { authorization }));
    await mailbox.mailsTo(email);

    const queued = await jobs();
    const storedMails = JSON.stringify(await Mail.find({ to: email }).lean());
    const log = await completeOutput(logging);
    mailbox.close();
    expect(log).to.include('/v3/auth/resetpsw/:resetpswrequestid');
    expect(key).to.match(/^[\w-]{43}$/);
    expect(queued).to.include('"mail"');
    const outputs = { answers: answers.join(), log, queued, storedMails };
    for (const secret of [...CANARIES, PASSWORD, key, token])
      for (const [name, text] of Object.entries(outputs)) expect(text, name).to.not.include(secret);
  });

  it('the API writes no secret to its logs, and repeats none in its replies', async () => {
    const logging = await theLimitedApi();
    const person = await aPerson();
    const canary = 'canary-5f1e9c';
    const post = (path: string, body: unknown, headers = {}) => call('POST', logging.url + path, { body, headers });
    const basic = `Basic ${Buffer.from(`${person.email}:${canary}`).toString('base64')}`;
    const replies = [
      await post('/v3/auth/signin', { email: person.email, password: canary }),
      await post('/v3/auth/signin', { email: canary, password: canary }),
      await post('/v3/auth/signin', `{"password":"${canary}`, { 'content-type': 'application/json' }),
      await post('/v3/auth/signup', {
        email: person.email,
        password: canary,
        firstname: 'A',
        lastname: 'B',
        secret: canary,
      }),
      await post('/v3/auth/signup', { email: 'x', password: [canary], token: canary }),
      await call('GET', `${logging.url}/v3/projects?secret_token=${canary}`, { headers: { authorization: basic } }),
      await call('GET', `${logging.url}/v3/projects`, { headers: { authorization: `JWT ${canary}` } }),
      await post('/v3/auth/signin', { email: person.email, password: PASSWORD }),
    ];
    const output = await completeOutput(logging);
    // In the second call, the canary is also the email address. The reply may repeat an invalid email address.
    expect(replies.filter(({ text }, index) => index !== 1 && text.includes(canary))).to.deep.equal([]);
    for (const secret of [canary, PASSWORD, basic, replies.at(-1)?.body.token]) expect(output).to.not.include(secret);
    expect(replies.filter(({ text }) => /node_modules|\.ts:\d/.test(text))).to.deep.equal([]);
  });
});
