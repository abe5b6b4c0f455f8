// Commands that do what the console does: what they ask of its routes, and how they write the answer.

import { type Call, type Command, command, type Options } from '#cli/command.ts'
import type { Ask, Input } from './routes.ts'

export type { Ask } from './routes.ts'

/**
 * Opens the platform for some calls of the console's routes. Throws the routes' refusals. All of the platform is loaded for
 * it, and not before: `--help` waits for nothing of it.
 */
export async function withConsole<T>(env: NodeJS.ProcessEnv, work: (ask: Ask) => Promise<T>): Promise<T> {
  const { openConsole } = await import('./routes.ts')
  return openConsole(env, work)
}

interface Asking<O extends Options, T> extends Omit<Command<O>, 'run'> {
  route: string
  input(call: Call<O>): Input | Promise<Input>
  /** The answer for people; `--json` prints it as it is. */
  text(answer: T, call: Call<O>): string
  /** Whether what was asked about is as it should be: the exit code is 1 where it is not. */
  isFine?(answer: T): boolean
}

/** A command that asks one route of the console. */
export const asking = <const O extends Options, T>({ route, input, text, isFine, ...rest }: Asking<O, T>): Command<O> =>
  command<O>({
    ...rest,
    async run(call) {
      const what = await input(call)
      const data = await withConsole(call.env, (ask) => ask<T>(route, what))
      return { text: text(data, call), data: data ?? what.params ?? {}, exitCode: isFine?.(data) === false ? 1 : 0 }
    },
  })
