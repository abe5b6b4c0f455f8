// The palette's entries besides areas and identifiers: pages within areas, and global commands.
import type { Area } from './area.ts'
import { go, to, toOf } from './router.ts'
import { chooseTenant, hasRole, isOfPlatform, me, signOut, tenantId } from './session.ts'
import { chooseTheme, themes } from './theme.ts'
import { assign } from './ui/assign.ts'
import { isHelpOpen } from './ui/keys.ts'

export interface PaletteChoice {
  /** Its unique key. */
  key: string
  text: string
  about: string
  /** Further search words. */
  words?: string
  run(): void
}

/** A page of the console as an entry. */
export const place = (text: string, about: string, href: string, words = ''): PaletteChoice => ({
  ...{ key: `${href} ${text}`, text, about, words },
  run: () => go(href),
})

/** A page's dialog, opened by its name in the address. */
const opening = (name: string, ...parts: string[]): string => {
  const href = to(...parts)
  return `${href}${href.includes('?') ? '&' : '?'}open=${name}`
}

interface PalettePage {
  path: readonly string[]
  name: string
  words?: string
  isShown?(): boolean
}

const isDeveloper = (): boolean => hasRole('developer', 'admin', 'operator')
const pages: PalettePage[] = [
  { path: ['webhooks'], name: 'Endpoints', words: 'pause test resume rotate secret add endpoint' },
  { path: ['webhooks', 'deliveries'], name: 'Deliveries', words: 'replay missed webhook' },
  { path: ['webhooks', 'replays'], name: 'Replays', words: 'replay send again' },
  { path: ['webhooks', 'signature'], name: 'Signature checker', words: 'verify hmac secret', isShown: isDeveloper },
  { path: ['webhooks', 'alerts'], name: 'Alerts', words: 'outages mail', isShown: isDeveloper },
  { path: ['lenders', 'events'], name: 'Partner events', words: 'outbox inbox gaps' },
  { path: ['lenders', 'files'], name: 'Partner files', words: 'documents' },
  {
    path: ['lenders', 'partners'],
    name: 'Lending partners',
    words: 'partner credentials keys',
    isShown: () => isOfPlatform.value,
  },
  {
    path: ['lenders', 'registry'],
    name: 'Registry',
    words: 'network keys ondc subscriber',
    isShown: () => isOfPlatform.value,
  },
  { path: ['grievances', 'officers'], name: 'Officers', words: 'nodal grievance' },
  { path: ['grievances', 'report'], name: 'Report', words: 'monthly complaints csv' },
  { path: ['mail', 'set-aside'], name: 'Set aside', words: 'incoming mail' },
  { path: ['developers'], name: 'API keys', words: 'scopes roll revoke' },
  { path: ['developers', 'requests'], name: 'Requests', words: 'api log' },
  { path: ['developers', 'embedding'], name: 'Embedding', words: 'origins iframe frame' },
  { path: ['developers', 'reference'], name: 'API reference', words: 'docs openapi' },
  {
    ...{ path: ['developers', 'sandbox'], name: 'Sandbox', words: 'clock time move begin journey scenario' },
    isShown: () => me.value?.sandbox === true,
  },
  { path: ['audit', 'sign-ins'], name: 'Failed sign-ins', isShown: () => hasRole('admin') },
]

function subPages(areas: Area[]): PaletteChoice[] {
  const names = new Map(areas.map(({ id, name }) => [id, name]))
  return pages
    .filter(({ path: [area = ''], isShown }) => names.has(area) && (isShown?.() ?? true))
    .map(({ path, name, words }) => place(name, names.get(path[0] ?? '') ?? '', to(...path), words))
}

const openers = [
  ['Create an API key', 'developers', 'new-key', 'new make', () => hasRole('developer', 'admin')],
  ['Invite a person', 'people', 'invite', 'add colleague member', () => hasRole('admin')],
] as const

function acts(areas: Area[]): PaletteChoice[] {
  const dialogs = openers
    .filter(([, area, , , isShown]) => isShown() && areas.some(({ id }) => id === area))
    .map(([text, area, name, words]) => place(text, 'Action', opening(name, area), words))
  const looks = themes.map(([id, name]) => ({
    ...{ key: `theme ${id}`, text: `Theme: ${name.toLowerCase()}`, about: 'Action', words: 'appearance colours mode' },
    run: () => chooseTheme(id),
  }))
  return [
    ...dialogs,
    ...looks,
    {
      ...{ key: 'help', text: 'Keyboard shortcuts', about: 'press ?', words: 'help keys' },
      run: () => assign(isHelpOpen, true),
    },
    { key: 'sign-out', text: 'Sign out', about: 'Action', words: 'log out leave', run: () => void signOut() },
  ]
}

/** Platform users select one tenant or all. */
function tenants(): PaletteChoice[] {
  if (!isOfPlatform.value) return []
  const all = [{ tenantId: '', name: 'all tenants' }, ...(me.value?.tenants ?? [])]
  return all
    .filter((each) => each.tenantId !== tenantId.value)
    .map((each) => ({
      ...{ key: `tenant ${each.tenantId}`, text: `Switch to ${each.name}`, about: 'Tenant', words: 'change tenant' },
      run: () => chooseTenant(each.tenantId),
    }))
}

export const commandsFor = (areas: Area[]): PaletteChoice[] => [...subPages(areas), ...acts(areas), ...tenants()]

/** Whether every typed word occurs in its text or search words. */
export const isMeant = ({ text, about, words = '' }: PaletteChoice, typed: string): boolean => {
  const whole = `${text} ${about} ${words}`.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word))
}

/** The page of a journey, with its tenant selected. */
export const ofItsTenant = (tenant: string, ...parts: string[]): string =>
  isOfPlatform.value ? toOf(tenant, ...parts) : to(...parts)
