// `lendloom settings`: everything that can be set in the environment; `.env.example` is what it prints.
import type { Settings } from '#kit/runtime/config.ts'
import { settings as partner } from '#partner/settings.ts'
import { settings as platform } from '#platform/settings.ts'
import { settings as sandbox } from '#sandbox/settings.ts'
import { command } from './command.ts'
import { settings as launcher } from './start/settings.ts'

const chapters: [string, Settings][] = [
  ['What npm start reads; it tells the programs the rest', launcher],
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

/** Every setting once, in the first chapter that has it. */
export function documented(): { title: string; settings: SettingDoc[] }[] {
  const seen = new Set<string>()
  return chapters.map(([title, settings]) => ({
    title,
    settings: Object.entries(settings)
      .filter(([name]) => !seen.has(name) && seen.add(name))
      .map(([name, { about, fallback = null, secret = false }]) => ({ name, about, fallback, secret })),
  }))
}

/** The text of `.env.example`: every setting with what it is for, commented out at its default. */
export function envExample(): string {
  const text = documented().map(({ title, settings }) =>
    [
      `# ${title}`,
      ...settings.map(
        ({ name, about, fallback }) =>
          `\n# ${about.charAt(0).toUpperCase()}${about.slice(1)}\n#${name}=${fallback ?? ''}`,
      ),
    ].join('\n'),
  )
  return [
    '# Copy this to .env and take away the # before what you want to change. The environment itself wins over this file.',
    ...text,
  ].join('\n\n\n')
}

export const settings = command({
  name: 'settings',
  summary: 'list everything that can be set in the environment',
  usage: '',
  options: {},
  run: async () => ({ text: envExample(), data: { settings: documented().flatMap((chapter) => chapter.settings) } }),
})
