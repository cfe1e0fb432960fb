/** What the wire profile `deployed-clients` does differently from `specification` (see docs/wire-profiles.md). */
import { config } from '../config.ts';

const isForDeployedClients = config.WIRE_PROFILE === 'deployed-clients';

export const compatibility = {
  /**
   * In a conversation that is returned with the records to which it refers, the department is a record, too, instead
   * of an id.
   */
  embedsDepartment: isForDeployedClients,
  /**
   * Ids of participants, and of recipients of direct messages, that are unknown in the project are stored rather than
   * rejected.
   */
  acceptsUnknownParticipants: isForDeployedClients,
  /** A reopened conversation that still has participants becomes served instead of unserved. */
  reopenedIsServed: isForDeployedClients,
  /** A call that imports messages returns all of them instead of only the last one. */
  importReturnsAll: isForDeployedClients,
  /** Names of custom events may omit the prefix `event.emit.`. */
  acceptsUnprefixedEventNames: isForDeployedClients,
  /** `GET …/project_users/users/:user_id` returns the membership in an array instead of as an object. */
  teammateInArray: isForDeployedClients,
  /** `presence` of a teammate is `{status, changedAt}` instead of the status. */
  presenceWithTime: isForDeployedClients,
  /** Deleting a bot returns a message instead of the bot. */
  deletedBotIsMessage: isForDeployedClients,
  /** A department created with `routing: null` keeps null instead of getting `pooled`. */
  nullRoutingIsKept: isForDeployedClients,
  /** In the `errors` of a 422, the `msg` of each error is this text instead of a copy of the error's `message`. */
  fieldMessage: isForDeployedClients ? 'Invalid value' : undefined,
  /** A list request with an unknown sort field returns the default order instead of an error. */
  unknownOrderIsDefault: isForDeployedClients,
  /** Webhooks carry the secret of their subscription in the `x-hook-secret` header. */
  sendsWebhookSecret: isForDeployedClients,
  /**
   * Any caller who knows the `request_id` can read a transcript, without a signed link. `PUBLIC_TRANSCRIPTS` overrides
   * this.
   */
  publicTranscripts: config.PUBLIC_TRANSCRIPTS ?? (isForDeployedClients ? 'open' : 'signed'),
} as const;
