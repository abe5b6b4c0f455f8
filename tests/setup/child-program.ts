// One of our programs in a process of its own, ready for requests, which a test or a bench may kill.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { nodeOptions, type Ready } from '@lendloom/foundation/program'

const root = join(import.meta.dirname, '..', '..')

export interface ChildOptions {
  program: 'platform' | 'partner' | 'sandbox'
  env: NodeJS.ProcessEnv
  /** The folder of the version to run: by default this one. */
  cwd?: string
  /** Further options of Node. */
  options?: readonly string[]
  /** Called with each line that the program logs; without it the log is dropped. */
  onLog?: ((line: string) => void) | undefined
}

export interface ChildProgram {
  child: ChildProcess
  pid: number
  /** What the program tells its starter when it is ready. */
  ready: Ready
  /** Sends the signal and waits for the end; does nothing if the process has ended. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** What every child inherits of this process. */
export const inheritedEnv = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
})

/** Starts the program and waits until it is ready. Throws if it ends before. */
export async function startChild({
  program,
  env,
  cwd = root,
  options = [],
  onLog,
}: ChildOptions): Promise<ChildProgram> {
  const child = spawn(process.execPath, [...optionsIn(cwd), ...options, mainOf(program, cwd)], {
    cwd,
    env,
    stdio: ['ignore', onLog ? 'pipe' : 'ignore', 'inherit', 'ipc'],
  })
  if (onLog && child.stdout) createInterface(child.stdout).on('line', onLog)
  const first = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => null)])
  if (!first) throw new Error(`the ${program} did not start`)
  return {
    child,
    pid: child.pid ?? 0,
    ready: first[0] as Ready,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
  }
}

/** Another version runs without our hook of imports, which would load the modules of this version. */
const optionsIn = (cwd: string): string[] =>
  cwd === root ? nodeOptions : nodeOptions.filter((option) => !option.startsWith('--import='))

/** Version 0.1.0 has its programs in another folder. */
function mainOf(program: string, cwd: string): string {
  const main = `apps/${program}/src/main.ts`
  return existsSync(join(cwd, main)) ? main : `src/${program}/main.ts`
}
