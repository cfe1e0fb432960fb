import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const WRITER = join(import.meta.dirname, 'vectors-writer.ts');

/** A process that adds and removes; it knows what was acknowledged. A removal that was not counts as unknown. */
export class Writer {
  readonly child: ChildProcess;
  readonly lines: string[] = [];
  readonly exited: Promise<unknown>;

  constructor(...args: (string | number)[]) {
    const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
    this.child = spawn(process.execPath, [WRITER, ...args.map(String)], { stdio });
    this.exited = once(this.child, 'close');
    createInterface(this.child.stdout!).on('line', (line) => this.lines.push(line));
  }

  removed() {
    return this.lines.filter((line) => line.startsWith('-')).map((line) => line.slice(1));
  }

  /** All but the last line: a removal may have been under way when the writer died. */
  kept() {
    const added = this.lines.filter((line) => !line.startsWith('-'));
    const settled = this.lines.at(-1)?.startsWith('-') ? added : added.slice(0, -1);
    return settled.filter((attempt) => !this.removed().includes(attempt));
  }

  async hasWritten(lines: number) {
    const reader = createInterface(this.child.stdout!);
    while (this.lines.length < lines) await once(reader, 'line');
  }
}
