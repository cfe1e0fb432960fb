/** Who is named when a conversation is opened, and who of them takes part in it. */
import { claim, release } from '../routing/claims.ts';
import { checkTeam } from './followers.ts';
import { knownAmong, type Known, refuse } from './participants.ts';
import { isTeam, type Speaker } from './requests.ts';

interface Named {
  participants?: string[];
  followers?: string[];
}

/** Those who are named, and which of them a visitor gets only if they are there and have room. */
export interface Company {
  participants: string[];
  teammates: string[];
}

const ofVisitor = (participants: string[], { gone, strangers, teammates }: Known): Company => {
  refuse({ strangers });
  return { participants: participants.filter((id) => !gone.includes(id)), teammates };
};

/** Who is named. 422 for who is not of the project; for who is gone too, unless a visitor names them: then they are left out. */
export const companyOf = async (id_project: string, named: Named, by: Speaker): Promise<Company> => {
  const { participants = [], followers } = named;
  const [known] = await Promise.all([
    participants.length ? knownAmong(id_project, participants) : null,
    followers && checkTeam(id_project, followers),
  ]);
  if (!known) return { participants, teammates: [] };
  if (!isTeam(by)) return ofVisitor(participants, known);
  refuse(known);
  return { participants, teammates: [] };
};

/** Where a conversation is about to be opened. */
interface Place {
  id_project: string;
  /** Its `_id`. */
  request: string;
  /** How many conversations a teammate without a limit of its own may have. */
  limit: number | null;
}

/** Those who take part: a teammate whom a visitor names only if it is available and has room. `undo` takes back what was given. */
export const seat = async ({ participants, teammates }: Company, { id_project, request, limit }: Place) => {
  const taken: string[] = [];
  for (const id of participants.filter((each) => teammates.includes(each)))
    if (await claim({ id_project, request, limit, among: [id] })) taken.push(id);
  return {
    participants: participants.filter((id) => !teammates.includes(id) || taken.includes(id)),
    undo: () => release({ _id: request, id_project }, taken),
  };
};
