/** From the text that is sent to the text that is stored (contract b 3.8): labels, templates and mark-up. A visitor's stays as it is (decision 57). */
import { render } from '../../templates.ts';
import { withLabels } from './labels.ts';
import * as microlanguage from './microlanguage.ts';
import { type Conversation, forVisitor, isTeam, lookUp, type Speaker, showOne } from './requests.ts';
import type { Said } from './saying.ts';

/** What a template knows as `request`: what its visitor may see, and of a conversation that opens with it what that opens with. */
const subject = async (where: Conversation, { language, subject, sourcePage, userAgent }: Said) => {
  const stored = await lookUp(where);
  return stored ? forVisitor(await showOne(stored)) : { ...where, language, subject, sourcePage, userAgent };
};

const withMarkUp = (said: Said): Said => {
  const { text, type, metadata, buttons } = microlanguage.read(said.text ?? '');
  return {
    ...said,
    text,
    ...(type && { type, metadata }),
    attributes: {
      ...said.attributes,
      _raw_message: said.text,
      ...(buttons.length && { attachment: { type: 'template', buttons } }),
    },
  };
};

/** The message with its text as it is stored. Errors: 422 for a template that is broken or goes beyond its limits. */
export const worded = async (where: Conversation, said: Said, by: Speaker): Promise<Said> => {
  const { text, attributes } = said;
  const isTemplate = attributes?.templateProcessor === true;
  const isMarkedUp = attributes?.microlanguage === true;
  if (!text || !isTeam(by) || !(isTemplate || isMarkedUp || text.includes('${'))) return said;
  const request = await subject(where, said);
  const labelled = await withLabels(where.id_project, request.language ?? said.language ?? '', text);
  const filled = { ...said, text: isTemplate ? await render(labelled, { request }) : labelled };
  return isMarkedUp ? withMarkUp(filled) : filled;
};
