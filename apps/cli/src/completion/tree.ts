// The tree of all commands for completion: the words that may follow each word, with descriptions.

import type { Command, CommandTree, Option } from '#cli/command.ts'
import type { Summaries } from '#cli/help.ts'

export interface Word {
  word: string
  about: string
}

/** A position in a command line after `lendloom`, with the words and options that may follow. */
export interface CommandLinePosition {
  /** The words before the position, such as `webhook replays`; empty at the root. */
  path: string
  /** The words that may follow; empty after a command. */
  words: Word[]
  /** The options that may follow, with two dashes. */
  options: (Word & OptionValue)[]
}

interface OptionValue {
  /** The kind of value that the option takes, or the allowed words. */
  takes: 'nothing' | 'text' | 'file' | readonly string[]
}

/** All commands of `lendloom`, and the options that each of them has. */
export interface CommandIndex {
  commands: Summaries<() => Promise<AnyCommand | CommandTree>>
  common: Record<string, Option>
}

/** Loads all commands, and returns all positions, the root first. */
export async function places({ commands, common }: CommandIndex): Promise<CommandLinePosition[]> {
  const loaded = await Promise.all(
    Object.entries(commands).map(async ([name, { summary, load }]) => ({ name, summary, found: await load() })),
  )
  const words = loaded.map(({ name, summary }) => ({ word: name, about: summary }))
  const help = { word: 'help', about: 'explain a command' }
  return [
    { path: '', words: [...words, help], options: optionsOf(common) },
    ...loaded.flatMap(({ found }) => placesIn(found, common)),
  ]
}

/** The names of all runnable commands, such as `key create`. */
export const commandNames = async (known: CommandIndex): Promise<string[]> =>
  (await places(known)).filter(({ words }) => words.length === 0).map(({ path }) => path)

// biome-ignore lint/suspicious/noExplicitAny: commands with every set of options
type AnyCommand = Command<any>

function placesIn(found: AnyCommand | CommandTree, common: CommandIndex['common']): CommandLinePosition[] {
  if (!('commands' in found))
    return [{ path: found.name, words: [], options: optionsOf({ ...found.options, ...common }) }]
  const words = found.commands.map(({ name, summary }) => ({ word: name.slice(found.name.length + 1), about: summary }))
  return [
    { path: found.name, words, options: optionsOf(common) },
    ...found.commands.flatMap((each) => placesIn(each, common)),
  ]
}

const optionsOf = (options: Record<string, Option>): CommandLinePosition['options'] =>
  Object.entries<Option>(options).map(([name, option]) => ({
    word: `--${name}`,
    about: option.about,
    takes: takenBy(option),
  }))

function takenBy({ type, value = '' }: Option): OptionValue['takes'] {
  if (type === 'boolean') return 'nothing'
  if (value === 'file') return 'file'
  return /^[\w.-]+(?:\|[\w.-]+)+$/.test(value) ? value.split('|') : 'text'
}
