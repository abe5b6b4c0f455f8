// Generates help texts from the commands.

import { styleText } from 'node:util'
import { sentenceOf } from '@lendloom/foundation/text'
import { type Command, type CommandTree, type Option, table } from './command.ts'

export type Summaries<Load> = Record<string, { summary: string; load: Load }>

export function overview(commands: Summaries<unknown>): string {
  const rows = Object.entries(commands).map(([name, { summary: about }]) => ({ name, about }))
  return [
    'Lendloom, the lending platform between apps that offer credit and lenders on the open credit network.',
    '',
    heading('Usage'),
    '  lendloom <command> [options]',
    '',
    heading('Commands'),
    indented(rows),
    '',
    'Help on a command: lendloom help <command>. Exit codes: 0 success, 1 failure, 2 wrong usage.',
  ].join('\n')
}

export function helpFor(subject: Command | CommandTree, common: Record<string, Option & { short?: string }>): string {
  if ('commands' in subject) {
    const lines = subject.commands.flatMap((each) => [
      `  lendloom ${each.name} ${'usage' in each ? each.usage : '<command>'}`.trimEnd(),
      `      ${each.summary}`,
    ])
    const helpHint = `Help on a command: lendloom help ${subject.name} <command>.`
    return [sentenceOf(subject.summary), '', heading('Commands'), ...lines, '', helpHint].join('\n')
  }
  const options = Object.entries<Option & { short?: string }>({ ...subject.options, ...common })
  const rows = options.map(([name, { short, value, type, about }]) => ({
    name: `${short ? `-${short}, ` : ''}--${name}${type === 'string' ? ` <${value ?? 'text'}>` : ''}`,
    about,
  }))
  return [
    sentenceOf(subject.summary),
    '',
    heading('Usage'),
    `  lendloom ${subject.name} ${subject.usage}`.trimEnd(),
    '',
    ...argumentLines(subject),
    heading('Options'),
    indented(rows),
  ].join('\n')
}

const argumentLines = ({ args = [] }: Command): string[] =>
  args.length === 0
    ? []
    : [heading('Arguments'), indented(args.map(({ name, about }) => ({ name: `<${name}>`, about }))), '']

const heading = (text: string): string => styleText('bold', text)
const indented = (rows: { name: string; about: string }[]): string =>
  table(rows, [
    { head: '', of: ({ name }) => `  ${name}` },
    { head: '', of: ({ about }) => about },
  ]).slice(1)
