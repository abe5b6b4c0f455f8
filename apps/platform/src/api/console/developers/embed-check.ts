// Checks whether a page can embed the hosted journey: whether its origin is allowed and its headers permit the frame.
import type { EmbedFinding } from '@lendloom/wire/console/lists'

export interface EmbedCheckFinding {
  code: EmbedFinding
  isFine: boolean
  /** The value that decided the finding, such as a directive of a header; null when there is nothing to report. */
  about: string | null
}

/** A page's response, or the reason why there is none. */
export type PageAnswer = { status: number; headers: Record<string, string | string[] | undefined> } | string

interface EmbedCheckInput {
  page: URL
  allowedOrigins: string[]
  frameUrl: string
  answer: PageAnswer
}

/** Returns a finding for each condition; if the page did not answer, only those about its address. */
export function checkEmbedding({ page, allowedOrigins, frameUrl, answer }: EmbedCheckInput): EmbedCheckFinding[] {
  const isAllowed = allowedOrigins.some((origin) => matchesSource(origin, page))
  const isHttps = page.protocol === 'https:'
  const isSecure = isHttps || isLoopback(page.hostname)
  const originFindings: EmbedCheckFinding[] = [
    { code: 'allowed', isFine: isAllowed, about: isAllowed ? null : page.origin },
    { code: 'secure', isFine: isSecure, about: isHttps ? null : page.protocol.slice(0, -1) },
  ]
  if (typeof answer === 'string') return [...originFindings, { code: 'reachable', isFine: false, about: answer }]
  const { status } = answer
  const header = (name: string): string => [answer.headers[name] ?? []].flat().join(', ')
  return [
    ...originFindings,
    { code: 'reachable', isFine: status < 400, about: status < 400 ? null : `HTTP ${status}` },
    checkFramePolicy(header('content-security-policy'), frameUrl, page),
    checkPermissions(header('permissions-policy'), frameUrl),
    checkEmbedderPolicy(header('cross-origin-embedder-policy')),
  ]
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '127.0.0.1' || host === '[::1]'

/** Every policy must allow the frame. The most specific directive of a policy decides. */
function checkFramePolicy(text: string, frameUrl: string, page: URL): EmbedCheckFinding {
  const directives = text
    .split(',')
    .map((policy) => directiveOf(policy, ['frame-src', 'child-src', 'default-src']))
    .filter((directive) => directive !== null)
  const blocking = directives.find(
    (directive) => !directive.sources.some((source) => allowsFrame(source, frameUrl, page)),
  )
  return { code: 'frame-policy', isFine: blocking === undefined, about: blocking?.text ?? null }
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

function allowsFrame(source: string, frameUrl: string, page: URL): boolean {
  const frame = new URL(frameUrl)
  if (source === '*') return true
  if (source === "'self'") return frame.origin === page.origin
  if (/^[a-z][a-z\d+.-]*:$/i.test(source)) return frame.protocol === source.toLowerCase()
  return matchesSource(source, frame)
}

/** Matches a policy source or an allowed origin; the port or the first host label may be `*`. */
function matchesSource(source: string, url: URL): boolean {
  const match = /^(?:([a-z][a-z\d+.-]*):\/\/)?(\*\.)?([^/:]+)(?::(\*|\d+))?(?:\/.*)?$/i.exec(source)
  if (!match) return false
  const [, scheme, wildcard, host = '', port] = match
  if (scheme !== undefined && `${scheme.toLowerCase()}:` !== url.protocol) return false
  if (wildcard ? !url.hostname.endsWith(`.${host.toLowerCase()}`) : url.hostname !== host.toLowerCase()) return false
  if (port === '*') return true
  const defaultPort = url.protocol === 'https:' ? '443' : '80'
  return (port ?? defaultPort) === (url.port || defaultPort)
}

/** A frame may use a feature that the policy omits. A list without the frame's origin denies the feature. */
function checkPermissions(text: string, frameUrl: string): EmbedCheckFinding {
  const { origin } = new URL(frameUrl)
  const denied = ['camera', 'microphone'].flatMap((feature) => {
    const match = new RegExp(`(?:^|,)\\s*${feature}\\s*=\\s*(\\*|\\([^)]*\\)|[^,\\s]+)`).exec(text)
    const allowlist = match?.[1]
    return allowlist === undefined || allowlist === '*' || allowlist.includes('*') || allowlist.includes(origin)
      ? []
      : [`${feature}=${allowlist}`]
  })
  return { code: 'permissions', isFine: denied.length === 0, about: denied.length === 0 ? null : denied.join(', ') }
}

/** Our page sends `require-corp` and permits cross-origin use, which satisfies each of these policies. */
function checkEmbedderPolicy(text: string): EmbedCheckFinding {
  const value = text.split(';')[0]?.trim().toLowerCase() ?? ''
  const isFine = ['', 'unsafe-none', 'require-corp', 'credentialless'].includes(value)
  return { code: 'embedder-policy', isFine, about: isFine ? null : value }
}
