// Progress in a terminal: a line that changes while a task runs, and a permanent line when it is done.
import { styleText } from 'node:util'

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

export class Progress {
  #line = ''
  #frame = 0
  readonly #startedAt = performance.now()
  readonly #timer = setInterval(() => this.#draw(), 80).unref()

  /** Shows the task that runs now. Without a terminal, prints each new line once. */
  running(line: string): void {
    if (line === this.#line) return
    this.#line = line
    if (!process.stdout.isTTY) process.stdout.write(`… ${line}\n`)
  }

  done(line: string): void {
    this.#print(`${styleText('green', '✔')} ${line}`)
    this.#line = ''
  }

  note(line: string): void {
    this.#print(styleText('dim', `  ${line}`))
  }

  end(line: string): void {
    clearInterval(this.#timer)
    const seconds = ((performance.now() - this.#startedAt) / 1000).toFixed(1)
    this.#print(`${styleText(['green', 'bold'], `✔ ${line}`)} ${styleText('dim', `after ${seconds} s`)}`)
  }

  #print(line: string): void {
    if (process.stdout.isTTY) process.stdout.write('\r\x1b[K')
    process.stdout.write(`${line}\n`)
  }

  #draw(): void {
    if (!process.stdout.isTTY || this.#line === '') return
    process.stdout.write(`\r\x1b[K${styleText('cyan', frames[this.#frame++ % frames.length]!)} ${this.#line}`)
  }
}
