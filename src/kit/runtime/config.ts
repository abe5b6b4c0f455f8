// Configuration from the environment, checked completely at the start; each error names the setting and the rule.

import { BlockList, isIP } from 'node:net'
import { messageOf, ownValue } from './record.ts'

export interface Setting<T> {
  /** The purpose, in one sentence: printed by `--help` and written into .env.example. */
  about: string
  fallback?: string
  secret?: boolean
  read(text: string): T
}

export type Settings = Record<string, Setting<unknown>>
export type Config<S extends Settings> = { readonly [Name in keyof S]: ReturnType<S[Name]['read']> }

/**
 * Reads every setting from `env`. Throws one error that lists everything wrong or missing, and what `also` finds wrong with
 * the values that could be read.
 */
export function configFrom<S extends Settings>(
  settings: S,
  env: Record<string, string | undefined>,
  also: (config: Partial<Config<S>>) => string[] = () => [],
): Config<S> {
  const wrong: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, { about, fallback, read }] of Object.entries(settings)) {
    const text = ownValue(env, name) || fallback
    if (text === undefined) {
      wrong.push(`${name} is not set: ${about}`)
      continue
    }
    try {
      values[name] = read(text)
    } catch (error) {
      wrong.push(`${name} ${messageOf(error)}`)
    }
  }
  const config = values as Config<S>
  wrong.push(...also(config))
  if (wrong.length > 0) throw new ConfigError(`configuration:\n  ${wrong.join('\n  ')}`)
  return config
}

export class ConfigError extends Error {}

/** Which of the named settings have their default value. */
export const settingsAtDefault = <Name extends string>(
  settings: Readonly<Record<Name, Setting<unknown>>>,
  config: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
): string[] =>
  names.filter((name) => {
    const { fallback, read } = settings[name]
    return fallback !== undefined && config[name] === read(fallback)
  })

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

/** A port that something listens on, or `none`. */
export const portOrNone = (about: string, fallback = 'none'): Setting<number | null> => ({
  about,
  fallback,
  read(value) {
    if (value === 'none') return null
    if (!/^\d{1,5}$/.test(value) || Number(value) < 1 || Number(value) > 65_535)
      throw new Error(`must be a whole number from 1 to 65535, or none, not "${value}"`)
    return Number(value)
  },
})

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

/** IP addresses and networks (`10.0.0.0/8`), separated by commas. */
export const networks = (about: string): Setting<string[]> => ({
  about,
  fallback: '',
  read(value) {
    const all = value.split(',').flatMap((each) => each.trim() || [])
    const wrong = all.find((each) => !isNetwork(each))
    if (wrong !== undefined) throw new Error(`must be IP addresses or networks such as 10.0.0.0/8, not "${wrong}"`)
    return all
  },
})

/** An address, or a network as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const most = isIP(address) === 4 ? 32 : 128
  return (
    isIP(address) !== 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  )
}

/** Whether an address is in one of the networks; an IPv4 address is the same however it is written. */
export function isWithin(address: string, networks: readonly string[]): boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [start = '', bits] = network.split('/')
    const family = isIP(start) === 4 ? 'ipv4' : 'ipv6'
    list.addSubnet(start, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family)
  }
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  const family = isIP(plain)
  return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6')
}
