/**
 * Which collections hold personal data, and how the erasure and the export of a person's data treat them. Every
 * collection is listed here; a test compares this table with the models. A person is a visitor with their leads, or an
 * account.
 */

/** A collection that holds personal data. Fields are dotted paths. */
export interface PersonalDataRule {
  /** Fields with the id of a person: the record belongs to this person. */
  person?: string[];
  /** Fields with the id of an author: the record belongs to the author if the author is a visitor. */
  visitor?: string[];
  /** Fields with the `request_id` or the id of a visitor's conversation: the record belongs to that visitor. */
  conversation?: string[];
  /** Fields with an email address: the record belongs to the person with this address. */
  address?: string[];
  /** Whether a step in `erase-steps.ts` deletes the records of the person, because other records depend on them. */
  hasStep?: true;
  /**
   * What happens to a record that does not belong to the person but contains an id, an email address or a phone number
   * of the person. `delete`: it is deleted. `redact`: these values, and the names next to them, are replaced. `report`:
   * if it contains an address or a phone number, the report of the erasure lists it, because the team wrote it and
   * decides what to do with it.
   */
  mentions: 'delete' | 'redact' | 'report';
  /**
   * Whether the relay or listeners write records after an event. If so, the erasure searches the collection again at
   * the end, for records that were written in the meantime.
   */
  followsEvents?: true;
  /** Whether files are found only through these records. If so, the records are erased after the files. */
  namesFiles?: true;
  /** Whether the records of a person are included in the person's export. */
  isExported?: true;
}

/** A collection without personal data, and why it has none. */
export interface NoPersonalData {
  holdsNone: string;
}

const IDS = 'ids, numbers and times only';
const TEAM = { mentions: 'report' } as const;

/** The rule for each collection. */
export const personalData: Record<string, PersonalDataRule | NoPersonalData> = {
  access_changes: { holdsNone: `${IDS}; deleted after two hours` },
  account_keys: { person: ['id_user'], mentions: 'delete' },
  activities: { conversation: ['target.id'], mentions: 'redact', followsEvents: true, isExported: true },
  admin_actions: { mentions: 'redact' },
  analytics_contributions: { holdsNone: `${IDS}; corrected when the counted record is deleted` },
  analytics_rebuilds: { holdsNone: IDS },
  analytics_rollups: { holdsNone: IDS },
  bot_calls: { conversation: ['conversation'], mentions: 'redact', followsEvents: true },
  bots: TEAM,
  budgets: { holdsNone: IDS },
  canned: TEAM,
  changes: {
    ...{ person: ['record', 'visitor'], mentions: 'redact', followsEvents: true },
    conversation: ['record', 'payload.request_id', 'payload.recipient', 'payload.request.request_id'],
  },
  counters: { holdsNone: IDS },
  database_import_faults: { mentions: 'delete' },
  database_imports: { holdsNone: 'ids, numbers, and names of fields' },
  dead_letters: { person: ['record'], conversation: ['record'], mentions: 'delete', followsEvents: true },
  deferred_events: { mentions: 'redact', followsEvents: true },
  departments: TEAM,
  events: {
    ...{ visitor: ['createdBy'], conversation: ['request_id'], person: ['project_user'] },
    ...{ mentions: 'redact', isExported: true },
  },
  file_usage: { holdsNone: IDS },
  files: { person: ['createdBy'], hasStep: true, mentions: 'redact', isExported: true },
  groups: TEAM,
  idempotency_keys: { holdsNone: 'hashes, and encrypted replies; deleted after a day' },
  instance_controls: { holdsNone: 'maintenance mode and the log level' },
  integrations: TEAM,
  intent_vectors: { holdsNone: 'vectors of training phrases' },
  intents: TEAM,
  kb_answered: { conversation: ['request_id'], mentions: 'delete', isExported: true },
  kb_chunks: TEAM,
  kb_contents: TEAM,
  kb_deletions: { holdsNone: IDS },
  kb_imports: { holdsNone: 'ids, numbers, and the source of contents' },
  kb_namespaces: TEAM,
  kb_question_clusters: { mentions: 'redact' },
  kb_removals: { holdsNone: IDS },
  kb_unanswered: { person: ['sender'], conversation: ['request_id'], mentions: 'delete', isExported: true },
  kb_words: { holdsNone: 'words of the contents of a knowledge base' },
  labels: TEAM,
  lead_import_faults: { mentions: 'delete' },
  lead_import_parts: { ...TEAM },
  lead_imports: TEAM,
  leads: { person: ['_id', 'lead_id'], hasStep: true, mentions: 'redact', isExported: true },
  listeners: { holdsNone: IDS },
  mail_blocks: { address: ['address'], mentions: 'delete', isExported: true },
  mail_circuits: { holdsNone: 'errors of SMTP servers' },
  mail_messages: { address: ['address'], conversation: ['request_id'], mentions: 'redact', isExported: true },
  mails: { address: ['to'], mentions: 'delete', followsEvents: true, isExported: true },
  message_removals: { holdsNone: IDS },
  messages: {
    ...{ person: ['recipient'], visitor: ['sender', 'createdBy'], conversation: ['recipient'] },
    ...{ mentions: 'redact', namesFiles: true, isExported: true },
  },
  migrations: { holdsNone: 'names of migrations' },
  outbox: {
    ...{ person: ['record'], conversation: ['record', 'view.request_id'], address: ['record'] },
    ...{ mentions: 'redact', followsEvents: true },
  },
  pending_invitations: { address: ['email'], mentions: 'redact', isExported: true },
  presence_processes: { holdsNone: IDS },
  presence_sessions: { holdsNone: `${IDS}; deleted after the last socket is closed` },
  process_heartbeats: { holdsNone: 'processes and the names of their jobs' },
  project_keys: { mentions: 'redact' },
  project_removals: { holdsNone: 'the names of projects, and ids' },
  project_users: { person: ['_id', 'uuid_user', 'id_user'], hasStep: true, mentions: 'redact', isExported: true },
  projects: { mentions: 'redact' },
  properties: TEAM,
  quota_usages: { holdsNone: IDS },
  relays: { holdsNone: IDS },
  removed_teammates: { person: ['id_user'], mentions: 'redact' },
  request_changes: { conversation: ['request_id'], mentions: 'redact', followsEvents: true },
  request_counters: { holdsNone: IDS },
  requests: {
    ...{ person: ['lead', 'snapshot.lead.lead_id'], conversation: ['request_id'], hasStep: true },
    ...{ mentions: 'redact', isExported: true },
  },
  routing_turns: { holdsNone: IDS },
  segments: TEAM,
  subscriptions: TEAM,
  tags: TEAM,
  tokens: { person: ['id_user'], hasStep: true, mentions: 'redact', isExported: true },
  trigger_runs: { conversation: ['conversation'], mentions: 'redact', followsEvents: true },
  triggers: TEAM,
  users: { person: ['_id'], hasStep: true, mentions: 'redact', isExported: true },
  webhook_attempts: { mentions: 'delete', followsEvents: true },
  webhook_circuits: { holdsNone: IDS },
  webhook_deliveries: { mentions: 'redact', followsEvents: true },
  webhook_receivers: { holdsNone: 'hosts of the receivers' },
};
