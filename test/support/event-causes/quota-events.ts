/** The events of quotas, in a project whose plan has quotas. */
import { anAdminWhoSetsPlans } from '../quotas.ts';
import { openConversation } from './conversations.ts';
import type { EventCause } from './scene.ts';

const QUOTES = { requests: 1000, messages: 1000, email: 1000, tokens: 10 };

export const quotaEvents: EventCause[] = [
  {
    operation: 'a project uses conversations, messages, emails and AI tokens, for which its plan has quotas',
    events: [
      ...['request.create.quote', 'message.create.quote', 'request.close.quote', 'email.send.quote'],
      ...['quote.checkpoint', 'email.send.quote.checkpoint'],
    ],
    cause: async (scene) => {
      const { call, owner, project: id } = scene;
      const planner = await anAdminWhoSetsPlans(id);
      const setProfile = (profile: object) => call(planner, 'PUT', `/v3/projects/${id}`, { profile });
      await setProfile({ name: 'Basic', quotes: QUOTES });
      const { path, request_id, message } = await openConversation(scene, 'How much is left?');
      await call(owner, 'PUT', `${path}/close`, {});
      const to = 'vera@example.org';
      await call(owner, 'POST', 'emails/internal/send', { to, subject: 'Offer', text: 'Hello' });
      await call(owner, 'POST', 'quotes/incr/tokens', { tokens: 6, model: 'm' });
      await setProfile({ name: 'Basic' });
      const project = { _id: id, name: 'Project', profile: { quotes: QUOTES } };
      return {
        'request.create.quote': { project, request: { request_id, first_text: 'How much is left?' } },
        'message.create.quote': { project, message: { _id: message._id, request: { request_id } } },
        'request.close.quote': { project, request: { request_id, status: 1000 } },
        'email.send.quote': { project, email: { id_project: id, template: 'emailDirect', to, subject: 'Offer' } },
        'quote.checkpoint': { project, type: 'tokens', checkpoint: 50, limit: 10, usage: { used: { tokens: 6 } } },
        'email.send.quote.checkpoint': { project, email: { template: 'checkpointReachedEmail', to: planner.email } },
      };
    },
  },
];
