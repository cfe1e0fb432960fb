/** The events of conversations and messages. */
import { membershipOf, openConversation, sharedConversation } from './conversations.ts';
import type { EventCause, EventScene } from './scene.ts';

const DAY_MS = 86_400_000;

/** Creates a department. */
const aDepartment = ({ call, owner }: EventScene) =>
  call(owner, 'POST', 'departments', { name: `Sales ${Math.random()}` });

/** The rows of `table.ts` for conversations, messages and custom events. */
export const conversationEvents: EventCause[] = [
  {
    operation: 'the first message of a visitor opens a conversation',
    events: [
      ...['request.create', 'request.assigned', 'lead.create', 'message.create', 'message.sending'],
      ...['message.create.first', 'message.create.from.requester', 'message.create.request.channel.telegram'],
      ...['message.create.request.channelOutbound.telegram', 'message.create.channel.telegram'],
    ],
    cause: async (scene) => {
      const { request_id, message } = await openConversation(scene, 'Where is my order?', {
        channel: { name: 'telegram' },
      });
      const { lead, department } = message.request;
      const departmentId = department._id ?? department;
      const [assignee] = message.request.participants;
      const request = {
        ...{ request_id, first_text: 'Where is my order?', id: message.request._id, requester_id: lead._id },
        ...{ department: scene.department(departmentId), lead: { _id: lead._id, lead_id: scene.guest.id } },
        ...{ requester: { uuid_user: scene.guest.id, role: 'guest' }, participatingAgents: [{ _id: assignee }] },
        agents: [{ isAuthenticated: true, id_user: { firstname: 'Ann', lastname: 'Lee' } }],
      };
      const event = { _id: message._id, text: 'Where is my order?', sender: scene.guest.id, request: { request_id } };
      return {
        'request.create': { ...request, snapshot: { agents: [{ roleType: 1, status: 'active' }] } },
        'request.assigned': {
          ...{ request, assigneeId: assignee, assigneeName: 'Ann Lee', assigneeType: 'user', assignmentType: 'auto' },
          ...{ actor: { type: 'system', id: 'system' }, source: 'create', previousAssigneeId: null },
          removedParticipants: [],
        },
        'lead.create': { _id: lead._id, lead_id: scene.guest.id },
        'message.create': { ...event, request },
        'message.sending': { ...event, status: 0 },
        'message.create.first': event,
        'message.create.from.requester': event,
        'message.create.request.channel.telegram': event,
        'message.create.request.channelOutbound.telegram': event,
        'message.create.channel.telegram': event,
      };
    },
  },
  {
    operation: 'routing selects an agent for a new conversation',
    events: ['operator.select'],
    cause: async (scene) => {
      const { request_id, message } = await openConversation(scene, 'Who answers?');
      const { department, participants } = message.request;
      const [operator] = participants;
      return {
        'operator.select': {
          ...{ id_project: scene.project, department: { _id: department._id ?? department } },
          ...{
            operators: [{ id_user: operator }],
            agents: [{ id_user: scene.agent.id }],
            project: { name: 'Project' },
          },
          context: { request: { request_id, first_text: 'Who answers?' } },
        },
      };
    },
  },
  {
    operation: 'the first text of a visitor ends the preflight',
    events: ['request.update.preflight', 'request.updated', 'request.update', 'request.update.comment'],
    cause: async (scene) => {
      const { path, request_id } = await openConversation(scene, 'welcome', { preflight: true });
      await scene.call(scene.guest, 'POST', `${path}/messages`, { text: 'A question' });
      const request = { request_id, first_text: 'A question', preflight: false };
      const comment = 'FIRSTTEXT_PREFLIGHT_CHANGE';
      return {
        'request.update.preflight': request,
        'request.update': request,
        'request.updated': { comment, request, patch: { first_text: 'A question', preflight: false } },
        'request.update.comment': { comment, request },
      };
    },
  },
  {
    operation: 'an agent changes the working status and the rating',
    events: ['request.workingStatus.update', 'request.satisfaction'],
    cause: async (scene) => {
      const { path, request_id } = await sharedConversation(scene);
      await scene.call(scene.owner, 'PATCH', path, { workingStatus: 'open', rating: 4 });
      return {
        'request.workingStatus.update': { request: { request_id, workingStatus: 'open' } },
        'request.satisfaction': { request: { request_id, rating: 4 }, patch: { workingStatus: 'open', rating: 4 } },
      };
    },
  },
  {
    operation: 'an agent closes and reopens a conversation',
    events: ['request.close', 'request.close.extended', 'request.reopen'],
    cause: async (scene) => {
      const { path, request_id, message } = await openConversation(scene);
      await scene.call(scene.owner, 'PUT', `${path}/close`, {});
      const closed = { request_id, status: 1000, closed_by: scene.owner.id };
      const { path: other, request_id: otherId } = await openConversation(scene);
      await scene.call(scene.owner, 'PUT', `${other}/close`, {});
      await scene.call(scene.owner, 'PUT', `${other}/reopen`, {});
      return {
        // Only the payload in webhooks contains `messages`.
        'request.close': { ...closed, messages: [{ _id: message._id }] },
        'request.close.extended': { request: closed, notify: true },
        'request.reopen': { request_id: otherId, status: scene.profile === 'specification' ? 100 : 200 },
      };
    },
  },
  {
    operation: 'an agent joins a conversation and is removed from it, and its participants are then replaced',
    events: ['request.participants.join', 'request.participants.leave', 'request.participants.update'],
    cause: async (scene) => {
      const { call, owner, agent, admin } = scene;
      const { path, request_id } = await sharedConversation(scene);
      await call(owner, 'PUT', `${path}/participants`, [owner.id]);
      await call(agent, 'POST', `${path}/participants`, { member: agent.id });
      await call(owner, 'DELETE', `${path}/participants/${agent.id}`);
      await call(owner, 'PUT', `${path}/participants`, [admin.id]);
      return {
        'request.participants.join': { member: agent.id, request: { request_id } },
        'request.participants.leave': {
          ...{ member: agent.id, request: { request_id }, trackLeave: true, source: 'api' },
          actor: { type: 'user', id: owner.id, name: 'Ann Lee' },
        },
        'request.participants.update': {
          ...{ request: { request_id }, removedParticipants: [owner.id], addedParticipants: [admin.id] },
          beforeRequest: { participants: [owner.id], status: 200 },
        },
      };
    },
  },
  {
    operation: 'a teammate becomes a follower of a conversation and is then removed',
    events: ['request.followers.join', 'request.followers.leave'],
    cause: async (scene) => {
      const { path, request_id } = await sharedConversation(scene);
      const member = await membershipOf(scene, scene.admin);
      await scene.call(scene.owner, 'POST', `${path}/followers`, { member });
      await scene.call(scene.owner, 'DELETE', `${path}/followers/${member}`);
      const expected = { member, request: { request_id } };
      return { 'request.followers.join': expected, 'request.followers.leave': expected };
    },
  },
  {
    operation: 'an agent moves a conversation to a department',
    events: ['request.department.update'],
    cause: async (scene) => {
      const { path, request_id } = await sharedConversation(scene);
      const { _id } = await aDepartment(scene);
      await scene.call(scene.owner, 'PUT', `${path}/departments`, { departmentid: _id });
      return { 'request.department.update': { request_id, department: scene.department(_id) } };
    },
  },
  {
    operation: 'an owner sets the attributes and tags of a conversation, and another conversation is deleted',
    events: ['request.attributes.update', 'request.tag.update', 'request.delete'],
    cause: async (scene) => {
      const { path, request_id } = await sharedConversation(scene);
      await scene.call(scene.owner, 'PATCH', `${path}/attributes`, { plan: 'gold' });
      await scene.call(scene.owner, 'PUT', `${path}/tag`, [{ tag: 'vip', color: 'red' }]);
      const { path: other, request_id: deletedId } = await openConversation(scene);
      await scene.call(scene.owner, 'DELETE', other);
      return {
        'request.attributes.update': { request_id, attributes: { plan: 'gold' } },
        'request.tag.update': { request: { request_id }, tags: [{ tag: 'vip', color: 'red' }] },
        'request.delete': { request_id: deletedId },
      };
    },
  },
  {
    operation: 'an external bot accepts a message',
    events: ['message.update', 'message.received', 'message.update.first'],
    cause: async (scene) => {
      const bot = { name: 'Remote', type: 'external', url: scene.acceptingUrl };
      const { _id } = await scene.call(scene.admin, 'POST', 'bots', bot);
      const { message } = await openConversation(scene, 'Hello, bot', { participants: [`bot_${_id}`] });
      const event = { _id: message._id, text: 'Hello, bot' };
      return { 'message.update': event, 'message.received': { ...event, status: 200 }, 'message.update.first': event };
    },
  },
  {
    operation: 'a teammate imports old messages',
    events: ['message.import'],
    cause: async (scene) => {
      const { path, request_id } = await sharedConversation(scene);
      const clienttimestamp = Date.now() - DAY_MS;
      const messages = [{ sender: scene.guest.id, text: 'Earlier', attributes: { clienttimestamp } }];
      await scene.call(scene.owner, 'POST', `${path}/messages/multi`, messages);
      return { 'message.import': { request_id } };
    },
  },
  {
    operation: 'a client fires a custom event',
    events: ['event.emit.greeting', 'event.emit'],
    cause: async (scene) => {
      await scene.call(scene.agent, 'POST', 'events', { name: 'event.emit.greeting', attributes: { words: 2 } });
      const project_user = { _id: await membershipOf(scene, scene.agent), id_user: { _id: scene.agent.id } };
      const event = { name: 'event.emit.greeting', attributes: { words: 2 }, project_user };
      return { 'event.emit.greeting': event, 'event.emit': event };
    },
  },
];
