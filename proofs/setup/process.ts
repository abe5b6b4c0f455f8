// A program of an installation in a process of its own, which can be killed, frozen and started again.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { nodeOptions, type Ready } from '@lendloom/foundation/program'

export interface ProcessOptions {
  program: 'platform' | 'partner' | 'sandbox'
  /** The folder of the version to run. */
  cwd: string
  env: Record<string, string>
  /** Called with each line that the program logs; without it nothing is logged. */
  onLog?: ((line: string) => void) | undefined
  onStarted?(): void
  onKilled?(): void
}

export interface RunningProcess {
  readonly pid: number
  ready: Ready
  /** Kills the process; does nothing if it does not run. */
  kill(): Promise<void>
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<void>
  /** Starts the process again after a kill, with the same settings. */
  start(): Promise<void>
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
}

export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  let { child, ready } = await launch(options)
  options.onStarted?.()
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return {
    get pid() {
      return child.pid ?? 0
    },
    ready,
    async kill() {
      await end('SIGKILL')
      options.onKilled?.()
    },
    end,
    async start() {
      ;({ child, ready } = await launch(options))
      options.onStarted?.()
    },
    signal: (name) => void child.kill(name),
  }
}

/** Starts the program; 0.1.0 has it in another folder. Another version runs without our hook of imports, which would load the modules of this version. */
async function launch({ program, cwd, env, onLog }: ProcessOptions): Promise<{ child: ChildProcess; ready: Ready }> {
  const options = cwd === process.cwd() ? nodeOptions : nodeOptions.filter((option) => !option.startsWith('--import='))
  const main = `apps/${program}/src/main.ts`
  const child = spawn(process.execPath, [...options, existsSync(join(cwd, main)) ? main : `src/${program}/main.ts`], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', onLog ? 'pipe' : 'ignore', 'inherit', 'ipc'],
  })
  if (onLog && child.stdout) createInterface(child.stdout).on('line', onLog)
  const first = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => null)])
  if (!first) throw new Error(`the ${program} did not start`)
  return { child, ready: first[0] as Ready }
}
