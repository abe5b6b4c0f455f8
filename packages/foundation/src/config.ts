// Reads all settings from the environment and validates them at the start. Each error names the setting and the rule.

import { readFileSync, statSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { ownValue } from './record.ts'
import { messageOf } from './thrown.ts'

export interface Setting<T> {
  /** The purpose, in one sentence, for `--help` and `.env.example`. */
  about: string
  fallback?: string
  secret?: boolean
  read(text: string): T
  /** The settings that get their defaults from this one. It may be in a file, as a secret. */
  derived?: DerivedSettings
}

export interface DerivedSettings {
  names: readonly string[]
  fields?: readonly string[]
  /** The defaults by name, from the valid text of the deriving setting. */
  defaultsFrom(text: string): Record<string, string>
}

export type Settings = Record<string, Setting<unknown>>
export type Config<S extends Settings> = { readonly [Name in keyof S]: ReturnType<S[Name]['read']> }

const maxSecretFileBytes = 64 * 1024

/**
 * Returns a secret: the value of its variable, or the text of the file `<name>_FILE`, without byte order mark
 * and final white space. Undefined if both are unset or empty. Throws `ConfigError` if both are set, or if the file is
 * empty, unreadable, too large or no regular file.
 */
export function secretText(env: Record<string, string | undefined>, name: string): string | undefined {
  const file = ownValue(env, `${name}_FILE`)
  const text = ownValue(env, name) || undefined
  if (!file) return text
  if (text !== undefined) throw new ConfigError(`${name} and ${name}_FILE are both set; set only one of them`)
  try {
    const stat = statSync(file)
    if (!stat.isFile()) throw new Error('it is not a regular file')
    if (stat.size > maxSecretFileBytes) throw new Error(`it has more than ${maxSecretFileBytes} bytes`)
    const secret = readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .trimEnd()
    if (secret === '') throw new Error('it is empty')
    return secret
  } catch (error) {
    throw new ConfigError(`${name} cannot be read from the file of ${name}_FILE: ${messageOf(error)}`)
  }
}

/** Returns `env` with the values of these secrets, also those in files, and without the `_FILE` variables. */
export function withSecrets(
  env: Record<string, string | undefined>,
  names: readonly string[],
): Record<string, string | undefined> {
  const files = names.map((name) => `${name}_FILE`)
  const others = Object.entries(env).filter(([name]) => !files.includes(name))
  return { ...Object.fromEntries(others), ...Object.fromEntries(names.map((name) => [name, secretText(env, name)])) }
}

/** As `readSettings`, but throws one `ConfigError` that lists all faults. */
export function configFrom<S extends Settings>(...args: Parameters<typeof readSettings<S>>): Config<S> {
  const { config, faults } = readSettings(...args)
  if (faults.length > 0) throw new ConfigError(`configuration:\n  ${faults.join('\n  ')}`)
  return config
}

/**
 * Reads every setting from `env`, and secrets also from files. `faults` has a message for each missing or invalid
 * setting, which begins with its name, and those that `findFaults` finds in the valid ones; with one, `config` is
 * incomplete. A setting whose value derives from an invalid one is left out.
 */
export function readSettings<S extends Settings>(
  settings: S,
  env: Record<string, string | undefined>,
  findFaults: (config: Partial<Config<S>>) => string[] = () => [],
): { config: Config<S>; faults: string[] } {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  const derivedTexts: Record<string, string> = {}
  const unknownNames = new Set<string>()
  for (const [name, { about, fallback, secret: isSecret, read, derived }] of derivingFirst(settings)) {
    try {
      const ownText = isSecret || derived ? secretText(env, name) : ownValue(env, name)
      if (!ownText && unknownNames.has(name)) continue
      const text = ownText || ownValue(derivedTexts, name) || fallback
      if (text === undefined) faults.push(`${name} is not set: ${about}`)
      else {
        values[name] = read(text)
        Object.assign(derivedTexts, derived?.defaultsFrom(text))
      }
    } catch (error) {
      faults.push(error instanceof ConfigError ? error.message : `${name} ${messageOf(error)}`)
      for (const each of derived?.names ?? []) unknownNames.add(each)
    }
  }
  const config = values as Config<S>
  faults.push(...findFaults(config))
  return { config, faults }
}

const derivingFirst = (settings: Settings): [name: string, setting: Setting<unknown>][] =>
  Object.entries(settings).sort(([, a], [, b]) => Number(b.derived !== undefined) - Number(a.derived !== undefined))

export class ConfigError extends Error {}

/** Returns those of the named settings whose value is the default. */
export const settingsAtDefault = <Name extends string>(
  settings: Readonly<Record<Name, Setting<unknown>>>,
  config: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
): string[] =>
  names.filter((name) => {
    const { fallback, read } = settings[name]
    return fallback !== undefined && config[name] === read(fallback)
  })

/** Returns the setting from which a setting derives, or its own name. */
export const derivingName = (settings: Settings, name: string): string =>
  Object.keys(settings).find((each) => settings[each]?.derived?.names.includes(name)) ?? name

/** Returns a message for each of the named settings that has the sandbox's value, which is its default. */
export function sandboxValueFaults<Name extends string>(
  settings: Readonly<Record<Name, Setting<unknown>>> & Settings,
  config: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
): string[] {
  const byDerivingName = Object.groupBy(settingsAtDefault(settings, config, names), (name) =>
    derivingName(settings, name),
  )
  return Object.entries(byDerivingName).map(([name, parts = []]) =>
    parts[0] === name
      ? `${name} still has the sandbox's value`
      : `${name} is not set; without it, ${parts.join(', ')} still have the sandbox's values`,
  )
}

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

export const number = (about: string, fallback: number, min = 0, max = Number.MAX_SAFE_INTEGER): Setting<number> => ({
  about,
  fallback: String(fallback),
  read(value) {
    const amount = /^-?\d+$/.test(value) ? Number(value) : Number.NaN
    if (!(amount >= min && amount <= max))
      throw new Error(`must be a whole number from ${min} to ${max}, not "${value}"`)
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

/** A setting with a fixed list of words, which are appended to `about`. */
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

/** The URL of a database, which contains its password. */
export const databaseUrl = (about: string): Setting<string> => ({
  ...url(about),
  secret: true,
  read(value) {
    if (!/^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? '')) throw new Error('must be a URL postgres://…')
    return value
  },
})

export const url = (about: string, fallback?: string): Setting<string> => ({
  about,
  ...(fallback !== undefined && { fallback }),
  read(value) {
    // The message does not repeat the value, which may contain a password.
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
    const invalid = all.find((each) => !isNetwork(each))
    if (invalid !== undefined) throw new Error(`must be IP addresses or networks such as 10.0.0.0/8, not "${invalid}"`)
    return all
  },
})

/** Whether a text is an IP address, or a network such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const max = isIP(address) === 4 ? 32 : 128
  return (
    isIP(address) !== 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= max))
  )
}

/** Whether an address is in one of the networks; `::ffff:10.0.0.1` counts as `10.0.0.1`. */
export function isWithin(address: string, networks: readonly string[]): boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [start = '', bits] = network.split('/')
    const family = isIP(start) === 4 ? 'ipv4' : 'ipv6'
    // An address without a prefix length is a network of one address.
    const wholeAddress = family === 'ipv4' ? 32 : 128
    list.addSubnet(start, bits === undefined ? wholeAddress : Number(bits), family)
  }
  const unmapped = address.replace(/^::ffff:(?=\d+\.)/i, '')
  const family = isIP(unmapped)
  return family !== 0 && list.check(unmapped, family === 4 ? 'ipv4' : 'ipv6')
}
