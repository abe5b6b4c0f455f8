// The gate of every operation: which kind of credential opens it. An operation without a gate fails the proof.
import type { KeyScope } from '@lendloom/platform/src/integrators/access/api-key.ts'
import type { ApiOperation } from './operations.ts'

export const gates = [
  'api key',
  'headless session',
  'refresh token',
  'embed session',
  'console',
  'own console account',
  'desk',
  'own desk account',
  'platform at the partner',
  'partner at the platform',
  'network signature',
  'provider signature',
  'link',
  'bank client',
  'provider client',
  'sandbox',
  'public',
] as const
export type Gate = (typeof gates)[number]

/** By the security scheme of the route. */
const bySchemes: Record<string, Gate> = {
  apiKey: 'api key',
  sessionToken: 'headless session',
  refreshToken: 'refresh token',
  embedSession: 'embed session',
  bank: 'bank client',
  kyc: 'provider client',
  mandate: 'provider client',
  esign: 'provider client',
  statement: 'provider client',
  bureau: 'provider client',
  sms: 'provider client',
}

/** Operations whose route declares no scheme, in order: the first match counts. */
const byNames: [pattern: RegExp, gate: Gate][] = [
  [/^sandbox /, 'sandbox'],
  [/^platform POST \/ondc\/on_(?!subscribe)\w+$/, 'network signature'],
  [/^platform POST \/ondc\/on_subscribe$/, 'public'],
  [/^platform GET \/ondc(\/terms|\/callback|-site-verification\.html)$/, 'public'],
  [/^platform POST \/api\/provider\/[\w/-]+\/callback$/, 'provider signature'],
  [/^platform (GET|POST) \/.*\{token\}(\/[\w-]+)?$/, 'link'],
  [/^partner GET \/offers\/\{token\}\/[\w.-]+$/, 'link'],
  [/^partner (GET|POST) \/desk\/password\/\{token\}$/, 'link'],
  [/^platform GET \/aa\/return$/, 'link'],
  [/^platform POST \/api\/embed\/session$/, 'link'],
  [/^platform (GET|POST) \/api\/console\/(sign-in|invitations)(\/.*)?$/, 'public'],
  [
    /^platform \w+ \/api\/console\/(me|sign-out|password|totp|sessions|passkeys|linked-accounts)(\/.*)?$/,
    'own console account',
  ],
  [/^platform \w+ \/api\/console\/developers\/sandbox\/clock$/, 'own console account'],
  [/^platform \w+ \/api\/console\//, 'console'],
  [/^platform GET \/(lab|sdk|console|openapi|docs|demo)(\/|$)/, 'public'],
  [/^platform POST \/demo\/(session|webhook)$/, 'public'],
  [/^platform GET \/api\/partner\/(openapi|signature-vectors)\.json$/, 'public'],
  [/^partner \w+ \/desk\/(sign-in.*|desk\.css|)$/, 'public'],
  [/^partner \w+ \/desk\/(me.*|sign-out)$/, 'own desk account'],
  [/^partner \w+ \/desk(\/|$)/, 'desk'],
  [/^\w+ GET \/(favicon\.ico|healthz|readyz|metrics|openapi\.json|signature-vectors\.json)?$/, 'public'],
]

/** Throws for an operation that no rule covers. */
export function gateOf({ name, program, route }: Pick<ApiOperation, 'name' | 'program' | 'route'>): Gate {
  const { scheme } = route.auth
  if (scheme === 'partnerBearer') return program === 'partner' ? 'platform at the partner' : 'partner at the platform'
  const gate = scheme === null ? byNames.find(([pattern]) => pattern.test(name))?.[1] : bySchemes[scheme]
  if (!gate) throw new Error(`${name} has no gate: add it to proofs/api/gates.ts`)
  return gate
}

/** The scope that a key needs for an operation. */
export const scopeOf = (path: string): KeyScope =>
  /^\/api\/lab\/(?:webhook|events|loan-event)/.test(path)
    ? 'webhooks'
    : path.startsWith('/api/sandbox')
      ? 'sandbox'
      : 'sessions'
