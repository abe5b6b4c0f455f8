// Checks whether a page can embed the hosted journey: its origin against the allowed list, its headers against a
// frame's needs.
import type { EmbedFinding } from '#contract/console/lists.ts'

export interface EmbedCheckFinding {
  code: EmbedFinding
  isFine: boolean
  /** The value found in the page's headers. */
  about: string | null
}

/** A page's response, or the reason why there is none. */
export type PageAnswer = { status: number; headers: Record<string, string | string[] | undefined> } | string

interface EmbedCheckInput {
  page: URL
  allowed: string[]
  /** The frame's address. */
  frameUrl: string
  answer: PageAnswer
}

export function embedFindings({ page, allowed, frameUrl, answer }: EmbedCheckInput): EmbedCheckFinding[] {
  const isAllowed = allowed.some((origin) => fits(origin, page))
  const isHttps = page.protocol === 'https:'
  const isSecure = isHttps || isThisMachine(page.hostname)
  const known: EmbedCheckFinding[] = [
    { code: 'allowed', isFine: isAllowed, about: isAllowed ? null : page.origin },
    { code: 'secure', isFine: isSecure, about: isHttps ? null : page.protocol.slice(0, -1) },
  ]
  if (typeof answer === 'string') return [...known, { code: 'reachable', isFine: false, about: answer }]
  const { status } = answer
  const header = (name: string): string => [answer.headers[name] ?? []].flat().join(', ')
  return [
    ...known,
    { code: 'reachable', isFine: status < 400, about: status < 400 ? null : `HTTP ${status}` },
    framePolicy(header('content-security-policy'), frameUrl, page),
    permissions(header('permissions-policy'), frameUrl),
    embedderPolicy(header('cross-origin-embedder-policy')),
  ]
}

const isThisMachine = (host: string): boolean => host === 'localhost' || host === '127.0.0.1' || host === '[::1]'

/** The first directive that applies to frames; with several policies, all must allow the frame. */
function framePolicy(text: string, frameUrl: string, page: URL): EmbedCheckFinding {
  const deciding = text
    .split(',')
    .map((policy) => directiveOf(policy, ['frame-src', 'child-src', 'default-src']))
    .filter((directive) => directive !== null)
  const wrong = deciding.find((directive) => !directive.sources.some((source) => allows(source, frameUrl, page)))
  return { code: 'frame-policy', isFine: wrong === undefined, about: wrong?.text ?? null }
}

interface Directive {
  text: string
  sources: string[]
}

function directiveOf(policy: string, names: string[]): Directive | null {
  const directives = policy.split(';').map((each) => each.trim().split(/\s+/))
  for (const name of names) {
    const found = directives.find(([first]) => first?.toLowerCase() === name)
    if (found) return { text: found.join(' '), sources: found.slice(1) }
  }
  return null
}

function allows(source: string, frameUrl: string, page: URL): boolean {
  const frame = new URL(frameUrl)
  if (source === '*') return true
  if (source === "'self'") return frame.origin === page.origin
  if (/^[a-z][a-z\d+.-]*:$/i.test(source)) return frame.protocol === source.toLowerCase()
  return fits(source, frame)
}

/**
 * Matches a source of a policy, or one of our origins, which may have `*` as its port or the first label of its host.
 */
function fits(source: string, url: URL): boolean {
  const match = /^(?:([a-z][a-z\d+.-]*):\/\/)?(\*\.)?([^/:]+)(?::(\*|\d+))?(?:\/.*)?$/i.exec(source)
  if (!match) return false
  const [, scheme, wildcard, host = '', port] = match
  if (scheme !== undefined && `${scheme.toLowerCase()}:` !== url.protocol) return false
  if (wildcard ? !url.hostname.endsWith(`.${host.toLowerCase()}`) : url.hostname !== host.toLowerCase()) return false
  if (port === '*') return true
  const usual = url.protocol === 'https:' ? '443' : '80'
  return (port ?? usual) === (url.port || usual)
}

/** A feature that the policy omits is granted to frames; an empty list denies it. */
function permissions(text: string, frameUrl: string): EmbedCheckFinding {
  const { origin } = new URL(frameUrl)
  const off = ['camera', 'microphone'].flatMap((feature) => {
    const match = new RegExp(`(?:^|,)\\s*${feature}\\s*=\\s*(\\*|\\([^)]*\\)|[^,\\s]+)`).exec(text)
    const list = match?.[1]
    return list === undefined || list === '*' || list.includes('*') || list.includes(origin)
      ? []
      : [`${feature}=${list}`]
  })
  return { code: 'permissions', isFine: off.length === 0, about: off.length === 0 ? null : off.join(', ') }
}

/**
 * Our page sends `require-corp` and may be embedded across origins, so it satisfies any embedder policy; an unknown
 * value is reported.
 */
function embedderPolicy(text: string): EmbedCheckFinding {
  const value = text.split(';')[0]?.trim().toLowerCase() ?? ''
  const isFine = ['', 'unsafe-none', 'require-corp', 'credentialless'].includes(value)
  return { code: 'embedder-policy', isFine, about: isFine ? null : value }
}
