/** Mocha's spec report of one file of several: without totals, which come at the end of all files. */
import { format } from 'node:util';
import mocha from 'mocha';
import { printReasons } from './reporter.mjs';

const { Base, Spec } = mocha.reporters;

/** The text that mocha prints of each failure, with the difference and the stack. */
export function failureTexts(tests) {
  const print = Base.consoleLog;
  let text = '';
  Base.consoleLog = (...args) => {
    text += `${format(...args)}\n`;
  };
  try {
    return tests.map((test) => {
      text = '';
      Base.list([test]);
      return text.replace(/^\n+/, '');
    });
  } finally {
    Base.consoleLog = print;
  }
}

/** The reporter. */
export default class FileReport extends Spec {
  constructor(runner, options) {
    super(runner, options);
    printReasons(runner);
  }

  /** Omits mocha's totals, which are of this file and not of the run. */
  epilogue() {}
}
