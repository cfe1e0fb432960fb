/** Where the sources disagree beyond a superset (decision 4): one line for each point. Both profiles run the same handlers. */
import { config } from './config.ts';

const deployed = config.WIRE_PROFILE === 'deployed-clients';

export const wire = {
  /** A conversation that is shown populated holds the record of its department, instead of its id. */
  wholeDepartment: deployed,
  /** A participant or recipient of a direct message who is not of the project is kept as an opaque id, instead of being refused. */
  keepsStrangers: deployed,
  /** A conversation that is reopened is served when somebody still takes part, instead of unserved. */
  reopenedIsServed: deployed,
  /** An import of messages is answered with all of them, instead of the last one. */
  importAnswersAll: deployed,
  /** A custom event may be named without `event.emit.`. */
  bareEventNames: deployed,
  /** The teammate of a user is told in an array of one, instead of by itself. */
  teammateInArray: deployed,
  /** `presence` of a teammate is `{status, changedAt}`, instead of its status. */
  presenceWithTime: deployed,
  /** A bot that is deleted is told of by a message, instead of by itself. */
  deletedBotIsMessage: deployed,
  /** A department that is made with `routing: null` keeps that, instead of being pooled. */
  nullRoutingIsKept: deployed,
  /** `msg` of a wrong field is this text, and its sentence is in `message` alone; instead of the sentence in both. */
  fieldMessage: deployed ? 'Invalid value' : undefined,
  /** A list is in its default order where it is asked for an order that it does not have, instead of a refusal. */
  unknownOrderIsDefault: deployed,
  /** Transcripts are public for whoever knows the `request_id`, instead of whoever has a signed link (decision 39). */
  publicTranscripts: config.PUBLIC_TRANSCRIPTS ?? (deployed ? 'open' : 'signed'),
} as const;
