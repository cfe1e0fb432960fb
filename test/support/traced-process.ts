/**
 * Makes calls with tracing: a message whose event is delivered to a subscription, a content that a job indexes, and a
 * question that fails because the index does not answer.
 * Arguments: the message's correlation id, and the `traceparent` header of the calls for the content and the question.
 */
import { openQdrant, setChunkIndex } from '#shared/vectors/index.ts';
import { anApi, api } from './api.ts';
import { aProject } from './people.ts';
import { runCleanups } from './suite-cleanup.ts';
import { deliverWebhooks, aReceiver } from './webhooks.ts';
import { runJobs } from './run-jobs.ts';

const [correlationId = '', traceparent = ''] = process.argv.slice(2);
await anApi();
const { project, guest, admin } = await aProject();
await aReceiver(project.id);
const path = `/v3/${project.id}`;
await api(guest).post(`${path}/requests/traced/messages`, { text: 'Hi' }, { 'x-request-id': correlationId });
await deliverWebhooks(project.id);
const content = { namespace: project.id, type: 'text', name: 'Hours', source: 'hours', content: 'We open at nine.' };
const { status, text } = await api(admin).post(`${path}/kb`, content, { traceparent });
if (status !== 200) throw new Error(text);
await runJobs();
setChunkIndex(openQdrant('http://127.0.0.1:9'));
await api(admin).post(`${path}/kb/qa`, { question: 'When?', namespace: project.id }, { traceparent });
await runCleanups();
process.exit(0);
