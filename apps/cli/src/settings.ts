// `lendloom settings`: all settings of the environment; `.env.example` is its output.

import type { Settings } from '@lendloom/foundation/config'
import { capitalize } from '@lendloom/foundation/text'
import { settings as partner } from '@lendloom/partner/settings'
import { settings as platform } from '@lendloom/platform/settings'
import { settings as sandbox } from '@lendloom/sandbox/settings'
import { command } from './command.ts'
import { settings as launcher } from './start/settings.ts'

const chapters: [string, Settings][] = [
  ['Settings of npm start, which derives the settings of the programs from them', launcher],
  ['The platform', platform],
  ['The lending partner', partner],
  ['The sandbox', sandbox],
]

export interface SettingDoc {
  name: string
  about: string
  fallback: string | null
  secret: boolean
}

/** Lists each setting once, in the first chapter that contains it. */
export function documented(): { title: string; settings: SettingDoc[] }[] {
  const seen = new Set<string>()
  return chapters.map(([title, settings]) => ({
    title,
    settings: Object.entries(settings)
      .filter(([name]) => !seen.has(name) && seen.add(name))
      .map(([name, { about, fallback = null, secret = false }]) => ({ name, about, fallback, secret })),
  }))
}

/** The text of `.env.example`: each setting with its description, commented out with its default. */
export function envExample(): string {
  const text = documented().map(({ title, settings }) =>
    [
      `# ${title}`,
      ...settings.map(
        ({ name, about, fallback, secret }) =>
          `\n# ${capitalize(about)}${secret ? ' (secret)' : ''}\n#${name}=${fallback ?? ''}`,
      ),
    ].join('\n'),
  )
  return [
    '# Copy this file to .env and remove the # before each setting that you change. Variables of the environment take precedence.\n# A secret may be in a file instead: NAME_FILE names the file of NAME.',
    ...text,
  ].join('\n\n\n')
}

export const settings = command({
  name: 'settings',
  summary: 'list all settings of the environment',
  usage: '',
  options: {},
  run: async () => ({ text: envExample(), data: documented().flatMap((chapter) => chapter.settings) }),
})
