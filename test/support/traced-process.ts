/**
 * Makes calls with tracing: a message whose event is delivered to a subscription, and a content that a job indexes.
 * Arguments: the correlation id of the message, and the `traceparent` header of the content.
 */
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
await runCleanups();
process.exit(0);
