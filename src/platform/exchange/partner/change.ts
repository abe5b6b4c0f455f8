// Lending partners are added, changed, and given new credentials: the same acts for the console and for the command line.
import type { NewPartner, PartnerChange, RotateRequest } from '#contract/console/lending-partners.ts'
import { uuidv7 } from '#kit/crypto/id.ts'
import { whyUnreachable } from '#kit/http/egress-policy.ts'
import { type FieldError, invalid, Refusal } from '#kit/http/refusal.ts'
import type { TxContext } from '#platform/context.ts'
import { partnerIn, rowOf } from '#platform/exchange/partners.ts'
import { missingContact, noContact, usualRules } from '#platform/exchange/settings.ts'
import { insertSwitch } from '#platform/lender/switch/store.ts'
import { partnerProducts } from '#platform/product/products.ts'
import { type Actor, noteStaffAct } from '#platform/staff/audit.ts'
import { platformTenant } from '#platform/staff/person.ts'
import { newCredential, type RotationResult, requireApart, rotated } from './rotate.ts'
import {
  insertPartner,
  lenderNameOf,
  lockPartners,
  type Partner,
  type PartnerCredential,
  updatePartner,
} from './store.ts'

type ChangeDeps = Pick<TxContext, 'tx' | 'at' | 'seal'> & { config: { SANDBOX: boolean } }

/** Their rows are read whole for every application and every event. */
const mostPartners = 50

/** Why a new one is asked for nothing yet. */
const notYet = 'New: it is asked for nothing until it is switched on'

/**
 * Adds a partner, switched off, and returns it with its credentials, which are shown once. Refused: `invalid` a wrong
 * field, or a sender in use · `wrong-state` the maximum number is reached.
 */
export async function addPartner(ctx: ChangeDeps, who: Actor, given: NewPartner): Promise<RotationResult> {
  const { tx, at } = ctx
  const { sender, ourSender = 'LENDLOOM' } = given
  const added = {
    ...changedBy(emptyPartner(uuidv7(at.getTime()), sender, at), given, at),
    credentials: credentialsOf(given, ourSender, at),
  }
  await insertChecked(ctx, added)
  const { bppId, providerId } = lenderNameOf(added)
  const personId = who?.personId ?? null
  await insertSwitch(tx, { tenantId: platformTenant, bppId, providerId, reason: notYet, personId, offAt: at })
  await noteStaffAct({ tx, at }, who, {
    act: 'PARTNER_ADDED',
    subject: added.partnerId,
    tenantId: null,
    detail: { sender },
  })
  const [outgoing, incoming] = [added.credentials.outgoing[0] ?? null, added.credentials.incoming[0] ?? null]
  return { partner: added, outgoing, incoming }
}

/** Keeps a partner that is new. Refused as `addPartner` is. */
export async function insertChecked(ctx: ChangeDeps, added: Partner): Promise<void> {
  const others = await readLocked(ctx)
  if (others.length >= mostPartners)
    throw new Refusal('wrong-state', `there are ${mostPartners} lending partners, as many as there may be`)
  if (others.some(({ sender }) => sender.toLowerCase() === added.sender.toLowerCase()))
    throw invalid({ path: 'sender', message: 'is the sender of another partner' })
  requireWhole(ctx, added)
  requireApart(added, others)
  await insertPartner(ctx.tx, rowOf(ctx.seal, added))
}

export const emptyPartner = (partnerId: string, sender: string, at: Date): Partner => ({
  partnerId,
  sender,
  ...{ name: '', url: '', products: partnerProducts, rules: usualRules, contact: noContact },
  credentials: { ourSender: '', outgoing: [], incoming: [] },
  ...{ createdAt: at, updatedAt: at },
})

function credentialsOf(
  { sender, outgoing, incoming }: NewPartner,
  ourSender: string,
  at: Date,
): Partner['credentials'] {
  const present: PartnerCredential = outgoing ?? newCredential(ourSender)
  const accept: PartnerCredential = incoming ?? newCredential(sender)
  return {
    ourSender,
    outgoing: [{ ...present, from: at.toISOString() }],
    incoming: [{ ...accept, until: null }],
  }
}

/**
 * Changes what is given and leaves the rest; what a borrower was shown or signed stays as it was. Refused: `absent` ·
 * `invalid` a field is wrong.
 */
export async function changePartner(
  ctx: ChangeDeps,
  who: Actor,
  partnerId: string,
  change: PartnerChange,
): Promise<Partner> {
  const { tx, at } = ctx
  const before = found(await readLocked(ctx), partnerId)
  const changed = changedBy(before, change, at)
  requireWhole(ctx, changed)
  await updatePartner(tx, rowOf(ctx.seal, changed))
  const detail = { sender: before.sender, fields: changedFields(before, changed).join(' ') }
  await noteStaffAct({ tx, at }, who, { act: 'PARTNER_CHANGED', subject: partnerId, tenantId: null, detail })
  return changed
}

/** Refused: `absent` · `invalid` what is given is in use · `wrong-state` one of this direction is being replaced already. */
export async function rotateCredential(
  ctx: ChangeDeps,
  who: Actor,
  partnerId: string,
  request: RotateRequest,
): Promise<RotationResult> {
  const { tx, at, seal } = ctx
  const all = await readLocked(ctx)
  const before = found(all, partnerId)
  const { partner, ...made } = rotated(before, request, at)
  const now = { ...partner, updatedAt: at }
  requireApart(
    now,
    all.filter((other) => other !== before),
  )
  await updatePartner(tx, rowOf(seal, now))
  const { direction, overlapHours, withBearer } = request
  const keyId = made.outgoing?.keyId ?? made.incoming?.keyId ?? ''
  const detail = { sender: before.sender, direction, overlapHours, withBearer, keyId }
  await noteStaffAct({ tx, at }, who, { act: 'PARTNER_CREDENTIAL_ROTATED', subject: partnerId, tenantId: null, detail })
  return { partner: now, ...made }
}

/** All partners, locked against changes. */
export const readLocked = async ({ tx, seal }: Pick<ChangeDeps, 'tx' | 'seal'>): Promise<Partner[]> =>
  (await lockPartners(tx)).map((row) => partnerIn(seal, row))

export const absentPartner = (): Refusal => new Refusal('absent', 'there is no such lending partner')

function found(all: Partner[], partnerId: string): Partner {
  const partner = all.find((each) => each.partnerId === partnerId.toLowerCase())
  if (!partner) throw absentPartner()
  return partner
}

const changedBy = (partner: Partner, change: PartnerChange, at: Date): Partner => ({
  ...partner,
  name: change.name?.trim() ?? partner.name,
  url: change.url?.replace(/(?<!\/)\/+$/, '') ?? partner.url,
  products: change.products ?? partner.products,
  rules: { ...partner.rules, ...change.rules },
  contact: { ...partner.contact, ...change.contact },
  updatedAt: at,
})

/** Refuses as `invalid` what borrowers, or the exchange, could not do with. */
function requireWhole({ config: { SANDBOX } }: ChangeDeps, { url, products, rules, contact }: Partner): void {
  const why = whyUnreachable(url, SANDBOX ? 'anywhere' : 'public')
  const missing = SANDBOX ? [] : missingContact(contact)
  const faults: FieldError[] = [
    ...(why ? [{ path: 'url', message: `cannot be called: it is ${why}` }] : []),
    ...(!why && !SANDBOX && !url.startsWith('https:') ? [{ path: 'url', message: 'must be an https URL' }] : []),
    ...products
      .filter((product) => !partnerProducts.includes(product))
      .map((product) => ({ path: 'products', message: `${product} is not lent by partners` })),
    ...(rules.leastRupees > rules.mostRupees
      ? [{ path: 'rules.leastRupees', message: 'must not be more than rules.mostRupees' }]
      : []),
    ...missing.map((name) => ({
      path: `contact.${name}`,
      message: 'is needed: borrowers must be told whom to turn to',
    })),
  ]
  const [first, ...more] = faults
  if (first) throw invalid(first, ...more)
}

/** Names of what differs, never a value. */
function changedFields(before: Partner, after: Partner): string[] {
  const flat = ({ name, url, products, rules, contact }: Partner): Record<string, unknown> => ({
    ...{ name, url, products: products.join() },
    ...rules,
    ...contact,
  })
  const old = flat(before)
  return Object.entries(flat(after)).flatMap(([field, value]) => (old[field] === value ? [] : [field]))
}
