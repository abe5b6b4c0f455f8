// Configuration comes from the environment, all of it checked at start, each wrong value named with what it should be.

export interface Setting<T> {
  /** What it is for, in one sentence: printed by `--help` and written into .env.example. */
  about: string
  fallback?: string
  secret?: boolean
  read(text: string): T
}

export type Settings = Record<string, Setting<unknown>>
export type Config<S extends Settings> = { readonly [Name in keyof S]: ReturnType<S[Name]['read']> }

/** Reads every setting from `env`. Throws one error that lists everything wrong or missing. */
export function configFrom<S extends Settings>(settings: S, env: Record<string, string | undefined>): Config<S> {
  const wrong: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, { about, fallback, read }] of Object.entries(settings)) {
    const text = env[name] || fallback
    if (text === undefined) {
      wrong.push(`${name} is not set: ${about}`)
      continue
    }
    try {
      values[name] = read(text)
    } catch (error) {
      wrong.push(`${name} ${(error as Error).message}`)
    }
  }
  if (wrong.length > 0) throw new ConfigError(`configuration:\n  ${wrong.join('\n  ')}`)
  return values as Config<S>
}

export class ConfigError extends Error {}

export const text = (about: string, fallback?: string): Setting<string> => ({
  about,
  ...(fallback !== undefined && { fallback }),
  read: (value) => value,
})

export const secret = (about: string, fallback?: string): Setting<string> => ({
  ...text(about, fallback),
  secret: true,
})

export const port = (about: string, fallback: number): Setting<number> => ({ ...number(about, fallback, 1, 65_535) })

export const number = (
  about: string,
  fallback: number,
  least = 0,
  most = Number.MAX_SAFE_INTEGER,
): Setting<number> => ({
  about,
  fallback: String(fallback),
  read(value) {
    const amount = /^-?\d+$/.test(value) ? Number(value) : Number.NaN
    if (!(amount >= least && amount <= most))
      throw new Error(`must be a whole number from ${least} to ${most}, not "${value}"`)
    return amount
  },
})

export const flag = (about: string, fallback: 'on' | 'off'): Setting<boolean> => ({
  about,
  fallback,
  read(value) {
    if (value !== 'on' && value !== 'off') throw new Error(`must be on or off, not "${value}"`)
    return value === 'on'
  },
})

/** One of a few words, which its sentence in `.env.example` lists too. */
export const choice = <const Word extends string>(
  about: string,
  words: readonly Word[],
  fallback: Word,
): Setting<Word> => ({
  about: `${about}; one of ${words.join(', ')}`,
  fallback,
  read(value) {
    const word = words.find((each) => each === value)
    if (word === undefined) throw new Error(`must be one of ${words.join(', ')}, not "${value}"`)
    return word
  },
})

export const url = (about: string, fallback?: string): Setting<string> => ({
  about,
  ...(fallback !== undefined && { fallback }),
  read(value) {
    // It is not repeated in the message: there may be a password in it.
    if (!/^(https?|postgres(ql)?):$/.test(URL.parse(value)?.protocol ?? '')) throw new Error('must be a URL')
    return value.replace(/\/$/, '')
  },
})
