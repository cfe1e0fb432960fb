/** The HTTP surface of knowledge bases, in matching order: fixed words before ids. */
import contents from './contents.ts';
import namespaces from './namespaces.ts';
import qa from './qa.ts';
import questions from './questions.ts';

export default [...namespaces, ...questions, ...qa, ...contents];
