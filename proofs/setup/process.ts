// A program of an installation in a process of its own, which can be killed, frozen and started again.
import type { Ready } from '@lendloom/foundation/program'
import { startChild } from '@lendloom/tests/setup/child-program'

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
  const { program, cwd, env, onLog } = options
  const launch = () => startChild({ program, cwd, env: { ...process.env, ...env }, onLog })
  let running = await launch()
  options.onStarted?.()
  return {
    get pid() {
      return running.pid
    },
    ready: running.ready,
    async kill() {
      await running.end('SIGKILL')
      options.onKilled?.()
    },
    end: (signal) => running.end(signal),
    async start() {
      running = await launch()
      options.onStarted?.()
    },
    signal: (name) => void running.child.kill(name),
  }
}
