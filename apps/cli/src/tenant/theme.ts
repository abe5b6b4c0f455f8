// `lendloom tenant theme`: the theme of an application's hosted page.

import { readFileSync } from 'node:fs'
import { codeOf } from '@lendloom/foundation/thrown'
import type { ContrastView, ThemeView } from '@lendloom/wire/console/theme'
import { CannotRun, requireOption, table } from '#cli/command.ts'
import { consoleCommand } from '#cli/console/ask.ts'
import { tenantQuery } from '#cli/console/words.ts'

const ofApplication = {
  tenant: { type: 'string', value: 'tenantId', about: 'tenant of the application' },
  application: { type: 'string', value: 'applicationId', about: 'the application' },
} as const
const route = 'GET /developers/applications/{applicationId}/theme'

interface ThemeOwner {
  application?: string | undefined
  tenant?: string | undefined
}
const themeRequest = (options: ThemeOwner) => ({
  params: { applicationId: requireOption(options.application, 'application') },
  query: tenantQuery(options),
})

const contrastLabels: Record<ContrastView['what'], string> = {
  WORDS: 'links and headings',
  BUTTON: 'text on a button',
  EDGE: 'edge of a button',
}

const themeText = ({ isOwn, name, accent, corner, font, logo, contrasts }: ThemeView): string =>
  [
    `theme   ${isOwn ? 'its own' : 'the default'}`,
    `name    ${name}`,
    `accent  ${accent}`,
    `corner  ${corner}`,
    `font    ${font}`,
    `logo    ${logo?.url ?? 'none'}`,
    '',
    table(contrasts, [
      { head: 'CONTRAST', of: ({ what }) => contrastLabels[what] },
      { head: 'PAGE', of: ({ tone }) => tone },
      { head: 'COLOUR', of: ({ colour }) => colour },
      { head: 'BACKGROUND', of: ({ on }) => on },
      { head: 'RATIO', of: ({ contrast }) => contrast },
      { head: 'MINIMUM', of: ({ needed }) => needed },
    ]),
  ].join('\n')

export const showTheme = consoleCommand({
  name: 'tenant theme',
  summary: 'show the theme of an application’s page, with the contrasts of its colours',
  usage: '--tenant <tenantId> --application <applicationId>',
  options: ofApplication,
  route,
  input: ({ options }) => themeRequest(options),
  text: themeText,
})

export const setTheme = consoleCommand({
  name: 'tenant set-theme',
  summary: 'set the theme of an application’s page',
  usage:
    '--tenant <tenantId> --application <applicationId> --name <name> --accent <colour> [--corner <corner>] [--font <font>] [--logo <file> | --no-logo]',
  options: {
    ...ofApplication,
    name: { type: 'string', value: 'name', about: 'name on the page, at most 30 characters' },
    accent: { type: 'string', value: 'colour', about: 'accent colour, such as #1f4f8f' },
    corner: { type: 'string', value: 'corner', about: 'shape of corners: square, soft or round (default: soft)' },
    font: {
      type: 'string',
      value: 'font',
      about: 'font family: system, humanist, rounded, serif or mono (default: system)',
    },
    logo: { type: 'string', value: 'file', about: 'logo: a PNG, SVG or WebP file of at most 100 kB' },
    'no-logo': { type: 'boolean', about: 'remove the logo (default: keep it)' },
  } as const,
  route: 'PUT /developers/applications/{applicationId}/theme',
  input: ({ options }) => ({
    ...themeRequest(options),
    body: {
      name: requireOption(options.name, 'name'),
      accent: requireOption(options.accent, 'accent'),
      corner: options.corner ?? 'soft',
      font: options.font ?? 'system',
      ...(options.logo !== undefined && { logo: base64Of(options.logo) }),
      ...(options['no-logo'] && { logo: null }),
    },
  }),
  text: themeText,
})

function base64Of(path: string): string {
  try {
    return readFileSync(path, 'base64')
  } catch (error) {
    throw new CannotRun(`${path} cannot be read: ${codeOf(error) ?? 'not a file'}`)
  }
}

export const resetTheme = consoleCommand({
  name: 'tenant reset-theme',
  summary: 'reset the theme of an application’s page to the default',
  usage: '--tenant <tenantId> --application <applicationId>',
  options: ofApplication,
  route: 'DELETE /developers/applications/{applicationId}/theme',
  input: ({ options }) => themeRequest(options),
  text: themeText,
})
