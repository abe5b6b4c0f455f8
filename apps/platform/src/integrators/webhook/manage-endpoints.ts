// Registers, changes, pauses and removes webhook endpoints. A secret is shown only once.

import { randomBytes } from 'node:crypto'
import { secondsAfter } from '@lendloom/foundation/clock'
import { omitValue } from '@lendloom/foundation/record'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { whyUnresolvable } from '@lendloom/http/client'
import { addEntry } from '@lendloom/identity/audit'
import type { Tx } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import { uuidv7 } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import type { AccessRequest } from '@lendloom/wire/hosted/endpoint-access'
import type { LifecycleStatus } from '@lendloom/wire/hosted/lifecycle'
import type { LoanEventType } from '@lendloom/wire/hosted/loan-event'
import { secretOf } from '@lendloom/wire/webhook/signature'
import {
  changedAccess,
  openAccess,
  requireNewAccess,
  requireSendable,
  sealedAccess,
} from '#platform/integrators/webhook/endpoint/endpoint-access.ts'
import { sealedSecret } from '#platform/integrators/webhook/endpoint/endpoint-secret.ts'
import { deliveryQueue } from './delivery.ts'
import { type DeliveryPolicy, urlFault } from './delivery-policy.ts'
import {
  countEndpointsLocked,
  deleteEndpoint,
  type EndpointRow,
  insertEndpoint,
  lockEndpoint,
  maxEndpoints,
  oldSecretHours,
  replaceSecret,
  setPaused,
  setResumed,
  updateEndpoint,
} from './endpoint/store.ts'
import { lookAtLoans } from './loan-watch.ts'
import { deleteUndelivered, type Owner, stopDeliveries } from './store.ts'

export interface EndpointInput {
  url: string
  /** Null for all statuses. */
  statuses: LifecycleStatus[] | null
  /** Only of a listener: in real time, until when it is kept without a pull. */
  listensUntil?: Date
  /** The events of loans to send; none by default. */
  loanEvents?: LoanEventType[] | null
  /** What its server demands beside the signature. */
  access?: AccessRequest
  /** Only of a feed: when it begins. */
  feedAt?: Date
  /** Only of a listener: its person; null for the command line of the machine. */
  listenerPersonId?: string | null
  /** New by default. */
  secret?: string
}

/** A request to change an endpoint. */
interface SubscriptionRequest extends Addresses {
  statuses?: LifecycleStatus[] | null
  loanEvents?: LoanEventType[] | null
}

/** The addresses of a request about an endpoint. */
interface Addresses extends AccessRequest {
  url?: string
}

/** Resolves the hosts, so call it before the transaction. Throws `invalid` at the field whose URL cannot be called. */
export async function checkAddresses({ url, clientCredentials }: Addresses, policy: DeliveryPolicy): Promise<void> {
  if (url !== undefined) await checkEndpointUrl(url, policy, 'url')
  if (clientCredentials) await checkEndpointUrl(clientCredentials.tokenUrl, policy, 'clientCredentials.tokenUrl')
}

type SubscriptionChange = Pick<Partial<EndpointInput>, 'url' | 'statuses' | 'loanEvents' | 'access'>

/** What a request changes: only the fields that it has, because null is a value of them. */
export const changeIn = ({ url, statuses, loanEvents, ...access }: SubscriptionRequest): SubscriptionChange => ({
  ...omitValue({ url, statuses, loanEvents }, undefined),
  access: accessIn(access),
})

/** The part of a request about what the server demands. */
export const accessIn = ({ headers, clientCredentials }: AccessRequest): AccessRequest =>
  omitValue({ headers, clientCredentials }, undefined)

async function checkEndpointUrl(url: string, policy: DeliveryPolicy, path: string): Promise<void> {
  const fault = urlFault(url, policy, path)
  if (fault) throw invalid(fault)
  const why = await whyUnresolvable(url, policy.egress)
  if (why) throw invalid({ path, message: `cannot be called: it is ${why}` })
}

/** Registers an endpoint. Throws `wrong-state` when the application has the maximum number of endpoints. */
export async function registerEndpoint(
  tx: Tx,
  seal: Seal,
  { tenantId, applicationId }: Owner,
  {
    url,
    statuses,
    access = {},
    loanEvents = null,
    listensUntil,
    feedAt,
    listenerPersonId = null,
    secret = newSecret(),
    at,
  }: EndpointInput & { at: Date },
): Promise<{ endpoint: EndpointRow; secret: string }> {
  const isListener = listensUntil !== undefined
  const count = await countEndpointsLocked(tx, { tenantId, applicationId }, isListener)
  const what = isListener ? 'listeners' : 'webhook endpoints'
  if (count >= maxEndpoints)
    throw new Refusal('wrong-state', `an application has at most ${maxEndpoints} ${what}; remove one first`)
  const endpointId = uuidv7(at.getTime())
  const endpoint = {
    tenantId,
    applicationId,
    endpointId,
    url,
    statuses,
    createdAt: at,
    listensUntil: listensUntil ?? null,
    listenerPersonId,
    feedAt: feedAt ?? null,
    loanEvents,
    accessSealed: accessOf(seal, { tenantId, endpointId }, access),
  }
  if (loanEvents) await lookAtLoans(tx, { tenantId, applicationId }, at)
  await insertEndpoint(tx, { ...endpoint, secretSealed: sealedSecret(seal, tenantId, endpointId, secret) })
  return {
    endpoint: { ...endpoint, listenerUpdates: 0, disabledAt: null, disabledBecause: null, pausedAt: null },
    secret,
  }
}

function accessOf(seal: Seal, key: { tenantId: string; endpointId: string }, request: AccessRequest): Buffer | null {
  const access = changedAccess({ headers: [], clientCredentials: null }, request)
  requireSendable(access)
  return sealedAccess(seal, key, access)
}

const newSecret = (): string => secretOf(randomBytes(32))

interface SecretRotation {
  endpointId: string
  at: Date
}

/**
 * Rotates an endpoint's secret; the old one also signs until the overlap ends. A second rotation within the overlap drops
 * the oldest of the three secrets at once.
 */
export async function rotateEndpointSecret(
  tx: Tx,
  seal: Seal,
  owner: Owner,
  { endpointId, at }: SecretRotation,
): Promise<{ secret: string; oldSecretUntil: Date }> {
  const secret = newSecret()
  const oldSecretUntil = secondsAfter(at, oldSecretHours * 3600)
  const sealed = sealedSecret(seal, owner.tenantId, endpointId, secret)
  const isKnown = await replaceSecret(tx, owner, { endpointId, secretSealed: sealed, oldSecretUntil })
  if (!isKnown) throw absentEndpoint()
  return { secret, oldSecretUntil }
}

/** Removes an endpoint and stops its pending deliveries. */
export async function removeEndpoint(write: Write, owner: Owner, endpointId: string): Promise<void> {
  if (!(await removeIfKnown(write, owner, { endpointId }))) throw absentEndpoint()
}

/**
 * Like `removeEndpoint`, but returns false if there is none. The missing updates of a listener are deleted with it, and
 * the audit log counts the updates that its person pulled.
 */
export async function removeIfKnown(
  write: Write,
  owner: Owner,
  which: { endpointId: string; stoppedBy?: Date },
): Promise<boolean> {
  const { tx } = write
  const removed = await deleteEndpoint(tx, owner, which)
  const destination = { tenantId: owner.tenantId, destinationId: which.endpointId }
  if (removed?.isListener) {
    await deleteUndelivered(tx, destination)
    const { listenerPersonId: personId, listenerUpdates: updates } = removed
    const entry = {
      act: removed.feedAt ? 'EVENT_FEED_ENDED' : 'WEBHOOK_LISTENER_ENDED',
      subject: which.endpointId,
      detail: { updates },
    }
    await addEntry(write, { tenantId: owner.tenantId, personId, ...entry })
  } else if (removed) await stopDeliveries(tx, { ...destination, journeyId: null, why: 'the endpoint was removed' })
  return removed !== undefined
}

export const absentEndpoint = (): Refusal => new Refusal('absent', 'there is no such webhook endpoint')

/** Returns the locked endpoint. Throws `absent` for an unknown id. */
export async function requireLockedEndpoint(tx: Tx, tenantId: string, endpointId: string): Promise<EndpointRow> {
  const endpoint = await lockEndpoint(tx, { tenantId, endpointId })
  if (!endpoint) throw absentEndpoint()
  return endpoint
}

/** Like `requireLockedEndpoint`, for an act on the URL or the secret. Throws `wrong-state` for a listener. */
export async function requireLockedUrl(tx: Tx, tenantId: string, endpointId: string): Promise<EndpointRow> {
  const endpoint = await requireLockedEndpoint(tx, tenantId, endpointId)
  if (endpoint.feedAt)
    throw new Refusal('wrong-state', 'the app asks for the updates of its feed, which has no address')
  if (endpoint.listensUntil)
    throw new Refusal(
      'wrong-state',
      'a command line listens here: the platform does not call its address, and its secret is the one that it printed',
    )
  return endpoint
}

/** Changes the subscribed statuses, the URL or what its server demands, which also applies to pending deliveries. */
export async function changeSubscription(
  { tx, seal, at }: Write & { seal: Seal },
  endpoint: EndpointRow,
  { access: request = {}, ...update }: SubscriptionChange,
): Promise<EndpointRow> {
  const before = openAccess(seal, endpoint)
  const access = changedAccess(before, request)
  requireSendable(access)
  const next = { ...endpoint, ...update }
  requireNewAccess({ url: endpoint.url, access: before }, next, request)
  const changed = { ...next, accessSealed: sealedAccess(seal, endpoint, access) }
  await updateEndpoint(tx, changed, at)
  if (changed.loanEvents && !endpoint.loanEvents) await lookAtLoans(tx, endpoint, at)
  return changed
}

/** Pauses deliveries; an attempt in progress completes. */
export async function pauseEndpoint(tx: Tx, endpoint: EndpointRow, at: Date): Promise<EndpointRow> {
  if (endpoint.pausedAt) throw new Refusal('wrong-state', 'the endpoint is already paused')
  await setPaused(tx, endpoint, at)
  return { ...endpoint, pausedAt: at }
}

/** Resumes a paused endpoint with its pending updates in order, or a disabled one with new updates only. */
export async function resumeEndpoint(tx: Tx, endpoint: EndpointRow, at: Date): Promise<EndpointRow> {
  if (!endpoint.pausedAt && !endpoint.disabledAt)
    throw new Refusal('wrong-state', 'the endpoint is neither paused nor disabled')
  await setResumed(tx, endpoint, at)
  tx.wake(deliveryQueue)
  return { ...endpoint, pausedAt: null, disabledAt: null, disabledBecause: null }
}
