// A link that can be sent: it opens a journey for days, on each device after a code to the borrower's mobile number.

import { randomInt } from 'node:crypto'
import { Refusal } from '@lendloom/foundation/refusal'
import { networkOf } from '@lendloom/http/sign-in-limit'
import {
  clearGuesses,
  countGuess,
  findPause,
  type Guess,
  type GuessKey,
  type GuessLimit,
  takeBackGuess,
} from '@lendloom/identity/guess-count'
import { noTenant } from '@lendloom/identity/person'
import type { Write } from '@lendloom/postgres/write'
import { bucketOf, randomOctets, uuidv4 } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import { mintToken, readToken, sameDigest } from '@lendloom/seal/token'
import type { JourneyLink } from '@lendloom/wire/hosted/create-session'
import type { Context, TxContext } from '#platform/context.ts'
import { issueEmbedToken } from './embed-session.ts'
import {
  endLinkSessions,
  findDevice,
  findOpenLink,
  insertCode,
  insertDevice,
  insertLink,
  isCodeUsable,
  type LinkKey,
  type LinkRow,
  lockOpenLink,
  revokeLink,
  tryCode,
  useCode,
} from './journey-link/store.ts'

export const linkPath = '/open'

/** How long a code may be entered, and how often. */
export const codeMinutes = 5
const maxTries = 5
/** A link that was opened on so many devices is used up: it has been forwarded further than a household. */
const maxDevices = 5

/** Wrong codes of one link. */
const linkTries: GuessLimit = { every: maxTries, pauseMinutes: [15, 60, 24 * 60] }
/** Wrong codes from one network, behind which there may be an office or the customers of a mobile operator. */
const networkTries: GuessLimit = { every: 30, pauseMinutes: [15, 60, 240] }
/** Codes to one number, however many links ask for them: every message costs money and disturbs whoever has the number. */
const numberSends: GuessLimit = { every: 1, pauseMinutes: [0.5, 1, 5, 15, 60] }
/** Codes that one network asked for and did not enter. */
const networkSends: GuessLimit = { every: 30, pauseMinutes: [15, 60, 240] }

interface LinkRequest {
  tenantId: string
  applicationId: string
  journeyId: string
  lifetimeMs: number
}

/** Makes a link in the transaction that opens or resumes its journey. */
export async function makeLink({ tx, at, config }: TxContext, request: LinkRequest): Promise<JourneyLink> {
  const { tenantId, applicationId, journeyId, lifetimeMs } = request
  const { token, tokenId: linkId, digest } = mintToken('lk', { tenantId, bucket: bucketOf(journeyId) }, randomOctets)
  const expiresAt = new Date(at.getTime() + lifetimeMs)
  await insertLink(tx, { tenantId, linkId, digest, applicationId, journeyId, createdAt: at, expiresAt })
  return { id: linkId, url: `${config.PUBLIC_URL}${linkPath}/${token}`, expiresAt: expiresAt.toISOString() }
}

/** Revokes a link and ends what was opened with it. Throws `absent` for a link that the application does not have. */
export async function revokeJourneyLink(
  { tx, at }: Write,
  { applicationId, ...key }: LinkKey & { applicationId: string },
): Promise<void> {
  if (!(await revokeLink(tx, key, { applicationId, at }))) throw new Refusal('absent', 'there is no such link')
  await endLinkSessions(tx, key)
}

export type OpenLink = LinkRow & { devices: number }

/** Unknown, expired and revoked links are told apart nowhere. */
const noLink = (): Refusal => new Refusal('absent', 'this link no longer works')

/** Finds the link of a token. Throws `absent` unless it is open. */
export async function openLinkOf({ db }: Pick<Context, 'db'>, token: string, at: Date): Promise<OpenLink> {
  const parsed = readToken(token, ['lk'])
  const link = parsed && (await findOpenLink(db, { tenantId: parsed.tenantId, linkId: parsed.tokenId }, at))
  if (!parsed || !link || !sameDigest(link.digest, parsed.digest)) throw noLink()
  return link
}

/** Throws `absent` if the link was opened on as many devices as a link may be. */
export function requireFurtherDevice({ devices }: OpenLink): void {
  if (devices >= maxDevices) throw noLink()
}

/** Whether the token in a device's cookie is one that the link gave to a device. */
export async function isKnownDevice({ db }: Pick<Context, 'db'>, link: LinkKey, token: string): Promise<boolean> {
  const parsed = readToken(token, ['ld'])
  if (!parsed || parsed.tenantId !== link.tenantId) return false
  const digest = await findDevice(db, link, parsed.tokenId)
  return digest !== undefined && sameDigest(digest, parsed.digest)
}

const triesOf = ({ tenantId, linkId }: LinkKey): GuessKey => ({ tenantId, subject: `link-code ${linkId}` })

/** A digest, because the number is personal data. A tenant's links do not pause those of another. */
const sendsTo = (seal: Seal, { tenantId }: LinkKey, mobile: string): GuessKey => ({
  tenantId,
  subject: `link-send ${seal.digest(mobile, 'link.mobile').toString('hex')}`,
})

/** A digest, because the address of a borrower is personal data. */
const ofNetwork = (seal: Seal, what: 'link-code' | 'link-send', address: string): GuessKey => ({
  tenantId: noTenant,
  subject: `${what} ${seal.digest(networkOf(address), 'link.network').toString('hex')}`,
})

export interface Paused {
  pausedUntil: Date
  /** Whether wrong codes caused the pause, and not codes that were sent. */
  isForTries: boolean
}
const endOfPause = (guess: Guess): Date | null => (guess.isAllowed ? null : guess.pausedUntil)

const codeDigest = (seal: Seal, codeId: string, code: string): Buffer => seal.digest(code, `link.code ${codeId}`)

interface CodeRequest {
  /** The number that gets the code. */
  mobile: string
  ip: string
  at: Date
}

/**
 * Makes a code for a link and stores its digest in the transaction of `send`. Returns the end of the pause instead if
 * too many codes were sent or tried.
 */
export async function makeCode(
  ctx: Context,
  link: LinkRow,
  { mobile, ip, at }: CodeRequest,
  send: (ctx: TxContext, code: { code: string; expiresAt: Date }) => Promise<void>,
): Promise<{ codeId: string } | Paused> {
  const { db, seal } = ctx
  const triesPaused = await findPause(db, triesOf(link), at)
  if (triesPaused) return { pausedUntil: triesPaused, isForTries: true }
  const pausedUntil =
    endOfPause(await countGuess(db, sendsTo(seal, link, mobile), numberSends, at)) ??
    endOfPause(await countGuess(db, ofNetwork(seal, 'link-send', ip), networkSends, at))
  if (pausedUntil) return { pausedUntil, isForTries: false }
  const { tenantId, linkId, journeyId } = link
  const codeId = uuidv4(bucketOf(journeyId))
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const expiresAt = new Date(at.getTime() + codeMinutes * 60_000)
  await db.tx(async (tx) => {
    await insertCode(tx, { tenantId, linkId, codeId, digest: codeDigest(seal, codeId, code), journeyId, expiresAt })
    await send({ ...ctx, tx, at }, { code, expiresAt })
  })
  return { codeId }
}

/** Whether a code may still be entered. */
export const mayEnterCode = ({ db }: Pick<Context, 'db'>, link: LinkKey, codeId: string, at: Date): Promise<boolean> =>
  isCodeUsable(db, { ...keyOf(link), codeId }, { maxTries, at })

const keyOf = ({ tenantId, linkId }: LinkKey): LinkKey => ({ tenantId, linkId })

interface CodeEntry extends CodeRequest {
  codeId: string
  code: string
}

type CodeResult =
  | { is: 'right'; embedToken: string; deviceToken: string }
  | { is: 'wrong'; triesLeft: number }
  /** The code has expired, was used, or was tried too often. */
  | { is: 'spent' }
  | { is: 'paused'; pausedUntil: Date }

/** Checks a code, and on the right one gives the device a token of its own and opens the page. */
export async function enterCode(ctx: Context, link: LinkRow, entry: CodeEntry): Promise<CodeResult> {
  const { db, seal } = ctx
  const { codeId, code, mobile, ip, at } = entry
  const key = { ...keyOf(link), codeId }
  const network = ofNetwork(seal, 'link-code', ip)
  const ofLink = await countGuess(db, triesOf(link), linkTries, at)
  if (!ofLink.isAllowed) return { is: 'paused', pausedUntil: ofLink.pausedUntil }
  const fromNetwork = await countGuess(db, network, networkTries, at)
  if (!fromNetwork.isAllowed) {
    await takeBackGuess(db, triesOf(link), ofLink)
    return { is: 'paused', pausedUntil: fromNetwork.pausedUntil }
  }
  const tried = await tryCode(db, key, { maxTries, at })
  if (!tried) return { is: 'spent' }
  if (!sameDigest(tried.digest, codeDigest(seal, codeId, code)))
    return ofLink.pausedUntil
      ? { is: 'paused', pausedUntil: ofLink.pausedUntil }
      : { is: 'wrong', triesLeft: maxTries - tried.tries }
  const opened = await db.tx(async (tx) => {
    if (!(await lockOpenLink(tx, key, at))) return null
    // Read after the lock, because several devices may enter their codes at once.
    const locked = await findOpenLink(tx, key, at)
    if (!locked || locked.devices >= maxDevices || !(await useCode(tx, key, at))) return null
    return addDevice({ ...ctx, tx, at }, link)
  })
  if (!opened) return { is: 'spent' }
  await clearGuesses(db, triesOf(link))
  await clearGuesses(db, sendsTo(seal, link, mobile))
  await takeBackGuess(db, network, fromNetwork)
  await takeBackGuess(db, ofNetwork(seal, 'link-send', ip), null)
  return { is: 'right', ...opened }
}

async function addDevice(ctx: TxContext, link: LinkRow): Promise<{ embedToken: string; deviceToken: string }> {
  const { tenantId, linkId, journeyId } = link
  const { token, tokenId, digest } = mintToken('ld', { tenantId, bucket: bucketOf(journeyId) }, randomOctets)
  await insertDevice(ctx.tx, { tenantId, linkId, deviceId: tokenId, digest, journeyId, openedAt: ctx.at })
  return { embedToken: await embedTokenOf(ctx, link), deviceToken: token }
}

/** Returns a token of the hosted page that ends with the link. */
export const embedTokenOf = (ctx: TxContext, link: LinkRow): Promise<string> => issueEmbedToken(ctx, link, link.linkId)
