// Finds the commands in documents that the command line does not have, or that show an option it does not have.
import { globSync, readFileSync } from 'node:fs'
import type { Command, CommandTree } from '@lendloom/cli/src/command.ts'
import { commands } from '@lendloom/cli/src/main.ts'

/** A command as a document shows it, such as `lendloom key list <tenantId>`. */
interface ShownCommand {
  /** `path:line`. */
  place: string
  text: string
}

const documents = '{*.md,docs/**/*.md,packages/*/README.md,.changeset/*.md}'

/** In code blocks and code spans. A span may leave out `lendloom`, where its first two words name a command. */
export function commandsIn(path: string, document: string): ShownCommand[] {
  let isCode = false
  return document.split('\n').flatMap((line, index) => {
    if (/^\s*```/.test(line)) isCode = !isCode
    const codes = isCode ? [line] : [...line.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span)
    return codes.flatMap((code) => {
      const [, named] = /(?:npx lendloom|^\s*lendloom) (?=[a-z])(.*?)(?: [#|&<>]+ |$)/.exec(code) ?? []
      const [, short] = isCode ? [] : (/^([a-z]+ [a-z-]+(?: .*)?)$/.exec(code) ?? [])
      const text = named ?? (short !== undefined && short.split(' ')[0]! in commands ? short : undefined)
      return text === undefined ? [] : [{ place: `${path}:${index + 1}`, text: text.trim() }]
    })
  })
}

/** Why a command cannot be run as shown; null for an existing command with existing options. */
export async function faultOf(text: string): Promise<string | null> {
  const [first = '', ...rest] = text.split(/\s+/)
  if (!(first in commands)) return first === 'help' ? null : `no command ${first}`
  let found: Command | CommandTree = await commands[first]!.load()
  while ('commands' in found) {
    const name: string = [found.name, rest.shift()].filter(Boolean).join(' ')
    if (!/ [a-z-]+$/.test(name) || name === found.name) return null
    const next: Command | CommandTree | undefined = found.commands.find((each) => each.name === name)
    if (!next) return `no command ${name}`
    found = next
  }
  const known = ['help', 'json', ...Object.keys(found.options)]
  const unknown = rest.flatMap((word) => /^\[?--([a-z-]+)/.exec(word)?.[1] ?? []).find((each) => !known.includes(each))
  return unknown === undefined ? null : `no option --${unknown} of ${found.name}`
}

/** Each command of a document that cannot be run as shown, as `path:line: reason`. */
export async function unknownCommands(): Promise<string[]> {
  const shown = globSync(documents).flatMap((path) => commandsIn(path, readFileSync(path, 'utf8')))
  const faults = await Promise.all(shown.map(async (each) => ({ ...each, fault: await faultOf(each.text) })))
  return faults.filter(({ fault }) => fault !== null).map(({ place, fault }) => `${place}: ${fault}`)
}
