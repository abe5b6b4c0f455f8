// Checks what the registry lists about us, by one signed look-up.

import { jsonIn } from '@lendloom/foundation/json'
import { required } from '@lendloom/foundation/required'
import { fits } from '@lendloom/foundation/schema'
import { isHostUnknown, UnreachableError } from '@lendloom/http/client'
import {
  authorizationHeader,
  callLookup,
  domainsOf,
  encryptionPublicKey,
  entryFault,
  identityOf,
  isValid,
  type NetworkContext,
  type OwnNetworkEntry,
  ownEntryFrom,
  ownKeyIn,
  participantsIn,
  periodWords,
} from '@lendloom/platform/operations/network'
import { Acknowledgement, type NetworkDomain, usualDomain } from '@lendloom/wire/network/context'
import { type Participant, verifySignature } from '@lendloom/wire/network/signing'
import {
  daysUntil,
  type Finding,
  failed,
  type HealthCheck,
  isExpiring,
  type NamedFinding,
  ok,
  runCheck,
  warnDays,
  warning,
} from '#cli/check.ts'

interface OwnLookup {
  finding: Finding
  /** Our entries; null if the registry answers without a list. */
  found: Participant[] | null
  clock: Finding | null
}

/** Checks the registry, then each part of our entry in it. */
export async function examineRegistry(ctx: NetworkContext): Promise<NamedFinding[]> {
  const { finding, found, clock } = await lookUpOwn(ctx)
  const findings: NamedFinding[] = [{ name: 'registry', ...finding }]
  if (clock) findings.push({ name: 'clock', ...clock })
  if (!found) return findings
  const own = ownEntryFrom(ctx, found, warnDays)
  findings.push({ name: 'entry', ...entryFinding(own, found) })
  for (const domain of domainsOf(ctx.config).filter((each) => each !== usualDomain))
    findings.push({ name: `entry in ${domain}`, ...(await furtherEntryFinding(ctx, own, domain)) })
  if (found.length === 0) return findings
  return [...findings, ...(await Promise.all(entryChecks(ctx, own, found).map(runCheck)))]
}

async function lookUpOwn(ctx: NetworkContext): Promise<OwnLookup> {
  const { NETWORK_REGISTRY_URL: url, NETWORK_SUBSCRIBER_ID: id } = ctx.config
  const sentAt = Date.now()
  try {
    const answer = await callLookup(ctx, { subscriber_id: id, domain: usualDomain }, 10_000)
    const tookMs = Date.now() - sentAt
    const found = participantsIn(answer)
    const date = Date.parse(String(answer.headers.date))
    const finding = found ? ok(`${url} answers in ${tookMs} ms`) : refusalFinding(url, answer)
    return { finding, found, clock: clockFinding(sentAt + tookMs / 2, date) }
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    const finding = failed(`${url} does not answer: ${error.message}`, 'check NETWORK_REGISTRY_URL and the firewall')
    return { finding, found: null, clock: null }
  }
}

function refusalFinding(url: string, { status, body }: { status: number; body: Buffer }): Finding {
  const reply = jsonIn(body)
  const error = fits(Acknowledgement, reply) ? reply.error : undefined
  const reason = error ? `: ${error.code} ${error.message ?? ''}` : ''
  return failed(
    `${url} answers our signed look-up with ${status}${reason}`,
    status === 401
      ? 'set NETWORK_SUBSCRIBER_ID, NETWORK_KEY_ID and NETWORK_SIGNING_KEY as they were registered, or register the key with lendloom network subscribe'
      : 'check NETWORK_REGISTRY_URL; try again later',
  )
}

/** Differences of clocks that we warn of, and those with which the network refuses signatures. */
const skewSeconds = { warning: 5, failed: 60 }

/** The header has whole seconds, so its middle is compared. */
function clockFinding(nowMs: number, dateMs: number): Finding {
  if (Number.isNaN(dateMs)) return warning('the registry does not state its time', 'check the clock by NTP')
  const seconds = Math.round((nowMs - dateMs - 500) / 1000)
  const off = Math.abs(seconds)
  if (off <= skewSeconds.warning) return ok('our clock agrees with that of the registry')
  const found = `our clock is ${off} s ${seconds > 0 ? 'ahead of' : 'behind'} that of the registry`
  return off > skewSeconds.failed
    ? failed(found, 'synchronize the clock by NTP: the network refuses our signatures')
    : warning(found, 'synchronize the clock by NTP')
}

const askOperatorText = 'ask the operator of the network to correct the entry'

function entryFinding(own: OwnNetworkEntry, found: readonly Participant[]): Finding {
  const { subscriberId: id } = own
  if (own.state === 'missing')
    return failed(`${id} is not in the registry for ${usualDomain}`, 'register it: lendloom network subscribe')
  const buyers = found.filter(({ type }) => type === 'BAP')
  if (buyers.length === 0)
    return failed(
      `${id} is in the registry as ${found.map(({ type }) => type).join(', ')}, not as BAP`,
      askOperatorText,
    )
  if (!buyers.some(({ status }) => status === 'SUBSCRIBED'))
    return failed(`${id} has the status ${buyers.map(({ status }) => status).join(', ')}`, askOperatorText)
  return ok(`${id} is SUBSCRIBED as BAP of ${usualDomain}`)
}

/** Our entry in a domain beside the usual one, which has the same keys. */
async function furtherEntryFinding(ctx: NetworkContext, own: OwnNetworkEntry, domain: NetworkDomain): Promise<Finding> {
  const { subscriberId: id, keyId } = own
  try {
    const found = participantsIn(await callLookup(ctx, { subscriber_id: id, domain }, 10_000)) ?? []
    const ours = found.find(({ ukId, type, status }) => ukId === keyId && type === 'BAP' && status === 'SUBSCRIBED')
    if (ours) return ok(`${id} is SUBSCRIBED as BAP of ${domain}`)
    return failed(
      `${id} is not SUBSCRIBED as BAP of ${domain} with the key ${keyId}`,
      'lendloom network subscribe, or take the domain out of NETWORK_DOMAINS',
    )
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    return failed(`the registry does not answer for ${domain}: ${error.message}`, 'try again later')
  }
}

function entryChecks(ctx: NetworkContext, own: OwnNetworkEntry, found: readonly Participant[]): HealthCheck[] {
  const ours = found.find(({ ukId }) => ukId === own.keyId)
  const [first] = found
  const listedUrl = (ours ?? first)?.subscriber_url
  return [
    ['signing key', async () => signingKeyFinding(own, ctx.clock())],
    ...(ours && entryFault(own, ctx.clock()) === null
      ? ([['signature', async () => signatureFinding(ctx, ours)]] satisfies HealthCheck[])
      : []),
    ['other keys', async () => otherKeysFinding(ctx, found)],
    ...(ours ? ([['encryption key', async () => encryptionKeyFinding(ctx, ours)]] satisfies HealthCheck[]) : []),
    ['subscriber URL', () => subscriberUrlFinding(ctx, listedUrl)],
  ]
}

/** Says whether the entry has our key, and when it expires. */
export function signingKeyFinding(entry: OwnNetworkEntry, now: Date): Finding {
  const fault = entryFault(entry, now)
  if (fault) return failed(fault.found, fault.action)
  const ours = required(ownKeyIn(entry.keys, entry), 'our key')
  const until = new Date(ours.validUntil)
  const found = `${periodWords(entry, ours)} (${daysUntil(until, now)} days)`
  return isExpiring(until, now) ? warning(found, 'register a new key before this one expires') : ok(found)
}

function signatureFinding({ config, clock }: NetworkContext, { signing_public_key: key }: Participant): Finding {
  const body = '{"sample":true}'
  const at = clock()
  const header = authorizationHeader(config, body, at)
  const isVerified = (text: string): boolean => verifySignature(text, key, { header, at }).ok
  return isVerified(body) && !isVerified(`${body} `)
    ? ok('a sample that we sign is verified with the key in the registry, and refused once it is changed')
    : failed('the key in the registry does not verify what we sign', 'register a new key')
}

function otherKeysFinding({ config, clock }: NetworkContext, found: readonly Participant[]): Finding {
  const others = found.filter((each) => each.ukId !== config.NETWORK_KEY_ID && isValid(each, clock()))
  return others.length === 0
    ? ok('there is none: no rotation is under way')
    : ok(`also valid: ${others.map(({ ukId, valid_until }) => `${ukId} until ${valid_until}`).join(', ')}`)
}

/** The last 32 bytes of a key, without the header that some registries add. */
const rawKey = (text: string): string => Buffer.from(text, 'base64').subarray(-32).toString('base64')

function encryptionKeyFinding({ config }: NetworkContext, { encr_public_key: listed }: Participant): Finding {
  if (listed === undefined)
    return warning('the registry does not list it', 'rely on the check of on_subscribe, which uses the key')
  return rawKey(listed) === rawKey(encryptionPublicKey(config))
    ? ok('the registry lists that of NETWORK_ENCRYPTION_KEY')
    : failed(
        'the registry lists another one than that of NETWORK_ENCRYPTION_KEY',
        'set NETWORK_ENCRYPTION_KEY as it was registered, or register both keys under a new NETWORK_KEY_ID',
      )
}

async function subscriberUrlFinding({ config }: NetworkContext, listed: string | undefined): Promise<Finding> {
  const { uri } = identityOf(config)
  if (listed?.replace(/\/$/, '') !== uri.replace(/\/$/, ''))
    return failed(
      `lenders send to ${listed ?? 'no address'}, the entry's; ours is ${uri}`,
      'correct NETWORK_SUBSCRIBER_URL or PUBLIC_URL, or ask the operator of the network to change the entry',
    )
  return (await isHostUnknown(uri))
    ? failed(`the host of ${uri} does not exist`, 'create its DNS record')
    : ok(`${uri}, as in the entry`)
}
