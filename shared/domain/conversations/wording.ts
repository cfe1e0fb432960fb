/** From the text that is sent to the text that is stored (contract b 3.8): labels, templates and mark-up. A visitor's stays as it is (decision 57). */
import { render } from '../../templates/render.ts';
import { fillerOf } from './labels.ts';
import * as microlanguage from './microlanguage.ts';
import { type Conversation, forVisitor, isTeam, lookUp, type Speaker, showOne } from './requests.ts';
import type { Said } from './saying.ts';

/** What a conversation that is not there yet is opened with, as far as its visitor may see that. */
const opening = (where: Conversation, { language, subject, sourcePage, userAgent }: Said) => ({
  ...where,
  ...{ language, subject, sourcePage, userAgent },
});

/** What a template knows as `request`, and the words of its language. */
const surroundings = async (where: Conversation, said: Said) => {
  const stored = await lookUp(where);
  const request = stored ? forVisitor(await showOne(stored, { live: false })) : opening(where, said);
  return { request, fill: await fillerOf(where.id_project, request.language ?? said.language ?? '') };
};

/** True for a text that is a template. */
export const isTemplate = ({ attributes }: Said): boolean => attributes?.templateProcessor === true;

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

const isMarkedUp = ({ attributes }: Said): boolean => attributes?.microlanguage === true;

/**
 * Makes messages with their texts as they are stored, of those that somebody sends in one call. Errors: 422 for a template that is
 * broken or goes beyond its limits.
 */
export const wording = (where: Conversation, by: Speaker) => {
  let around: ReturnType<typeof surroundings> | undefined;
  return async (said: Said): Promise<Said> => {
    const { text } = said;
    if (!text || !isTeam(by) || !(isTemplate(said) || isMarkedUp(said) || text.includes('${'))) return said;
    const { request, fill } = await (around ??= surroundings(where, said));
    const labelled = fill(text);
    const filled = {
      ...said,
      text: isTemplate(said) ? await render(labelled, { request }, where.id_project) : labelled,
    };
    return isMarkedUp(said) ? withMarkUp(filled) : filled;
  };
};
