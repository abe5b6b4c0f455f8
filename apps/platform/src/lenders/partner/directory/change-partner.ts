// Adds and changes lending partners and rotates their credentials, for the console and the command line.

import { type FieldError, invalid, Refusal } from '@lendloom/foundation/refusal'
import { egressPolicyOf, whyUnreachable } from '@lendloom/http/egress-policy'
import { uuidv7 } from '@lendloom/seal/id'
import type { NewPartner, PartnerChange, RotateRequest } from '@lendloom/wire/console/lending-partners'
import type { TxContext } from '#platform/context.ts'
import { missingContact, noContact } from '#platform/lenders/partner/partner-contact.ts'
import { partnerIn, rowOf } from '#platform/lenders/partner/partner-look-ups.ts'
import { defaultRules } from '#platform/lenders/partner/settings.ts'
import { insertSwitch } from '#platform/lending/lender/switch/store.ts'
import { partnerProducts } from '#platform/lending/product/products.ts'
import { type Actor, noteStaffAct } from '#platform/people/audit.ts'
import { platformTenant } from '#platform/people/person.ts'
import { type ProviderConfig, partnerProviderFaults } from '#platform/providers/partner-providers.ts'
import { lenderKeyOf, type Partner, type PartnerCredential } from './lending-partner.ts'
import {
  newCredential,
  type RotationResult,
  requireDistinctCredentials,
  withRotatedCredential,
} from './rotate-credential.ts'
import { insertPartner, lockPartners, updatePartner } from './store.ts'

type ChangeDeps = Pick<TxContext, 'tx' | 'at' | 'seal'> & { config: ProviderConfig & { SANDBOX: boolean } }

/** The number is limited, because every application and event loads all partners. */
const maxPartners = 50

/** The recorded reason why a new partner is switched off. */
const newPartnerReason = 'New partner: receives no applications until switched on'

/**
 * Adds a partner that is switched off. Returns the partner and its credentials, which are shown once. Throws `invalid`
 * for a wrong field or a sender in use, and `wrong-state` when the maximum number of partners is reached or providers
 * are not configured.
 */
export async function addPartner(ctx: ChangeDeps, actor: Actor, input: NewPartner): Promise<RotationResult> {
  const { tx, at } = ctx
  const { sender, ourSender = 'LENDLOOM' } = input
  const partner = {
    ...withChange(emptyPartner(uuidv7(at.getTime()), sender, at), input, at),
    credentials: credentialsOf(input, ourSender, at),
  }
  await insertValidPartner(ctx, partner)
  const { bppId, providerId } = lenderKeyOf(partner)
  const personId = actor?.personId ?? null
  await insertSwitch(tx, { tenantId: platformTenant, bppId, providerId, reason: newPartnerReason, personId, offAt: at })
  await noteStaffAct({ tx, at }, actor, {
    act: 'PARTNER_ADDED',
    subject: partner.partnerId,
    tenantId: null,
    detail: { sender },
  })
  const outgoing = partner.credentials.outgoing[0] ?? null
  const incoming = partner.credentials.incoming[0] ?? null
  return { partner, outgoing, incoming }
}

/** Validates and inserts a new partner. Throws as `addPartner` does. */
export async function insertValidPartner(ctx: ChangeDeps, partner: Partner): Promise<void> {
  const others = await lockAllPartners(ctx)
  if (others.length >= maxPartners)
    throw new Refusal('wrong-state', `there are already ${maxPartners} lending partners, the maximum`)
  if (others.some(({ sender }) => sender.toLowerCase() === partner.sender.toLowerCase()))
    throw invalid({ path: 'sender', message: 'is used by another partner' })
  validatePartner(ctx, partner)
  requireDistinctCredentials(partner, others)
  const missingProviders = partnerProviderFaults(ctx.config)
  if (missingProviders.length > 0)
    throw new Refusal('wrong-state', `set the providers of partner loans first: ${missingProviders.join('; ')}`)
  await insertPartner(ctx.tx, rowOf(ctx.seal, partner))
}

export const emptyPartner = (partnerId: string, sender: string, at: Date): Partner => ({
  partnerId,
  sender,
  name: '',
  url: '',
  products: partnerProducts,
  rules: defaultRules,
  contact: noContact,
  credentials: { ourSender: '', outgoing: [], incoming: [] },
  createdAt: at,
  updatedAt: at,
})

function credentialsOf(
  { sender, outgoing, incoming }: NewPartner,
  ourSender: string,
  at: Date,
): Partner['credentials'] {
  const outgoingCredential: PartnerCredential = outgoing ?? newCredential(ourSender)
  const incomingCredentials: PartnerCredential[] = incoming ?? [newCredential(sender)]
  return {
    ourSender,
    outgoing: [{ ...outgoingCredential, from: at.toISOString() }],
    incoming: incomingCredentials.map((credential) => ({ ...credential, until: null })),
  }
}

/**
 * Changes the given fields of a partner, but no terms that a borrower has already seen or signed. Throws `absent`, and
 * `invalid` for a wrong field.
 */
export async function changePartner(
  ctx: ChangeDeps,
  actor: Actor,
  partnerId: string,
  change: PartnerChange,
): Promise<Partner> {
  const { tx, at } = ctx
  const before = requirePartner(await lockAllPartners(ctx), partnerId)
  const changed = withChange(before, change, at)
  validatePartner(ctx, changed, missingContact(before.contact))
  await updatePartner(tx, rowOf(ctx.seal, changed))
  const detail = { sender: before.sender, fields: changedFields(before, changed).join(' ') }
  await noteStaffAct({ tx, at }, actor, { act: 'PARTNER_CHANGED', subject: partnerId, tenantId: null, detail })
  return changed
}

/** Throws `absent`, `invalid` for a credential in use, and `wrong-state` during another rotation in this direction. */
export async function rotateCredential(
  ctx: ChangeDeps,
  actor: Actor,
  partnerId: string,
  request: RotateRequest,
): Promise<RotationResult> {
  const { tx, at, seal } = ctx
  const all = await lockAllPartners(ctx)
  const before = requirePartner(all, partnerId)
  const { partner, ...credentials } = withRotatedCredential(before, request, at)
  const updated = { ...partner, updatedAt: at }
  requireDistinctCredentials(
    updated,
    all.filter((other) => other !== before),
  )
  await updatePartner(tx, rowOf(seal, updated))
  const { direction, overlapHours, withBearer } = request
  const keyId = credentials.outgoing?.keyId ?? credentials.incoming?.keyId ?? ''
  const detail = { sender: before.sender, direction, overlapHours, withBearer, keyId }
  await noteStaffAct({ tx, at }, actor, {
    act: 'PARTNER_CREDENTIAL_ROTATED',
    subject: partnerId,
    tenantId: null,
    detail,
  })
  return { partner: updated, ...credentials }
}

/** Locks all partners against changes and returns them. */
export const lockAllPartners = async ({ tx, seal }: Pick<ChangeDeps, 'tx' | 'seal'>): Promise<Partner[]> =>
  (await lockPartners(tx)).map((row) => partnerIn(seal, row))

export const absentPartner = (): Refusal => new Refusal('absent', 'the lending partner does not exist')

function requirePartner(all: Partner[], partnerId: string): Partner {
  const partner = all.find((each) => each.partnerId === partnerId.toLowerCase())
  if (!partner) throw absentPartner()
  return partner
}

const withChange = (partner: Partner, change: PartnerChange, at: Date): Partner => ({
  ...partner,
  name: change.name?.trim() ?? partner.name,
  // Without slashes at the end, because paths begin with one. The look-behind keeps the search linear.
  url: change.url?.replace(/(?<!\/)\/+$/, '') ?? partner.url,
  products: change.products ?? partner.products,
  rules: { ...partner.rules, ...change.rules },
  contact: { ...partner.contact, ...change.contact },
  updatedAt: at,
})

/** Throws `invalid` when the partner lacks anything that borrowers or the exchange need. */
function validatePartner(
  { config: { SANDBOX } }: ChangeDeps,
  { url, products, rules, contact }: Partner,
  missingBefore: string[] = [],
): void {
  const urlFault = whyUnreachable(url, egressPolicyOf({ SANDBOX }))
  const missing = SANDBOX ? [] : missingContact(contact).filter((name) => !missingBefore.includes(name))
  const faults: FieldError[] = [
    ...(urlFault ? [{ path: 'url', message: `cannot be called: it is ${urlFault}` }] : []),
    ...products
      .filter((product) => !partnerProducts.includes(product))
      .map((product) => ({ path: 'products', message: `partners do not offer ${product}` })),
    ...(rules.leastRupees > rules.mostRupees
      ? [{ path: 'rules.leastRupees', message: 'must not be more than rules.mostRupees' }]
      : []),
    ...missing.map((name) => ({
      path: `contact.${name}`,
      message: 'is required, because borrowers need a contact',
    })),
  ]
  const [first, ...others] = faults
  if (first) throw invalid(first, ...others)
}

/** Names of the changed fields, without values. */
function changedFields(before: Partner, after: Partner): string[] {
  const flatten = ({ name, url, products, rules, contact }: Partner): Record<string, unknown> => ({
    name,
    url,
    products: products.join(),
    ...rules,
    ...contact,
  })
  const oldFields = flatten(before)
  return Object.entries(flatten(after)).flatMap(([field, value]) => (oldFields[field] === value ? [] : [field]))
}
